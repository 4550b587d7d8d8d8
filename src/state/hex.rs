//! Bytes as text: two hexadecimal digits each.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The bytes as hexadecimal digits in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().map_or('0', char::from);
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hex(&[]), "");
        assert_eq!(hex(&[0, 9, 10, 0x7f, 0x80, 255]), "00090a7f80ff");
    }
}
