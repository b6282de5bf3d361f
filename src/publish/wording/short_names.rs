//! Short names: Java symbols without their package, where that is unambiguous on a page.

use std::collections::{BTreeMap, BTreeSet};

/// The symbols of a page with their short names.
#[derive(Debug)]
pub(crate) struct Names {
    short: BTreeMap<String, String>,
}

impl Names {
    /// Computes the short names of all symbols on a page.
    pub(crate) fn of(symbols: impl IntoIterator<Item = String>) -> Self {
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

    /// The short name of a symbol.
    pub(crate) fn name(&self, symbol: String) -> String {
        self.short.get(&symbol).cloned().unwrap_or(symbol)
    }

    /// The short names of these symbols.
    pub(crate) fn names(&self, symbols: Vec<String>) -> Vec<String> {
        symbols.into_iter().map(|symbol| self.name(symbol)).collect()
    }

    /// The full names of all symbols.
    pub(crate) fn whole(&self) -> Vec<String> {
        self.short.keys().cloned().collect()
    }
}

/// Shortens `com.acme.Orders#find(String)` to `Orders#find(String)`; anything but a Java name is unchanged.
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
