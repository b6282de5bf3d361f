//! Text of floating-point numbers on which all Java releases agree. Up to Java 18, `FloatingDecimal` does not always
//! give the shortest digits; from Java 19 on, the shortest digits that read back as the same number are used.

/// Digits of a positive number, and the position of the decimal point: 1 means that the first digit is the units
/// digit.
type Digits = (Vec<u8>, i32);

/// The result of `Double.toString`; `None` if releases differ, or may differ.
pub fn of_double(x: f64) -> Option<String> {
    if let Some(text) = special(x.is_nan(), x.is_infinite(), x == 0.0, x.is_sign_negative()) {
        return Some(text);
    }
    let positive = x.abs();
    let new = shortest(&format!("{positive:e}"), &format!("{positive:.1e}"))?;
    (older(positive, positive.to_bits() >> 52, positive.to_bits() & ((1 << 52) - 1), 53)? == new)
        .then(|| written(&new, x < 0.0))
}

/// The result of `Float.toString`; `None` if releases differ, or may differ.
pub fn of_float(x: f32) -> Option<String> {
    if let Some(text) = special(x.is_nan(), x.is_infinite(), x == 0.0, x.is_sign_negative()) {
        return Some(text);
    }
    let positive = x.abs();
    let new = shortest(&format!("{positive:e}"), &format!("{positive:.1e}"))?;
    let bits = positive.to_bits();
    let exponent = u64::from(bits >> 23).checked_add(1023 - 127)?;
    if bits >> 23 == 0 {
        return None;
    }
    (older(positive.into(), exponent, u64::from(bits & ((1 << 23) - 1)) << 29, 24)? == new)
        .then(|| written(&new, x < 0.0))
}

/// The digits on which all releases agree, for formatting.
pub fn digits(x: f64) -> Option<Digits> {
    let positive = x.abs();
    let new = shortest(&format!("{positive:e}"), &format!("{positive:.1e}"))?;
    (older(positive, positive.to_bits() >> 52, positive.to_bits() & ((1 << 52) - 1), 53)? == new).then_some(new)
}

fn special(nan: bool, infinite: bool, zero: bool, negative: bool) -> Option<String> {
    let sign = if negative { "-" } else { "" };
    if nan {
        Some("NaN".to_owned())
    } else if infinite {
        Some(format!("{sign}Infinity"))
    } else {
        zero.then(|| format!("{sign}0.0"))
    }
}

fn shortest(all: &str, two: &str) -> Option<Digits> {
    let read = |text: &str| -> Option<Digits> {
        let (mantissa, exponent) = text.split_once('e')?;
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Some((digits, exponent.parse::<i32>().ok()? + 1))
    };
    let shortest = read(all)?;
    // Java writes at least two digits: the closest two-digit decimal.
    if shortest.0.len() == 1 { read(two) } else { Some(shortest) }
}

/// `FloatingDecimal.dtoa`, for numbers whose parts fit into 128 bits.
fn older(x: f64, exponent: u64, fraction: u64, significant: i32) -> Option<Digits> {
    if !(1e-9..1e18).contains(&x) || exponent == 0 {
        return None;
    }
    let binary = exponent as i32 - 1023;
    let mut bits = fraction | (1 << 52);
    let tail = bits.trailing_zeros() as i32;
    let width = 53 - tail;
    let tiny = (width - binary - 1).max(0);
    if (-21..=62).contains(&binary) && tiny == 0 && width < 64 {
        let drop = if binary > significant { insignificant(binary - significant - 1) } else { 0 };
        let whole = if binary >= 52 { bits.checked_shl((binary - 52) as u32)? } else { bits >> (52 - binary) };
        return Some(of_whole(whole, drop));
    }
    let mut decimal = estimate(bits, binary);
    let five_b = (-decimal).max(0);
    let mut two_b = five_b + tiny + binary;
    let five_s = decimal.max(0);
    let mut two_s = five_s + tiny;
    let five_m = five_b;
    let mut two_m = two_b - significant;
    bits >>= tail;
    two_b -= width - 1;
    let common = two_b.min(two_s);
    two_b -= common;
    two_s -= common;
    two_m -= common;
    if width == 1 {
        two_m -= 1;
    }
    if two_m < 0 {
        two_b -= two_m;
        two_s -= two_m;
        two_m = 0;
    }
    let part = |value: u128, fives: i32, twos: i32| -> Option<u128> {
        let scaled = value.checked_mul(5_u128.checked_pow(u32::try_from(fives).ok()?)?)?;
        let twos = u32::try_from(twos).ok()?;
        (scaled.leading_zeros() > twos + 8).then(|| scaled << twos)
    };
    let (mut b, s, mut m) = (part(bits.into(), five_b, two_b)?, part(1, five_s, two_s)?, part(1, five_m, two_m)?);
    let table = |fives: i32| ((f64::from(fives) * 5_f64.log2()).floor() as i32) + 1;
    let b_bits = width + two_b + table(five_b).max(1);
    let s_bits = two_s + 1 + table(five_s + 1);
    let large = !(b_bits < 64 && s_bits < 64);
    let tens = s * 10;
    let high_of = |b: u128, m: u128| if large { b + m >= tens } else { b + m > tens };
    let mut out = Vec::new();
    let q = b / s;
    b = 10 * (b % s);
    m *= 10;
    let (mut low, mut high) = (b < m, high_of(b, m));
    if q == 0 && !high {
        decimal -= 1;
    } else {
        out.push(q as u8);
    }
    if !(-3..8).contains(&decimal) {
        low = false;
        high = false;
    }
    while !low && !high {
        let q = b / s;
        b = 10 * (b % s);
        m = m.checked_mul(10)?;
        low = b < m;
        high = high_of(b, m);
        out.push(q as u8);
    }
    if high {
        let twice = b << 1;
        let up = !low || twice > tens || (twice == tens && out.last().is_some_and(|digit| digit & 1 == 1));
        if up {
            round_up(&mut out, &mut decimal);
        }
    }
    while out.len() > 1 && out.last() == Some(&0) {
        out.pop();
    }
    Some((out, decimal + 1))
}

fn round_up(digits: &mut [u8], decimal: &mut i32) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    *decimal += 1;
}

fn insignificant(power: i32) -> u32 {
    if power > 1 { (f64::from(power) * 2_f64.log10()).floor() as u32 } else { 0 }
}

fn of_whole(mut whole: u64, drop: u32) -> Digits {
    let mut point = 0;
    if drop > 0 {
        let ten = 10_u64.pow(drop);
        let rest = whole % ten;
        whole /= ten;
        point = drop as i32;
        if rest >= ten >> 1 {
            whole += 1;
        }
    }
    let text = whole.to_string();
    point += text.len() as i32;
    let mut digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    (digits, point)
}

fn estimate(bits: u64, binary: i32) -> i32 {
    let mantissa = f64::from_bits((1023 << 52) | (bits & ((1 << 52) - 1)));
    let guess = (mantissa - 1.5) * 0.289_529_654 + 0.176_091_259 + f64::from(binary) * std::f64::consts::LOG10_2;
    guess.floor() as i32
}

fn written((digits, point): &Digits, negative: bool) -> String {
    let digit = |at: usize| char::from(b'0' + digits.get(at).copied().unwrap_or_default());
    let mut out = String::from(if negative { "-" } else { "" });
    if *point > 0 && *point < 8 {
        let whole = *point as usize;
        out.extend((0..whole).map(digit));
        out.push('.');
        out.extend((whole..digits.len().max(whole + 1)).map(digit));
    } else if *point <= 0 && *point > -3 {
        out.push_str("0.");
        out.extend((0..-point).map(|_| '0'));
        out.extend((0..digits.len()).map(digit));
    } else {
        out.push(digit(0));
        out.push('.');
        out.extend((1..digits.len().max(2)).map(digit));
        out.push('E');
        out.push_str(&(point - 1).to_string());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_java_writes_them() {
        for (x, text) in [
            (1.5, "1.5"),
            (100.0, "100.0"),
            (1e7, "1.0E7"),
            (0.001, "0.001"),
            (1e-4, "1.0E-4"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (123_456_789.125, "1.23456789125E8"),
            (1.0 / 3.0, "0.3333333333333333"),
        ] {
            assert_eq!(of_double(x).as_deref(), Some(text));
        }
        assert_eq!(of_float(0.1).as_deref(), Some("0.1"));
    }
}
