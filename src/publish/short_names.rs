//! Short names: symbols of Java as a page shows them, without their package where that leaves no doubt.

use std::collections::{BTreeMap, BTreeSet};

/// Symbols as they stand on one page: without their package where that leaves no doubt.
#[derive(Debug)]
pub(super) struct Names {
    short: BTreeMap<String, String>,
}

impl Names {
    /// Of all symbols that the page shows.
    pub(super) fn of(symbols: impl IntoIterator<Item = String>) -> Self {
        let symbols: BTreeSet<String> = symbols.into_iter().collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for symbol in &symbols {
            *counts.entry(without_package(symbol).to_owned()).or_default() += 1;
        }
        let short = |symbol: String| {
            let short = without_package(&symbol);
            let name = if counts.get(short) == Some(&1) { short.to_owned() } else { symbol.clone() };
            (symbol, name)
        };
        Self { short: symbols.into_iter().map(short).collect() }
    }

    /// The name of one.
    pub(super) fn name(&self, symbol: String) -> String {
        self.short.get(&symbol).cloned().unwrap_or(symbol)
    }

    /// The names of these.
    pub(super) fn names(&self, symbols: Vec<String>) -> Vec<String> {
        symbols.into_iter().map(|symbol| self.name(symbol)).collect()
    }

    /// All of them, whole.
    pub(super) fn whole(&self) -> Vec<String> {
        self.short.keys().cloned().collect()
    }
}

/// `Orders#find(String)` of `com.acme.Orders#find(String)`; what is no name of Java stays whole.
fn without_package(symbol: &str) -> &str {
    let class = symbol.split('#').next().unwrap_or_default();
    let name = |part: &str| {
        part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
            && part.starts_with(|c: char| c.is_alphabetic())
    };
    let java = class.split('.').all(name) && !symbol.contains("#/");
    let mut rest = symbol;
    while let Some((package, after)) = rest.split_once('.').filter(|(package, _)| java && !package.contains('#')) {
        if package.starts_with(char::is_uppercase) {
            break;
        }
        rest = after;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_lose_their_package_and_nothing_else() {
        for (whole, short) in [
            ("com.acme.Orders#find(String)", "Orders#find(String)"),
            ("com.acme.Orders.Line#of(java.util.List)", "Orders.Line#of(java.util.List)"),
            ("Orders#a.b", "Orders#a.b"),
            ("src/main/resources/data.sql", "src/main/resources/data.sql"),
            ("openapi.yaml#/paths/~1a.b", "openapi.yaml#/paths/~1a.b"),
        ] {
            assert_eq!(without_package(whole), short);
        }
        let names = Names::of(["a.X#f".to_owned(), "b.X#f".to_owned(), "b.Y#f".to_owned()]);
        assert_eq!(names.names(vec!["a.X#f".into(), "b.Y#f".into()]), ["a.X#f", "Y#f"]);
    }
}
