//! The format specifiers of `java.util.Formatter`: `%…` with its flags, read and checked as the JDK does before it
//! writes anything.

/// One format specifier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spec {
    /// Explicit argument index (`n$`).
    pub index: Option<usize>,
    /// Whether it repeats the previous argument (`<`).
    pub previous: bool,
    /// Flags, in the order written.
    pub flags: String,
    /// Minimum width.
    pub width: Option<usize>,
    /// Precision.
    pub precision: Option<usize>,
    /// Whether it formats a date (`%t…`).
    pub date: bool,
    /// The conversion character, in lower case except for dates.
    pub kind: char,
    /// Whether the result is in upper case.
    pub upper: bool,
}

/// A part of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// A format specifier.
    Spec(Spec),
}

/// An error in a format string: the exception class in `java.util`, and its message if certain.
pub type Defect = (&'static str, Option<String>);

impl Spec {
    /// Whether it has a flag.
    pub fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// The specifier as the JDK prints it in messages, if certain.
    pub fn text(&self) -> Option<String> {
        if self.flags.len() > 1 || self.previous || self.date || self.index.is_some() {
            return None;
        }
        let kind = if self.upper { self.kind.to_ascii_uppercase() } else { self.kind };
        let width = self.width.map(|width| width.to_string()).unwrap_or_default();
        let precision = self.precision.map(|precision| format!(".{precision}")).unwrap_or_default();
        Some(format!("%{}{width}{precision}{kind}", self.flags))
    }

    /// The flags in the order in which the JDK prints them.
    fn listed(&self) -> Option<String> {
        let order = ['-', '#', '+', ' ', '0', ',', '('];
        let flags: String = order.into_iter().filter(|flag| self.has(*flag)).collect();
        (!self.previous && !self.upper).then(|| format!("Flags = '{flags}'"))
    }

    fn check(&self) -> Result<(), Defect> {
        let mismatch = |bad: &str| {
            let bad: String = self.flags.chars().filter(|flag| bad.contains(*flag)).collect();
            if bad.is_empty() {
                return Ok(());
            }
            // Which of several flags the message names depends on the release.
            let message = (bad.len() == 1 && !self.date).then(|| format!("Conversion = {}, Flags = {bad}", self.kind));
            Err(("FormatFlagsConversionMismatchException", message))
        };
        let no_width = || {
            if self.has('-') && self.width.is_none() {
                return Err(("MissingFormatWidthException", self.text()));
            }
            Ok(())
        };
        let no_precision = || match self.precision {
            Some(precision) => Err(("IllegalFormatPrecisionException", Some(precision.to_string()))),
            None => Ok(()),
        };
        if self.date {
            no_precision()?;
            mismatch("#+ 0,(")?;
            return no_width();
        }
        match self.kind {
            'b' | 'h' | 's' => {
                if self.kind != 's' {
                    mismatch("#")?;
                }
                no_width()?;
                mismatch("+ 0,(")
            }
            'c' => {
                no_precision()?;
                mismatch("#+ 0,(")?;
                no_width()
            }
            'd' | 'o' | 'x' => {
                self.check_number()?;
                no_precision()?;
                mismatch(if self.kind == 'd' { "#" } else { "," })
            }
            'e' | 'f' | 'g' | 'a' => {
                self.check_number()?;
                mismatch(match self.kind {
                    'a' => "(,",
                    'e' => ",",
                    'g' => "#",
                    _ => "",
                })
            }
            _ => {
                no_precision()?;
                if self.kind == 'n' {
                    if self.width.is_some() {
                        return Err(("IllegalFormatWidthException", None));
                    }
                    if !self.flags.is_empty() {
                        return Err(("IllegalFormatFlagsException", None));
                    }
                } else if self.flags.chars().any(|flag| flag != '-') {
                    return Err(("IllegalFormatFlagsException", None));
                }
                no_width()
            }
        }
    }

    fn check_number(&self) -> Result<(), Defect> {
        if self.width.is_none() && (self.has('-') || self.has('0')) {
            return Err(("MissingFormatWidthException", self.text()));
        }
        if self.has('+') && self.has(' ') || self.has('-') && self.has('0') {
            return Err(("IllegalFormatFlagsException", self.listed()));
        }
        Ok(())
    }
}

/// The parts of a format string.
pub fn read(format: &str) -> Result<Vec<Part>, Defect> {
    let chars: Vec<char> = format.chars().collect();
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        if *c != '%' {
            text.push(*c);
            continue;
        }
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        let (spec, after) = one(&chars, at)?;
        spec.check()?;
        at = after;
        parts.push(Part::Spec(spec));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

fn one(chars: &[char], mut at: usize) -> Result<(Spec, usize), Defect> {
    let mut spec = Spec::default();
    // The message for an unknown conversion quotes the text after the percent sign; how much of it depends on the
    // release.
    const MALFORMED: Defect = ("UnknownFormatConversionException", None);
    let number = |at: &mut usize| -> Option<usize> {
        let from = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        chars[from..*at].iter().collect::<String>().parse().ok()
    };
    let mark = at;
    match number(&mut at) {
        Some(index) if chars.get(at) == Some(&'$') && chars[mark] != '0' => {
            spec.index = Some(index);
            at += 1;
        }
        _ => at = mark,
    }
    while let Some(c) = chars.get(at).filter(|c| matches!(c, '-' | '#' | '+' | ' ' | '0' | ',' | '(' | '<')) {
        if *c == '<' {
            spec.previous = true;
        } else if spec.flags.contains(*c) {
            return Err(("DuplicateFormatFlagsException", None));
        } else {
            spec.flags.push(*c);
        }
        at += 1;
    }
    spec.width = number(&mut at);
    if chars.get(at) == Some(&'.') {
        at += 1;
        match number(&mut at) {
            Some(precision) => spec.precision = Some(precision),
            None => return Err(MALFORMED),
        }
    }
    let Some(c) = chars.get(at).copied() else { return Err(MALFORMED) };
    if matches!(c, 't' | 'T') {
        let Some(kind) = chars.get(at + 1).filter(|kind| kind.is_ascii_alphabetic()) else { return Err(MALFORMED) };
        spec.date = true;
        spec.upper = c == 'T';
        spec.kind = *kind;
        return Ok((spec, at + 2));
    }
    if !matches!(c, 'a'..='z' | 'A'..='Z' | '%') {
        return Err(MALFORMED);
    }
    if !matches!(
        c,
        'b' | 'B'
            | 'h'
            | 'H'
            | 's'
            | 'S'
            | 'c'
            | 'C'
            | 'd'
            | 'o'
            | 'x'
            | 'X'
            | 'e'
            | 'E'
            | 'f'
            | 'g'
            | 'G'
            | 'a'
            | 'A'
            | 'n'
            | '%'
    ) {
        return Err(("UnknownFormatConversionException", Some(format!("Conversion = '{c}'"))));
    }
    spec.upper = c.is_ascii_uppercase();
    spec.kind = c.to_ascii_lowercase();
    Ok((spec, at + 1))
}
