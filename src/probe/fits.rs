//! Guesses which field of a collection's element identifies it for a path parameter, by name.

/// A name in lower case, letters only.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// The singular of a plain name.
pub fn singular(name: &str) -> String {
    match name {
        _ if name.ends_with("ies") => format!("{}y", &name[..name.len() - 3]),
        _ if name.ends_with("ss") => name.to_owned(),
        _ => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}

/// The rank of a field as identifier for a parameter (lower is better); `None` where it does not fit.
pub fn fits(parameter: &str, collection: &str, field: &str) -> Option<u8> {
    let (wanted, one, name) = (plain(parameter), singular(&plain(collection)), plain(field));
    match () {
        () if name.is_empty() => None,
        () if name == wanted => Some(0),
        () if wanted == format!("{one}{name}") || name == format!("{one}{wanted}") => Some(1),
        () if wanted.ends_with(&name) && name.len() > 1 => Some(2),
        () if name.ends_with(&wanted) && wanted.len() > 1 => Some(3),
        () if name.strip_prefix(&wanted).is_some_and(names) => Some(3),
        () if singular(&name) == wanted || name == one => Some(4),
        () => match name.as_str() {
            "id" => Some(5),
            "name" => Some(6),
            "code" => Some(7),
            "key" => Some(8),
            _ => None,
        },
    }
}

fn names(rest: &str) -> bool {
    matches!(rest, "id" | "name" | "code" | "key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_of_the_parameters_name_comes_first() {
        assert_eq!(fits("productName", "products", "name"), Some(1));
        assert_eq!(fits("productName", "products", "id"), Some(5));
        assert_eq!(fits("id", "users", "id"), Some(0));
        assert_eq!(fits("alphacode", "alpha", "alpha2Code"), Some(0));
        assert_eq!(fits("roleId", "roles", "role"), Some(4));
        assert_eq!(fits("shop", "shops", "shopName"), Some(3));
        assert_eq!(fits("id", "users", "email"), None);
        assert_eq!(singular(&plain("currencies")), "currency");
    }
}
