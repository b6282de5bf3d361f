//! Generated Java on big numbers, dates and formats, deterministic for a seed.

use super::generated::Dice;

const MODES: &[&str] = &["UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"];

fn mode(dice: &mut Dice) -> String {
    format!("RoundingMode.{}", dice.pick(MODES))
}

fn context(dice: &mut Dice) -> String {
    match dice.roll(5) {
        0 => format!("MathContext.{}", dice.pick(&["DECIMAL32", "DECIMAL64", "DECIMAL128", "UNLIMITED"])),
        _ => format!("new MathContext({}, {})", scale(dice, 12, 0), mode(dice)),
    }
}

/// A small number, or the parameter for one.
fn scale(dice: &mut Dice, below: usize, from: i32) -> String {
    if dice.roll(3) == 0 { "bk".to_owned() } else { format!("{}", dice.roll(below) as i32 - from) }
}

fn number(dice: &mut Dice) -> String {
    let mut out = String::from(dice.pick(&["", "", "-"]));
    for _ in 0..=dice.roll(7) {
        out += dice.pick(&["0", "1", "2", "5", "9", "7", "50", "99", "125"]);
    }
    if dice.roll(2) == 0 {
        out += ".";
        for _ in 0..dice.roll(6) {
            out += dice.pick(&["0", "1", "5", "49", "50", "9", "3"]);
        }
    }
    if dice.roll(8) == 0 {
        out += &format!("E{}", dice.roll(30) as i32 - 15);
    }
    if dice.roll(60) == 0 {
        out += dice.pick(&["x", " ", ".", "e", "-"]);
    }
    out
}

fn decimal(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return match dice.roll(9) {
            0 => format!("BigDecimal.valueOf({}L, {})", dice.roll(2000) as i32 - 900, scale(dice, 9, 3)),
            6 | 7 => format!("new BigDecimal({})", dice.pick(&["bn", "bm"])),
            8 => format!("BigDecimal.valueOf({})", dice.pick(&["bv", "bv, 4", "bv, bk"])),
            1 => format!("BigDecimal.{}", dice.pick(&["ZERO", "ONE", "TEN"])),
            2 => format!("BigDecimal.valueOf({})", dice.pick(&["0.1", "2.50", "-7", "1e10", "0.005", "123456789L"])),
            _ => format!("new BigDecimal(\"{}\")", number(dice)),
        };
    }
    let d = depth - 1;
    let on = decimal(dice, d);
    match dice.roll(18) {
        0..=2 => format!("{on}.{}({})", dice.pick(&["add", "subtract", "multiply"]), decimal(dice, d)),
        3 => format!("{on}.divide({}, {}, {})", decimal(dice, d), scale(dice, 9, 2), mode(dice)),
        4 => format!("{on}.divide({}, {})", decimal(dice, d), context(dice)),
        5 => format!("{on}.divide({})", decimal(dice, d)),
        6 => format!("{on}.{}({})", dice.pick(&["remainder", "divideToIntegralValue"]), decimal(dice, d)),
        7 | 8 => format!("{on}.setScale({}, {})", scale(dice, 8, 2), mode(dice)),
        9 => format!("{on}.{}()", dice.pick(&["negate", "abs", "stripTrailingZeros", "plus", "ulp"])),
        10 => format!(
            "{on}.{}({})",
            dice.pick(&["movePointLeft", "movePointRight", "scaleByPowerOfTen"]),
            scale(dice, 9, 4)
        ),
        11 => format!("{on}.pow({})", scale(dice, 6, 0)),
        12 => format!("{on}.{}({})", dice.pick(&["round", "negate", "plus"]), context(dice)),
        13 => format!("{on}.{}({})", dice.pick(&["max", "min"]), decimal(dice, d)),
        14 => format!("{on}.{}({}, {})", dice.pick(&["add", "subtract", "multiply"]), decimal(dice, d), context(dice)),
        15 => format!("{on}.pow({}, {})", scale(dice, 9, 3), context(dice)),
        16 => format!("{on}.divide({}, {})", decimal(dice, d), mode(dice)),
        _ => format!("new BigDecimal({})", whole(dice, d)),
    }
}

fn whole(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return match dice.roll(7) {
            4 => "new BigInteger(bi)".to_owned(),
            5 => "BigInteger.valueOf(bv)".to_owned(),
            6 => "BigInteger.valueOf(bk)".to_owned(),
            0 => format!("BigInteger.valueOf({}L)", dice.roll(100_000) as i64 * 7919 - 300_000_000),
            1 => format!("BigInteger.{}", dice.pick(&["ZERO", "ONE", "TWO", "TEN"])),
            _ => {
                let mut digits = String::from(dice.pick(&["", "-"]));
                for _ in 0..=dice.roll(30) {
                    digits += dice.pick(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
                }
                format!("new BigInteger(\"{digits}\")")
            }
        };
    }
    let d = depth - 1;
    let on = whole(dice, d);
    match dice.roll(10) {
        0..=4 => {
            let op = dice.pick(&[
                "add",
                "subtract",
                "multiply",
                "divide",
                "remainder",
                "mod",
                "gcd",
                "and",
                "or",
                "xor",
                "andNot",
                "max",
                "min",
                "modInverse",
            ]);
            format!("{on}.{op}({})", whole(dice, d))
        }
        5 => format!("{on}.pow({})", scale(dice, 5, 0)),
        6 => format!("{on}.{}()", dice.pick(&["negate", "abs", "not"])),
        7 => format!(
            "{on}.{}({})",
            dice.pick(&["shiftLeft", "shiftRight", "setBit", "clearBit", "flipBit"]),
            scale(dice, 70, 0)
        ),
        8 => format!("{on}.modPow({}, {})", whole(dice, 0), whole(dice, 0)),
        _ => format!("{}.toBigInteger()", decimal(dice, d)),
    }
}

/// A method body on `BigInteger` and `BigDecimal`.
pub fn big_number(dice: &mut Dice) -> String {
    if dice.roll(3) == 0 {
        let value = whole(dice, 2);
        let call = dice.pick(&[
            "toString()",
            "toString(16)",
            "toString(2)",
            "hashCode()",
            "bitLength()",
            "bitCount()",
            "intValue()",
            "longValue()",
            "doubleValue()",
            "floatValue()",
            "intValueExact()",
            "longValueExact()",
            "signum()",
            "getLowestSetBit()",
            "toByteArray()",
            "byteValue()",
            "compareTo(BigInteger.TEN)",
            "equals(BigInteger.ONE)",
            "testBit(5)",
            "negate()",
            "sqrt()",
        ]);
        return format!("return {value}.{call};");
    }
    let value = decimal(dice, 2);
    if dice.roll(2) == 0 {
        return format!("return {value};");
    }
    let call = dice.pick(&[
        "toString()",
        "toPlainString()",
        "toEngineeringString()",
        "hashCode()",
        "precision()",
        "scale()",
        "intValue()",
        "longValue()",
        "doubleValue()",
        "floatValue()",
        "intValueExact()",
        "longValueExact()",
        "signum()",
        "unscaledValue()",
        "toBigInteger()",
        "compareTo(BigDecimal.ONE)",
        "equals(BigDecimal.ONE)",
        "shortValue()",
        "stripTrailingZeros().toPlainString()",
        "toBigIntegerExact()",
    ]);
    format!("return {value}.{call};")
}

fn date(dice: &mut Dice) -> String {
    let year = dice.pick(&["2024", "2023", "1900", "2000", "1969", "-5", "12345", "9999", "1"]);
    if dice.roll(2) == 0 {
        return format!("LocalDate.of(dy, {}, dd)", if dice.roll(2) == 0 { "dm" } else { "2" });
    }
    format!("LocalDate.of({year}, {}, {})", dice.roll(12) + 1, dice.pick(&["1", "15", "28", "28", "29", "30", "31"]))
}

fn time(dice: &mut Dice) -> String {
    let nano = dice.pick(&["0", "0", "500000000", "123456789", "1000", "999999999"]);
    if dice.roll(2) == 0 {
        return format!("LocalTime.of(dh, {}, ds, {})", dice.roll(60), dice.pick(&["0", "dn"]));
    }
    format!("LocalTime.of({}, {}, {}, {nano})", dice.roll(24), dice.roll(60), dice.pick(&["0", "0", "7", "59"]))
}

const UNITS: &[&str] = &[
    "NANOS",
    "MICROS",
    "MILLIS",
    "SECONDS",
    "MINUTES",
    "HOURS",
    "HALF_DAYS",
    "DAYS",
    "WEEKS",
    "MONTHS",
    "YEARS",
    "DECADES",
    "CENTURIES",
];

const FIELDS: &[&str] = &[
    "NANO_OF_SECOND",
    "MILLI_OF_SECOND",
    "MILLI_OF_DAY",
    "SECOND_OF_MINUTE",
    "SECOND_OF_DAY",
    "MINUTE_OF_HOUR",
    "HOUR_OF_DAY",
    "HOUR_OF_AMPM",
    "AMPM_OF_DAY",
    "DAY_OF_WEEK",
    "DAY_OF_MONTH",
    "DAY_OF_YEAR",
    "EPOCH_DAY",
    "ALIGNED_WEEK_OF_YEAR",
    "ALIGNED_WEEK_OF_MONTH",
    "MONTH_OF_YEAR",
    "PROLEPTIC_MONTH",
    "YEAR",
    "YEAR_OF_ERA",
    "ERA",
];

/// An expression for a date or time of this kind.
fn moment(dice: &mut Dice, depth: usize, kind: &str) -> String {
    if depth == 0 {
        return match kind {
            "d" => date(dice),
            "t" => time(dice),
            "i" => {
                if dice.roll(2) == 0 {
                    return dice
                        .pick(&[
                            "Instant.ofEpochMilli(de)",
                            "Instant.ofEpochSecond(de)",
                            "Instant.ofEpochMilli(de % 4000000000000L)",
                        ])
                        .to_owned();
                }
                format!("Instant.ofEpochMilli({}L)", dice.pick(&["0", "-1", "1700000000123", "-62135596800000", "999"]))
            }
            "o" => format!(
                "{}.atTime({}).atOffset(ZoneOffset.ofHours({}))",
                date(dice),
                time(dice),
                dice.roll(25) as i32 - 12
            ),
            "z" => format!("{}.atTime({}).atZone(ZoneId.of(\"UTC\"))", date(dice), time(dice)),
            _ => format!("{}.atTime({})", date(dice), time(dice)),
        };
    }
    let on = moment(dice, depth - 1, kind);
    let sign = dice.pick(&["plus", "minus"]);
    let amount = dice.pick(&["1", "-1", "13", "100", "366", "40000", "7", "dk", "dk", "dk", "de"]);
    match (dice.roll(6), kind) {
        (0, "d") => format!("{on}.{sign}{}({amount})", dice.pick(&["Days", "Weeks", "Months", "Years"])),
        (0, "t" | "i") => format!(
            "{on}.{sign}{}({amount})",
            if kind == "t" {
                dice.pick(&["Hours", "Minutes", "Seconds", "Nanos"])
            } else {
                dice.pick(&["Seconds", "Millis", "Nanos"])
            }
        ),
        (0, _) => {
            format!("{on}.{sign}{}({amount})", dice.pick(&["Days", "Months", "Years", "Hours", "Minutes", "Nanos"]))
        }
        (1 | 2, _) => format!("{on}.{sign}({amount}, ChronoUnit.{})", dice.pick(UNITS)),
        (3, "t" | "dt" | "i" | "o" | "z") => format!("{on}.truncatedTo(ChronoUnit.{})", dice.pick(UNITS)),
        (4, "d" | "dt" | "o" | "z") => {
            format!(
                "{on}.with{}({})",
                dice.pick(&["Month", "DayOfMonth", "Year", "DayOfYear"]),
                if dice.roll(2) == 0 { "dd".to_owned() } else { dice.roll(33).to_string() }
            )
        }
        (5, "d" | "dt" | "o" | "z") => {
            format!(
                "{on}.{sign}(Period.of({}, {}, {}))",
                dice.roll(3),
                dice.roll(20) as i32 - 5,
                if dice.roll(2) == 0 { "dk".to_owned() } else { dice.roll(40).to_string() }
            )
        }
        (_, "t") => format!("{on}.with{}({})", dice.pick(&["Hour", "Minute", "Second", "Nano"]), dice.roll(62)),
        (_, _) => format!("{on}.{sign}(Duration.of{}({amount}))", dice.pick(&["Hours", "Seconds", "Millis", "Days"])),
    }
}

fn pattern(dice: &mut Dice) -> String {
    let mut out = String::new();
    for at in 0..dice.roll(5) + 1 {
        if at > 0 {
            out += dice.pick(&["-", "/", " ", ":", ".", "", "'T'"]);
        }
        out += dice.pick(&[
            "yyyy", "uuuu", "yy", "M", "MM", "d", "dd", "HH", "H", "mm", "ss", "SSS", "hh", "D", "DDD", "[HH]", "n",
            "k", "y",
        ]);
    }
    out
}

/// A method body on `java.time`.
pub fn dated(dice: &mut Dice) -> String {
    let kind = dice.pick(&["d", "d", "t", "dt", "dt", "i", "o", "z"]);
    let value = moment(dice, 2, kind);
    match dice.roll(14) {
        12 | 13 => format!(
            "return {}.parse(dt);",
            dice.pick(&[
                "LocalDate",
                "LocalTime",
                "LocalDateTime",
                "OffsetDateTime",
                "Instant",
                "ZonedDateTime",
                "YearMonth",
                "OffsetTime"
            ])
        ),
        0..=2 => format!("return {value};"),
        3 => format!("return {value}.{};", dice.pick(&["hashCode()", "toString()"])),
        4 => format!("return {value}.getLong(ChronoField.{});", dice.pick(FIELDS)),
        5 => format!("return {value}.until({}, ChronoUnit.{});", moment(dice, 1, kind), dice.pick(UNITS)),
        6 => format!("return {value}.compareTo({});", moment(dice, 1, kind)),
        7 => format!("return Duration.between({value}, {});", moment(dice, 1, kind)),
        8 => format!("return Period.between({}, {}) + \"\";", moment(dice, 1, "d"), moment(dice, 1, "d")),
        9 => {
            let on = moment(dice, 1, "dt");
            format!("return {on}.format(DateTimeFormatter.ofPattern(\"{}\"));", pattern(dice))
        }
        10 => {
            let (on, pattern) = (moment(dice, 1, "dt"), pattern(dice));
            let class = dice.pick(&["LocalDate", "LocalDateTime", "LocalTime"]);
            format!(
                "DateTimeFormatter f = DateTimeFormatter.ofPattern(\"{pattern}\"); String s = {on}.format(f){}; return {class}.parse(s, f);",
                dice.pick(&["", "", "", " + \"1\"", ".replace('1', '9')", ".substring(1)"])
            )
        }
        _ => {
            let class = dice.pick(&["LocalDate", "LocalDateTime", "LocalTime", "Instant", "OffsetDateTime"]);
            let kind = match class {
                "LocalDate" => "d",
                "LocalTime" => "t",
                "Instant" => "i",
                "OffsetDateTime" => "o",
                _ => "dt",
            };
            let on = moment(dice, 1, kind);
            let changed = dice.pick(&[
                "",
                "",
                ".replace('2', '3')",
                ".substring(1)",
                " + \"Z\"",
                ".replace('-', '/')",
                ".replace('0', '6')",
            ]);
            format!("return {class}.parse(({on}).toString(){changed});")
        }
    }
}

/// A method body on `String.format`.
pub fn formatted(dice: &mut Dice) -> String {
    let (mut pattern, mut args) = (String::new(), String::new());
    for _ in 0..dice.roll(3) + 1 {
        let mut flags = String::new();
        for flag in ["-", "0", "+", " ", ",", "(", "#"] {
            if dice.roll(9) == 0 {
                flags += flag;
            }
        }
        let width = if dice.roll(2) == 0 { format!("{}", dice.roll(14) + 1) } else { String::new() };
        let (kind, precise) = match dice.roll(12) {
            0..=2 => ("d", false),
            3 => (dice.pick(&["x", "X", "o"]), false),
            4 | 5 => ("f", true),
            6 => (dice.pick(&["e", "E", "g", "G"]), true),
            7 | 8 => (dice.pick(&["s", "S"]), true),
            9 => (dice.pick(&["b", "c", "h"]), false),
            10 => ("s", false),
            _ => (dice.pick(&["d", "f", "n", "%", "q"]), false),
        };
        let precision = if precise && dice.roll(2) == 0 { format!(".{}", dice.roll(5)) } else { String::new() };
        pattern += &format!("%{flags}{width}{precision}{kind}|");
        let arg = match (kind, dice.roll(12)) {
            (_, 0) => dice.pick(&["null", "\"abc\"", "true", "'x'", "12", "3.75", "7L"]),
            ("d" | "x" | "X" | "o", 1..=6) => dice.pick(&["fi", "fl", "(short) fi", "(byte) fl"]),
            ("f" | "e" | "E" | "g" | "G", 1..=6) => {
                dice.pick(&["fx", "new BigDecimal(fb)", "(float) fx", "fi / 100.0"])
            }
            ("s" | "S" | "b" | "h", 1..=6) => dice.pick(&["fs", "fi", "fx", "fl", "(float) fx"]),
            ("d" | "x" | "X" | "o", _) => dice.pick(&[
                "0",
                "-7",
                "255",
                "123456789",
                "Long.MIN_VALUE",
                "(byte) -3",
                "new BigInteger(\"-123456789012345678901\")",
                "Integer.MIN_VALUE",
            ]),
            ("f" | "e" | "E" | "g" | "G", _) => dice.pick(&[
                "0.0",
                "-0.0",
                "1.5",
                "-2.345",
                "123456.789",
                "0.000012345",
                "9.995",
                "1e10",
                "0.1f",
                "Double.NaN",
                "Double.NEGATIVE_INFINITY",
                "new BigDecimal(\"-1234.5678\")",
                "new BigDecimal(\"1E-7\")",
                "99.5",
            ]),
            ("c", _) => dice.pick(&["'x'", "65", "(byte) 66"]),
            _ => dice.pick(&[
                "\"Hello\"",
                "12",
                "2.5",
                "true",
                "List.of(1, 2)",
                "new BigDecimal(\"1.50\")",
                "'c'",
                "\"\"",
            ]),
        };
        args += &format!(", {arg}");
    }
    format!("return String.format(\"{pattern}\"{args});")
}
