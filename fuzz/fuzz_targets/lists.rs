#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashlanes_fuzz::lists::run(data));
