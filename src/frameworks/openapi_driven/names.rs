//! Names in the style of code generators.

/// `pet-types` as `PetTypes` or `petTypes`.
pub fn camel(text: &str, upper: bool) -> String {
    let mut out = String::new();
    let mut raise = upper;
    for c in text.chars() {
        if c.is_alphanumeric() {
            if raise {
                out.extend(c.to_uppercase());
            } else {
                out.push(c);
            }
            raise = false;
        } else {
            raise = !out.is_empty() || upper;
        }
    }
    if !upper {
        let mut chars = out.chars();
        out = chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
    }
    out
}
