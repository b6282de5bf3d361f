//! The profile that a Spring application needs to serve anything: all of its controllers are bound to it.

use std::collections::BTreeSet;

use mastor_java::ir::constant::Constant;
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// The first profile that all of these types require. A type without a profile, or with a condition other than a list
/// of names, requires none, so that the result is `None`.
pub fn needed(project: &Project, types: impl IntoIterator<Item = TypeId>) -> Option<String> {
    let types: BTreeSet<TypeId> = types.into_iter().collect();
    let mut common: Option<BTreeSet<String>> = None;
    for ty in types {
        let own = of_type(project, ty);
        common = Some(match common {
            Some(common) => common.intersection(&own).cloned().collect(),
            None => own,
        });
    }
    common?.into_iter().next()
}

fn of_type(project: &Project, ty: TypeId) -> BTreeSet<String> {
    let annotation = project.ty(ty).annotations.iter().find(|annotation| annotation.simple() == "Profile");
    let Some(value) = annotation.and_then(|annotation| annotation.arg("value")) else { return BTreeSet::new() };
    let names = match project.eval(ty, value).value {
        Constant::Str(name) => vec![Constant::Str(name)],
        Constant::Array(names) => names,
        _ => Vec::new(),
    };
    let names: Option<BTreeSet<String>> = names
        .into_iter()
        .map(|name| match name {
            Constant::Str(name) if !name.contains(['!', '&', '|', '(']) && is_word(&name) => Some(name),
            _ => None,
        })
        .collect();
    names.unwrap_or_default()
}

/// Whether a name can be written in a command without quotes.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
