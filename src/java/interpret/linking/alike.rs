//! Compares the normal forms of two bodies: whether they are equal if variables are mapped to each other.

use std::collections::{BTreeMap, BTreeSet};

use super::code::Code;
use super::form::{Forms, Token};
use crate::project::index::Project;

/// A one-to-one mapping between the variables of two bodies.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// Variables of the second body, by those of the first.
    pub forth: BTreeMap<u32, u32>,
    back: BTreeMap<u32, u32>,
}

impl Pairs {
    /// Maps two variables to each other; false if that contradicts the existing mapping.
    pub fn pair(&mut self, first: u32, second: u32) -> bool {
        let known = (self.forth.get(&first).copied(), self.back.get(&second).copied());
        if known == (None, None) {
            self.forth.insert(first, second);
            self.back.insert(second, first);
            return true;
        }
        known == (Some(second), Some(first))
    }

    /// Whether two forms are equal under this mapping. If so, the mapping is extended by the variables that
    /// correspond.
    pub fn agree(&mut self, first: &[Token], second: &[Token]) -> bool {
        if first.len() != second.len() {
            return false;
        }
        let mut tried = self.clone();
        let fits = first.iter().zip(second).all(|tokens| match tokens {
            (Token::Variable(a), Token::Variable(b)) => tried.pair(*a, *b),
            (a, b) => a == b,
        });
        if fits {
            *self = tried;
        }
        fits
    }
}

/// Whether two bodies have the same form.
pub fn are_alike((of_first, first): (&Project, &Code), (of_second, second): (&Project, &Code)) -> bool {
    let (a, b) = (Forms::of(of_first, first), Forms::of(of_second, second));
    let mut pairs = paired_parameters(first, second);
    let forms = match (a.whole(), b.whole()) {
        // Names that nothing resolves mean the same below the same imports.
        (None, None) if imported(of_first, first) == imported(of_second, second) => {
            (a.whole_as_written(), b.whole_as_written())
        }
        forms => forms,
    };
    match forms {
        (Some(was), Some(is)) => {
            pairs.agree(&was, &is)
                && keeps_names((first, second), &pairs)
                && read_alike((of_first, first), (of_second, second))
        }
        _ => false,
    }
}

/// The imports of the file of a body: path, and whether it is static or a wildcard.
fn imported<'p>(project: &'p Project, code: &Code) -> BTreeSet<(&'p str, bool, bool)> {
    let imports = &project.file(project.file_of(code.member.ty)).facts.imports;
    imports.iter().map(|one| (one.path.as_str(), one.is_static, one.wildcard)).collect()
}

/// Whether the files of two bodies have the same wildcard imports; only then does an unresolved name mean the same in
/// both. Imports of the project's own classes and packages are ignored, since their names are resolved.
pub fn read_alike((of_first, first): (&Project, &Code), (of_second, second): (&Project, &Code)) -> bool {
    let wildcards = |project: &Project, code: &Code| -> BTreeSet<(String, bool)> {
        let imports = &project.file(project.file_of(code.member.ty)).facts.imports;
        let is_known = |path: &str| match project.by_fqn(path) {
            Some(ty) => project.library_supers(ty).is_empty(),
            None => !project.package(path).is_empty(),
        };
        imports
            .iter()
            .filter(|one| one.wildcard && !is_known(&one.path))
            .map(|one| (one.path.clone(), one.is_static))
            .collect()
    };
    wildcards(of_first, first) == wildcards(of_second, second)
}

/// Maps the parameters of two bodies to each other in order.
pub fn paired_parameters(first: &Code, second: &Code) -> Pairs {
    let mut pairs = Pairs::default();
    (0..first.params.len().min(second.params.len()) as u32).for_each(|slot| {
        pairs.pair(slot, slot);
    });
    pairs
}

/// Whether mapped variables have the same names, if a class within one of the bodies may refer to them by name.
pub fn keeps_names((first, second): (&Code, &Code), pairs: &Pairs) -> bool {
    let holds_class = |code: &Code| !code.resolved.captures.is_empty();
    let name = |code: &Code, slot: u32| code.resolved.locals.get(slot as usize).map(|one| one.name.clone());
    !(holds_class(first) || holds_class(second)) || pairs.forth.iter().all(|(a, b)| name(first, *a) == name(second, *b))
}
