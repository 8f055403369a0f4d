//! HMAC-SHA-256 codes of many records under one key, all computed together; one is checked in constant time.

use hashlanes::HmacSha256Key;

fn main() {
    let key = HmacSha256Key::new(&[7; 32]); // A real key comes from the system's source of random numbers.
    let records: Vec<String> = (0..1000).map(|i| format!("account {i}: {} EUR", 10 * i)).collect();

    let messages: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
    let mut codes = vec![[0; 32]; messages.len()];
    key.mac_many(&messages, &mut codes);
    for (record, code) in records.iter().zip(&codes).take(3) {
        println!("{record}  {}", code.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }

    let is_valid = |record: &str, code: &[u8]| {
        let mut hmac = key.begin();
        hmac.update(record.as_bytes());
        hmac.verify(code)
    };
    println!("account 2 with its code: {}", is_valid(&records[2], &codes[2]));
    println!("account 2 with more money: {}", is_valid("account 2: 2000 EUR", &codes[2]));
}
