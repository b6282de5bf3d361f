//! Access expressions (`hasRole('ADMIN') or permitAll`): whether they are true for a caller.

use super::caller::{Caller, role};

/// Whether an expression is true for a caller; `None` if it depends on unknown values.
pub fn holds(text: &str, caller: &Caller) -> Option<bool> {
    let mut words = Words { rest: text, caller };
    let value = words.any()?;
    words.rest.trim().is_empty().then_some(value)
}

struct Words<'t> {
    rest: &'t str,
    caller: &'t Caller,
}

impl<'t> Words<'t> {
    fn any(&mut self) -> Option<bool> {
        let mut value = self.all()?;
        while self.takes(&["or", "OR", "||"]) {
            value |= self.all()?;
        }
        Some(value)
    }

    fn all(&mut self) -> Option<bool> {
        let mut value = self.one()?;
        while self.takes(&["and", "AND", "&&"]) {
            value &= self.one()?;
        }
        Some(value)
    }

    fn one(&mut self) -> Option<bool> {
        if self.takes(&["not", "NOT", "!"]) {
            return self.one().map(|value| !value);
        }
        if self.takes(&["("]) {
            let value = self.any()?;
            return self.takes(&[")"]).then_some(value);
        }
        let name = self.name()?;
        let args = if self.takes(&["("]) { self.args()? } else { Vec::new() };
        let nobody = *self.caller == Caller::Nobody;
        Some(match name {
            "permitAll" => true,
            "isAnonymous" | "anonymous" => nobody,
            // Test requests never carry a remember-me login.
            "denyAll" | "isRememberMe" | "rememberMe" => false,
            "isAuthenticated" | "authenticated" | "isFullyAuthenticated" | "fullyAuthenticated" => !nobody,
            "hasRole" | "hasAnyRole" => {
                self.caller.has(&args.iter().map(|name| role(name)).collect::<Vec<String>>())?
            }
            "hasAuthority" | "hasAnyAuthority" => self.caller.has(&args)?,
            "true" => true,
            "false" => false,
            _ => return None,
        })
    }

    fn args(&mut self) -> Option<Vec<String>> {
        let mut args = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.takes(&[")"]) {
                return Some(args);
            }
            let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            let (text, rest) = self.rest[1..].split_once(quote)?;
            args.push(text.to_owned());
            self.rest = rest;
            self.takes(&[","]);
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn takes(&mut self, tokens: &[&str]) -> bool {
        let rest = self.rest.trim_start();
        for token in tokens {
            let Some(after) = rest.strip_prefix(token) else { continue };
            let word = token.chars().all(char::is_alphabetic);
            if word && after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            self.rest = after;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, holds};

    #[test]
    fn expressions_hold_for_nobody_where_they_ask_for_nothing() {
        let holds = |text: &str| holds(text, &Caller::Nobody);
        assert_eq!(holds("permitAll"), Some(true));
        assert_eq!(holds("permitAll()"), Some(true));
        assert_eq!(holds("hasRole('ROLE_USER')"), Some(false));
        assert_eq!(holds("hasRole('A') or hasAnyRole('B', 'C')"), Some(false));
        assert_eq!(holds("hasRole('A') or isAnonymous()"), Some(true));
        assert_eq!(holds("!isAuthenticated() and (permitAll or denyAll)"), Some(true));
        // The result of a bean is not known, so the whole expression is not.
        assert_eq!(holds("@guard.check(#id) or permitAll"), None);
        assert_eq!(holds("#name == authentication.name"), None);
    }

    #[test]
    fn expressions_hold_for_a_user_by_its_authorities() {
        let staff = Caller::Somebody(Some(vec!["ROLE_STAFF".to_owned(), "orders:read".to_owned()]));
        assert_eq!(holds("hasRole('STAFF')", &staff), Some(true));
        assert_eq!(holds("hasRole('ROLE_STAFF') and isAuthenticated()", &staff), Some(true));
        assert_eq!(holds("hasAuthority('STAFF') or hasAnyRole('ADMIN', 'ANONYMOUS')", &staff), Some(false));
        assert_eq!(holds("hasAuthority('orders:read')", &staff), Some(true));
        assert_eq!(holds("isAnonymous() or denyAll", &staff), Some(false));
        // The caller's authorities are not known, but it is authenticated.
        let open = Caller::Somebody(None);
        assert_eq!(holds("hasRole('STAFF')", &open), None);
        assert_eq!(holds("isAuthenticated()", &open), Some(true));
    }
}
