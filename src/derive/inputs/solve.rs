//! Search for inputs: candidates from the constants in conditions are tried on the conditions of each path, then in the
//! interpreter.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::documented;
use super::samples::{SamplePosition, constrained, filler, plain, without_point};
use mastor_frameworks::Location;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::library::time::old_dates;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::scalar::Prim;
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::body::BinaryOp;
use mastor_java::ir::facts::{MemberFacts, MemberKind, TypeKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::forms::{Form, form, formed};
use mastor_runtime::body::reading::takes_no_letters;
use mastor_runtime::request::case::{Case, CaseBody, set_path};
use mastor_runtime::request::paged;
use mastor_runtime::request::read_by_hand;
use mastor_runtime::request::rivals::Rivals;
use mastor_runtime::request::segments::{Segment, candidates, segments};
use mastor_runtime::request::signature::{BodyField, Slot, element};
use mastor_runtime::request::slot::Part;
use mastor_runtime::server::serve::Run;

/// A value to try for one input.
#[derive(Debug, Clone, PartialEq)]
pub enum Candidate {
    /// The input is not sent.
    Absent,
    /// A parameter's string.
    Text(String),
    /// A value of the body.
    Json(Json),
    /// A list with this number of plain elements.
    Size(usize),
    /// A body that is not valid JSON.
    Malformed,
}

/// Maximum number of assignments that are tried for one path.
const TRIES: usize = 4_000;

/// Maximum number of values within one sample of a body.
const VALUES: usize = 2_000;
/// An assignment counts once more for every so many inputs, since testing it takes longer.
const MANY: usize = 16;

/// The inputs to find, the conditions that can be tested once each of them is set, and all conditions.
struct Unknowns<'c> {
    inputs: &'c [Input],
    settled: &'c [Vec<&'c Cond>],
    known: &'c [&'c &'c Cond],
}

/// The candidates of an operation's inputs.
pub struct Pool<'b> {
    pub(crate) bench: &'b Bench<'b>,
    pub(crate) values: BTreeMap<Input, Vec<Candidate>>,
    pub(crate) rivals: OnceCell<Rivals<'b>>,
}

/// Whether a type is a library map, which is read from a JSON object.
fn is_map(ty: &Type) -> bool {
    const MAPS: [&str; 3] = ["java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap"];
    ty.library().is_some_and(|fqn| MAPS.contains(&fqn))
}

impl<'b> Pool<'b> {
    /// Collects candidates from the conditions of some runs.
    pub fn of(bench: &'b Bench<'b>, runs: &[&Run]) -> Self {
        let mut pool = Self { bench, values: BTreeMap::new(), rivals: OnceCell::new() };
        for (n, slot) in bench.signature.slots.iter().enumerate() {
            if is_text(slot.location) {
                let before = bench.signature.slots.iter().take(n).map(|slot| (&*slot.input.name, &slot.ty));
                let nth = SamplePosition::of(&slot.input.name, &slot.ty, before);
                let schema = bench.surroundings.dispatched.as_ref().and_then(|dispatched| dispatched.schema(slot));
                for value in schema.map(|schema| schema.values.as_slice()).unwrap_or_default() {
                    pool.add(&slot.input, text_of(value));
                }
                let by_hand = read_by_hand::schema(bench.subject, slot);
                if let Some(sample) = by_hand.as_ref().and_then(documented::sample) {
                    pool.add(&slot.input, text_of(&sample));
                }
                for value in by_hand.iter().flat_map(|schema| schema.examples.iter().chain(&schema.values)) {
                    pool.add(&slot.input, text_of(value));
                }
                pool.part(slot, nth);
                if !matches!(slot.part, Some(Part::Page | Part::Size | Part::Sort)) {
                    pool.base(&slot.input, &slot.ty, slot, nth);
                }
                if slot.location == Location::Path {
                    pool.bind(slot);
                }
            }
        }
        for run in runs {
            for served in &run.served {
                for taken in &served.path.conditions {
                    pool.learn(&taken.cond);
                }
            }
        }
        let conditions = runs.iter().flat_map(|run| &run.served).flat_map(|served| &served.path.conditions);
        conditions.for_each(|taken| pool.pair(&taken.cond));
        pool.lengthen();
        pool.without_points();
        pool
    }

    /// Lengthens strings from conditions to the lengths in other conditions: a path may require a prefix and a length.
    fn lengthen(&mut self) {
        const EACH: usize = 6;
        let mut longer = Vec::new();
        for (input, values) in &self.values {
            let texts = values.iter().filter_map(|value| match value {
                Candidate::Text(text) | Candidate::Json(Json::String(text)) => Some(text.as_str()),
                _ => None,
            });
            let (made, named): (Vec<&str>, Vec<&str>) = texts.partition(|text| filler(text.len()) == **text);
            for text in named.into_iter().take(EACH) {
                for length in made.iter().map(|made| made.len()).filter(|length| *length > text.len()).take(EACH) {
                    longer.push((input.clone(), json!(format!("{text}{}", filler(length - text.len())))));
                }
            }
        }
        for (input, value) in longer {
            self.add_value(&input, &value);
        }
    }

    /// Rewrites fractions in a path without a decimal point, which old frameworks take for a file suffix: `1.5` becomes
    /// `15e-1`.
    fn without_points(&mut self) {
        if self.keeps_suffixes() {
            return;
        }
        for slot in self.bench.signature.slots.iter().filter(|slot| slot.location == Location::Path) {
            let floating =
                matches!(slot.ty, Type::Prim(Prim::Double | Prim::Float) | Type::Boxed(Prim::Double | Prim::Float));
            for value in self.values.get_mut(&slot.input).into_iter().flatten().filter(|_| floating) {
                if let Candidate::Text(text) = value
                    && let Some(plain) = without_point(text)
                {
                    *text = plain;
                }
            }
        }
    }

    /// Adds values for a part of an object: a string that satisfies its constraints, small page numbers and sizes, a
    /// sort order.
    fn part(&mut self, slot: &Slot, nth: SamplePosition) {
        let texts: Vec<Json> = match slot.part {
            Some(Part::Property(_)) if slot.constants.is_none() => {
                constrained(&slot.ty, &slot.constraints, &slot.input.name, nth).into_iter().collect()
            }
            _ => paged::samples(self.bench.subject, slot),
        };
        for text in &texts {
            self.add(&slot.input, text_of(text));
        }
    }

    /// Adds plain values of a type.
    fn base(&mut self, input: &Input, ty: &Type, slot: &Slot, nth: SamplePosition) {
        // How a framework parses a `Date` is not followed, so none is sent.
        if ty.library() == Some(old_dates::FQN) {
            return;
        }
        for value in plain(ty, slot.constants.as_deref(), &slot.input.name, nth) {
            self.add(input, text_of(&value));
        }
    }

    /// Keeps only the values of a path variable that its route accepts, and adds strings made from the route's regular
    /// expression.
    fn bind(&mut self, slot: &Slot) {
        let route = &self.bench.subject.endpoint.raw_path;
        for text in candidates(route, &slot.input.name) {
            self.add(&slot.input, Some(Candidate::Text(text)));
        }
        let is_own =
            |segment: &Segment| matches!(segment, Segment::Variable { name, .. } if **name == *slot.input.name);
        if let (Some(own), Some(values)) = (segments(route).into_iter().find(is_own), self.values.get_mut(&slot.input))
        {
            values.retain(|value| !matches!(value, Candidate::Text(text) if !own.takes(text)));
        }
    }

    pub(crate) fn add(&mut self, input: &Input, candidate: Option<Candidate>) {
        let Some(candidate) = candidate else { return };
        let values = self.values.entry(input.clone()).or_default();
        if !values.contains(&candidate) && values.len() < 40 {
            values.push(candidate);
        }
    }

    pub(crate) fn add_value(&mut self, input: &Input, value: &Json) {
        let candidate =
            if input.place == InputPlace::Body { Some(Candidate::Json(value.clone())) } else { text_of(value) };
        self.add(input, candidate);
    }

    pub(crate) fn seed_body(&mut self, input: &Input) {
        let Some(ty) = self.bench.signature.body_type(input) else { return };
        let name = input.name.rsplit('.').next().unwrap_or_default().to_owned();
        let constants = self.constants(&ty);
        for value in plain(&ty, constants.as_deref(), &name, SamplePosition::default()) {
            self.add(input, Some(Candidate::Json(value)));
        }
        if element(&ty).is_some() {
            for size in [1, 0, 2] {
                self.add(input, Some(Candidate::Size(size)));
            }
        }
    }

    fn constants(&self, ty: &Type) -> Option<Vec<std::rc::Rc<str>>> {
        let id = ty.project()?;
        let project = self.bench.subject.project;
        (project.ty(id).kind == TypeKind::Enum).then(|| {
            told_constants(project, id)
                .unwrap_or_else(|| mastor_java::interpret::classes::enums::enum_constants(project, id))
        })
    }

    /// A request that the framework accepts, as far as its constraints are known, from a sender who is let in.
    pub fn valid(&self) -> Case {
        Case {
            as_user: super::senders::sender(self.bench, || Pool::of(self.bench, &[]).anonymous()),
            ..self.anonymous()
        }
    }

    /// A request that the framework accepts, as far as its constraints are known, without credentials.
    pub fn anonymous(&self) -> Case {
        let mut case = Case { as_user: None, params: BTreeMap::new(), body: CaseBody::None, captured: BTreeMap::new() };
        for slot in &self.bench.signature.slots {
            match slot.location {
                Location::Path | Location::Query | Location::Header | Location::Cookie | Location::Form
                    if slot.required || matches!(slot.location, Location::Path | Location::Form) =>
                {
                    let first = self.values.get(&slot.input).and_then(|values| values.first());
                    if let Some(Candidate::Text(text)) = first {
                        case.params.insert(slot.input.clone(), text.clone());
                    }
                }
                Location::Body => {
                    let sample = self.sample(&slot.ty, 0);
                    let documented = || crate::inputs::documented::body(self.bench.subject);
                    // A null body counts as missing.
                    let sample = match sample.is_null() {
                        true => documented().unwrap_or(if is_map(&slot.ty) { json!({}) } else { sample }),
                        false => sample,
                    };
                    case.body = CaseBody::Json(sample);
                }
                _ => {}
            }
        }
        case
    }

    /// A JSON value of a type that satisfies the constraints of its fields, as far as `constrained` can.
    pub fn sample(&self, ty: &Type, depth: usize) -> Json {
        let mut left = VALUES;
        self.sample_of(ty, ("value", SamplePosition::default()), depth, &mut left)
    }

    fn sample_of(&self, ty: &Type, (name, nth): (&str, SamplePosition), depth: usize, left: &mut usize) -> Json {
        if depth > 4 || *left == 0 {
            return Json::Null;
        }
        *left -= 1;
        if let Some(element) = element(ty) {
            return Json::Array(vec![self.sample_of(&element, ("value", SamplePosition::default()), depth + 1, left)]);
        }
        if let Some(id) = ty.project()
            && let Some(fields) = self.bench.signature.fields(id)
        {
            let mut map = serde_json::Map::new();
            for (n, field) in fields.iter().enumerate() {
                let before = fields.iter().take(n).map(|field| (&*field.name, &field.ty));
                let nth = SamplePosition::of(&field.name, &field.ty, before);
                let facts = self.bench.subject.project.member(field.member);
                if has(&facts.annotations, &["GeneratedValue"]) && self.refuses_keys(id) {
                    continue;
                }
                let value = match self.constants(&field.ty) {
                    Some(constants) => constants.first().map_or(Json::Null, |name| json!(&**name)),
                    None => constrained(&field.ty, &facts.annotations, &field.name, nth)
                        .unwrap_or_else(|| self.sample_of(&field.ty, (&field.name, nth), depth + 1, left)),
                };
                let form = form(&facts.annotations, &field.ty);
                // A value in a form that is not followed would make the whole body unreadable.
                if form != Form::Open {
                    map.insert(field.name.clone(), formed(&form, &field.ty, value));
                }
            }
            return Json::Object(map);
        }
        plain(ty, None, name, nth).into_iter().next().unwrap_or(Json::Null)
    }

    /// Whether new objects of a class are stored by a method that refuses a key which the store is to make (Panache's
    /// `persist`).
    fn refuses_keys(&self, id: TypeId) -> bool {
        self.bench.subject.shared.stores.panache.values().any(|entity| *entity == id)
    }

    /// A few requests with letters in place of a body value of another type.
    pub fn mistyped(&self, base: &Case) -> Vec<(Input, Case)> {
        const MOST: usize = 3;
        let Some(slot) = self.bench.signature.body() else { return Vec::new() };
        let fields = slot.ty.project().and_then(|id| self.bench.signature.fields(id)).unwrap_or_default();
        let takes_none = |ty: &Type| takes_no_letters(ty) || self.constants(ty).is_some();
        let typed = fields.iter().filter(|field| takes_none(&field.ty)).take(MOST);
        let with = |field: &BodyField| {
            let input = Input::new(InputPlace::Body, &field.name);
            let mut case = base.clone();
            self.put(&mut case, &input, &Candidate::Json(json!("abc"))).then_some((input, case))
        };
        typed.filter_map(with).collect()
    }

    /// A request that satisfies the conditions, starting from another one; `None` if none is found within the bounds.
    pub fn solve(&self, conditions: &[&Cond], start: &Case) -> Option<Case> {
        let known: Vec<&&Cond> = conditions.iter().filter(|cond| !cond.is_unknown()).collect();
        let mut inputs: Vec<Input> = Vec::new();
        for cond in &known {
            cond.inputs(&mut inputs);
        }
        // If a body is malformed or missing, conditions on its parts do not matter.
        let ok = |case: &Case, complete: bool| {
            known.iter().all(|cond| match self.bench.holds(cond, case) {
                Some(holds) => holds,
                None => !complete,
            })
        };
        if ok(start, true) {
            return Some(start.clone());
        }
        inputs.sort_by_key(key);
        inputs.dedup();
        let (mut case, mut tries) = (start.clone(), 0);
        for (inputs, known) in apart(&inputs, &known) {
            // Each condition is tested when the last of its inputs is set.
            let mut settled: Vec<Vec<&Cond>> = vec![Vec::new(); inputs.len()];
            for cond in &known {
                let mut own = Vec::new();
                cond.inputs(&mut own);
                let last = own.iter().filter_map(|input| inputs.iter().position(|known| known == input)).max();
                last.into_iter().for_each(|last| settled[last].push(cond));
            }
            let unknowns = Unknowns { inputs: &inputs, settled: &settled, known: &known };
            case = self.assign(&unknowns, 0, case, &mut tries)?;
        }
        ok(&case, true).then_some(case)
    }

    fn assign(&self, unknowns: &Unknowns<'_>, at: usize, case: Case, tries: &mut usize) -> Option<Case> {
        // A trial costs more with more inputs.
        *tries += 1 + unknowns.inputs.len() / MANY;
        if *tries > TRIES {
            return None;
        }
        let Some(input) = unknowns.inputs.get(at) else {
            let met = unknowns.known.iter().all(|cond| self.bench.holds(cond, &case) == Some(true));
            return met.then_some(case);
        };
        let mut options = vec![None];
        options.extend(self.values.get(input).into_iter().flatten().map(Some));
        for option in options {
            let mut next = case.clone();
            if let Some(candidate) = option
                && !self.put(&mut next, input, candidate)
            {
                continue;
            }
            // Conditions on inputs that are all set must not be false.
            if unknowns.settled[at].iter().any(|cond| self.bench.holds(cond, &next) == Some(false)) {
                continue;
            }
            if let Some(found) = self.assign(unknowns, at + 1, next, tries) {
                return Some(found);
            }
            if *tries > TRIES {
                return None;
            }
        }
        None
    }

    /// Puts a value into a request; returns whether it can be sent there.
    pub fn put(&self, case: &mut Case, input: &Input, candidate: &Candidate) -> bool {
        if input.place == InputPlace::Body {
            match candidate {
                Candidate::Malformed => case.body = CaseBody::Malformed,
                Candidate::Absent if input.name.is_empty() => case.body = CaseBody::None,
                Candidate::Absent => {
                    let CaseBody::Json(json) = &mut case.body else { return false };
                    set_path(json, &input.name, None);
                }
                Candidate::Json(value) => {
                    let CaseBody::Json(json) = &mut case.body else { return false };
                    set_path(json, &input.name, Some(value.clone()));
                }
                Candidate::Size(size) => {
                    let Some(element) = self.bench.signature.body_type(input).as_ref().and_then(element) else {
                        return false;
                    };
                    let items = vec![self.sample(&element, 1); *size];
                    let CaseBody::Json(json) = &mut case.body else { return false };
                    set_path(json, &input.name, Some(Json::Array(items)));
                }
                Candidate::Text(_) => return false,
            }
            return true;
        }
        match candidate {
            Candidate::Absent => {
                case.params.remove(input);
                input.place != InputPlace::Path
            }
            Candidate::Text(text) => {
                if input.place == InputPlace::Path && !is_plain_segment(text, self.keeps_suffixes()) {
                    return false;
                }
                if input.place != InputPlace::Path && (text.is_empty() || text.contains(['\r', '\n', '\0'])) {
                    return false;
                }
                case.params.insert(input.clone(), text.clone());
                true
            }
            _ => false,
        }
    }

    /// Puts any string into a request, also with surrounding blanks or characters that a URL encodes. Returns `false`
    /// if it might not arrive unchanged.
    pub(crate) fn put_any(&self, case: &mut Case, input: &Input, text: &str) -> bool {
        let arrives = match input.place {
            InputPlace::Body => return self.put(case, input, &Candidate::Json(json!(text))),
            InputPlace::Query | InputPlace::Form => {
                !text.is_empty() && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
            }
            // Blanks around a header's value are removed.
            InputPlace::Header => text.trim() == text && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
            InputPlace::Path => {
                let apart = text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && !b"/\\;%?#{}".contains(&byte));
                let core = text.trim();
                self.keeps_suffixes() && apart && !core.is_empty() && !core.starts_with('.') && !core.ends_with('.')
            }
            InputPlace::Cookie | InputPlace::Store => false,
        };
        if !arrives {
            return self.put(case, input, &Candidate::Text(text.to_owned()));
        }
        case.params.insert(input.clone(), text.to_owned());
        true
    }

    /// Whether the text after a dot in the last path segment arrives.
    pub(crate) fn keeps_suffixes(&self) -> bool {
        let subject = self.bench.subject;
        subject.endpoint.framework.routing.cuts_suffixes && subject.shared.keeps_suffixes
    }

    /// The candidates of an input.
    pub fn of_input(&self, input: &Input) -> &[Candidate] {
        self.values.get(input).map(Vec::as_slice).unwrap_or_default()
    }

    /// Inputs that have candidates.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.values.keys()
    }
}

/// Groups inputs that conditions connect, with these conditions; each group is solved by itself. A part of a body is
/// connected with the parts that contain it.
fn apart<'c>(inputs: &[Input], known: &[&'c &'c Cond]) -> Vec<(Vec<Input>, Vec<&'c &'c Cond>)> {
    // Each input refers to the first input of its group.
    let mut first: Vec<usize> = (0..inputs.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (own, other) = (first[a].min(first[b]), first[a].max(first[b]));
        first.iter_mut().filter(|one| **one == other).for_each(|one| *one = own);
    };
    let of = |cond: &Cond| -> Vec<usize> {
        let mut own = Vec::new();
        cond.inputs(&mut own);
        own.iter().filter_map(|input| inputs.binary_search_by_key(&key(input), key).ok()).collect()
    };
    for cond in known {
        let own = of(cond);
        own.iter().skip(1).for_each(|other| join(own[0], *other));
    }
    // A containing part is connected with its own parts, since it is set before them.
    let holds = |outer: &str, inner: &str| {
        !outer.is_empty() && inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with(['.', '[']))
    };
    for (a, outer) in inputs.iter().enumerate().filter(|(_, input)| input.place == InputPlace::Body) {
        for (b, inner) in inputs.iter().enumerate().filter(|(_, input)| input.place == InputPlace::Body) {
            if a != b && holds(&outer.name, &inner.name) {
                join(a, b);
            }
        }
    }
    let mut found: BTreeMap<usize, (Vec<Input>, Vec<&'c &'c Cond>)> = BTreeMap::new();
    for (at, input) in inputs.iter().enumerate() {
        found.entry(first[at]).or_default().0.push(input.clone());
    }
    for cond in known {
        if let Some(part) = of(cond).first().and_then(|at| found.get_mut(&first[*at])) {
            part.1.push(cond);
        }
    }
    found.into_values().collect()
}

/// The sort key of inputs: containing parts come first.
fn key(input: &Input) -> (usize, Input) {
    (input.name.matches(['.', '[']).count(), input.clone())
}

/// Whether a value in this location is sent as a string.
fn is_text(location: Location) -> bool {
    matches!(location, Location::Path | Location::Query | Location::Header | Location::Cookie | Location::Form)
}

/// Whether a string needs no encoding in a path segment, and the framework does not cut it off.
fn is_plain_segment(text: &str, keeps_suffixes: bool) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        && (keeps_suffixes && !text.starts_with('.') && !text.ends_with('.')
            || !text.contains('.')
            || text.parse::<f64>().is_ok())
        && text != "."
        && text != ".."
}

fn text_of(value: &Json) -> Option<Candidate> {
    match value {
        Json::String(text) => Some(Candidate::Text(text.clone())),
        Json::Number(number) => Some(Candidate::Text(number.to_string())),
        Json::Bool(value) => Some(Candidate::Text(value.to_string())),
        _ => None,
    }
}

/// The operator of a bound, for names of tests.
pub fn side(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt | BinaryOp::Le => "below",
        BinaryOp::Gt | BinaryOp::Ge => "above",
        BinaryOp::Eq => "is",
        _ => "not",
    }
}

/// For an enum with a `@JsonCreator`: the string literal of each constant, as the value that the creator most likely
/// accepts.
fn told_constants(project: &Project, id: TypeId) -> Option<Vec<std::rc::Rc<str>>> {
    let facts = project.ty(id);
    let is_creator = |member: &&MemberFacts| member.annotations.iter().any(|one| one.simple() == "JsonCreator");
    facts.members.iter().find(is_creator)?;
    let constants = facts.members.iter().filter(|member| member.kind == MemberKind::EnumConstant);
    constants
        .map(|member| match member.literals.as_slice() {
            [only] => Some(std::rc::Rc::from(only.as_str())),
            _ => None,
        })
        .collect()
}
