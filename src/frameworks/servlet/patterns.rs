//! Path patterns of the Servlet API.

/// Whether a pattern of the Servlet API matches a path within the application.
pub fn matches(pattern: &str, path: &str) -> bool {
    if let Some(prefix) = pattern.strip_suffix("/*") {
        return path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    match pattern.strip_prefix("*.") {
        Some(suffix) => path.rsplit('/').next().is_some_and(|last| last.ends_with(&format!(".{suffix}"))),
        None => pattern == path,
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_as_the_servlet_api_says() {
        assert!(matches("/*", "/api/devices"));
        assert!(matches("/api/media/*", "/api/media"));
        assert!(matches("/api/media/*", "/api/media/a.png"));
        assert!(!matches("/api/media/*", "/api/mediator"));
        assert!(matches("*.png", "/a/b.png"));
        assert!(matches("/api", "/api"));
        assert!(!matches("/api", "/api/devices"));
    }
}
