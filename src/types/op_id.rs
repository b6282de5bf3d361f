//! The name of an operation: HTTP method and path template, such as `GET /orders/{id}`.

use serde::{Deserialize, Serialize};

use super::http::Method;

/// `METHOD path`, the path exactly as the OpenAPI document writes it (undocumented: the route as the code makes it).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct OpId(String);

impl OpId {
    /// The name of `method` on `path`.
    pub fn new(method: Method, path: &str) -> Self {
        Self(format!("{method} {path}"))
    }

    /// Parses `METHOD path`; `None` for an unknown method or a missing path. White space around both is dropped.
    pub fn parse(text: &str) -> Option<Self> {
        let (method, path) = text.trim().split_once(char::is_whitespace)?;
        let method = Method::parse(method)?;
        let path = path.trim();
        (!path.is_empty()).then(|| Self::new(method, path))
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The method; `GET` where the name (of a file edited by hand) has no known one.
    pub fn method(&self) -> Method {
        self.0.split(' ').next().and_then(Method::parse).unwrap_or(Method::Get)
    }

    /// The path template.
    pub fn path(&self) -> &str {
        self.0.split_once(' ').map_or(self.0.as_str(), |(_, path)| path)
    }

    /// Names of the path's parameters in order, without their regular expressions.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path().split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next())
    }

    /// Method and path without parameter names and redundant slashes: the key that pairs operations of two revisions.
    pub fn erased(&self) -> String {
        let segments = self.path().split('/').filter(|segment| !segment.is_empty()).map(|segment| {
            let mut out = String::new();
            let mut depth = 0;
            for c in segment.chars() {
                match c {
                    '{' => {
                        depth += 1;
                        if depth == 1 {
                            out.push_str("{}");
                        }
                    }
                    '}' => depth -= i32::from(depth > 0),
                    _ if depth == 0 => out.push(c),
                    _ => {}
                }
            }
            // `*` matches one segment, as a variable does.
            if out == "*" { "{}".to_owned() } else { out }
        });
        format!("{} /{}", self.method(), segments.collect::<Vec<_>>().join("/"))
    }

    /// Sort key for lists shown to people: by path, then in the order of a resource's life cycle (`POST` first,
    /// `DELETE` last).
    pub fn by_path(&self) -> (&str, usize) {
        let order = [Method::Post, Method::Get, Method::Head, Method::Put, Method::Patch, Method::Delete];
        (self.path(), order.iter().position(|method| *method == self.method()).unwrap_or(order.len()))
    }

    /// File name for this operation: readable, lower case, at most 100 bytes, ending in a short hash of the exact name.
    pub fn slug(&self) -> String {
        slug(&self.0)
    }
}

/// A readable, lower-case file name of at most 100 bytes that ends in a short hash of `text`, so that different texts
/// get different names.
pub fn slug(text: &str) -> String {
    let mut readable = String::new();
    for c in text.chars() {
        let c = c.to_ascii_lowercase();
        if c.is_ascii_alphanumeric() {
            readable.push(c);
        } else if !readable.ends_with('-') && !readable.is_empty() {
            readable.push('-');
        }
    }
    readable.truncate(100 - 9);
    let hash = super::hash::Hash::of(text.as_bytes()).short(8);
    format!("{}-{hash}", readable.trim_end_matches('-'))
}

impl std::fmt::Display for OpId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_names_do_not_tell_two_operations_apart() {
        let a = OpId::new(Method::Get, "/orders/{id}/lines/{line}.json");
        let b = OpId::new(Method::Get, "/orders//{orderId}/lines/{n:[0-9]{2}}.json/");
        assert_eq!(a.erased(), "GET /orders/{}/lines/{}.json");
        assert_eq!(a.erased(), b.erased());
    }

    #[test]
    fn a_segment_of_any_text_is_a_variable_without_a_name() {
        let a = OpId::new(Method::Get, "/orders/*/lines/{line}");
        let b = OpId::new(Method::Get, "/orders/{orderId}/lines/{line}");
        assert_eq!(a.erased(), b.erased());
        assert_eq!(OpId::new(Method::Get, "/orders/*.json/**").erased(), "GET /orders/*.json/**");
    }

    #[test]
    fn slugs_are_short_and_distinct() {
        let long = OpId::new(Method::Get, &format!("/{}", "abc/".repeat(80)));
        assert!(long.slug().len() <= 100);
        assert_ne!(OpId::new(Method::Get, "/a-b").slug(), OpId::new(Method::Get, "/a/b").slug());
        assert!(OpId::new(Method::Get, "/orders/{id}").slug().starts_with("get-orders-id-"));
    }

    #[test]
    fn a_name_without_method_is_no_name() {
        assert_eq!(OpId::parse("/orders"), None);
        assert_eq!(OpId::parse("get  /orders").map(|o| o.to_string()), Some("GET /orders".to_owned()));
    }
}
