//! hashlanes
