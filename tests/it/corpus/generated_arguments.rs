//! Generated arguments: edge cases and pseudo-random values.

use super::cases::Arg;
use super::generated::Dice;

/// A parameter of generated methods; each kind of method has some of its own.
#[derive(Clone, Copy)]
pub enum Param {
    /// Any `int`.
    Int,
    /// An `int` in this range.
    Small(i32, i32),
    /// Any `long`.
    Long,
    /// Any `double`.
    Double,
    /// Text of words, spaces and letters of several alphabets.
    Words,
    /// Text for regular expressions.
    Letters,
    /// The text of a number, sometimes malformed.
    Number,
    /// The text of an integer, sometimes malformed.
    Whole,
    /// A date or time in ISO 8601, sometimes malformed.
    Moment,
}

impl Param {
    /// Its type in Java.
    pub fn ty(self) -> &'static str {
        match self {
            Self::Int | Self::Small(..) => "int",
            Self::Long => "long",
            Self::Double => "double",
            _ => "String",
        }
    }

    /// A random value.
    pub fn value(self, dice: &mut Dice) -> Arg {
        match self {
            Self::Int => Arg::Int(bits(dice) as i32),
            Self::Small(low, high) => Arg::Int(low + dice.roll((high - low + 1) as usize) as i32),
            Self::Long => Arg::Long(bits(dice)),
            Self::Double => Arg::Double(double(dice)),
            Self::Words => Arg::Text(pieces(dice, 5, WORDS)),
            Self::Letters => {
                Arg::Text(pieces(dice, 9, &["a", "b", "c", "1", " ", ".", "ab", "\n", "-", "B", "_", "\u{e4}"]))
            }
            Self::Number => Arg::Text(number(dice)),
            Self::Whole => Arg::Text(digits(dice, 30)),
            Self::Moment => Arg::Text(moment(dice)),
        }
    }
}

const WORDS: &[&str] = &[
    "a",
    "b",
    "abc",
    "Hello",
    "World",
    " ",
    "banana",
    "\u{e4}\u{f6}\u{fc}",
    "x,y",
    ",",
    "AbC",
    "12",
    "-7",
    "\t",
    "\n",
    "\u{1f600}",
    "X",
    "\u{f1}and\u{fa}",
    "\u{a0}",
    "\u{df}",
    "\u{130}",
    "I",
    "\u{3a3}",
    "\u{3c2}",
    "\u{fb01}",
    "\u{2003}",
    "\u{1}",
    "%d",
    "$1",
    "\\",
    "a.b",
    "TRUE",
    "e\u{301}",
    "\u{1c5}",
    "\u{10400}",
    "\u{feff}",
];

fn pieces(dice: &mut Dice, most: usize, of: &[&str]) -> String {
    (0..dice.roll(most + 1)).map(|_| dice.pick(of)).collect()
}

/// A number with a random number of bits and either sign, sometimes an edge case.
fn bits(dice: &mut Dice) -> i64 {
    if dice.roll(4) == 0 {
        const EDGES: &[i64] = &[
            0,
            1,
            -1,
            2,
            31,
            32,
            63,
            64,
            127,
            128,
            -128,
            -129,
            255,
            256,
            32767,
            32768,
            65535,
            65536,
            0x7fff_ffff,
            -0x8000_0000,
            0x8000_0000,
            i64::MAX,
            i64::MIN,
            i64::MAX - 1,
            1_000_000_007,
        ];
        return EDGES[dice.roll(EDGES.len())];
    }
    let all = ((dice.roll(1 << 30) as u64) << 34) ^ ((dice.roll(1 << 30) as u64) << 12) ^ dice.roll(1 << 12) as u64;
    (all as i64) >> dice.roll(64)
}

fn double(dice: &mut Dice) -> f64 {
    const EDGES: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        0.1,
        0.2,
        9_007_199_254_740_993.0,
        2_147_483_647.5,
        -2_147_483_648.5,
        0.499_999_999_999_999_94,
        1e16,
        1e7,
        1e-3,
        9.999e-4,
    ];
    match dice.roll(4) {
        0 => EDGES[dice.roll(EDGES.len())],
        1 => f64::from_bits(bits(dice) as u64 ^ (bits(dice) as u64).rotate_left(17)),
        2 => (dice.roll(2_000_000) as f64 - 1_000_000.0) / [1.0, 10.0, 100.0, 1000.0, 8.0, 3.0][dice.roll(6)],
        _ => bits(dice) as f64,
    }
}

fn digits(dice: &mut Dice, most: usize) -> String {
    let mut out = String::from(dice.pick(&["", "", "-", "+"]));
    for _ in 0..=dice.roll(most) {
        out += dice.pick(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    }
    if dice.roll(40) == 0 {
        out += dice.pick(&["x", " ", ".", "-", "_", "1."]);
    }
    out
}

fn number(dice: &mut Dice) -> String {
    let mut out = digits(dice, 12);
    if dice.roll(2) == 0 {
        out += ".";
        for _ in 0..dice.roll(9) {
            out += dice.pick(&["0", "1", "5", "49", "50", "9", "3"]);
        }
    }
    if dice.roll(8) == 0 {
        out += &format!("{}{}", dice.pick(&["E", "e", "E+"]), dice.roll(30) as i32 - 15);
    }
    out
}

fn moment(dice: &mut Dice) -> String {
    let year = dice.pick(&["2024", "2023", "1900", "2000", "1969", "-0005", "+12345", "9999", "0001", "0000", "24"]);
    let day = format!("{year}-{:02}-{:02}", 1 + dice.roll(13), 1 + dice.roll(31));
    let mut time = format!("{:02}:{:02}", dice.roll(25), dice.roll(61));
    if dice.roll(3) > 0 {
        time += &format!(":{:02}", dice.roll(61));
        if dice.roll(2) == 0 {
            time += dice.pick(&[".5", ".123", ".000000001", ".123456789", ".", ".1234567891", ".100", ".000"]);
        }
    }
    let zone = dice.pick(&[
        "",
        "",
        "Z",
        "+01:00",
        "-18:00",
        "+19:00",
        "+0100",
        "+01",
        "-00:00",
        "+05:30:10",
        "[UTC]",
        "Z[UTC]",
    ]);
    match dice.roll(6) {
        0 => day,
        1 => time,
        2 => format!("{time}{zone}"),
        3 => format!("{day}{}{time}", dice.pick(&["T", "t", " ", "-"])),
        _ => format!("{day}T{time}{zone}"),
    }
}
