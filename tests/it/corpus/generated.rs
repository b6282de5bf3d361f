//! Generated Java: arithmetic, strings, regular expressions and collections, the same for the same seed.

use super::cases::Family;
use super::generated_collections::{collection, pattern};
use super::generated_values::{big_number, dated, formatted};

/// Numbers that only look random.
pub struct Dice(u64);

impl Dice {
    /// A number below this one.
    pub fn roll(&mut self, below: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    /// One of these.
    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }
}

/// Makes the code of a case.
type Make = fn(&mut Dice) -> String;

/// Cases in classes of at most five hundred, as many of each kind.
pub fn families(seed: u64, count: usize) -> Vec<Family> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut out = Vec::new();
    let kinds: [(&str, Make); 7] = [
        ("Arithmetic", arithmetic),
        ("Texts", text),
        ("Patterns", pattern),
        ("Collections", collection),
        ("BigNumbers", big_number),
        ("Dates", dated),
        ("Formats", formatted),
    ];
    for (name, make) in kinds {
        let mut left = count.div_ceil(kinds.len());
        let mut number = 0;
        while left > 0 {
            let here = left.min(500);
            left -= here;
            let cases = (0..here)
                .map(|_| {
                    let code = make(&mut dice);
                    (code.clone(), code)
                })
                .collect();
            out.push(Family {
                name: format!("{name}{number}"),
                source: String::new(),
                cases,
                bodies: true,
                unknown: 15,
            });
            number += 1;
        }
    }
    out
}

const INTS: &[&str] =
    &["0", "1", "-1", "2", "7", "31", "-128", "255", "65536", "123456789", "Integer.MAX_VALUE", "Integer.MIN_VALUE"];
const LONGS: &[&str] = &["0L", "1L", "-1L", "63L", "4294967296L", "Long.MAX_VALUE", "Long.MIN_VALUE", "-987654321012L"];
const DOUBLES: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-2.5",
    "0.1",
    "1e300",
    "4.9e-324",
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
    "3.999",
    "1e10",
];

fn int(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return match dice.roll(6) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "s".to_owned(),
            3 => "c".to_owned(),
            4 => "y".to_owned(),
            _ => dice.pick(INTS).to_owned(),
        };
    }
    let d = depth - 1;
    match dice.roll(12) {
        0..=4 => {
            format!("({} {} {})", int(dice, d), dice.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]), int(dice, d))
        }
        5 => format!(
            "({} {} {})",
            int(dice, d),
            dice.pick(&["<<", ">>", ">>>"]),
            if dice.roll(2) == 0 { int(dice, d) } else { long(dice, d) }
        ),
        6 => format!("{}({})", dice.pick(&["-", "~", "(byte) ", "(short) ", "(char) ", "(int) "]), int(dice, d)),
        7 => format!("((int) {})", long(dice, d)),
        8 => format!("((int) {})", double(dice, d)),
        9 => format!("({} ? {} : {})", condition(dice, d), int(dice, d), int(dice, d)),
        10 => format!(
            "Math.{}({}, {})",
            dice.pick(&["max", "min", "floorMod", "addExact", "floorDiv"]),
            int(dice, d),
            int(dice, d)
        ),
        _ => format!(
            "Integer.{}({})",
            dice.pick(&["bitCount", "reverse", "signum", "highestOneBit", "numberOfTrailingZeros", "hashCode"]),
            int(dice, d)
        ),
    }
}

fn long(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return if dice.roll(2) == 0 { "l".to_owned() } else { dice.pick(LONGS).to_owned() };
    }
    let d = depth - 1;
    match dice.roll(7) {
        0..=2 => format!(
            "({} {} {})",
            long(dice, d),
            dice.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
            if dice.roll(2) == 0 { int(dice, d) } else { long(dice, d) }
        ),
        3 => format!("({} {} {})", long(dice, d), dice.pick(&["<<", ">>", ">>>"]), int(dice, d)),
        4 => format!("(- {})", long(dice, d)),
        5 => format!("((long) {})", double(dice, d)),
        _ => format!("Math.round({})", double(dice, d)),
    }
}

fn double(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return if dice.roll(3) == 0 { "x".to_owned() } else { dice.pick(DOUBLES).to_owned() };
    }
    let d = depth - 1;
    match dice.roll(7) {
        0..=2 => format!(
            "({} {} {})",
            double(dice, d),
            dice.pick(&["+", "-", "*", "/", "%"]),
            if dice.roll(3) == 0 { int(dice, d) } else { double(dice, d) }
        ),
        3 => format!("Math.{}({})", dice.pick(&["abs", "floor", "ceil", "rint", "sqrt", "signum"]), double(dice, d)),
        4 => format!("Math.{}({}, {})", dice.pick(&["max", "min"]), double(dice, d), double(dice, d)),
        5 => format!("((float) {})", double(dice, d)),
        _ => format!("((double) {})", long(dice, d)),
    }
}

fn condition(dice: &mut Dice, depth: usize) -> String {
    let d = depth.saturating_sub(1);
    let compare = dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match dice.roll(5) {
        0 | 1 => {
            format!("({} {compare} {})", int(dice, d), if dice.roll(2) == 0 { int(dice, d) } else { long(dice, d) })
        }
        2 => format!("({} {compare} {})", double(dice, d), double(dice, d)),
        3 if depth > 0 => {
            format!("({} {} {})", condition(dice, d), dice.pick(&["&&", "||", "^", "&", "|"]), condition(dice, d))
        }
        _ => format!("!({} {compare} {})", int(dice, d), double(dice, d)),
    }
}

fn arithmetic(dice: &mut Dice) -> String {
    let (a, b, l, x) = (dice.pick(INTS), dice.pick(INTS), dice.pick(LONGS), dice.pick(DOUBLES));
    let mut out = format!(
        "int a = {a}, b = {b}; long l = {l}; double x = {x}; short s = (short) {b}; char c = (char) {a}; byte y = (byte) {a}; "
    );
    for _ in 0..dice.roll(3) {
        let target = dice.pick(&["a", "b", "l", "x", "s", "c", "y"]);
        let op = if target == "x" {
            dice.pick(&["+=", "-=", "*=", "/="])
        } else {
            dice.pick(&["+=", "-=", "*=", "|=", "^=", "<<=", ">>>="])
        };
        let value = if matches!(op, "+=" | "-=" | "*=") && dice.roll(3) == 0 { double(dice, 1) } else { int(dice, 1) };
        out += &format!("{target} {op} {value}; ");
        if dice.roll(3) == 0 {
            out +=
                &format!("{}++; --{}; ", dice.pick(&["a", "s", "c", "y", "l"]), dice.pick(&["b", "s", "c", "y", "x"]));
        }
    }
    let value = match dice.roll(4) {
        0 => int(dice, 3),
        1 => long(dice, 3),
        2 => double(dice, 3),
        _ => condition(dice, 3),
    };
    format!("{out}return {value};")
}

const WORDS: &[&str] = &[
    "",
    "a",
    "abc",
    "Hello World",
    "  pad ",
    "banana",
    "äöü",
    "x,y,,z",
    "AbC",
    "12",
    "-7",
    "tab\\tx",
    "ab\\uD83D\\uDE00c",
    "aXbXc",
    "ñandú",
    "\\u00a0z",
];

fn word(dice: &mut Dice) -> String {
    format!("\"{}\"", dice.pick(WORDS))
}

fn small(dice: &mut Dice) -> i32 {
    dice.roll(8) as i32 - 1
}

fn string(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return if dice.roll(2) == 0 { "s".to_owned() } else { word(dice) };
    }
    let d = depth - 1;
    let on = string(dice, d);
    match dice.roll(16) {
        0 => format!("{on}.substring({})", small(dice)),
        1 => format!("{on}.substring({}, {})", small(dice), small(dice)),
        2 => format!("{on}.replace({}, {})", word(dice), word(dice)),
        3 => format!(
            "{on}.{}()",
            dice.pick(&["toUpperCase", "toLowerCase", "trim", "strip", "stripLeading", "toString"])
        ),
        4 => format!("({on} + {})", string(dice, d)),
        5 => format!("({on} + {})", dice.pick(&["1", "'c'", "2.5", "true", "null", "7L", "1.5f"])),
        6 => format!("{on}.repeat({})", small(dice)),
        7 => format!("String.valueOf({on}.{})", measure(dice)),
        8 => format!("new StringBuilder({on}).reverse().toString()"),
        9 => format!("new StringBuilder({on}).insert({}, {}).toString()", small(dice), word(dice)),
        10 => format!("new StringBuilder({on}).append({}).deleteCharAt({}).toString()", word(dice), small(dice)),
        11 => format!(
            "String.join({}, {on}.split({}))",
            word(dice),
            dice.pick(&["\"\"", "\",\"", "\"a\"", "\" \"", "\"X\""])
        ),
        12 => format!("String.format(\"%{}s|%-{}s\", {on}, {})", dice.roll(6) + 1, dice.roll(6) + 1, word(dice)),
        13 => format!(
            "String.format(\"%0{}d %x %.2f\", {on}.length(), {on}.hashCode(), {on}.length() / 8.0)",
            dice.roll(4) + 1
        ),
        14 => format!("{on}.concat({})", string(dice, d)),
        _ => format!("{on}.replace('{}', '{}')", dice.pick(&["a", "b", "X", "ä"]), dice.pick(&["z", "a", "ü"])),
    }
}

fn measure(dice: &mut Dice) -> String {
    match dice.roll(9) {
        0 => "length()".to_owned(),
        1 => format!("charAt({})", small(dice)),
        2 => format!("indexOf({})", word(dice)),
        3 => format!("lastIndexOf({})", word(dice)),
        4 => format!("compareTo({})", word(dice)),
        5 => format!("equals({})", word(dice)),
        6 => format!("{}({})", dice.pick(&["startsWith", "endsWith", "contains"]), word(dice)),
        7 => "hashCode()".to_owned(),
        _ => format!("{}()", dice.pick(&["isEmpty", "isBlank"])),
    }
}

fn text(dice: &mut Dice) -> String {
    let value = if dice.roll(3) == 0 { format!("{}.{}", string(dice, 2), measure(dice)) } else { string(dice, 3) };
    format!("String s = {}; return {value};", word(dice))
}
