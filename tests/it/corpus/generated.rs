//! Generated Java methods on arithmetic, strings, regular expressions and collections, with inputs; deterministic for a seed.

use std::collections::HashSet;

use super::cases::{Arg, Case, Family, class_of};
use super::generated_arguments::Param;
use super::generated_collections::{collection, pattern};
use super::generated_values::{big_number, dated, formatted};

/// A pseudo-random number generator.
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

    /// A random element.
    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }
}

/// A kind of method: its possible parameters by name (a method declares those that it uses), and the generator of its body.
struct Kind {
    name: &'static str,
    params: &'static [(&'static str, Param)],
    make: fn(&mut Dice) -> String,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "Arithmetic",
        params: &[("pa", Param::Int), ("pb", Param::Int), ("pl", Param::Long), ("px", Param::Double)],
        make: arithmetic,
    },
    Kind {
        name: "Texts",
        params: &[("ts", Param::Words), ("tw", Param::Words), ("tn", Param::Small(-1, 8))],
        make: text,
    },
    Kind { name: "Patterns", params: &[("pg", Param::Letters)], make: pattern },
    Kind {
        name: "Collections",
        params: &[
            ("ci", Param::Small(-20, 20)),
            ("cj", Param::Int),
            ("cs", Param::Words),
            ("ct", Param::Letters),
            ("cn", Param::Small(-1, 6)),
        ],
        make: collection,
    },
    Kind {
        name: "BigNumbers",
        params: &[
            ("bn", Param::Number),
            ("bm", Param::Number),
            ("bi", Param::Whole),
            ("bk", Param::Small(-3, 12)),
            ("bv", Param::Long),
        ],
        make: big_number,
    },
    Kind {
        name: "Dates",
        params: &[
            ("dy", Param::Small(-20, 3000)),
            ("dm", Param::Small(0, 13)),
            ("dd", Param::Small(1, 31)),
            ("dh", Param::Small(0, 24)),
            ("ds", Param::Small(0, 60)),
            ("dn", Param::Small(0, 999_999_999)),
            ("dk", Param::Small(-400, 400)),
            ("de", Param::Long),
            ("dt", Param::Moment),
        ],
        make: dated,
    },
    Kind {
        name: "Formats",
        params: &[
            ("fi", Param::Int),
            ("fl", Param::Long),
            ("fx", Param::Double),
            ("fs", Param::Words),
            ("fb", Param::Number),
        ],
        make: formatted,
    },
];

/// Number of cases that are compiled and run together.
pub const BATCH: usize = 7_000;
/// Maximum number of inputs for one method.
const INPUTS: usize = 8;

/// Generates distinct methods, and inputs for each.
pub struct Generator {
    dice: Dice,
    made: HashSet<String>,
    batch: usize,
}

impl Generator {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), made: HashSet::new(), batch: 0 }
    }

    /// About `count` cases, evenly divided among the kinds.
    pub fn families(&mut self, count: usize) -> Vec<Family> {
        self.batch += 1;
        KINDS
            .iter()
            .enumerate()
            .map(|(at, kind)| self.family(kind, count / KINDS.len() + usize::from(at < count % KINDS.len())))
            .collect()
    }

    fn family(&mut self, kind: &Kind, count: usize) -> Family {
        let class = format!("{}{}", kind.name, self.batch);
        let (mut methods, mut cases) = (Vec::new(), Vec::new());
        while cases.len() < count {
            let body = (kind.make)(&mut self.dice);
            if !self.made.insert(body.clone()) {
                continue;
            }
            let used: Vec<&(&str, Param)> = kind.params.iter().filter(|(name, _)| mentions(&body, name)).collect();
            let params: Vec<String> = used.iter().map(|(name, param)| format!("{} {name}", param.ty())).collect();
            let calls = format!("m{}", methods.len());
            methods.push(format!("static Object {calls}({}) throws Throwable {{ {body} }}", params.join(", ")));
            let mut inputs: Vec<Vec<String>> = Vec::new();
            for _ in 0..INPUTS {
                let args: Vec<Arg> = used.iter().map(|(_, param)| param.value(&mut self.dice)).collect();
                let sent: Vec<String> = args.iter().map(Arg::sent).collect();
                if inputs.contains(&sent) || cases.len() == count {
                    continue;
                }
                inputs.push(sent);
                let said = format!("({}) {{ {body} }} on {args:?}", params.join(", "));
                cases.push(Case { tests: calls.clone(), calls: calls.clone(), args, said });
            }
        }
        Family { name: kind.name.to_owned(), sources: vec![class_of(&class, &methods)], class, cases, unknown: 15 }
    }
}

/// Whether code contains this name as a word.
fn mentions(code: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| !code[..at].ends_with(part) && !code[at + name.len()..].starts_with(part))
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
            0 => "pa".to_owned(),
            1 => "pb".to_owned(),
            2 => "sh".to_owned(),
            3 => "ch".to_owned(),
            4 => "by".to_owned(),
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
        return if dice.roll(2) == 0 { "pl".to_owned() } else { dice.pick(LONGS).to_owned() };
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
        return if dice.roll(3) == 0 { "px".to_owned() } else { dice.pick(DOUBLES).to_owned() };
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

fn assignment(dice: &mut Dice) -> String {
    let target = dice.pick(&["pa", "pb", "pl", "px", "sh", "ch", "by"]);
    let op = if target == "px" {
        dice.pick(&["+=", "-=", "*=", "/="])
    } else {
        dice.pick(&["+=", "-=", "*=", "|=", "^=", "<<=", ">>>="])
    };
    let value = if matches!(op, "+=" | "-=" | "*=") && dice.roll(3) == 0 { double(dice, 1) } else { int(dice, 1) };
    format!("{target} {op} {value}; ")
}

fn statement(dice: &mut Dice) -> String {
    match dice.roll(9) {
        0 => format!(
            "{}++; --{}; ",
            dice.pick(&["pa", "sh", "ch", "by", "pl"]),
            dice.pick(&["pb", "sh", "ch", "by", "px"])
        ),
        1 => format!("if ({}) {{ {}}} else {{ {}}} ", condition(dice, 1), assignment(dice), assignment(dice)),
        2 => format!(
            "for (int i = 0; i < {}; i++) {{ {}if ({}) {}; {}}} ",
            dice.roll(9),
            assignment(dice),
            condition(dice, 1),
            dice.pick(&["break", "continue", "pa++"]),
            assignment(dice)
        ),
        3 => format!(
            "switch ({} % 4) {{ case 0: {}case 1: {}break; case -1: {}default: {}}} ",
            int(dice, 1),
            assignment(dice),
            assignment(dice),
            assignment(dice),
            assignment(dice)
        ),
        4 => format!(
            "try {{ {}}} catch (ArithmeticException e) {{ {}}} finally {{ {}}} ",
            assignment(dice),
            assignment(dice),
            assignment(dice)
        ),
        _ => assignment(dice),
    }
}

fn arithmetic(dice: &mut Dice) -> String {
    let mut out = String::new();
    for _ in 0..dice.roll(3) {
        out += &statement(dice);
    }
    let value = match dice.roll(4) {
        0 => int(dice, 3),
        1 => long(dice, 3),
        2 => double(dice, 3),
        _ => condition(dice, 3),
    };
    out += &format!("return {value};");
    for (name, local) in
        [("sh", "short sh = (short) pb; "), ("ch", "char ch = (char) pa; "), ("by", "byte by = (byte) pa; ")]
    {
        if mentions(&out, name) {
            out.insert_str(0, local);
        }
    }
    out
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
    if dice.roll(3) == 0 { "tw".to_owned() } else { format!("\"{}\"", dice.pick(WORDS)) }
}

fn small(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => "tn".to_owned(),
        1 => "(tn + 2)".to_owned(),
        _ => format!("{}", dice.roll(8) as i32 - 1),
    }
}

fn string(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return if dice.roll(2) == 0 { "ts".to_owned() } else { word(dice) };
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
    format!("return {value};")
}
