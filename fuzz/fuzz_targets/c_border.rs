#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashlanes_fuzz::c_border::run(data));
