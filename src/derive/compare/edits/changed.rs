//! The changed code of an operation: what differs between the two revisions and can run.

use std::collections::{BTreeMap, BTreeSet};

use super::beside::is_setting_aside;
use super::constants::{is_reordered, is_unnoticed_constant, notices_order};
use super::declarations::{deciding, declared_alike, is_harmless};
use super::guarded::{ChainChange, guarded, is_of_others};
use super::met_exceptions::is_unnoticed_handler;
use super::other_paths::is_about_others;
use super::regions::BodyDiff;
use super::scripts::says_alike;
use super::twins::is_unnoticed_factory;
use crate::compare::sides::side::Side;
use mastor_java::interpret::linking::alike::are_alike;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::body::{Body, Stmt, StmtKind};
use mastor_java::ir::facts::{MemberFacts, MemberKind, Span};
use mastor_java::ir::ids::MemberId;
use mastor_java::project::languages::other_language;
use mastor_runtime::server::serve::Run;
use mastor_types::Hash;
use mastor_types::manifest::{Changed, InputChange, InputClass};

/// How near a place in the code is to the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::compare) enum Nearness {
    /// Outside of all changed members.
    Elsewhere,
    /// In a changed member.
    Member,
    /// In the condition of an `if` that encloses the differing part.
    Around,
    /// In the part of a member's body that differs.
    Part,
}

/// The changed code of an operation: what differs between the two revisions and can run.
pub struct ChangedCode {
    /// Changed members of the base, and of the head.
    pub(in crate::compare) members: [BTreeSet<MemberId>; 2],
    /// All inputs that differ on a code path.
    pub(in crate::compare) inputs: Vec<InputChange>,
    /// The parts of members of base and head that differ, for bodies that differ in parts only.
    parts: [Vec<Site>; 2],
    /// The conditions of the `if` statements that enclose these parts.
    around: [Vec<Site>; 2],
}

impl ChangedCode {
    /// Finds the members behind the changed inputs of two manifests.
    pub fn of(old: &Side<'_>, new: &Side<'_>, changed: &[InputChange]) -> Self {
        let is_code = |change: &&InputChange| {
            change.class == InputClass::Code
                && !is_of_one_form((old, new), change)
                && !says_alike((old, new), &change.input)
        };
        let mut inputs: Vec<InputChange> = changed.iter().filter(is_code).cloned().collect();
        for within in inputs.iter().flat_map(|change| within_field((old, new), change)).collect::<Vec<_>>() {
            if changed.iter().all(|known| known.input != within.input) {
                inputs.push(within);
            }
        }
        let members = [old, new].map(|side| inputs.iter().filter_map(|change| side.member(&change.input)).collect());
        let (mut parts, mut around): ([Vec<Site>; 2], [Vec<Site>; 2]) = Default::default();
        for change in &inputs {
            let Some((was, is)) = old.member(&change.input).zip(new.member(&change.input)) else { continue };
            let Some((before, after)) = old.bench.codes.code(was).zip(new.bench.codes.code(is)) else { continue };
            let projects = [old, new].map(|side| side.bench.subject.project);
            let Some(parted) = BodyDiff::of((projects[0], &before), (projects[1], &after)) else { continue };
            for (at, region) in parted.regions(false).iter().enumerate() {
                let of = |span: &Span| Site { member: region.member, span: *span };
                let enclosing = region.spans().iter().flat_map(|span| guards(&[&before, &after][at].body, *span));
                around[at].extend(enclosing.map(|span| of(&span)));
                parts[at].extend(region.spans().iter().map(of));
            }
        }
        Self { members, inputs, parts, around }
    }

    /// How near a place of base or head is to the change.
    pub(in crate::compare) fn nearness(&self, side: usize, site: Site) -> Nearness {
        let is_within = |part: &Site| part.member == site.member && holds(part.span, site.span);
        match self.members[side].contains(&site.member) {
            true if self.parts[side].iter().any(is_within) => Nearness::Part,
            true if self.around[side].iter().any(is_within) => Nearness::Around,
            true => Nearness::Member,
            false => Nearness::Elsewhere,
        }
    }

    /// The changed part of one of these members of base or head.
    pub(in crate::compare) fn part_of(&self, side: usize, members: &BTreeSet<MemberId>) -> Option<Site> {
        self.parts[side].iter().find(|part| members.contains(&part.member)).copied()
    }

    /// The changed inputs, as the manifest names them.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(|change| change.input.as_str())
    }

    /// Whether no code that can run changed.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Settings and files that code reads and that changed: file, key of the setting, and kind of change.
    pub(in crate::compare) fn resources(&self, old: &Side<'_>, new: &Side<'_>) -> Vec<(&str, Option<&str>, Changed)> {
        let of_files = self.inputs.iter().filter_map(|change| {
            let name = change.input.strip_prefix("global:").filter(|name| !name.contains(' '))?;
            let (file, key) = match name.split_once('#') {
                Some((file, key)) => (file, Some(key)),
                None => (name, None),
            };
            let is_file = file.contains('/') && file.rsplit('/').next().is_some_and(|name| name.contains('.'));
            let is_told = is_file && other_language(file).is_none() && !is_setting_aside((old, new), change);
            is_told.then_some((file, key, change.change))
        });
        of_files.collect()
    }

    /// The changed statements of MyBatis XML files: file and name of each. Empty if code was added or removed, since
    /// renaming a class changes the statements that name it.
    pub fn statements(&self) -> Vec<(&str, &str)> {
        if self.inputs.iter().any(|change| change.change != Changed::Changed) {
            return Vec::new();
        }
        let names = self.symbols().filter_map(|input| input.strip_prefix("global:"));
        names.filter_map(|name| name.split_once(" statement ")).collect()
    }

    /// Changed parts of scripts about tables: file, table, and kind of change.
    pub fn tables(&self) -> Vec<(&str, &str, Changed)> {
        let of_scripts = self.inputs.iter().filter_map(|change| {
            let (file, table) = change.input.strip_prefix("global:")?.split_once(" table ")?;
            Some((file, table, change.change))
        });
        of_scripts.collect()
    }

    pub(in crate::compare) fn runs(&self, side: usize, run: &Run) -> bool {
        run.served.iter().any(|served| !served.path.members.is_disjoint(&self.members[side]))
    }
}

/// Whether a span contains another one.
fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The conditions of the `if` statements of a body that have this span in one of their branches.
fn guards(body: &Body, within: Span) -> Vec<Span> {
    let of = |stmt: &Stmt| {
        let StmtKind::If { condition, then, otherwise } = &stmt.kind else { return None };
        let mut branches = std::iter::once(then).chain(otherwise);
        branches.any(|one| holds(body.stmt(*one).span, within)).then(|| body.expr(*condition).span)
    };
    body.stmts.iter().filter_map(of).collect()
}

/// The changed members of anonymous classes in the initialiser of a changed field. The behaviour of these members
/// decides what the field holds.
fn within_field((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> Vec<InputChange> {
    let of = |side: &Side<'_>| -> BTreeMap<String, Hash> {
        let project = side.bench.subject.project;
        let field = side.member(&change.input).filter(|member| project.member(*member).kind == MemberKind::Field);
        let types = field.into_iter().flat_map(|field| {
            project.types_of(project.file_of(field.ty)).filter(move |ty| project.within(*ty) == Some(field))
        });
        types.flat_map(|ty| project.members(ty)).map(|member| project.cited(member)).collect()
    };
    let (was, is) = (of(old), of(new));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let changed = names.into_iter().filter_map(|name| {
        let change = match (was.get(name), is.get(name)) {
            (Some(was), Some(is)) if was == is => return None,
            (Some(_), Some(_)) => Changed::Changed,
            (Some(_), None) => Changed::Removed,
            (None, _) => Changed::Added,
        };
        Some(InputChange { input: name.clone(), class: InputClass::Code, change })
    });
    changed.collect()
}

/// Whether a code input changed in form only, or in what the operation cannot notice: renamed local variables, a reversed
/// condition, an added or removed constant (which is inlined where it is used), rules for other paths, handlers of exceptions
/// that it does not meet, and beans and constants of enums that it does not use.
fn is_of_one_form((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> bool {
    let members = [old, new].map(|side| side.member(&change.input));
    match members {
        [Some(was), Some(is)] if is_unnoticed_handler((old, was), (new, is)) => true,
        [Some(was), Some(is)] if is_unnoticed_factory((old, was), (new, is)) => true,
        // The order of an enum's constants counts where something asks for it.
        [Some(was), Some(is)]
            if is_reordered((old, new), was)
                && [(old, was), (new, is)].iter().any(|(side, id)| notices_order(side, *id)) =>
        {
            false
        }
        [Some(was), Some(is)] if is_unnoticed_constant((old, was), (new, is)) => true,
        [Some(was), Some(is)] if is_constant_alike((old, was), (new, is)) => true,
        [Some(was), Some(is)] if guarded((old, was), (new, is)) == Some(ChainChange::Alike) => true,
        [Some(was), Some(is)] => {
            let projects = [old, new].map(|side| side.bench.subject.project);
            let is_entry = was == old.bench.subject.endpoint.entry;
            // All static initialisers of a class share one name.
            let is_one = [old, new].iter().zip([was, is]).all(|(side, member)| namesakes(side, member).count() == 1);
            if !is_one {
                return false;
            }
            let is_declared_alike = || match deciding([(old, members[0]), (new, members[1])]) {
                [Some(was), Some(is)] => declared_alike(&was, &is, is_entry),
                _ => false,
            };
            match (old.bench.codes.code(was), new.bench.codes.code(is)) {
                (Some(a), Some(b)) => {
                    let are_alike = || are_alike((projects[0], &a), (projects[1], &b));
                    is_declared_alike() && (are_alike() || is_about_others((old, was), (new, is), (&a, &b)))
                }
                // A field without an initialiser; or a method without a body, for which parameter names matter only to
                // annotations.
                (None, None) => {
                    let facts = [projects[0].member(was), projects[1].member(is)];
                    let is_named_alike =
                        || facts[0].params.iter().map(|one| &one.name).eq(facts[1].params.iter().map(|one| &one.name));
                    let says_nothing = |one: &MemberFacts| match one.kind {
                        MemberKind::Field => one.body.is_none(),
                        MemberKind::Method => one.body.is_none() && (one.annotations.is_empty() || is_named_alike()),
                        _ => false,
                    };
                    facts.into_iter().all(says_nothing) && is_declared_alike()
                }
                _ => false,
            }
        }
        [Some(member), None] => is_plain_constant(old, member) || is_of_others(old, member),
        [None, Some(member)] => is_plain_constant(new, member) || is_of_others(new, member),
        [None, None] => false,
    }
}

/// Whether a constant of an enum that runs no code reads alike in both revisions, whatever stands before it.
fn is_constant_alike(old: (&Side<'_>, MemberId), new: (&Side<'_>, MemberId)) -> bool {
    let [before, after] = [old, new].map(|(side, id)| side.bench.subject.project.member(id));
    // What its words mean: the same text may refer to another library after another import.
    let meant = |(side, id): (&Side<'_>, MemberId)| -> Vec<Option<String>> {
        let project = side.bench.subject.project;
        let words = &project.file(project.file_of(id.ty)).facts.type_words;
        let named = project.member(id).named.iter().filter_map(|at| words.get(*at as usize));
        named.map(|word| project.resolve(id.ty, word).library().map(ToOwned::to_owned)).collect()
    };
    before.kind == MemberKind::EnumConstant
        && before.body.is_none()
        && before.tokens == after.tokens
        && meant(old) == meant(new)
}

/// The members of a class with the same name and parameters as this one, including this one.
pub(in crate::compare) fn namesakes<'s>(side: &'s Side<'_>, member: MemberId) -> impl Iterator<Item = MemberId> + 's {
    let project = side.bench.subject.project;
    let signature = project.member(member).signature();
    project.members(member.ty).filter(move |other| project.member(*other).signature() == signature)
}

fn is_plain_constant(side: &Side<'_>, member: MemberId) -> bool {
    side.bench.codes.constant(member).is_some() && is_harmless(&side.bench.subject.project.member(member).annotations)
}
