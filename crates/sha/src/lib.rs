//! sha
