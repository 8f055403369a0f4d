//! Records encrypted and authenticated with AEGIS-128L: one, and many together.

use hashlanes::aes::Buffer;
use hashlanes::aes::aegis::{Aegis128L, Error, Message, aegis128l_encrypt_many};

fn main() -> Result<(), Error> {
    let cipher = Aegis128L::new(&[7; 16]); // A real key comes from the system's source of random numbers.

    // One record; its name is authenticated with it.
    let sealed = cipher.seal(&nonce(0), b"record 0", b"a record")?;
    println!("{} bytes become {}", b"a record".len(), sealed.len());
    assert_eq!(cipher.open(&nonce(0), b"record 0", &sealed)?, b"a record");
    println!("under another name: {}", cipher.open(&nonce(0), b"record 1", &sealed).unwrap_err());

    // Many records in place, several at once.
    let mut records: Vec<Vec<u8>> = (1..=1000).map(|i| format!("the text of record {i}").into()).collect();
    let mut messages: Vec<_> = (1..)
        .zip(&mut records)
        .map(|(i, record)| Message {
            cipher: &cipher,
            nonce: nonce(i),
            ad: b"",
            buffer: Buffer::in_place(record),
            tag: [0; 32],
        })
        .collect();
    aegis128l_encrypt_many(&mut messages)?;
    let tags: Vec<[u8; 32]> = messages.iter().map(|message| message.tag).collect();

    let mut record = records[41].clone();
    cipher.decrypt_in_place(&nonce(42), b"", &mut record, &tags[41])?;
    println!("record 42 of {}: {:?}", records.len(), String::from_utf8_lossy(&record));
    Ok(())
}

/// A counter as a nonce: never twice with one key.
fn nonce(number: u64) -> [u8; 16] {
    u128::from(number).to_le_bytes()
}
