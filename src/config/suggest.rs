//! "Did you mean": finds the known name that is most similar to an unknown one.

/// The name in `known` that is most similar to `found`, if it is similar enough.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let score = |name: &str| strsim::jaro_winkler(&found.to_lowercase(), &name.to_lowercase());
    let mut best: Option<(&str, f64)> = None;
    for name in known {
        let score = score(name);
        if score > 0.8 && best.is_none_or(|(_, top)| score > top) {
            best = Some((name, score));
        }
    }
    best.map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_meant_and_a_far_one_is_not() {
        assert_eq!(did_you_mean("GET /order/{id}", ["GET /orders/{id}", "POST /orders"]), Some("GET /orders/{id}"));
        assert_eq!(did_you_mean("zzz", ["api", "ci"]), None);
    }
}
