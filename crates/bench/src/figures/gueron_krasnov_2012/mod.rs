//! The figures of Gueron, Krasnov 2012: message schedules in lanes.

pub(super) mod expanded_padding;
pub(super) mod instructions;
pub(super) mod n_sms;
pub(super) mod openssl_speed;
pub(super) mod remainder;
pub(super) mod schedule;
pub(super) mod sha1;
pub(super) mod sha3_finalists;
