//! Distinguished names: RFC 5280, section 4.1.2.4, from text like that of RFC 4514.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str::FromStr;

use spki::ObjectIdentifier;

use super::error::Error;
use super::writing::{PRINTABLE_STRING, SEQUENCE, SET, UTF8_STRING, element, oid};

/// Attributes: name, last number of the identifier 2.5.4, greatest number of characters (RFC 5280, appendix
/// A.1).
const ATTRIBUTES: [(&str, u32, usize); 6] =
    [("CN", 3, 64), ("C", 6, 2), ("L", 7, 128), ("ST", 8, 128), ("O", 10, 64), ("OU", 11, 64)];
const ARC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4");

/// A distinguished name, such as `CN=Release key,O=Example`.
///
/// Attributes are CN, C, L, ST, O and OU, in the order of the text. A backslash before `,`, `+`, `=` or `\`
/// makes it a part of the value.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::pki::Name;
///
/// assert!(r"CN=Release key 2026,O=Example\, Inc.,C=CH".parse::<Name>().is_ok());
/// let error = "Release key".parse::<Name>().unwrap_err();
/// assert!(error.to_string().starts_with(r#"name: "Release key" has no "="; expected CN=…"#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    der: Vec<u8>,
}

impl Name {
    /// Returns the name in DER.
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }
}

impl FromStr for Name {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let attributes: Result<Vec<_>, _> = split(text)?.iter().map(attribute).collect();
        Ok(Self { der: element(SEQUENCE, &[&attributes?.concat()]) })
    }
}

/// Splits at commas, and removes backslashes from the values.
fn split(text: &str) -> Result<Vec<(String, Option<String>)>, Error> {
    let mut parts = Vec::new();
    let (mut name, mut value) = (String::new(), None::<String>);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let escaped = characters.next().filter(|next| ",+=\\".contains(*next));
                let escaped = escaped.ok_or_else(|| {
                    Error::Name(r#"expected ",", "+", "=" or "\" after a backslash"#.to_string())
                })?;
                value.as_mut().unwrap_or(&mut name).push(escaped);
            }
            ',' => parts.push((core::mem::take(&mut name), value.take())),
            '=' if value.is_none() => value = Some(String::new()),
            '+' => return Err(Error::Name(r#""+" is not supported; write it as "\+""#.to_string())),
            other => value.as_mut().unwrap_or(&mut name).push(other),
        }
    }
    parts.push((name, value));
    Ok(parts)
}

/// Returns a RelativeDistinguishedName of one attribute.
fn attribute((name, value): &(String, Option<String>)) -> Result<Vec<u8>, Error> {
    let expected = "expected CN=…, O=…, OU=…, L=…, ST=… or C=…";
    let Some(value) = value else {
        return Err(Error::Name(format!("{name:?} has no \"=\"; {expected}")));
    };
    let name = name.trim();
    let known = ATTRIBUTES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    let Some((known, number, most)) = known else {
        return Err(Error::Name(format!("unknown attribute {name:?}; {expected}")));
    };
    let n = value.chars().count();
    let is_country = *known == "C";
    if n == 0 || n > *most || is_country && (n != 2 || !value.bytes().all(|byte| byte.is_ascii_alphabetic()))
    {
        let expected = if is_country { "two letters".to_string() } else { format!("1 to {most} characters") };
        return Err(Error::Name(format!("{known}={value}: expected {expected}")));
    }
    let tag = if is_country { PRINTABLE_STRING } else { UTF8_STRING };
    let kind = oid(ARC.push_arc(*number).expect("a short identifier"));
    let pair = element(SEQUENCE, &[&kind, &element(tag, &[value.as_bytes()])]);
    Ok(element(SET, &[&pair]))
}
