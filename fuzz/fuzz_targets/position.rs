#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    raichi_fuzz::games::position(text);
});
