//! Generates texts that match a regular expression: each repetition at its minimum, each class by a simple member,
//! all alternatives.

use super::regex::{Class, Node, Regex};
use super::regex_read::compile;

/// Maximum number of texts.
const MOST: usize = 8;
/// Maximum length of a text.
const LENGTH: usize = 300;
/// Candidate members of a class, the simplest first.
const PLAIN: &str = "aA1 bB0-_.,:;/@+*#=?!%&()[]{}<>~^|'\"$\\`zZ9\t\n";

/// Some texts that match as a whole; empty if the pattern is not supported.
pub fn samples(pattern: &str) -> Vec<String> {
    let Ok(regex) = compile(pattern, 0) else { return Vec::new() };
    let mut out = Vec::new();
    for text in texts(&regex.node) {
        if is_match(&regex, &text) && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// A text of `min` to `max` characters that matches as a whole: a sample, or one whose last character or whole text
/// is repeated.
pub fn sample_of_length(pattern: &str, min: usize, max: usize) -> Option<String> {
    let fits = |text: &String| (min..=max).contains(&text.chars().count());
    let all = samples(pattern);
    if let Some(found) = all.iter().find(|text| fits(text)) {
        return Some(found.clone());
    }
    let regex = compile(pattern, 0).ok()?;
    let longer = all.iter().filter(|text| !text.is_empty()).flat_map(|text| {
        let missing = min.min(LENGTH).saturating_sub(text.chars().count());
        let last = text.chars().next_back().map(|last| format!("{text}{}", last.to_string().repeat(missing)));
        let again = text.repeat(min.min(LENGTH).div_ceil(text.chars().count()));
        last.into_iter().chain(std::iter::once(again))
    });
    longer.into_iter().find(|text| fits(text) && is_match(&regex, text))
}

/// Whether a text matches as a whole; false if the pattern is not supported.
pub fn matches(pattern: &str, text: &str) -> bool {
    compile(pattern, 0).is_ok_and(|regex| is_match(&regex, text))
}

fn is_match(regex: &Regex, text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    matches!(regex.at(&chars, 0, true), Ok(Some(_)))
}

fn member(class: &Class, insensitive: bool) -> Option<char> {
    let own = match class {
        Class::One(own) => Some(*own),
        Class::Range(from, _) => Some(*from),
        _ => None,
    };
    own.or_else(|| PLAIN.chars().chain(' '..='~').find(|c| class.holds(*c, insensitive) == Ok(true)))
}

/// The shortest text that a look-ahead such as `(?=.*[0-9])` requires somewhere after its position, as in password
/// rules.
fn wanted_ahead(node: &Node) -> Option<String> {
    match node {
        Node::Look { ahead: true, wanted: true, node } => texts(node).into_iter().next(),
        _ => None,
    }
}

/// Overlays two texts: the first one replaces the start of the second.
fn laid_over(begin: &str, text: &str) -> String {
    begin.chars().chain(text.chars().skip(begin.chars().count())).collect()
}

fn texts(node: &Node) -> Vec<String> {
    let mut all = match node {
        Node::Set(class, insensitive) => member(class, *insensitive).map(String::from).into_iter().collect(),
        Node::Any(_) => vec!["a".to_owned()],
        Node::Group(_, inner) | Node::Atomic(inner) => texts(inner),
        Node::Alt(all) => {
            // First the simplest text of each part, then the further texts of each.
            let each: Vec<Vec<String>> = all.iter().map(texts).collect();
            let first = each.iter().filter_map(|texts| texts.first().cloned());
            first.chain(each.iter().flat_map(|texts| texts.iter().skip(1).cloned())).collect()
        }
        Node::Seq(all) => {
            let each: Vec<Vec<String>> = all.iter().map(texts).collect();
            if each.iter().any(Vec::is_empty) {
                return Vec::new();
            }
            let with = |changed: usize, to: usize| -> String {
                each.iter().enumerate().map(|(at, texts)| texts[if at == changed { to } else { 0 }].as_str()).collect()
            };
            let others = each.iter().enumerate().flat_map(|(at, texts)| (1..texts.len()).map(move |to| (at, to)));
            let plain: Vec<String> =
                std::iter::once((0, 0)).chain(others).take(MOST).map(|(at, to)| with(at, to)).collect();
            let ahead: String = all.iter().filter_map(wanted_ahead).collect();
            if ahead.is_empty() {
                plain
            } else {
                plain.iter().map(|text| laid_over(&ahead, text)).chain(plain.clone()).collect()
            }
        }
        Node::Repeat(inner, least, most, _) => {
            let inner = texts(inner);
            let times = |text: &String, count: u32| text.repeat(count as usize);
            let mut out: Vec<String> = match least {
                0 => vec![String::new()],
                _ => inner.iter().map(|text| times(text, (*least).min(LENGTH as u32))).collect(),
            };
            if least < most {
                out.extend(inner.first().map(|text| times(text, least.saturating_add(1).min(LENGTH as u32))));
            }
            out
        }
        _ => vec![String::new()],
    };
    all.retain(|text| text.len() <= LENGTH);
    all.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_matches() {
        assert_eq!(samples("[A-Z]{2}\\d{3}"), ["AA111"]);
        assert_eq!(samples("(mon|tue)[0-9]+(jan)?"), ["mon1", "tue1", "mon11", "mon1jan"]);
        assert_eq!(samples("^\\w+@\\w+\\.com$"), ["a@a.com", "aa@a.com", "a@aa.com"]);
        assert_eq!(samples("(?=b)a"), Vec::<String>::new());
        assert_eq!(samples("^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])(?=.*[@#$%^&+=])(?=\\S+$).{8,}$")[0], "1aA@aaaa");
        assert_eq!(samples("((?=.*\\d)(?=.*[a-z])(?!.*\\s).{6,20})")[0], "1aaaaa");
        assert_eq!(samples("(?=.*[A-Z])[A-Za-z]{2}\\d")[0], "Aa1");
        assert_eq!(samples("("), Vec::<String>::new());
        assert_eq!(sample_of_length("^[0-9]*$", 1, 20).as_deref(), Some("1"));
        assert_eq!(sample_of_length("[0-9]*", 10, 10).as_deref(), Some("1111111111"));
        assert_eq!(sample_of_length("(ab)*", 5, 7).as_deref(), Some("ababab"));
        assert_eq!(sample_of_length("[a-z]{2}", 5, 7), None);
    }
}
