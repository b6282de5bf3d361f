//! Paths: templates with parameter names erased, base paths, and how the two are joined.

/// A path, or an `op_id`, with parameter names and their regular expressions erased and slashes normalised:
/// `GET /orders//{id:\d+}/` is `GET /orders/{}`.
pub fn template_key(text: &str) -> String {
    let (method, path) = match text.split_once(' ') {
        Some((method, path)) if !method.contains(['/', '{']) => (Some(method), path.trim_start()),
        _ => (None, text),
    };
    let mut erased = String::with_capacity(path.len());
    let mut depth = 0usize;
    for character in path.chars() {
        match character {
            '{' => {
                if depth == 0 {
                    erased.push_str("{}");
                }
                depth += 1;
            }
            '}' if depth > 0 => depth -= 1,
            '?' | '#' if depth == 0 => break,
            _ if depth == 0 => erased.push(character),
            _ => {}
        }
    }
    let mut key = method.map(|method| format!("{} ", method.to_ascii_uppercase())).unwrap_or_default();
    let segments: Vec<&str> = erased.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.is_empty() {
        key.push('/');
    }
    for segment in segments {
        key.push('/');
        key.push_str(segment);
    }
    key
}

/// Names of the parameters of a path template, in order, without regular expressions.
pub fn template_parameters(path: &str) -> Vec<String> {
    let (mut names, mut depth, mut name) = (Vec::new(), 0usize, String::new());
    for character in path.chars() {
        match character {
            '{' => {
                depth += 1;
                if depth > 1 {
                    name.push(character);
                }
            }
            '}' if depth == 1 => {
                depth = 0;
                let bare = name.split(':').next().unwrap_or_default().trim().trim_start_matches(['*', '+']);
                names.push(bare.trim_end_matches(['*', '+', '?']).to_owned());
                name.clear();
            }
            '}' if depth > 1 => {
                depth -= 1;
                name.push(character);
            }
            _ if depth > 0 => name.push(character),
            _ => {}
        }
    }
    names
}

/// A base path followed by a path, with exactly one slash between them; a trailing slash of the path is kept.
pub fn join_path(base: &str, path: &str) -> String {
    let base = base.trim_end_matches('/');
    let lead = if base.is_empty() || base.starts_with('/') { "" } else { "/" };
    format!("{lead}{base}/{}", path.trim_start_matches('/'))
}

/// The path part of a server's URL or of `basePath`: with a leading slash and no trailing one, `""` for the root.
pub fn base_path(url: &str) -> String {
    let url = url.trim();
    let rest = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => match url.strip_prefix("//") {
            Some(rest) => rest.find('/').map_or("", |at| &rest[at..]),
            None => url,
        },
    };
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    segments.iter().fold(String::new(), |path, segment| path + "/" + segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_keys_erase_names_and_expressions() {
        assert_eq!(template_key("GET /orders//{id:[0-9]{2,3}}/"), "GET /orders/{}");
        assert_eq!(template_key("/a/{x:.+/y}/b"), "/a/{}/b");
        assert_eq!(template_key("orders/{id}.json"), "/orders/{}.json");
        assert_eq!(template_key(""), "/");
        assert_eq!(template_key("get /"), "GET /");
        assert_eq!(template_key("/a?b={c}"), "/a");
        assert_eq!(template_key("/a/{unclosed"), "/a/{}");
    }

    #[test]
    fn template_parameters_are_bare_names() {
        assert_eq!(template_parameters("/a/{x}/{y: [0-9]{2}}/{*rest}/{more+}"), ["x", "y", "rest", "more"]);
    }

    #[test]
    fn base_paths_and_paths_join_with_one_slash() {
        assert_eq!(join_path("", "/orders"), "/orders");
        assert_eq!(join_path("/api/", "/orders/"), "/api/orders/");
        assert_eq!(join_path("api", "orders"), "/api/orders");
        for (url, path) in [
            ("https://h:1/api/v1/", "/api/v1"),
            ("https://h", ""),
            ("/", ""),
            ("api", "/api"),
            ("//h/x", "/x"),
            ("./x", "/x"),
            ("", ""),
        ] {
            assert_eq!(base_path(url), path, "{url}");
        }
    }
}
