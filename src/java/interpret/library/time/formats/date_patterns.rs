//! The parts of a `DateTimeFormatter`, from a pattern or from one of the ISO constants.

use crate::interpret::library::time::temporal::Zone;

/// When a sign is printed and parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// For negative values.
    Normal,
    /// Never.
    NotNegative,
    /// For negative values, and a plus if there are more digits than the minimum width.
    ExceedsPad,
}

/// Which parts of an offset are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetForm {
    /// Whether colons separate the parts.
    pub colons: bool,
    /// Whether minutes are printed even if zero.
    pub minutes: bool,
    /// Whether non-zero seconds are printed.
    pub seconds: bool,
    /// The text for a zero offset.
    pub zero: &'static str,
}

/// The offset of the ISO formats.
pub const ISO_OFFSET: OffsetForm = OffsetForm { colons: true, minutes: true, seconds: true, zero: "Z" };

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Literal text.
    Literal(String),
    /// A number; `later` is the number of digits reserved for the numbers that directly follow (−1 for a fixed
    /// width).
    #[expect(missing_docs, reason = "as `appendValue` takes them")]
    Number { field: &'static str, min: usize, max: usize, sign: Sign, later: i32 },
    /// The last two digits of a year.
    TwoDigits(i32),
    /// A fraction of a second.
    #[expect(missing_docs, reason = "as `appendFraction` takes them")]
    Fraction { min: usize, max: usize, point: bool },
    /// The name of a month or day of the week.
    #[expect(missing_docs, reason = "the field, and whether the name is the long one")]
    Name { field: &'static str, full: bool },
    /// An offset.
    Offset(OffsetForm),
    /// A zone.
    Zone,
    /// An optional section.
    Optional(Vec<Item>),
    /// A complete instant in UTC.
    Instant,
}

/// The state of a `DateTimeFormatter`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// Its parts.
    pub items: Vec<Item>,
    /// Whether field values are resolved strictly.
    pub strict: bool,
    /// Whether parsing ignores case.
    pub any_case: bool,
    /// Whether names are written in English.
    pub english: bool,
    /// Whether releases parse it differently.
    pub open: bool,
    /// The zone set by `withZone`.
    pub zone: Option<Zone>,
}

/// Why a pattern is not a supported format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Defect {
    /// An `IllegalArgumentException`, with its message if that is certain.
    Illegal(Option<String>),
    /// It has a pattern letter that is not modelled.
    Open,
}

fn number(field: &'static str, min: usize, max: usize, sign: Sign) -> Item {
    Item::Number { field, min, max, sign, later: 0 }
}

fn fixed(field: &'static str, width: usize) -> Item {
    number(field, width, width, Sign::NotNegative)
}

fn literal(text: &str) -> Item {
    Item::Literal(text.to_owned())
}

fn iso_date() -> Vec<Item> {
    vec![
        number("YEAR", 4, 10, Sign::ExceedsPad),
        literal("-"),
        fixed("MONTH_OF_YEAR", 2),
        literal("-"),
        fixed("DAY_OF_MONTH", 2),
    ]
}

fn iso_time() -> Vec<Item> {
    let fraction = Item::Optional(vec![Item::Fraction { min: 0, max: 9, point: true }]);
    vec![
        fixed("HOUR_OF_DAY", 2),
        literal(":"),
        fixed("MINUTE_OF_HOUR", 2),
        Item::Optional(vec![literal(":"), fixed("SECOND_OF_MINUTE", 2), fraction]),
    ]
}

fn iso_date_time() -> Vec<Item> {
    let mut items = iso_date();
    items.push(literal("T"));
    items.extend(iso_time());
    items
}

impl Format {
    fn iso(items: Vec<Item>) -> Self {
        Self { items, strict: true, any_case: true, english: false, open: false, zone: None }
    }

    /// One of the constants of `DateTimeFormatter`.
    pub fn constant(name: &str) -> Option<Self> {
        let offset = || Item::Offset(ISO_OFFSET);
        let and = |mut items: Vec<Item>, more: Vec<Item>| {
            items.extend(more);
            items
        };
        let zone = || Item::Optional(vec![literal("["), Item::Zone, literal("]")]);
        Some(Self::iso(match name {
            "ISO_LOCAL_DATE" => iso_date(),
            "ISO_LOCAL_TIME" => iso_time(),
            "ISO_LOCAL_DATE_TIME" => iso_date_time(),
            "ISO_OFFSET_DATE" => and(iso_date(), vec![offset()]),
            "ISO_DATE" => and(iso_date(), vec![Item::Optional(vec![offset()])]),
            "ISO_OFFSET_TIME" => and(iso_time(), vec![offset()]),
            "ISO_TIME" => and(iso_time(), vec![Item::Optional(vec![offset()])]),
            "ISO_OFFSET_DATE_TIME" => and(iso_date_time(), vec![offset()]),
            "ISO_ZONED_DATE_TIME" => and(iso_date_time(), vec![offset(), zone()]),
            "ISO_DATE_TIME" => and(iso_date_time(), vec![Item::Optional(vec![offset(), zone()])]),
            "ISO_INSTANT" => vec![Item::Instant],
            "BASIC_ISO_DATE" => {
                let offset = Item::Offset(OffsetForm { colons: false, ..ISO_OFFSET });
                let mut items = joined(vec![fixed("YEAR", 4), fixed("MONTH_OF_YEAR", 2), fixed("DAY_OF_MONTH", 2)]);
                items.push(Item::Optional(vec![offset]));
                items
            }
            "ISO_ORDINAL_DATE" => {
                let year = number("YEAR", 4, 10, Sign::ExceedsPad);
                vec![year, literal("-"), fixed("DAY_OF_YEAR", 3), Item::Optional(vec![offset()])]
            }
            _ => return None,
        }))
    }

    /// The formats that `Year.parse` and `YearMonth.parse` use.
    pub fn of_class(class: &str) -> Option<Self> {
        let year = number("YEAR", 4, 10, Sign::ExceedsPad);
        let items = match class {
            "Year" => vec![year],
            "YearMonth" => vec![year, literal("-"), fixed("MONTH_OF_YEAR", 2)],
            "MonthDay" => vec![literal("--"), fixed("MONTH_OF_YEAR", 2), literal("-"), fixed("DAY_OF_MONTH", 2)],
            "LocalDate" => return Self::constant("ISO_LOCAL_DATE"),
            "LocalTime" => return Self::constant("ISO_LOCAL_TIME"),
            "LocalDateTime" => return Self::constant("ISO_LOCAL_DATE_TIME"),
            "OffsetTime" => return Self::constant("ISO_OFFSET_TIME"),
            "OffsetDateTime" => return Self::constant("ISO_OFFSET_DATE_TIME"),
            "ZonedDateTime" => return Self::constant("ISO_ZONED_DATE_TIME"),
            "Instant" => return Self::constant("ISO_INSTANT"),
            _ => return None,
        };
        Some(Self { strict: false, any_case: false, ..Self::iso(items) })
    }

    /// `DateTimeFormatter.ofPattern`.
    pub fn of_pattern(pattern: &str) -> Result<Self, Defect> {
        let chars: Vec<char> = pattern.chars().collect();
        let mut at = 0;
        let (items, open) = section(&chars, &mut at, 0)?;
        Ok(Self { items, strict: false, any_case: false, english: false, open, zone: None })
    }
}

/// Reads parts up to the end of the pattern or of the optional section.
fn section(chars: &[char], at: &mut usize, depth: usize) -> Result<(Vec<Item>, bool), Defect> {
    let (mut items, mut open) = (Vec::new(), false);
    let push_text = |items: &mut Vec<Item>, text: &str| items.push(literal(text));
    while let Some(c) = chars.get(*at).copied() {
        *at += 1;
        match c {
            'A'..='Z' | 'a'..='z' => {
                let from = *at - 1;
                while chars.get(*at) == Some(&c) {
                    *at += 1;
                }
                let item = letter(c, *at - from)?;
                // Since Java 9, a fraction directly after a number is parsed differently.
                if matches!(item, Item::Fraction { .. })
                    && matches!(items.last(), Some(Item::Number { .. } | Item::TwoDigits(_)))
                {
                    open = true;
                }
                items.push(item);
            }
            '\'' => {
                let from = *at;
                let mut text = String::new();
                loop {
                    match (chars.get(*at), chars.get(*at + 1)) {
                        (Some('\''), Some('\'')) => {
                            text.push('\'');
                            *at += 2;
                        }
                        (Some('\''), _) => break,
                        (Some(c), _) => {
                            text.push(*c);
                            *at += 1;
                        }
                        (None, _) => return Err(Defect::Illegal(None)),
                    }
                }
                if *at == from {
                    text.push('\'');
                }
                *at += 1;
                push_text(&mut items, &text);
            }
            '[' if depth < 8 => {
                let (inner, loose) = section(chars, at, depth + 1)?;
                open |= loose;
                items.push(Item::Optional(inner));
            }
            '[' => return Err(Defect::Open),
            ']' if depth > 0 => return Ok((joined(items), open)),
            ']' => {
                let message = "Pattern invalid as it contains ] without previous [";
                return Err(Defect::Illegal(Some(message.to_owned())));
            }
            '{' | '}' | '#' => {
                return Err(Defect::Illegal(Some(format!("Pattern includes reserved character: '{c}'"))));
            }
            c => push_text(&mut items, &c.to_string()),
        }
    }
    Ok((joined(items), open))
}

/// Adjacent numbers share their digits: the first leaves the following ones the digits that they need.
fn joined(mut items: Vec<Item>) -> Vec<Item> {
    let mut active: Option<usize> = None;
    for at in 0..items.len() {
        let width = match &items[at] {
            Item::Number { min, max, sign: Sign::NotNegative, .. } if min == max => Some(*min),
            Item::TwoDigits(_) => Some(2),
            Item::Number { .. } => None,
            _ => {
                active = None;
                continue;
            }
        };
        match (active, width) {
            (Some(base), Some(width)) => {
                add_later(&mut items[base], width as i32);
                set_fixed(&mut items[at]);
            }
            (Some(base), None) => {
                set_fixed(&mut items[base]);
                active = Some(at);
            }
            (None, _) => active = Some(at),
        }
    }
    items
}

fn add_later(item: &mut Item, width: i32) {
    if let Item::Number { later, .. } | Item::TwoDigits(later) = item {
        *later += width;
    }
}

fn set_fixed(item: &mut Item) {
    if let Item::Number { later, .. } | Item::TwoDigits(later) = item
        && *later == 0
    {
        *later = -1;
    }
}

fn letter(c: char, count: usize) -> Result<Item, Defect> {
    let too_many = || Err(Defect::Illegal(Some(format!("Too many pattern letters: {c}"))));
    let plain = |field: &'static str| match count {
        1 => Ok(number(field, 1, 19, Sign::Normal)),
        2 => Ok(fixed(field, 2)),
        _ => too_many(),
    };
    let year = |field: &'static str| match count {
        2 if field == "YEAR_OF_ERA" => Ok(Item::TwoDigits(0)),
        2 => Err(Defect::Open),
        1 | 3 => Ok(number(field, count, 19, Sign::Normal)),
        4..=15 => Ok(number(field, count, 19, Sign::ExceedsPad)),
        _ => Err(Defect::Open),
    };
    let offset = |colons, minutes, seconds, zero| Ok(Item::Offset(OffsetForm { colons, minutes, seconds, zero }));
    match c {
        'u' => year("YEAR"),
        'y' => year("YEAR_OF_ERA"),
        'M' | 'L' => match count {
            1 | 2 => plain("MONTH_OF_YEAR"),
            3 | 4 if c == 'M' => Ok(Item::Name { field: "MONTH_OF_YEAR", full: count == 4 }),
            3..=5 => Err(Defect::Open),
            _ => too_many(),
        },
        'd' => plain("DAY_OF_MONTH"),
        'D' => match count {
            1 => Ok(number("DAY_OF_YEAR", 1, 19, Sign::Normal)),
            2 | 3 => Ok(number("DAY_OF_YEAR", count, 3, Sign::NotNegative)),
            _ => too_many(),
        },
        'E' => match count {
            1..=3 => Ok(Item::Name { field: "DAY_OF_WEEK", full: false }),
            4 => Ok(Item::Name { field: "DAY_OF_WEEK", full: true }),
            5 => Err(Defect::Open),
            _ => too_many(),
        },
        'a' => match count {
            1 => Ok(Item::Name { field: "AMPM_OF_DAY", full: false }),
            _ => too_many(),
        },
        'h' => plain("CLOCK_HOUR_OF_AMPM"),
        'H' => plain("HOUR_OF_DAY"),
        'k' => plain("CLOCK_HOUR_OF_DAY"),
        'K' => plain("HOUR_OF_AMPM"),
        'm' => plain("MINUTE_OF_HOUR"),
        's' => plain("SECOND_OF_MINUTE"),
        'S' if count <= 9 => Ok(Item::Fraction { min: count, max: count, point: false }),
        'n' if count <= 19 => Ok(number("NANO_OF_SECOND", count, 19, Sign::NotNegative)),
        'X' => match count {
            1 => offset(false, false, false, "Z"),
            2 => offset(false, true, false, "Z"),
            3 => offset(true, true, false, "Z"),
            4 => offset(false, true, true, "Z"),
            5 => offset(true, true, true, "Z"),
            _ => too_many(),
        },
        'x' => match count {
            1 => offset(false, false, false, "+00"),
            2 => offset(false, true, false, "+0000"),
            3 => offset(true, true, false, "+00:00"),
            4 => offset(false, true, true, "+0000"),
            5 => offset(true, true, true, "+00:00"),
            _ => too_many(),
        },
        'Z' => match count {
            1..=3 => offset(false, true, false, "+0000"),
            5 => offset(true, true, true, "Z"),
            4 => Err(Defect::Open),
            _ => too_many(),
        },
        'V' if count == 2 => Ok(Item::Zone),
        'b' | 'f' | 'i' | 'j' | 'l' | 'o' | 'r' | 't' | 'C' | 'I' | 'J' | 'P' | 'R' | 'T' | 'U' => {
            Err(Defect::Illegal(Some(format!("Unknown pattern letter: {c}"))))
        }
        _ => Err(Defect::Open),
    }
}
