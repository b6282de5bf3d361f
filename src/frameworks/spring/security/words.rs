//! Expressions of access (`hasRole('ADMIN') or permitAll`): whether they hold for a caller who is nobody in particular.

/// Whether an expression holds for an anonymous caller; `None` where it asks what is not known.
pub fn holds_for_nobody(text: &str) -> Option<bool> {
    let mut words = Words { rest: text };
    let value = words.any()?;
    words.rest.trim().is_empty().then_some(value)
}

/// Whether an anonymous caller has one of these authorities.
pub fn is_authority_of_nobody(authority: &str) -> bool {
    matches!(authority, "ROLE_ANONYMOUS" | "IS_AUTHENTICATED_ANONYMOUSLY")
}

struct Words<'t> {
    rest: &'t str,
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
        Some(match name {
            "permitAll" | "isAnonymous" | "anonymous" => true,
            "denyAll"
            | "isAuthenticated"
            | "authenticated"
            | "isFullyAuthenticated"
            | "fullyAuthenticated"
            | "isRememberMe"
            | "rememberMe" => false,
            "hasRole" | "hasAnyRole" => args.iter().any(|role| matches!(role.as_str(), "ANONYMOUS" | "ROLE_ANONYMOUS")),
            "hasAuthority" | "hasAnyAuthority" => args.iter().any(|role| role == "ROLE_ANONYMOUS"),
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
    use super::holds_for_nobody;

    #[test]
    fn expressions_hold_for_nobody_where_they_ask_for_nothing() {
        assert_eq!(holds_for_nobody("permitAll"), Some(true));
        assert_eq!(holds_for_nobody("permitAll()"), Some(true));
        assert_eq!(holds_for_nobody("hasRole('ROLE_USER')"), Some(false));
        assert_eq!(holds_for_nobody("hasRole('A') or hasAnyRole('B', 'C')"), Some(false));
        assert_eq!(holds_for_nobody("hasRole('A') or isAnonymous()"), Some(true));
        assert_eq!(holds_for_nobody("!isAuthenticated() and (permitAll or denyAll)"), Some(true));
        // What a bean answers is not known, and nothing is said of the rest either.
        assert_eq!(holds_for_nobody("@guard.check(#id) or permitAll"), None);
        assert_eq!(holds_for_nobody("#name == authentication.name"), None);
    }
}
