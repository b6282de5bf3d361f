//! Path patterns (`AntPathRequestMatcher`, `MvcRequestMatcher`), matched against path templates whose variables may
//! have any value.

/// Whether a pattern such as `/admin/**` matches a path template; `None` if it matches only some of its paths.
pub fn covers(pattern: &str, path: &str) -> Option<bool> {
    if matches!(pattern, "/**" | "**") {
        return Some(true);
    }
    // A pattern without a leading slash never matches.
    if !pattern.starts_with('/') {
        return Some(false);
    }
    if pattern.len() > 1 && pattern.ends_with('/') {
        return None;
    }
    let wanted: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let given: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    fits(&wanted, &given)
}

fn fits(wanted: &[&str], given: &[&str]) -> Option<bool> {
    match (wanted, given) {
        ([], _) => Some(given.is_empty()),
        (["**"], _) => Some(true),
        (["**", rest @ ..], _) => any((0..=given.len()).map(|from| fits(rest, &given[from..]))),
        (_, []) => Some(false),
        ([want, wanted @ ..], [have, given @ ..]) => match segment(want, have) {
            Some(false) => Some(false),
            one => match (one, fits(wanted, given)) {
                (_, Some(false)) => Some(false),
                (Some(true), rest) => rest,
                _ => None,
            },
        },
    }
}

fn any(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut sure = true;
    for one in all {
        match one {
            Some(true) => return Some(true),
            Some(false) => {}
            None => sure = false,
        }
    }
    sure.then_some(false)
}

fn segment(want: &str, have: &str) -> Option<bool> {
    let variable = want.starts_with('{') && want.ends_with('}') && !want.contains(':');
    if want == "*" || variable {
        return Some(true);
    }
    if have.contains('{') || want.contains('{') {
        return None;
    }
    Some(glob(want.as_bytes(), have.as_bytes()))
}

/// Matches `*` and `?` within a segment.
fn glob(want: &[u8], have: &[u8]) -> bool {
    match (want, have) {
        ([], rest) => rest.is_empty(),
        ([b'*', rest @ ..], _) => (0..=have.len()).any(|from| glob(rest, &have[from..])),
        ([b'?', rest @ ..], [_, more @ ..]) => glob(rest, more),
        ([a, rest @ ..], [b, more @ ..]) => a == b && glob(rest, more),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_pattern_covers_what_it_says_and_no_more() {
        assert_eq!(covers("/admin/**", "/admin"), Some(true));
        assert_eq!(covers("/admin/**", "/admin/orders/{id}"), Some(true));
        assert_eq!(covers("/admin/**", "/administrators"), Some(false));
        // `**` inside a segment matches like `*`.
        assert_eq!(covers("/customer**", "/customer"), Some(true));
        assert_eq!(covers("/customer**", "/customers"), Some(true));
        assert_eq!(covers("/customer**", "/customer/cart"), Some(false));
        assert_eq!(covers("**/css/**", "/css/x"), Some(false));
        assert_eq!(covers("/**/css/*", "/a/b/css/x"), Some(true));
        assert_eq!(covers("/", "/"), Some(true));
        assert_eq!(covers("/", "/a"), Some(false));
        assert_eq!(covers("/orders/{id}/lines", "/orders/7/lines"), Some(true));
    }

    #[test]
    fn variables_of_the_path_leave_it_open_where_they_matter() {
        assert_eq!(covers("/orders/mine", "/orders/{id}"), None);
        assert_eq!(covers("/orders/*", "/orders/{id}"), Some(true));
        assert_eq!(covers("/orders/mine/x", "/orders/{id}"), Some(false));
    }
}
