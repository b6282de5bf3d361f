//! The plan: pairs the operations of base and head, and compares their manifests.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::api::hidden::is_hidden;
use mastor_types::Hash;
use mastor_types::manifest::{Changed, InputChange, InputClass, Manifest, ManifestComparer};
use mastor_types::op_id::OpId;
use mastor_types::results::plan::{Because, PlannedOperation, State};
use mastor_types::suite::source_context::Entry;

/// An operation with everything that its fingerprint covers.
#[derive(Debug, Clone)]
pub struct Fingerprinted {
    /// Its name.
    pub op_id: OpId,
    /// Its entry, if one was found.
    pub entry: Option<Entry>,
    /// The path that clients request, with the context path and without parameter names; `None` without an entry.
    pub route: Option<String>,
    /// Every input that decides how it behaves.
    pub manifest: Manifest,
    /// Whether its code can read full class names, so that moving a class to another package changes its behaviour.
    pub says_names: bool,
}

/// The manifest of the operation with this name; `operations` are sorted by name.
pub fn manifest_of<'o>(operations: &'o [Fingerprinted], op_id: &OpId) -> Option<&'o Manifest> {
    let at = operations.binary_search_by(|o| o.op_id.cmp(op_id)).ok()?;
    operations.get(at).map(|operation| &operation.manifest)
}

/// The effect of a change on every operation of `base` and `head`. Operations pair by method and path template with
/// parameter names erased, then by requested path, then by entry method. A base operation whose entry is among the
/// `hidden` handlers of head may still be served, and is affected. `place` turns the name of an input into
/// `file#member`.
pub fn compare(
    base: &[Fingerprinted],
    head: &[Fingerprinted],
    hidden: &[Entry],
    place: &dyn Fn(&str) -> String,
) -> Vec<PlannedOperation> {
    let pairs = pair(base, head);
    // One changed input affects many operations, so its location is cached.
    let places: RefCell<FxHashMap<String, String>> = RefCell::default();
    let place = |input: &str| places.borrow_mut().entry(input.to_owned()).or_insert_with(|| place(input)).clone();
    let mut twins = ManifestComparer::default();
    let mut out = Vec::new();
    for (index, operation) in head.iter().enumerate() {
        let Some(&old) = pairs.get(&index) else {
            out.push(PlannedOperation {
                op_id: operation.op_id.clone(),
                was: None,
                state: State::New,
                because: Vec::new(),
            });
            continue;
        };
        let old = &base[old];
        let mut changes = twins.diff(&operation.manifest, &old.manifest);
        if !operation.says_names && !old.says_names {
            drop_moved(&mut changes, &operation.manifest, &old.manifest);
        }
        let renamed = old.op_id != operation.op_id;
        let state = if renamed || changes.iter().any(|c| c.class == InputClass::Code) {
            State::Affected
        } else if changes.is_empty() {
            State::Inherited
        } else {
            State::Recheck
        };
        // For an affected operation only changed code is shown as the reason; changes of the environment would distract
        // from it.
        let shown = changes.into_iter().filter(|c| state != State::Affected || c.class == InputClass::Code || renamed);
        out.push(PlannedOperation {
            op_id: operation.op_id.clone(),
            was: renamed.then(|| old.op_id.clone()),
            state,
            because: ranked(shown.collect(), operation.entry.as_ref())
                .map(|c| Because { input: place(&c.input), change: c.change })
                .collect(),
        });
    }
    let paired: BTreeSet<usize> = pairs.values().copied().collect();
    for (index, operation) in base.iter().enumerate() {
        if paired.contains(&index) {
            continue;
        }
        let survives = operation.entry.as_ref().filter(|entry| is_hidden(hidden, entry));
        let because = survives.map(|entry| Because { input: place(&entry.class), change: Changed::Changed });
        out.push(PlannedOperation {
            op_id: operation.op_id.clone(),
            was: None,
            state: if survives.is_some() { State::Affected } else { State::Retired },
            because: because.into_iter().collect(),
        });
    }
    out
}

/// Sorts the reasons by relevance: first inputs of both revisions that the change edited, then added and removed
/// inputs, which the edit may only have made reachable. Within each group, inputs with the longest common name prefix
/// with the entry's class come first.
fn ranked(mut changes: Vec<InputChange>, entry: Option<&Entry>) -> impl Iterator<Item = InputChange> {
    let near = |input: &str| {
        let Some(entry) = entry else { return 0 };
        let parts = entry.class.split('.').zip(input.split(['.', '#']));
        parts.take_while(|(a, b)| a == b).count()
    };
    changes.sort_by_cached_key(|c| (c.change != Changed::Changed, std::cmp::Reverse(near(&c.input))));
    changes.into_iter()
}

/// Drops inputs that only moved to another package: a removed and an added one with the same tokens and the same name
/// below the package. If a name in the code means something else in the new package, that other thing is an added input
/// itself.
fn drop_moved(changes: &mut Vec<InputChange>, head: &Manifest, base: &Manifest) {
    let mut gone: BTreeMap<(&str, Hash), Vec<&str>> = BTreeMap::new();
    for change in changes.iter().filter(|c| c.change == Changed::Removed) {
        if let (Some(name), Some(hash)) = (below_package(&change.input), base.hash(&change.input)) {
            gone.entry((name, hash)).or_default().push(&change.input);
        }
    }
    let mut moved: BTreeSet<String> = BTreeSet::new();
    for change in changes.iter().filter(|c| c.change == Changed::Added) {
        if let (Some(name), Some(hash)) = (below_package(&change.input), head.hash(&change.input))
            && let Some(from) = gone.get_mut(&(name, hash)).and_then(Vec::pop)
        {
            moved.extend([from.to_owned(), change.input.clone()]);
        }
    }
    changes.retain(|c| !moved.contains(&c.input));
}

/// `Orders#find(String)` for `com.acme.Orders#find(String)`; `None` for anything but a Java symbol.
fn below_package(input: &str) -> Option<&str> {
    let symbol = input.split('#').next().unwrap_or(input);
    if symbol.contains([':', '/', ' ']) {
        return None;
    }
    let mut at = 0;
    for part in symbol.split('.') {
        if part.starts_with(char::is_uppercase) {
            return Some(&input[at..]);
        }
        at += part.len() + 1;
    }
    None
}

/// Pairs operations: index in head → index in base.
pub fn pair(base: &[Fingerprinted], head: &[Fingerprinted]) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    let mut free: BTreeSet<usize> = (0..base.len()).collect();
    let mut pass = |key: &dyn Fn(&Fingerprinted) -> Option<String>| {
        let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &index in &free {
            if let Some(key) = key(&base[index]) {
                by_key.entry(key).or_default().push(index);
            }
        }
        for (index, operation) in head.iter().enumerate() {
            if pairs.contains_key(&index) {
                continue;
            }
            let Some(list) = key(operation).and_then(|key| by_key.get_mut(&key)) else { continue };
            if let Some(old) = (!list.is_empty()).then(|| list.remove(0)) {
                pairs.insert(index, old);
                free.remove(&old);
            }
        }
    };
    // Served operations pair before documented ones without an entry: the two may have the same name in different
    // revisions.
    let served = |o: &Fingerprinted, name: String| Some(format!("{} {name}", o.entry.is_some()));
    pass(&|o| served(o, o.op_id.to_string()));
    pass(&|o| served(o, o.op_id.erased()));
    pass(&|o| o.route.as_ref().map(|route| format!("{} {route}", o.op_id.method())));
    pass(&|o| Some(o.op_id.to_string()));
    pass(&|o| Some(o.op_id.erased()));
    pass(&|o| o.entry.as_ref().map(|e| format!("{} {}#{}", o.op_id.method(), e.class, e.method)));
    let named = |o: &Fingerprinted| {
        let entry = o.entry.as_ref()?;
        let (name, _) = entry.method.split_once('(')?;
        Some(format!("{} {}#{name}", o.op_id.method(), entry.class))
    };
    let only = |of: &[Fingerprinted]| {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        of.iter().filter_map(named).for_each(|name| *count.entry(name).or_default() += 1);
        count.retain(|_, count| *count == 1);
        count
    };
    let (of_base, of_head) = (only(base), only(head));
    pass(&|o| named(o).filter(|name| of_base.contains_key(name) && of_head.contains_key(name)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::Method;

    fn operation(path: &str, method: &str, inputs: &[(&str, InputClass, &str)]) -> Fingerprinted {
        let mut manifest = Manifest::default();
        for (name, class, content) in inputs {
            manifest.add(*name, *class, Hash::of(content.as_bytes()));
        }
        let entry = Some(Entry { class: "A".to_owned(), method: method.to_owned() });
        Fingerprinted { op_id: OpId::new(Method::Get, path), entry, route: None, manifest, says_names: false }
    }

    fn states(base: &[Fingerprinted], head: &[Fingerprinted]) -> Vec<(String, State)> {
        compare(base, head, &[], &str::to_owned).into_iter().map(|o| (o.op_id.path().to_owned(), o.state)).collect()
    }

    #[test]
    fn code_affects_and_the_environment_only_asks_for_a_recheck() {
        use InputClass::{Code, Environment};
        let base = [
            operation("/a", "a()", &[("A#a()", Code, "1"), ("global:pom.xml", Environment, "1")]),
            operation("/b", "b()", &[("A#b()", Code, "1"), ("global:pom.xml", Environment, "1")]),
        ];
        let head = [
            operation("/a", "a()", &[("A#a()", Code, "2"), ("global:pom.xml", Environment, "2")]),
            operation("/b", "b()", &[("A#b()", Code, "1"), ("global:pom.xml", Environment, "2")]),
        ];
        assert_eq!(states(&base, &head), [("/a".to_owned(), State::Affected), ("/b".to_owned(), State::Recheck)]);
        assert_eq!(compare(&base, &head, &[], &str::to_owned)[0].because.len(), 1);
        assert_eq!(states(&base, &base)[0].1, State::Inherited);
    }

    #[test]
    fn an_edited_member_stands_before_what_the_edit_made_reachable() {
        use InputClass::Code;
        let mut base = [operation("/a", "a()", &[("b.Z#z()", Code, "1"), ("b.Y#gone()", Code, "1")])];
        let mut head = [operation(
            "/a",
            "a()",
            &[("b.Z#z()", Code, "2"), ("a.M#m()", Code, "1"), ("b.C#c()", Code, "1"), ("b.Entry#x()", Code, "1")],
        )];
        for one in base.iter_mut().chain(&mut head) {
            one.entry = Some(Entry { class: "b.Entry".to_owned(), method: "a()".to_owned() });
        }
        let because = compare(&base, &head, &[], &str::to_owned).remove(0).because;
        let inputs: Vec<&str> = because.iter().map(|one| one.input.as_str()).collect();
        assert_eq!(inputs, ["b.Z#z()", "b.Entry#x()", "b.C#c()", "b.Y#gone()", "a.M#m()"]);
    }

    #[test]
    fn a_renamed_path_parameter_and_a_moved_route_are_the_same_operation() {
        let base = [operation("/a/{id}", "a()", &[]), operation("/old", "b()", &[]), operation("/gone", "c()", &[])];
        let head = [operation("/a/{code}", "a()", &[]), operation("/new", "b()", &[]), operation("/added", "d()", &[])];
        assert_eq!(
            states(&base, &head),
            [
                ("/a/{code}".to_owned(), State::Affected),
                ("/new".to_owned(), State::Affected),
                ("/added".to_owned(), State::New),
                ("/gone".to_owned(), State::Retired)
            ]
        );
    }

    #[test]
    fn an_operation_that_a_document_names_later_is_the_one_that_was_served_at_its_path() {
        let served = |path: &str, method: &str, route: &str| Fingerprinted {
            route: Some(route.to_owned()),
            ..operation(path, method, &[])
        };
        let of_document = |path: &str| Fingerprinted { entry: None, ..operation(path, "", &[]) };
        let base = [served("/api/pets/{id}", "getPet(int)", "/shop/api/pets/{}"), of_document("/pets/{id}")];
        let head = [served("/pets/{id}", "pet(Integer)", "/shop/api/pets/{}")];
        assert_eq!(pair(&base, &head), BTreeMap::from([(0, 0)]));
        let retired: Vec<_> = states(&base, &head).into_iter().filter(|(_, state)| *state == State::Retired).collect();
        assert_eq!(retired, [("/pets/{id}".to_owned(), State::Retired)]);
        assert_eq!(pair(&head, &base), BTreeMap::from([(0, 0)]));
    }

    #[test]
    fn a_method_of_one_name_is_the_same_where_its_parameters_and_its_path_change() {
        let base = [operation("/old", "find(int)", &[]), operation("/b", "twice(int)", &[])];
        let head = [
            operation("/new", "find(Integer,String)", &[]),
            operation("/c", "twice(long)", &[]),
            operation("/d", "twice(String)", &[]),
        ];
        assert_eq!(pair(&base, &head), BTreeMap::from([(0, 0)]));
    }

    #[test]
    fn code_that_only_moves_to_another_package_affects_nothing() {
        use InputClass::Code;
        let before = [("a.b.Orders#find()", Code, "1"), ("a.b.Orders", Code, "2"), ("a.b.Line#sum()", Code, "3")];
        let after = [("a.v1.Orders#find()", Code, "1"), ("a.v1.Orders", Code, "2"), ("a.b.Line#sum()", Code, "3")];
        let changed = [("a.v1.Orders#find()", Code, "1"), ("a.v1.Orders", Code, "9"), ("a.b.Line#sum()", Code, "3")];
        let base = [operation("/a", "a()", &before)];
        assert_eq!(states(&base, &[operation("/a", "a()", &after)])[0].1, State::Inherited);
        assert_eq!(states(&base, &[operation("/a", "a()", &changed)])[0].1, State::Affected);
        let mut telling = [operation("/a", "a()", &after)];
        telling[0].says_names = true;
        assert_eq!(states(&base, &telling)[0].1, State::Affected);
    }
}
