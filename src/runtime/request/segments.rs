//! The segments of a route: literals and variables, with the regular expressions of variables.

use mastor_java::interpret::library::text::matching::regex_samples::{matches, samples};

/// One segment of a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// A literal, or a text with variables in parts of it.
    Text(String),
    /// A variable.
    Variable {
        /// Its name.
        name: String,
        /// The regular expression that its value must match.
        pattern: Option<String>,
    },
}

/// The segments of a route; slashes within braces do not separate segments.
pub fn segments(route: &str) -> Vec<Segment> {
    let (mut parts, mut depth, mut part) = (Vec::new(), 0_u32, String::new());
    for c in route.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    parts.push(part);
    parts.into_iter().filter(|part| !part.is_empty()).map(|part| Segment::of(&part)).collect()
}

impl Segment {
    fn of(part: &str) -> Self {
        let inside = part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        // The segment also contains another variable or a literal.
        let Some(inside) = inside.filter(|inside| !inside.contains("}{") && !inside.contains("}-{")) else {
            return Self::Text(part.to_owned());
        };
        match inside.split_once(':') {
            Some((name, pattern)) => {
                Self::Variable { name: name.trim().to_owned(), pattern: Some(pattern.trim().to_owned()) }
            }
            None if inside.contains(['{', '}']) => Self::Text(part.to_owned()),
            None => Self::Variable { name: inside.trim().to_owned(), pattern: None },
        }
    }

    /// Whether a text may match this segment.
    pub fn takes(&self, text: &str) -> bool {
        match self {
            Self::Text(own) => own == text,
            Self::Variable { pattern: None, .. } => true,
            Self::Variable { pattern: Some(pattern), .. } => matches(pattern, text),
        }
    }

    /// Whether some text may match both segments.
    fn may_meet(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(own), _) if !own.contains('{') => other.takes(own),
            (_, Self::Text(own)) if !own.contains('{') => self.takes(own),
            _ => true,
        }
    }
}

/// Whether a path may match both routes.
pub fn may_meet(one: &[Segment], other: &[Segment]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.may_meet(other))
}

/// Texts that match a variable's regular expression; empty if it has none.
pub fn candidates(route: &str, name: &str) -> Vec<String> {
    let bound = segments(route).into_iter().find_map(|segment| match segment {
        Segment::Variable { name: own, pattern } if own == name => pattern,
        _ => None,
    });
    bound.map(|pattern| samples(&pattern)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{candidates, may_meet, segments};

    #[test]
    fn variables_are_read_with_what_binds_them() {
        let found = segments("/a/{id:[0-9]{2}}/{rest:.+}/{plain}");
        assert!(found[1].takes("42") && !found[1].takes("4"));
        assert!(found[2].takes("x.y") && found[3].takes("z") && found[0].takes("a"));
        assert_eq!(candidates("/{kind:xlsx|mail}", "kind"), ["xlsx", "mail"]);
        assert!(candidates("/{kind}", "kind").is_empty());
    }

    #[test]
    fn routes_meet_where_a_path_may_be_of_both() {
        let meet = |one: &str, other: &str| may_meet(&segments(one), &segments(other));
        assert!(meet("/a/{id}", "/a/{name:[a-z]+}"));
        assert!(meet("/a/{name:[a-z]+}", "/a/new"));
        assert!(!meet("/a/{id:[0-9]+}", "/a/new"));
        assert!(!meet("/a/{id}", "/b/{id}"));
    }
}
