//! Sameness: whether all that changed between two revisions of an operation ran on requests that both answer alike (DESIGN §9).
//!
//! *Same* is claimed only where every changed member of both revisions ran on such requests, with every statement and every branch of its body,
//! and where nothing else that changed could have an effect. Whatever stands in the way is a [`Stop`].

use std::collections::BTreeSet;

use super::constants::met_elsewhere;
use super::guarded::{Guarded, guarded, is_of_others};
use super::handed::hands_out;
use super::inert;
use super::side::Side;
use crate::derive::judge::known_answers::{is_whole, writes};
use crate::derive::search::explore::Settled;
use crate::java::facts::{Annotation, MemberFacts, MemberKind, Modifiers, Param, Value};
use crate::java::ids::MemberId;
use crate::java::interpret::Covered;
use crate::java::interpret::branches::Way;
use crate::java::interpret::form::are_alike;
use crate::java::interpret::path::{Outcome, Site};
use crate::java::named::Named;
use crate::java::project::Project;
use crate::runtime::request::case::Case;
use crate::runtime::server::serve::{Run, Served};
use crate::types::compared::Stop;
use crate::types::manifest::{Changed, InputChange, InputClass};

/// Stops that are named for one operation, at most.
const NAMED: usize = 8;

/// Settings of Spring Boot that decide no answer of a service's own operations, by key or prefix: endpoints for operators, logs, pages of
/// documentation (Spring Boot, *Common Application Properties*).
const ASIDE: &[&str] = &[
    "management.",
    "logging.",
    "info.",
    "springdoc.",
    "spring.application.name",
    "spring.banner.",
    "spring.devtools.",
    "spring.main.banner-mode",
    "server.shutdown",
    "server.tomcat.accesslog.",
    "server.tomcat.threads.",
    "spring.datasource.hikari.",
    "spring.lifecycle.",
    "spring.output.",
    "spring.jpa.show-sql",
    "spring.jpa.properties.hibernate.format_sql",
    "server.port",
];

/// Annotations that decide nothing where a method or class is new or gone.
const HARMLESS: &[&str] = &[
    "Override",
    "SuppressWarnings",
    "Deprecated",
    "Nullable",
    "NonNull",
    "NotNull",
    "VisibleForTesting",
    "SafeVarargs",
    "FunctionalInterface",
    "Service",
    "Component",
    "Repository",
    "Slf4j",
];

/// What changed between two revisions of an operation, as far as it is code that can run.
pub struct ChangedCode {
    /// Changed members of the base, and of the head.
    pub(super) members: [BTreeSet<MemberId>; 2],
    /// All inputs that differ on a code path.
    inputs: Vec<InputChange>,
}

impl ChangedCode {
    /// Finds the members that the inputs of two manifests name.
    pub fn of(old: &Side<'_>, new: &Side<'_>, changed: &[InputChange]) -> Self {
        let is_code = |change: &&InputChange| change.class == InputClass::Code && !is_of_one_form((old, new), change);
        let inputs: Vec<InputChange> = changed.iter().filter(is_code).cloned().collect();
        let members = [old, new].map(|side| inputs.iter().filter_map(|change| side.member(&change.input)).collect());
        Self { members, inputs }
    }

    /// The inputs that differ, as the manifest names them.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(|change| change.input.as_str())
    }

    /// Whether nothing that runs changed.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Settings and files that code reads and that say something else, or are new or gone: the file, the key of a setting, and which of these.
    pub(super) fn resources(&self, old: &Side<'_>, new: &Side<'_>) -> Vec<(&str, Option<&str>, Changed)> {
        let of_files = self.inputs.iter().filter_map(|change| {
            let name = change.input.strip_prefix("global:").filter(|name| !name.contains(' '))?;
            let (file, key) = match name.split_once('#') {
                Some((file, key)) => (file, Some(key)),
                None => (name, None),
            };
            let is_file = file.contains('/') && file.rsplit('/').next().is_some_and(|name| name.contains('.'));
            (is_file && !is_setting_aside((old, new), &change.input)).then_some((file, key, change.change))
        });
        of_files.collect()
    }

    /// The changed statements of MyBatis in XML: file and name of each. None where code came or went, since a statement changes too when a class that
    /// it names is renamed.
    pub fn statements(&self) -> Vec<(&str, &str)> {
        if self.inputs.iter().any(|change| change.change != Changed::Changed) {
            return Vec::new();
        }
        let names = self.symbols().filter_map(|input| input.strip_prefix("global:"));
        names.filter_map(|name| name.split_once(" statement ")).collect()
    }

    /// What scripts say of tables, where that is new, gone or otherwise: file, table, and which of these.
    pub fn tables(&self) -> Vec<(&str, &str, Changed)> {
        let of_scripts = self.inputs.iter().filter_map(|change| {
            let (file, table) = change.input.strip_prefix("global:")?.split_once(" table ")?;
            Some((file, table, change.change))
        });
        of_scripts.collect()
    }

    fn runs(&self, side: usize, run: &Run) -> bool {
        run.served.iter().any(|served| !served.path.members.is_disjoint(&self.members[side]))
    }
}

/// Whether an input of the code changed in words alone: a body that names its variables otherwise or turns a condition round; a constant that is new or
/// gone, which whoever names it has in its place; rules of security for other paths.
fn is_of_one_form((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> bool {
    let members = [old, new].map(|side| side.member(&change.input));
    match members {
        [Some(was), Some(is)] if guarded((old, was), (new, is)) == Some(Guarded::Alike) => true,
        [Some(was), Some(is)] => {
            let projects = [old, new].map(|side| side.bench.subject.project);
            let is_entry = was == old.bench.subject.endpoint.entry;
            // All static blocks of a class share one name.
            let is_one = [old, new].iter().zip([was, is]).all(|(side, member)| namesakes(side, member).count() == 1);
            if !is_one {
                return false;
            }
            let codes = (old.bench.codes.code(was), new.bench.codes.code(is));
            let (Some(a), Some(b)) = codes else { return false };
            declared_alike(&inert::deciding(old, was), &inert::deciding(new, is), is_entry)
                && are_alike((projects[0], &a), (projects[1], &b))
        }
        [Some(member), None] => is_plain_constant(old, member) || is_of_others(old, member),
        [None, Some(member)] => is_plain_constant(new, member) || is_of_others(new, member),
        [None, None] => false,
    }
}

/// The members of a class with the name and parameters of this one, which is among them.
fn namesakes<'s>(side: &'s Side<'_>, member: MemberId) -> impl Iterator<Item = MemberId> + 's {
    let project = side.bench.subject.project;
    let signature = project.member(member).signature();
    project.members(member.ty).filter(move |other| project.member(*other).signature() == signature)
}

fn is_plain_constant(side: &Side<'_>, member: MemberId) -> bool {
    side.bench.codes.constant(member).is_some() && is_harmless(&side.bench.subject.project.member(member).annotations)
}

/// One request that both revisions were asked, with what they made of it.
pub struct Pair<'r> {
    /// The request.
    pub case: &'r Case,
    /// What the base made of it, and what it answers where that is certain.
    pub before: (&'r Run, Option<&'r Settled>),
    /// The same of the head.
    pub after: (&'r Run, Option<&'r Settled>),
}

/// What the requests of a comparison have shown of sameness.
#[derive(Default)]
pub struct Shown {
    /// Requests that both revisions answer alike, all of the answer and of what is written being known.
    alike: Vec<Case>,
    /// What kept others from being compared.
    stops: BTreeSet<Stop>,
}

impl Shown {
    /// How many requests both answer alike.
    pub fn requests(&self) -> usize {
        self.alike.len()
    }

    /// Takes what one request showed that does not part the revisions.
    pub fn take(&mut self, (old, new): (&Side<'_>, &Side<'_>), changed: &ChangedCode, pair: &Pair<'_>) {
        let ((was, before), (is, after)) = (pair.before, pair.after);
        let runs = changed.runs(0, was) || changed.runs(1, is);
        match (before, after) {
            (Some(before), Some(after)) => {
                let (of_old, of_new) = (old.bench.subject.project, new.bench.subject.project);
                let is_all = is_whole((of_old, was, before), (of_new, is, after), &changed.members);
                let written = |side: &Side<'_>, run: &Run| writes(side.bench.subject.project, run);
                let (was_written, is_written) = (written(old, was), written(new, is));
                if !is_all && runs {
                    self.stop(Stop::of("what an answer holds is not known in all its parts"));
                } else if (was_written.is_none() || was_written != is_written) && runs {
                    self.stop(Stop::of("what is written to a store is not known in all its parts"));
                } else {
                    self.alike.push(pair.case.clone());
                }
            }
            (None, None) => {
                let is_cut = |run: &Run| run.served.iter().any(|one| matches!(one.path.outcome, Outcome::Cut(_)));
                if runs || is_cut(was) || is_cut(is) {
                    self.stop_all(stops(old, was));
                    self.stop_all(stops(new, is));
                }
            }
            (Some(_), None) => self.stop_all(stops(new, is)),
            (None, Some(_)) => self.stop_all(stops(old, was)),
        }
    }

    fn stop(&mut self, stop: Stop) {
        if self.stops.len() < NAMED {
            self.stops.insert(stop);
        }
    }

    fn stop_all(&mut self, stops: BTreeSet<Stop>) {
        stops.into_iter().for_each(|stop| self.stop(stop));
    }

    /// What stands in the way of calling the two revisions the same, with the changed inputs that nothing compared; both empty where they are.
    pub fn conclude(mut self, old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> (BTreeSet<Stop>, Vec<String>) {
        let covered = [old, new].map(|side| {
            let (bench, alike) = (&side.bench, &self.alike);
            bench.codes.covering(|| alike.iter().flat_map(|case| ran(bench.try_case(case))).collect::<BTreeSet<_>>())
        });
        let (stops, open) = uncompared_inputs((old, new), changed, &covered);
        self.stop_all(stops);
        if self.alike.is_empty() && self.stops.is_empty() {
            self.stop(Stop::of("no request is answered for certain by both"));
        }
        (self.stops, open)
    }
}

/// What of the changed code has not run where both are alike, with the inputs that this leaves open.
pub(super) fn left(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> (BTreeSet<Stop>, Vec<String>) {
    let (mut stopped, open) = uncompared_inputs((old, new), changed, ran);
    stopped.extend(unrun((old, new), changed, ran));
    (stopped, open)
}

/// Methods that are new or gone and did not run: a library may call them by their names, as who writes JSON calls getters, or in place of those that
/// they override.
fn unrun(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> BTreeSet<Stop> {
    let mut found = BTreeSet::new();
    for symbol in changed.symbols() {
        let members = [old, new].map(|side| side.member(symbol));
        let (side, member, (ran, _)) = match members {
            [Some(gone), None] => (old, gone, &ran[0]),
            [None, Some(come)] => (new, come, &ran[1]),
            _ => continue,
        };
        let project = side.bench.subject.project;
        let facts = project.member(member);
        let is_met = || {
            facts.annotations.iter().any(|one| !is_harmless(std::slice::from_ref(one))) || is_met_by_name(side, member)
        };
        if facts.kind == MemberKind::Method && !is_called_by_code(project, member) && !ran.contains(&member) && is_met()
        {
            let what = format!("`{}#{}` is new or gone, and did not run", project.ty(member.ty).name, facts.name);
            found.insert(at(side, Site { member, span: facts.name_span }, what));
        }
    }
    found
}

/// What keeps changed inputs from counting as compared by what ran, and which they are.
pub(super) fn uncompared_inputs(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> (BTreeSet<Stop>, Vec<String>) {
    let (mut found, mut open) = (BTreeSet::new(), Vec::new());
    for change in &changed.inputs {
        let stops = uncompared((old, new), change, ran);
        if !stops.is_empty() {
            open.push(change.input.clone());
        }
        found.extend(stops);
    }
    (found, open)
}

fn ran(run: Run) -> impl Iterator<Item = MemberId> {
    run.served.into_iter().flat_map(|served| served.path.members)
}

/// Why a request has no certain answer, each with the place where it was met, if that is known.
fn stops(side: &Side<'_>, run: &Run) -> BTreeSet<Stop> {
    let mut found = BTreeSet::new();
    for served in &run.served {
        let why = served.path.unknowns.iter().chain(&served.path.doubts).filter(|why| !why.contains("; it may "));
        let place = open_place(side, served);
        found.extend(why.map(|why| Stop { what: why.to_string(), ..place.clone() }));
        if let Outcome::Cut(bound) = served.path.outcome {
            found.insert(Stop { what: bound.describe().to_owned(), ..place });
        }
    }
    if found.is_empty() {
        found.insert(Stop::of("a request has more than one answer"));
    }
    found
}

/// Where a path asked something that is not known; without a place where it did not.
fn open_place(side: &Side<'_>, served: &Served) -> Stop {
    let mut asked = served.path.conditions.iter().filter(|taken| taken.cond.is_unknown());
    match asked.find_map(|taken| taken.site) {
        Some(site) => at(side, site, String::new()),
        None => Stop::of(""),
    }
}

fn at(side: &Side<'_>, site: Site, what: String) -> Stop {
    let place = crate::derive::judge::oracle::place(side.bench.subject, site);
    Stop { what, file: Some(place.file), line: Some(place.line) }
}

/// What keeps one changed input from counting as compared.
fn uncompared(
    (old, new): (&Side<'_>, &Side<'_>),
    change: &InputChange,
    covered: &[(BTreeSet<MemberId>, Covered); 2],
) -> BTreeSet<Stop> {
    let input = change.input.as_str();
    let sides = [old, new].map(|side| side.member(input));
    if let (None, None) = (sides[0], sides[1]) {
        return beside_members((old, new), change).into_iter().collect();
    }
    let facts = |side: &Side<'_>, id: Option<MemberId>| id.map(|id| inert::deciding(side, id));
    let (was, is) = (facts(old, sides[0]), facts(new, sides[1]));
    let name = short(input);
    let is_entry = sides[0] == Some(old.bench.subject.endpoint.entry);
    let declared = match (&was, &is) {
        (Some(was), Some(is)) => {
            (!declared_alike(was, is, is_entry)).then(|| format!("the declaration of `{name}` changed"))
        }
        (Some(one), None) | (None, Some(one)) => {
            let all: Vec<Annotation> = deciding(one).into_iter().filter(|said| !is_mapped(one, said)).collect();
            (!is_harmless(&all)).then(|| format!("`{name}` carries annotations, and is new or gone"))
        }
        (None, None) => None,
    };
    let mut stops = BTreeSet::new();
    if let Some(what) = declared {
        stops.insert(Stop::of(what));
    }
    let constant = |side: &Side<'_>, id: Option<MemberId>| id.and_then(|id| side.bench.codes.constant(id)).map(|c| c.0);
    if let (Some(a), Some(b)) = (constant(old, sides[0]), constant(new, sides[1]))
        && a == b
    {
        return stops;
    }
    for ((side, id), covered) in [old, new].into_iter().zip(sides).zip(covered) {
        let Some(id) = id else { continue };
        let is_in_both = was.is_some() && is.is_some();
        stops.extend(namesakes(side, id).filter_map(|id| not_run(side, id, covered, (change.change, is_in_both))));
    }
    stops
}

/// Whether two declarations of one member say the same, their bodies apart. Names of parameters count where a framework binds by them.
fn declared_alike(was: &MemberFacts, is: &MemberFacts, is_entry: bool) -> bool {
    let param = |a: &Param, b: &Param| {
        (a.name == b.name || (!is_entry && a.annotations.is_empty()))
            && a.ty == b.ty
            && a.varargs == b.varargs
            && annotated_alike(&a.annotations, &b.annotations)
    };
    was.kind == is.kind
        && was.modifiers == is.modifiers
        && was.ty == is.ty
        && annotated_alike(&deciding(was), &deciding(is))
        && was.params.len() == is.params.len()
        && was.params.iter().zip(&is.params).all(|(a, b)| param(a, b))
}

/// The annotations of a member. By which constructor the container makes a bean decides nothing but what its fields hold, which is compared.
fn deciding(of: &MemberFacts) -> Vec<Annotation> {
    let wires = |annotation: &&Annotation| {
        of.kind == MemberKind::Constructor && ["Inject", "Autowired"].contains(&annotation.simple())
    };
    of.annotations.iter().filter(|annotation| !wires(annotation)).cloned().collect()
}

fn annotated_alike(was: &[Annotation], is: &[Annotation]) -> bool {
    let says = |all: &[Annotation]| {
        let mut said: Vec<Annotation> = all.iter().map(Annotation::without_places).collect();
        said.sort_by(|a, b| a.name.cmp(&b.name));
        said
    };
    says(was) == says(is)
}

/// Whether an annotation of a field says of which column it is, and no more (Jakarta Persistence).
fn is_mapped(of: &MemberFacts, annotation: &Annotation) -> bool {
    let columns = [
        "Basic",
        "Column",
        "Convert",
        "Enumerated",
        "JoinColumn",
        "Lob",
        "ManyToOne",
        "OneToOne",
        "Temporal",
        "Transient",
    ];
    of.kind == MemberKind::Field && columns.contains(&annotation.simple())
}

/// Whether more than code that names it may call a method that is new or gone: one that it stands in for, or what reads objects by their accessors.
fn is_met_by_name(side: &Side<'_>, id: MemberId) -> bool {
    !is_accessor(&side.bench.subject.project.member(id).name)
        || !stands_alone(side.bench.subject.project, id)
        || hands_out(side, id.ty)
}

fn is_harmless(annotations: &[Annotation]) -> bool {
    annotations.iter().all(|annotation| HARMLESS.contains(&annotation.simple()))
}

/// What of a changed member did not run on requests that both revisions answer alike.
fn not_run(
    side: &Side<'_>,
    id: MemberId,
    (members, covered): &(BTreeSet<MemberId>, Covered),
    (change, is_in_both): (Changed, bool),
) -> Option<Stop> {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let name = short(&project.symbol(id)).to_owned();
    let here = |line: u32, what: String| {
        let (file, line) = project.shown(id.ty, line);
        Some(Stop { what, file: Some(file), line: Some(line) })
    };
    match facts.kind {
        // Who calls it now, or no longer, changed too; what runs by its name alone is another matter.
        MemberKind::Method if !is_in_both && !members.contains(&id) && is_called_by_code(project, id) => return None,
        MemberKind::Method | MemberKind::Constructor if facts.body.is_some() => {}
        MemberKind::StaticInitializer | MemberKind::Initializer => {}
        // What it is set to at first was worked out by itself.
        MemberKind::Field | MemberKind::EnumConstant if members.contains(&id) => return None,
        // Who names a constant of an enum that is new or gone changed too.
        MemberKind::EnumConstant if !is_in_both => {
            return met_elsewhere(side, id).and_then(|what| here(facts.name_span.line, what));
        }
        // Who names a field that is new or gone changed too.
        MemberKind::Field if !is_in_both && !hands_out(side, id.ty) => return None,
        // A constant that is new or gone does nothing by itself; who names it changed too.
        MemberKind::Field if facts.modifiers.has(Modifiers::STATIC) && !is_in_both => return None,
        MemberKind::Method if !is_in_both => return None,
        // What has no body does nothing by itself; who calls it now, or no longer, is compared.
        MemberKind::Method if facts.body.is_none() && change != Changed::Changed => return None,
        _ => return here(facts.name_span.line, format!("`{name}` changed, and is no code that a request runs")),
    }
    if !members.contains(&id) {
        return here(facts.name_span.line, format!("`{name}` did not run on a request that both answer alike"));
    }
    let left = side.bench.codes.executed(id).into_iter().find(|one| !covered.asked.contains(&(id, one.at)));
    if let Some(left) = left {
        return here(left.line, format!("a statement of `{name}` did not run on a request that both answer alike"));
    }
    let taken = |way: Way, at| covered.ways.contains(&(id, at, way));
    let branch = side.bench.codes.branches(id).into_iter().find(|branch| !taken(branch.way, branch.at))?;
    here(branch.line, format!("a branch of `{name}` was not taken by a request that both answer alike"))
}

/// Whether nothing but code that names it can call a method: it stands in for no other one, and is no property of an object that is written or read.
fn is_called_by_code(project: &Project, id: MemberId) -> bool {
    let facts = project.member(id);
    if !facts.annotations.is_empty() {
        return false;
    }
    if facts.modifiers.has(Modifiers::PRIVATE) || facts.modifiers.has(Modifiers::STATIC) {
        return true;
    }
    let is_of_object = ["equals", "hashCode", "toString", "compareTo", "close"].contains(&facts.name.as_str());
    !is_accessor(&facts.name) && !is_of_object && stands_alone(project, id)
}

/// Whether a method has the name of an accessor, by which libraries find properties.
fn is_accessor(name: &str) -> bool {
    ["get", "is", "set", "with", "add"].iter().any(|start| name.starts_with(start))
}

/// Whether a method stands in for no other one, and none for it.
fn stands_alone(project: &Project, id: MemberId) -> bool {
    let name = &project.member(id).name;
    let supers = project.all_supers(id.ty);
    let is_own = |named: &Named| named.project().is_some() || named.library() == Some("java.io.Serializable");
    !supers.iter().any(|above| project.members(*above).any(|one| project.member(one).name == *name))
        && project.supers(id.ty).iter().all(|above| is_own(&above.named))
        && project.all_subtypes(id.ty).is_empty()
}

/// What an input that is no member keeps from being compared: a class's declaration, a part of the document, a global input.
fn beside_members((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> Option<Stop> {
    let input = change.input.as_str();
    let generated = |side: &Side<'_>| {
        side.bench.subject.endpoint.framework.routing.from_document || side.bench.subject.endpoint.made_from.is_some()
    };
    if input.starts_with("openapi:") {
        // What the document says decides nothing, unless code is made from it.
        let made = generated(old) || generated(new);
        return made.then(|| Stop::of("the document changed, and code is made from it"));
    }
    if input.starts_with("global:unresolved ") {
        // What is called there is part of the member that calls it.
        return None;
    }
    // A class of another module that has the name of one that the operation sees: nothing here compares it.
    if !input.starts_with("global:") && input.contains('#') {
        return Some(Stop::of(format!("`{}` stands in a module that the operation does not see", short(input))));
    }
    if comes_with_its_method((old, new), change) || is_setting_aside((old, new), input) {
        return None;
    }
    if let Some(name) = input.strip_prefix("global:") {
        return Some(Stop::of(format!("{name} was {}", words(change.change))));
    }
    let declared = |side: &Side<'_>| {
        let project = side.bench.subject.project;
        let id = project.by_fqn_all(input).first().copied()?;
        Some((project.ty(id).annotations.clone(), project.shown(id, project.ty(id).name_span.line)))
    };
    let (annotations, (file, line)) = declared(new).or_else(|| declared(old))?;
    if change.change != Changed::Changed && is_harmless(&annotations) {
        return None;
    }
    let what = format!("the declaration of `{}` was {}", short(input), words(change.change));
    Some(Stop { what, file: Some(file), line: Some(line) })
}

/// Whether an input is a setting that decides no answer of the service's own operations, and that no code of the project names.
fn is_setting_aside((old, new): (&Side<'_>, &Side<'_>), input: &str) -> bool {
    let Some((file, key)) = input.strip_prefix("global:").and_then(|name| name.split_once('#')) else { return false };
    let is_of_spring = [".properties", ".yml", ".yaml"].iter().any(|end| file.ends_with(end));
    let is_aside = ASIDE.iter().any(|one| key == *one || one.ends_with('.') && key.starts_with(one));
    is_of_spring && is_aside && ![old, new].iter().any(|side| names_setting(side, key))
}

/// Whether code of the project takes a setting, by its key or by a prefix of it.
fn names_setting(side: &Side<'_>, key: &str) -> bool {
    let project = side.bench.subject.project;
    let says = |annotation: &Annotation| {
        let texts = annotation.args.iter().filter_map(|(_, value)| match value {
            Value::Str(text) => Some(text.as_str()),
            _ => None,
        });
        match annotation.simple() {
            "Value" => texts.into_iter().any(|text| text.contains(key)),
            "ConfigurationProperties" => texts.into_iter().any(|prefix| key.starts_with(prefix)),
            _ => false,
        }
    };
    project.types().any(|ty| {
        let of_members = project.members(ty).flat_map(|member| {
            let facts = project.member(member);
            facts.annotations.iter().chain(facts.params.iter().flat_map(|param| &param.annotations))
        });
        project.ty(ty).annotations.iter().chain(of_members).any(says)
    })
}

/// Whether a statement of a mapper's XML is new or gone together with the mapper's method: who calls that is compared.
fn comes_with_its_method((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> bool {
    let Some((_, statement)) = change.input.split_once(" statement ") else { return false };
    let Some((mapper, method)) = statement.rsplit_once('.') else { return false };
    let has_method = |side: &Side<'_>| {
        let project = side.bench.subject.project;
        let types = project.by_fqn_all(mapper).iter();
        let mut all = types.flat_map(|ty| std::iter::once(*ty).chain(project.all_supers(*ty)));
        all.any(|ty| project.members(ty).any(|member| project.member(member).name == method))
    };
    match change.change {
        Changed::Added => !has_method(old),
        Changed::Removed => !has_method(new),
        Changed::Changed => false,
    }
}

fn words(change: Changed) -> &'static str {
    match change {
        Changed::Added => "added",
        Changed::Removed => "removed",
        Changed::Changed => "changed",
    }
}

/// A symbol without its package and parameters.
fn short(symbol: &str) -> &str {
    let name = symbol.split('(').next().unwrap_or(symbol);
    let class = name.split('#').next().unwrap_or(name);
    let cut = class.rfind('.').map_or(0, |dot| dot + 1);
    &name[cut..]
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_symbol_is_named_without_package_and_parameters() {
        assert_eq!(short("com.acme.Orders#find(java.lang.String)"), "Orders#find");
        assert_eq!(short("com.acme.Orders"), "Orders");
    }
}
