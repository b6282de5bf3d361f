//! The derived change: differences between the answers of base and head of an operation, with a request as witness if
//! one is found.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::edits::changed::ChangedCode;
use super::off_path::accessed::accessed;
use super::off_path::answered::answered;
use super::off_path::changed_context::by_context;
use super::off_path::declared::{declared, loses_constraint};
use super::off_path::later::{by_later_reads, least};
use super::off_path::moved_bounds::by_bounds;
use super::off_path::secured::secured;
use super::off_path::started::started;
use super::off_path::stored::stored;
use super::paths::conditions;
use super::paths::differences::{Difference, difference};
use super::proofs::product::product;
use super::proofs::round::Product;
use super::proofs::sameness::{Pair, SamenessEvidence};
use super::proofs::units::{SharedUnits, Units};
use super::sides::side::{Side, change};
use crate::inputs::hinted::Hinted;
use crate::inputs::several::lists;
use crate::inputs::solve::Pool;
use crate::judge::oracle::place;
use crate::oracles::error_cases::sentence;
use crate::search::explore::{Settled, TriedRequest, search, settle};
use crate::search::sampling::Sampling;
use crate::search::variations::variations;
use mastor_java::interpret::paths::hints::{Hint, Use};
use mastor_java::interpret::paths::path::Outcome;
use mastor_java::interpret::stores::state::{LookupValue, StoreOperation};
use mastor_runtime::app::assumed::in_words;
use mastor_runtime::body::shape::AnswerBody;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Run;
use mastor_runtime::subject::Subject;
use mastor_types::manifest::InputChange;
use mastor_types::results::change::{Change, ChangeEffect, Place, Witness};
use mastor_types::results::compared::Stop;
use mastor_types::suite::input;
use mastor_types::suite::source_context::ResponseField;

/// The stop of an operation for which no request has been tried.
const NOT_TRIED: &str = "no request was tried";

/// The result of comparing two revisions of an operation: changes if it is *changed*, stops if it is *undecided*,
/// neither if it is *same*.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Differences in its answers.
    pub changes: Vec<Change>,
    /// What prevented the result *same*.
    pub stopped: BTreeSet<Stop>,
    /// Changed inputs that no compared request covers.
    pub open_inputs: Vec<String>,
    /// Number of requests that both revisions answer alike, with a completely known answer.
    pub requests: usize,
    /// Why requests have no certain answer in base.
    pub open: BTreeSet<String>,
    /// Assumptions of the result.
    pub assumes: BTreeSet<String>,
    /// Whether base and head agree on all paths, every path was followed to its end, and the only changed code that did
    /// not run is code that no path reaches.
    pub is_followed: bool,
}

/// Compares two revisions of an operation whose manifests differ in these inputs. Results in `alone` are shared by all
/// operations of these revisions.
pub fn compared(base: &Subject<'_>, head: &Subject<'_>, changed: &[InputChange], alone: &SharedUnits) -> Compared {
    let (old, new) = (Side::of(base, &alone.revisions[0]), Side::of(head, &alone.revisions[1]));
    let is_named = !changed.is_empty();
    let changed = ChangedCode::of(&old, &new, changed);
    // The changed code only differs in form.
    if is_named && changed.is_empty() {
        return Compared::default();
    }
    let units = Units::of((&old, &new), &changed, alone);
    let proven = units.proven();
    // Each changed member behaves alike for every caller, so no request could show a difference, and nothing is
    // assumed.
    if units.are_all_alike(&proven) {
        return Compared::default();
    }
    let together = || product(&old, &new, &changed, (&units, proven));
    // If no request can have a certain answer, none is tried.
    let is_doubtful = [&old, &new].iter().all(|side| !side.bench.surroundings.doubts.is_empty());
    let said = LazyCell::new(|| declared(&old, &new, &changed));
    let requested = || match is_doubtful {
        false => by_requests(&old, &new, (&changed, alone.request_steps()), || !said.is_empty()),
        true => Compared {
            open: old.bench.surroundings.doubts.iter().cloned().collect(),
            ..Compared::stopped_by("no request has a certain answer")
        },
    };
    let first = match alone.affects_many() {
        // If one change reaches many operations, requests are tried only for operations that nothing else decides.
        true => Compared::stopped_by(NOT_TRIED),
        false => requested(),
    };
    if first.stopped.is_empty() {
        let fails = |change: &Change| statuses_of(change).0.is_some_and(|status| status >= 400);
        // Of the operation's own answers only: what a read says afterwards has no request of its own.
        let is_refused = |change: &Change| fails(change) && change.witness.is_some();
        if first.changes.is_empty() || !first.changes.iter().all(is_refused) {
            return first;
        }
        // Base refuses all these requests, or fails, for example because a row is missing. Differences of the joint run on
        // requests that succeed come first.
        let usual = together().map(|product| product.changes).unwrap_or_default();
        let is_of_exceptions = |change: &Change| change.what.starts_with("throws ") || change.what.contains(" threw `");
        let mut changes: Vec<Change> =
            usual.into_iter().filter(|change| !change.seldom && !fails(change) && !is_of_exceptions(change)).collect();
        if changes.is_empty() {
            return first;
        }
        changes.extend(first.changes);
        let mut told = BTreeSet::new();
        changes.retain(|change| told.insert(change.id.clone()));
        return Compared { changes, assumes: assumed(&new), ..first };
    }
    // The result of the joint run is preferred to conclusions from the code alone.
    let mut found = without_requests((&old, &new), &changed, &said, together, first);
    if alone.affects_many() && !found.stopped.is_empty() {
        let asked = requested();
        if asked.stopped.is_empty() {
            return asked;
        }
        (found.requests, found.open) = (asked.requests, asked.open);
        // If a joint run was not possible, only the requests decide.
        if found.stopped.remove(&Stop::of(NOT_TRIED)) {
            (found.stopped, found.open_inputs) = (asked.stopped, asked.open_inputs);
        }
    }
    // If no path reaches the changed code, conclusions from the code alone would report changes that cannot happen.
    if found.stopped.is_empty() || found.is_followed {
        return found;
    }
    let mut told = Vec::new();
    by_code(&old, &new, &BTreeSet::new(), &mut told);
    if told.is_empty() { found } else { Compared { open: found.open, ..Compared::told(told) } }
}

impl Compared {
    fn stopped_by(why: &str) -> Self {
        Self { stopped: BTreeSet::from([Stop::of(why)]), ..Self::default() }
    }

    fn told(mut changes: Vec<Change>) -> Self {
        changes.sort_by(|a, b| (a.effect as u8, &a.what).cmp(&(b.effect as u8, &b.what)));
        changes.dedup_by(|a, b| a.id == b.id);
        Self { changes, ..Self::default() }
    }
}

/// Compares by requests to both revisions, with at most this many steps; `is_declared` says whether annotations or
/// files differ.
fn by_requests(
    old: &Side<'_>,
    new: &Side<'_>,
    (changed, most): (&ChangedCode, u64),
    is_declared: impl FnOnce() -> bool,
) -> Compared {
    let mut found: Vec<Change> = Vec::new();
    let tried = [old, new].map(|side| search(&side.bench, side.open()));
    let searched = by_witness(old, new, (&tried, changed, most), &mut found);
    searched.without_samples(&mut found);
    let WitnessSearch { open, mut shown, .. } = searched;
    // If a status changed, another text in the same rejection is not worth reporting.
    let told: Vec<Option<Place>> =
        found.iter().filter(|c| c.what.starts_with("answers ")).map(|c| c.evidence_before.clone()).collect();
    found.retain(|c| {
        c.what.starts_with("answers ") || c.effect != ChangeEffect::Unclear || !told.contains(&c.evidence_before)
    });
    if !found.is_empty() || is_declared() {
        let seen: BTreeSet<(Option<u16>, Option<u16>)> = found.iter().map(statuses_of).collect();
        by_code(old, new, &seen, &mut found);
    }
    if found.is_empty() {
        let least = least(old, &tried[0]);
        if let Some(least) = &least {
            let mut told = WitnessSearch::new(changed);
            std::mem::swap(&mut told.shown, &mut shown);
            told.try_on(old, new, &least.case, &mut found);
            shown = told.shown;
        }
        if found.is_empty() {
            found.extend(by_later_reads(old, new, (&tried[0], least.as_slice())));
        }
    }
    let requests = shown.requests();
    let (stopped, open_inputs) = if found.is_empty() { shown.conclude(old, new, changed) } else { Default::default() };
    Compared { stopped, open_inputs, requests, open, ..Compared::told(found) }
}

/// Adds differences of statuses, bounds, fields and contexts.
fn by_code(old: &Side<'_>, new: &Side<'_>, seen: &BTreeSet<(Option<u16>, Option<u16>)>, found: &mut Vec<Change>) {
    let told = !found.is_empty();
    by_statuses(old, new, seen, found);
    by_bounds(old, new, told, found);
    by_fields(old, new, found);
    by_context(old, new, found);
}

/// Decides what requests did not decide: by declared changes, with those of the joint run, else by the joint run alone.
fn without_requests(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    said: &[Change],
    together: impl FnOnce() -> Option<Product>,
    asked: Compared,
) -> Compared {
    let Compared { requests, open, .. } = asked;
    let product = together();
    if !said.is_empty() {
        // Differences in code are reported too, before those of files.
        // A rule of a security chain is reported only once, as a rule.
        let is_rule = |change: &&Change| change.what.starts_with("the rule ");
        let rules: BTreeSet<String> = said.iter().filter(is_rule).filter_map(symbol_of).collect();
        let mut by_code = product.map(|product| product.changes).unwrap_or_default();
        by_code.retain(|change| symbol_of(change).is_none_or(|symbol| !rules.contains(&symbol)));
        // Where a constraint is gone, what later code makes of the values that it refused is not known as a whole, and other
        // constraints may still refuse them.
        if loses_constraint((old, new), changed) {
            by_code.retain(|change| !matches!(statuses_of(change), (Some(400), Some(..400))));
        }
        let (of_files, mut told): (Vec<Change>, Vec<Change>) = said.iter().cloned().partition(is_of_file);
        told.sort_by(|a, b| a.what.cmp(&b.what));
        told.extend(by_code);
        told.extend(of_files);
        let mut known = BTreeSet::new();
        told.retain(|change| known.insert(change.id.clone()));
        return Compared { changes: told, requests, open, ..Compared::default() };
    }
    let Some(product) = product else { return Compared { requests, open, ..asked } };
    // If the joint run shows no difference, changes of stored data, start-up code, serialised classes and security beans
    // are reported.
    if product.changes.is_empty() && !product.stopped.is_empty() {
        let mut found = answered(old, new, changed);
        found.extend(stored(old, new, changed));
        found.extend(started(old, new, changed));
        found.extend(accessed(old, new, changed));
        found.extend(secured(old, new, changed));
        if !found.is_empty() {
            return Compared { requests, open, ..Compared::told(found) };
        }
    }
    let stopped = if product.changes.is_empty() { product.stopped } else { BTreeSet::new() };
    let (open_inputs, assumes, is_followed) = (product.open_inputs, assumed(new), product.is_followed);
    // Changes stay in the order of discovery: differences on ordinary requests come first.
    let mut told = BTreeSet::new();
    let mut changes = product.changes;
    changes.retain(|change| told.insert(change.id.clone()));
    // Fields that came or went beside what is told, unless it is told of them.
    if !changes.is_empty() {
        let named = |field: &Change| {
            let name =
                field.what.split('`').nth(1).and_then(|name| name.split('.').nth(1)).unwrap_or_default().to_owned();
            let ways = [format!("`{name}`"), format!(".{name}`"), format!(".{name} ")];
            changes.iter().any(|change| ways.iter().any(|way| change.what.contains(way)))
        };
        let more: Vec<Change> = answered(old, new, changed).into_iter().filter(|field| !named(field)).collect();
        changes.extend(more);
    }
    Compared { changes, stopped, open_inputs, assumes, requests, open, is_followed }
}

/// The member that contains a change.
fn symbol_of(change: &Change) -> Option<String> {
    change.evidence_after.as_ref().or(change.evidence_before.as_ref()).map(|place| place.symbol.clone())
}

/// Whether a change is a difference in a file other than code.
fn is_of_file(change: &Change) -> bool {
    let places = change.evidence_before.iter().chain(&change.evidence_after);
    places.clone().count() > 0 && places.into_iter().all(|place| !place.file.ends_with(".java"))
}

/// What the joint run of two revisions assumes about one of them, in words.
fn assumed(side: &Side<'_>) -> BTreeSet<String> {
    side.bench.left_out().iter().map(|doubt| in_words(doubt)).collect()
}

fn statuses_of(change: &Change) -> (Option<u16>, Option<u16>) {
    let code =
        |text: &Option<String>| text.as_ref().and_then(|t| t.split(' ').next().and_then(|word| word.parse().ok()));
    (code(&change.before), code(&change.after))
}

/// Runs the requests of both sides on both sides; a request with different answers is a witness. Reports one change for
/// each kind of difference. If there is none, the search continues with values that both sides name.
fn by_witness<'c>(
    old: &Side<'_>,
    new: &Side<'_>,
    (tried, changed, limit): (&[Vec<TriedRequest>], &'c ChangedCode, u64),
    found: &mut Vec<Change>,
) -> WitnessSearch<'c> {
    let mut requests: Vec<Case> = Vec::new();
    for one in tried.iter().flatten() {
        if !requests.contains(&one.case) {
            requests.push(one.case.clone());
        }
    }
    let mut told = WitnessSearch::new(changed);
    let mut steps = 0;
    let mut used = Vec::new();
    for case in &requests {
        let (taken, hints) = told.try_on(old, new, case, found);
        steps += taken;
        used.push(hints);
    }
    if told.any() || told.is_vain(steps) {
        return told;
    }
    for case in variations(new, &[old.open(), new.open()], &requests) {
        if told.any() || told.is_vain(steps) || steps >= limit {
            break;
        }
        steps += told.try_on(old, new, &case, found).0;
    }
    // Further requests start from successful ones.
    let mut starts: Vec<(u16, (Case, BTreeSet<Hint>))> =
        told.statuses.iter().copied().zip(requests.into_iter().zip(used)).collect();
    starts.sort_by_key(|(status, _)| *status);
    let pool = Pool::of(&new.bench, &[old.open(), new.open()]);
    let mut hinted = Hinted::new(&pool);
    if let Some((_, (case, _))) = starts.first() {
        lists(&pool, case).into_iter().for_each(|case| hinted.push(case));
    }
    for (_, (case, hints)) in &starts {
        hinted.follow(case, hints);
    }
    let most = steps.saturating_add(FOLLOWED).min(limit);
    while let Some(case) = hinted.take().filter(|_| !told.any() && !told.is_vain(steps) && steps < most) {
        let (taken, hints) = told.try_on(old, new, &case, found);
        steps += taken;
        hinted.follow(&case, &hints);
    }
    let mut sampling = Sampling::new(&pool, starts.into_iter().map(|(_, (case, _))| case).collect());
    let most = steps.saturating_add(SAMPLED).min(limit);
    for at in 0..SAMPLES {
        if told.any() || told.is_vain(steps) || steps >= most {
            break;
        }
        let drawn = if at % 2 == 0 { sampling.draw() } else { sampling.several() };
        if let Some((case, _)) = drawn.filter(|(case, _)| pool.is_sendable(case)) {
            steps += told.try_on(old, new, &case, found).0;
        }
    }
    told
}

/// Maximum number of requests that are sampled after all others were answered alike.
const SAMPLES: usize = 120;
/// Maximum number of steps for sampled requests.
const SAMPLED: u64 = 600_000;

/// If base has no certain answer after this many requests and `VAIN` steps, no more requests are tried.
const FEW: usize = 8;
/// The number of steps after which a search without a certain answer of base ends; see `FEW`.
const VAIN: u64 = 300_000;

/// Maximum number of steps for follow-up requests, which are derived from what code does with the strings of earlier
/// requests.
const FOLLOWED: u64 = 400_000;

/// The differences seen so far.
struct WitnessSearch<'c> {
    ways: BTreeSet<(String, Option<Place>, Option<Place>)>,
    /// Why requests have no certain answer in base.
    open: BTreeSet<String>,
    /// The answer of base to each request; `u16::MAX` if it is not certain.
    statuses: Vec<u16>,
    /// The changed code.
    changed: &'c ChangedCode,
    /// Evidence for *same*, from requests without a difference.
    shown: SamenessEvidence,
    /// The statuses of requests that both sides answered alike.
    alike: BTreeSet<u16>,
    /// Differences in values that have a condition: their ids, with the status of the answers.
    conditional: BTreeMap<String, u16>,
}

impl<'c> WitnessSearch<'c> {
    fn new(changed: &'c ChangedCode) -> Self {
        Self {
            ways: BTreeSet::new(),
            open: BTreeSet::new(),
            statuses: Vec::new(),
            changed,
            shown: SamenessEvidence::default(),
            alike: BTreeSet::new(),
            conditional: BTreeMap::new(),
        }
    }

    /// Leaves out the conditions of differences that every request with their status showed: such a condition is that
    /// of the first request, and decides nothing.
    fn without_samples(&self, found: &mut [Change]) {
        for change in found {
            let status = self.conditional.get(&change.id);
            let requests = status.map(|status| self.statuses.iter().filter(|one| *one == status).count());
            if status.is_some_and(|status| !self.alike.contains(status)) && requests > Some(1) {
                change.what = change.sentence().to_owned();
                change.condition = None;
            }
        }
    }

    fn any(&self) -> bool {
        !self.ways.is_empty()
    }

    /// Whether further requests are useless after this many steps: a difference needs a certain answer of base, and
    /// base has none so far.
    fn is_vain(&self, steps: u64) -> bool {
        steps >= VAIN && self.statuses.len() >= FEW && self.statuses.iter().all(|status| *status == u16::MAX)
    }

    /// Runs a request on both sides; returns the steps taken, and what both sides do with the strings of the request.
    fn try_on(
        &mut self,
        old: &Side<'_>,
        new: &Side<'_>,
        case: &Case,
        found: &mut Vec<Change>,
    ) -> (u64, BTreeSet<Hint>) {
        let request = case.request(&new.bench.signature);
        if request != case.request(&old.bench.signature) {
            self.statuses.push(u16::MAX);
            return (0, BTreeSet::new());
        }
        let (was, mut hints) = old.bench.codes.hinting(|| old.bench.try_case(case));
        let (is, more) = new.bench.codes.hinting(|| new.bench.try_case(case));
        hints.extend(more);
        hints.extend(looked_up(&was).chain(looked_up(&is)));
        let steps = self.compare((old, &was), (new, &is), (case, request), found);
        (steps, hints)
    }

    /// Reports the difference between two answers, if it is new; returns the steps taken.
    fn compare(
        &mut self,
        (old, was): (&Side<'_>, &Run),
        (new, is): (&Side<'_>, &Run),
        (case, request): (&Case, input::Input),
        found: &mut Vec<Change>,
    ) -> u64 {
        let steps = was.served.iter().chain(&is.served).map(|served| served.path.steps).sum();
        let (before, after) = (settle(was), settle(is));
        self.statuses.push(before.as_ref().map_or(u16::MAX, |before| before.status));
        if before.is_none() {
            self.open.extend(why_open(was));
        }
        let parted = match (&before, &after) {
            (Some(before), Some(after)) => difference((before, was), (after, is)),
            _ => None,
        };
        if parted.is_none() {
            self.alike.extend(before.as_ref().map(|before| before.status));
            let pair = Pair { case, before: (was, before.as_ref()), after: (is, after.as_ref()) };
            self.shown.take((old, new), self.changed, &pair);
        }
        let (Some(before), Some(after)) = (before, after) else { return steps };
        let Some(Difference { kind, what, effect }) = parted else { return steps };
        let (place_before, place_after) = (old.place_of(&before), new.place_of(&after));
        if !self.ways.insert((kind, place_before.clone(), place_after.clone())) {
            return steps;
        }
        // What base asks of a request that it refuses decides; else what head asks does.
        let refused = before.status >= 400;
        let (leads, others) = (if refused { old } else { new }, if refused { new } else { old });
        // What else a request needs so that it is answered well goes without saying for one that is rejected now.
        let needs_both = before.status < 400 && after.status < 400;
        let condition = sentence(&conditions::narrowed(leads.conditions(case), &others.conditions(case), needs_both));
        let words = |settled: &Settled| {
            mastor_runtime::body::shape::Answer::of(Some(settled.status), settled.body.clone()).describe()
        };
        let is_status = before.status != after.status;
        let whole = if condition.is_empty() { what } else { format!("{what} ({condition})") };
        let mut made = change(new, effect, whole);
        self.conditional.extend((!is_status && !condition.is_empty()).then(|| (made.id.clone(), before.status)));
        made.condition = (!condition.is_empty()).then_some(condition);
        made.before = Some(words(&before));
        made.after = Some(words(&after));
        made.witness =
            Some(Witness { as_user: case.sender(), input: request, before: words(&before), after: words(&after) });
        made.evidence_before = place_before;
        made.evidence_after = place_after;
        found.push(made);
        steps
    }
}

/// Hints to change the letter case of strings that were looked up in a store, since the store decides whether case
/// matters.
fn looked_up(run: &Run) -> impl Iterator<Item = Hint> {
    run.served.iter().flat_map(|served| &served.path.store.deeds).filter_map(|deed| match deed {
        StoreOperation::Asked { value: LookupValue::Text(text), .. }
            if text.bytes().any(|byte| byte.is_ascii_alphabetic()) =>
        {
            Some(Hint { text: text.as_str().into(), used: Use::Case })
        }
        _ => None,
    })
}

/// Why a request has no certain answer.
fn why_open(run: &Run) -> BTreeSet<String> {
    let mut why: BTreeSet<String> = BTreeSet::new();
    for served in &run.served {
        let unknowns = served.path.unknowns.iter().chain(&served.path.doubts);
        why.extend(unknowns.filter(|why| !why.contains("; it may ")).map(ToString::to_string));
        if let Outcome::Cut(bound) = served.path.outcome {
            why.insert(bound.describe().to_owned());
        }
    }
    if why.is_empty() {
        why.insert("a request has more than one answer".to_owned());
    }
    why
}

/// Reports error cases that have the same condition in both revisions, but different statuses.
fn by_conditions(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) -> BTreeSet<u16> {
    let mut said = BTreeSet::new();
    if !old.open().complete || !new.open().complete {
        return said;
    }
    let only = |side: &'_ Side<'_>, whole: &str| {
        let mut cases = side.cases().iter().filter(|case| case.whole == whole);
        let (first, None) = (cases.next()?, cases.next()) else { return None };
        Some((first.status, first.site))
    };
    for case in old.cases() {
        let (Some((was, site)), Some((is, now))) = (only(old, &case.whole), only(new, &case.whole)) else {
            continue;
        };
        let told = (Some(was), Some(is));
        if was == is || found.iter().any(|change| statuses_of(change) == told) {
            continue;
        }
        let when = if case.is_decided { format!(" ({})", case.condition) } else { String::new() };
        let what = format!("answers {is} where it answered {was}{when}");
        let mut made = change(new, ChangeEffect::of_statuses(was, is), what);
        (made.before, made.after) = (Some(was.to_string()), Some(is.to_string()));
        made.evidence_before = site.map(|site| place(old.bench.subject, site)).or_else(|| Some(old.entry()));
        made.evidence_after = now.map(|site| place(new.bench.subject, site)).or_else(|| Some(new.entry()));
        found.push(made);
        said.extend([was, is]);
    }
    said
}

/// Reports statuses that appeared or disappeared, if no request showed it.
fn by_statuses(old: &Side<'_>, new: &Side<'_>, seen: &BTreeSet<(Option<u16>, Option<u16>)>, found: &mut Vec<Change>) {
    let statuses = |side: &Side<'_>| -> BTreeSet<u16> {
        side.open().served.iter().filter_map(|served| served.answer.status).collect()
    };
    let (before, after) = (statuses(old), statuses(new));
    let is_told = |side: &Side<'_>| side.open().served.iter().all(|served| served.answer.status.is_some());
    let doubts = |side: &Side<'_>| -> BTreeSet<Rc<str>> {
        side.open().served.iter().flat_map(|served| served.path.doubts.iter().cloned()).collect()
    };
    let (doubts_before, doubts_after) = (doubts(old), doubts(new));
    // A doubt that only one side has may hide the missing status. A doubt that both sides have affects both alike.
    let is_complete = |side: &Side<'_>, own: &BTreeSet<Rc<str>>, other: &BTreeSet<Rc<str>>| {
        side.open().complete && is_told(side) && own.is_subset(other)
    };
    let complete_before = is_complete(old, &doubts_before, &doubts_after);
    let complete_after = is_complete(new, &doubts_after, &doubts_before);
    let said = by_conditions(old, new, found);
    for status in after.difference(&before).filter(|status| !said.contains(status)) {
        if seen.iter().any(|(_, after)| *after == Some(*status)) || !complete_before {
            continue;
        }
        let case = new.cases().iter().find(|case| case.status == *status);
        let condition = case.map(|case| format!(" ({})", case.condition)).unwrap_or_default();
        let effect = if *status >= 400 { ChangeEffect::Breaking } else { ChangeEffect::Unclear };
        let mut made = change(new, effect, format!("can answer {status}, which it never did{condition}"));
        made.after = Some(status.to_string());
        made.evidence_after =
            case.and_then(|case| case.site).map(|site| place(new.bench.subject, site)).or_else(|| Some(new.entry()));
        found.push(made);
    }
    for status in before.difference(&after).filter(|status| !said.contains(status)) {
        if seen.iter().any(|(before, _)| *before == Some(*status)) || !complete_after {
            continue;
        }
        let case = old.cases().iter().find(|case| case.status == *status);
        let condition = case.map(|case| format!(" ({})", case.condition)).unwrap_or_default();
        // The answer in its place is not known.
        let effect = if *status >= 400 { ChangeEffect::Unclear } else { ChangeEffect::Breaking };
        let mut made = change(new, effect, format!("never answers {status} any more{condition}"));
        made.before = Some(status.to_string());
        made.evidence_before =
            case.and_then(|case| case.site).map(|site| place(old.bench.subject, site)).or_else(|| Some(old.entry()));
        found.push(made);
    }
}

/// Whether a known success answer has a body.
fn has_body(side: &Side<'_>) -> bool {
    let mut success =
        side.open().served.iter().filter(|served| served.answer.status.is_some_and(|status| status < 300));
    success.any(|served| served.answer.body != AnswerBody::Empty)
}

/// The path of the object that contains a field; empty for the body itself.
fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(object, _)| object)
}

/// Fields of the response that were removed, added, or have another type.
fn by_fields(old: &Side<'_>, new: &Side<'_>, found: &mut Vec<Change>) {
    let (before, after) = (&old.context().response_schema.fields, &new.context().response_schema.fields);
    if before.is_empty() || after.is_empty() || !has_body(old) || !has_body(new) {
        return;
    }
    let said = |found: &[Change], path: &str| found.iter().any(|c| c.what.contains(&format!("the field {path} ")));
    // If the other side does not know the form of an object, none of its fields counts as removed or added.
    let is_known = |path: &str, fields: &[ResponseField]| {
        let object = parent(path);
        object.is_empty() || fields.iter().any(|other| parent(&other.path) == object)
    };
    for field in before {
        match after.iter().find(|other| other.path == field.path) {
            None if !said(found, &field.path) && is_known(&field.path, after) => {
                let mut made = change(new, ChangeEffect::Breaking, format!("the field {} is gone", field.path));
                made.before = Some(field.ty.clone());
                made.evidence_before = old.cited(&field.evidence);
                found.push(made);
            }
            Some(other) if other.ty != field.ty && old.on_the_wire(&field.ty) != new.on_the_wire(&other.ty) => {
                let what = format!("the field {} is {} where it was {}", field.path, other.ty, field.ty);
                let mut made = change(new, ChangeEffect::Unclear, what);
                made.before = Some(field.ty.clone());
                made.after = Some(other.ty.clone());
                (made.evidence_before, made.evidence_after) = (old.cited(&field.evidence), new.cited(&other.evidence));
                found.push(made);
            }
            _ => {}
        }
    }
    for field in after.iter().filter(|field| !before.iter().any(|other| other.path == field.path)) {
        if said(found, &field.path) || !is_known(&field.path, before) {
            continue;
        }
        let mut made = change(new, ChangeEffect::Additive, format!("the field {} is new", field.path));
        made.after = Some(field.ty.clone());
        made.evidence_after = new.cited(&field.evidence);
        found.push(made);
    }
}
