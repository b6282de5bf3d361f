//! Assignments: values of inputs and opaque values that satisfy the conditions of two paths, found by a search that
//! repairs unsatisfied conditions.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use mastor_java::interpret::library::text::matching::regex_samples::samples;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::term::{Canon, Input, Inputs, Opaque, Sort, Term};
use mastor_java::ir::body::BinaryOp;

/// Maximum number of steps of one search.
const STEPS: usize = 200;

/// Maximum length of a text that is made for a condition on its length.
const LONGEST: usize = 10_000;

/// Values of inputs and opaque values. A value that is not set is computed from its identity, so that opaque values
/// with equal operands are equal.
#[derive(Debug, Clone, Default)]
pub struct Assignment {
    seed: u64,
    set: FxHashMap<u64, Scalar>,
    sorts: BTreeMap<Input, Sort>,
    sizes: BTreeMap<Input, i32>,
    /// Evaluated opaque values by key, until another value is set.
    worked_out: RefCell<FxHashMap<u128, Option<Scalar>>>,
    /// Values of computed terms by address, until another value is set. Only kept while a search evaluates its own
    /// conditions: their terms live as long as it does.
    terms: Option<RefCell<FxHashMap<usize, Option<Scalar>>>>,
}

impl Inputs for Assignment {
    fn scalar(&self, input: &Input) -> Option<Scalar> {
        let identity = of_input(input);
        if let Some(value) = self.set.get(&identity) {
            return Some(value.clone());
        }
        Some(self.made_up(identity, self.sorts.get(input).unwrap_or(&Sort::Text)))
    }

    fn size(&self, input: &Input) -> Option<i32> {
        Some(self.sizes.get(input).copied().unwrap_or(1))
    }

    fn opaque(&self, opaque: &Opaque) -> Option<Scalar> {
        if let Some(known) = self.worked_out.borrow().get(&opaque.key) {
            return known.clone();
        }
        let identity = self.identity(opaque);
        let value = Some(match self.set.get(&identity) {
            Some(value) => value.clone(),
            None => self.made_up(identity, &opaque.sort),
        });
        self.worked_out.borrow_mut().insert(opaque.key, value.clone());
        value
    }

    fn kept(&self, term: &Term) -> Option<Option<Scalar>> {
        self.terms.as_ref()?.borrow().get(&address(term)).cloned()
    }

    fn keep(&self, term: &Term, value: &Option<Scalar>) {
        if let Some(terms) = &self.terms {
            terms.borrow_mut().insert(address(term), value.clone());
        }
    }
}

fn address(term: &Term) -> usize {
    std::ptr::from_ref(term).addr()
}

/// The identity of an input.
fn of_input(input: &Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}

impl Assignment {
    /// The identity of an opaque value under this assignment: its callee and the values of its operands. If an operand
    /// cannot be evaluated, the opaque value only equals itself.
    fn identity(&self, opaque: &Opaque) -> u64 {
        let mut hasher = DefaultHasher::new();
        (opaque.origin as u8, &opaque.callee).hash(&mut hasher);
        if opaque.operands.iter().try_for_each(|operand| operand.digest(self, &mut hasher)).is_none() {
            opaque.key.hash(&mut hasher);
        }
        hasher.finish()
    }

    fn made_up(&self, identity: u64, sort: &Sort) -> Scalar {
        let mut hasher = DefaultHasher::new();
        (self.seed, identity).hash(&mut hasher);
        let number = hasher.finish();
        match sort {
            Sort::Prim(Prim::Bool) => Scalar::Bool(number.is_multiple_of(2)),
            Sort::Prim(prim) => of_number(*prim, 1 + (number % 100_000) as i64),
            Sort::Text => Scalar::text(&format!("t{}", number % 1_000_000)),
            Sort::Constant(class, all) => match all.get(number as usize % all.len().max(1)) {
                Some(name) => Scalar::Enum(ClassRef::Library(class.clone()), name.clone()),
                None => Scalar::Null,
            },
            Sort::Object => Scalar::text(&format!("object {number:x}")),
        }
    }

    /// An assignment that satisfies all of these conditions; `None` if none was found.
    pub fn meeting(conditions: &[Cond], seed: u64) -> Option<Self> {
        Search::of(conditions).meeting(seed)
    }

    /// This assignment, extended for evaluating two values: inputs in calculations are numbers, unless a condition
    /// gives them another type.
    pub fn calculating(&self, values: [&Canon; 2]) -> Cow<'_, Self> {
        let mut own = Cow::Borrowed(self);
        for value in values {
            let Canon::Term(term) = value else { continue };
            numbers_in(term, Prim::Int, &mut |part, sort| {
                if let Term::Input(input) = part
                    && !own.sorts.contains_key(input)
                {
                    let own = own.to_mut();
                    own.sorts.insert(input.clone(), sort);
                    own.worked_out.borrow_mut().clear();
                }
            });
            own = Self::with_digits(own, term);
        }
        own
    }

    /// The assignment, changed so that each text which the term parses as a number is one. Texts that conditions have set
    /// stay as they are.
    fn with_digits<'a>(mut own: Cow<'a, Self>, term: &Term) -> Cow<'a, Self> {
        let mut texts = Vec::new();
        parsed_in(term, &mut texts);
        for text in texts {
            let identity = match text {
                Term::Input(input) => of_input(input),
                Term::Opaque(opaque) => own.identity(opaque),
                _ => continue,
            };
            let is_number = text.evaluate(&*own).and_then(|value| value.as_text()?.parse::<i64>().ok()).is_some();
            if !is_number && !own.set.contains_key(&identity) {
                let own = own.to_mut();
                own.set.insert(identity, Scalar::text(&format!("{}", 1 + identity % 1_000)));
                own.worked_out.borrow_mut().clear();
                own.terms = None;
            }
        }
        own
    }

    /// An unsatisfied part of a condition, chosen by `chance` if there are several.
    fn unmet_part(&self, cond: &Cond, chance: u64) -> Cond {
        let (parts, are_turned) = match cond {
            Cond::All(parts) | Cond::Any(parts) => (parts, false),
            Cond::Not(inner) => match &**inner {
                Cond::All(parts) | Cond::Any(parts) => (parts, true),
                _ => return cond.clone(),
            },
            _ => return cond.clone(),
        };
        let parts = parts.iter().map(|part| if are_turned { part.negate() } else { part.clone() });
        let unmet: Vec<Cond> = parts.filter(|part| part.holds(self) != Some(true)).collect();
        match unmet.get((chance % unmet.len().max(1) as u64) as usize) {
            Some(part) => self.unmet_part(part, chance / 7),
            None => cond.clone(),
        }
    }

    /// Sets one value on which a condition of a search depends. Returns the hash of its input or callee; see [`Rests`].
    fn mend(&mut self, search: &Search<'_>, at: usize, step: u64) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        (self.seed, step).hash(&mut hasher);
        let chance = hasher.finish();
        let (whole, constants) = (search.open[at].cond, &search.constants);
        let cond = &self.unmet_part(whole, chance >> 16);
        let places = match cond == whole {
            true => Cow::Borrowed(search.open[at].places()),
            false => Cow::Owned(places_in(cond)),
        };
        let place = places.get((chance % places.len().max(1) as u64) as usize).cloned()?;
        let of = place.of();
        let wanted = wanted(cond, &place, self).filter(|_| step % 3 != 2);
        match place {
            SettableValue::Size(input) => {
                let size = wanted.and_then(|value| value.as_int()).unwrap_or((chance >> 8) as i32 & 3);
                self.sizes.insert(input, size.max(0));
            }
            SettableValue::Input(input) => {
                let sort = self.sorts.get(&input).cloned().unwrap_or(Sort::Text);
                let value = wanted.unwrap_or_else(|| candidate(&sort, constants, chance >> 8, self));
                self.set.insert(of_input(&input), value);
            }
            SettableValue::Opaque(opaque) => {
                let value = wanted.unwrap_or_else(|| candidate(&opaque.sort, constants, chance >> 8, self));
                self.set.insert(self.identity(&opaque), value);
            }
        }
        self.worked_out.borrow_mut().retain(|key, _| search.sources.get(key).is_some_and(|from| !from.may_be(of)));
        if let Some(terms) = &self.terms {
            terms.borrow_mut().clear();
        }
        Some(of)
    }
}

/// Searches for assignments that satisfy conditions. One search serves all seeds.
pub struct Search<'c> {
    sorts: BTreeMap<Input, Sort>,
    open: Vec<OpenCondition<'c>>,
    constants: Vec<Scalar>,
    /// What opaque values depend on, by their keys.
    sources: FxHashMap<u128, Sources>,
    /// Number of opaque values and inputs in the conditions that were evaluated so far.
    work: Cell<u64>,
}

/// A condition that an assignment can satisfy.
struct OpenCondition<'c> {
    cond: &'c Cond,
    rests: Rests,
    places: OnceCell<Vec<SettableValue>>,
}

impl OpenCondition<'_> {
    /// The values that can be set so that it holds.
    fn places(&self) -> &[SettableValue] {
        self.places.get_or_init(|| places_in(self.cond))
    }
}

impl<'c> Search<'c> {
    /// A search for assignments that satisfy all of these conditions.
    pub fn of(conditions: &'c [Cond]) -> Self {
        let mut sorts = BTreeMap::new();
        conditions.iter().for_each(|cond| sorts_in(cond, &mut sorts));
        let mut sources = FxHashMap::default();
        let open = conditions.iter().filter(|cond| !is_defect(cond)).map(|cond| OpenCondition {
            cond,
            rests: Rests::of(cond, &mut sources),
            places: OnceCell::new(),
        });
        Self { sorts, open: open.collect(), constants: constants_of(conditions), sources, work: Cell::new(0) }
    }

    /// A measure of the work that this search has taken: the number of opaque values and inputs in the conditions that
    /// were evaluated.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    fn holds(&self, open: &OpenCondition<'_>, on: &Assignment) -> bool {
        self.work.set(self.work.get() + 1 + open.rests.of.len() as u64);
        open.cond.holds(on) == Some(true)
    }

    /// The assignment found from a seed; `None` if there is none.
    pub fn meeting(&self, seed: u64) -> Option<Assignment> {
        let mut found =
            Assignment { seed, sorts: self.sorts.clone(), terms: Some(RefCell::default()), ..Assignment::default() };
        let mut met: Vec<bool> = self.open.iter().map(|open| self.holds(open, &found)).collect();
        for step in 0..STEPS {
            let unmet: Vec<usize> = (0..met.len()).filter(|at| !met[*at]).collect();
            // Mostly takes conditions in the order in which they were tested, since later conditions depend on earlier
            // ones.
            let at = if step % 4 == 3 { step / 4 % unmet.len().max(1) } else { 0 };
            let Some(at) = unmet.get(at) else { return Some(Assignment { terms: None, ..found }) };
            let Some(set) = found.mend(self, *at, step as u64) else { continue };
            for (open, met) in self.open.iter().zip(&mut met) {
                if open.rests.may_be(set) {
                    *met = self.holds(open, &found);
                }
            }
        }
        None
    }
}

/// The inputs on which a condition depends, and the callees of its opaque values and of their operands, as hashes.
struct Rests {
    of: FxHashSet<u64>,
    /// Whether it may depend on any value.
    any: bool,
}

impl Rests {
    /// What a condition depends on. Adds the sources of its opaque values.
    fn of(cond: &Cond, sources: &mut FxHashMap<u128, Sources>) -> Self {
        let mut rests = Self { of: FxHashSet::default(), any: false };
        let (mut terms, mut seen) = (Vec::new(), FxHashSet::default());
        terms_in(cond, &mut terms);
        terms.into_iter().for_each(|term| _ = rests.add(term, &mut seen, sources));
        rests
    }

    fn may_be(&self, set: u64) -> bool {
        self.any || self.of.contains(&set)
    }

    fn add(&mut self, term: &Term, seen: &mut FxHashSet<u128>, sources: &mut FxHashMap<u128, Sources>) -> Sources {
        let mut found = Sources::default();
        match term {
            Term::Const(_) => {}
            Term::Input(input) => {
                let of = of_input(input);
                self.of.insert(of);
                found = Sources::one(of);
            }
            Term::Opaque(opaque) => {
                if !seen.insert(opaque.key)
                    && let Some(known) = sources.get(&opaque.key)
                {
                    return *known;
                }
                let of = of_callee(opaque);
                self.of.insert(of);
                found = Sources::one(of);
                for operand in opaque.operands.iter() {
                    found.join(self.add_canon(operand, seen, sources));
                }
                sources.insert(opaque.key, found);
            }
            Term::Binary(_, _, a, b) => {
                found = self.add(a, seen, sources);
                found.join(self.add(b, seen, sources));
            }
            Term::Unary(_, _, a) | Term::Cast(_, a) => found = self.add(a, seen, sources),
            Term::Apply(_, args) => args.iter().for_each(|arg| found.join(self.add(arg, seen, sources))),
        }
        found
    }

    fn add_canon(
        &mut self,
        canon: &Canon,
        seen: &mut FxHashSet<u128>,
        sources: &mut FxHashMap<u128, Sources>,
    ) -> Sources {
        let mut found = Sources::default();
        match canon {
            Canon::Term(term) => found = self.add(term, seen, sources),
            Canon::Object(_, parts) => {
                parts.iter().for_each(|(_, part)| found.join(self.add_canon(part, seen, sources)));
            }
            Canon::Truth(_) => {
                self.any = true;
                found = Sources::ANY;
            }
            Canon::Named(_) | Canon::Again(_) | Canon::Sealed(_) | Canon::Unknown(_) => {}
        }
        found
    }
}

/// The inputs and callees on which a value depends, as a set of bits: two of them may share a bit.
#[derive(Debug, Clone, Copy, Default)]
struct Sources(u128);

impl Sources {
    const ANY: Self = Self(u128::MAX);

    fn one(hash: u64) -> Self {
        Self(1 << (hash % 128))
    }

    fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn may_be(self, set: u64) -> bool {
        self.0 & Self::one(set).0 != 0
    }
}

/// The hash of an opaque value's callee. Values of one callee may share an identity, so a condition on any of them is
/// tested again when one is set.
fn of_callee(opaque: &Opaque) -> u64 {
    let mut hasher = DefaultHasher::new();
    (opaque.origin as u8, &opaque.callee).hash(&mut hasher);
    hasher.finish()
}

/// A value that can be set.
#[derive(Clone)]
enum SettableValue {
    Input(Input),
    Size(Input),
    Opaque(Rc<Opaque>),
}

impl SettableValue {
    /// The hash of its input or callee, as in [`Rests`].
    fn of(&self) -> u64 {
        match self {
            Self::Input(input) | Self::Size(input) => of_input(input),
            Self::Opaque(opaque) => of_callee(opaque),
        }
    }

    fn is(&self, term: &Term) -> bool {
        match (self, term) {
            (Self::Input(own), Term::Input(input)) => own == input,
            (Self::Opaque(own), Term::Opaque(opaque)) => own == opaque,
            (Self::Size(own), Term::Apply(Function::Size, args)) => {
                matches!(args.first().map(AsRef::as_ref), Some(Term::Input(input)) if input == own)
            }
            _ => false,
        }
    }
}

fn is_defect(cond: &Cond) -> bool {
    match cond {
        Cond::Input(..) => true,
        Cond::Not(inner) => is_defect(inner),
        _ => false,
    }
}

/// The value that satisfies a condition, if the condition determines it.
fn wanted(cond: &Cond, place: &SettableValue, on: &Assignment) -> Option<Scalar> {
    match cond {
        Cond::Test(term) if place.is(term) => Some(Scalar::Bool(true)),
        Cond::IsNull(term) if place.is(term) => Some(Scalar::Null),
        Cond::Same(a, b) if place.is(a) => b.evaluate(on),
        Cond::Same(a, b) if place.is(b) => a.evaluate(on),
        Cond::Compare(op, _, a, b) if is_length_of(place, a) => {
            let length = b.evaluate(on)?.as_long()?.checked_add(by_one(*op))?;
            usize::try_from(length)
                .ok()
                .filter(|length| *length <= LONGEST)
                .map(|length| Scalar::text(&"a".repeat(length)))
        }
        Cond::Compare(op, prim, a, b) => {
            let (other, op) = match (place.is(a), place.is(b)) {
                (true, _) => (b, *op),
                (_, true) => (a, mastor_java::interpret::paths::condition::mirrored(*op)),
                _ => return None,
            };
            let other = other.evaluate(on)?;
            if *prim == Prim::Bool {
                return match (op, other) {
                    (BinaryOp::Eq, value) => Some(value),
                    (BinaryOp::Ne, Scalar::Bool(value)) => Some(Scalar::Bool(!value)),
                    _ => None,
                };
            }
            let by = by_one(op);
            match other.as_long() {
                Some(number) => Some(of_number(*prim, number.saturating_add(by))),
                None => other.as_double().map(|number| match prim {
                    Prim::Float => Scalar::Float((number + by as f64) as f32),
                    _ => Scalar::Double(number + by as f64),
                }),
            }
        }
        Cond::Not(inner) => match &**inner {
            Cond::Test(term) if place.is(term) => Some(Scalar::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

/// What to add to a bound so that a number satisfies the comparison with it.
fn by_one(op: BinaryOp) -> i64 {
    match op {
        BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge => 0,
        BinaryOp::Lt => -1,
        _ => 1,
    }
}

/// Whether a term is the length of the text that can be set.
fn is_length_of(place: &SettableValue, term: &Term) -> bool {
    matches!(term, Term::Apply(Function::Length, args) if args.first().is_some_and(|text| place.is(text)))
}

fn candidate(sort: &Sort, constants: &[Scalar], chance: u64, on: &Assignment) -> Scalar {
    let pick = |all: &[Scalar]| all.get(chance as usize % all.len().max(1)).cloned();
    match sort {
        Sort::Prim(Prim::Bool) => Scalar::Bool(chance.is_multiple_of(2)),
        Sort::Prim(prim) => {
            let mut all: Vec<Scalar> =
                vec![of_number(*prim, (chance % 1000) as i64), of_number(*prim, 0), of_number(*prim, -1)];
            for number in constants.iter().filter_map(Scalar::as_long) {
                all.extend([-1, 0, 1].map(|by| of_number(*prim, number.saturating_add(by))));
            }
            all.push(Scalar::Null);
            pick(&all).unwrap_or(Scalar::Null)
        }
        Sort::Text => {
            let mut all: Vec<Scalar> = constants.iter().filter(|one| one.as_text().is_some()).cloned().collect();
            let length = chance % 30;
            all.extend([Scalar::text(""), Scalar::text(&"a".repeat(length as usize)), Scalar::text("1"), Scalar::Null]);
            all.push(on.made_up(chance, sort));
            pick(&all).unwrap_or(Scalar::Null)
        }
        Sort::Constant(class, all) => match all.get(chance as usize % (all.len() + 1)) {
            Some(name) => Scalar::Enum(ClassRef::Library(class.clone()), name.clone()),
            None => Scalar::Null,
        },
        Sort::Object => match chance % 4 {
            0 => Scalar::Null,
            other => Scalar::text(&format!("object {other}")),
        },
    }
}

fn of_number(prim: Prim, number: i64) -> Scalar {
    match prim {
        Prim::Bool => Scalar::Bool(number != 0),
        Prim::Byte => Scalar::Byte(number as i8),
        Prim::Short => Scalar::Short(number as i16),
        Prim::Char => Scalar::Char(number as u16),
        Prim::Int => Scalar::Int(number as i32),
        Prim::Long => Scalar::Long(number),
        Prim::Float => Scalar::Float(number as f32),
        Prim::Double => Scalar::Double(number as f64),
    }
}

fn terms_in<'c>(cond: &'c Cond, into: &mut Vec<&'c Rc<Term>>) {
    match cond {
        Cond::Compare(_, _, a, b) | Cond::Same(a, b) => into.extend([a, b]),
        Cond::IsNull(a) | Cond::Test(a) => into.push(a),
        Cond::Not(inner) => terms_in(inner, into),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| terms_in(part, into)),
        Cond::Const(_) | Cond::Input(..) | Cond::Unknown(..) => {}
    }
}

fn places_in(cond: &Cond) -> Vec<SettableValue> {
    let (mut terms, mut into) = (Vec::new(), Vec::new());
    terms_in(cond, &mut terms);
    for term in terms {
        sizes_in(term, &mut into);
        let mut inputs = Vec::new();
        term.inputs(&mut inputs);
        into.extend(inputs.into_iter().map(SettableValue::Input));
        let mut opaque = Vec::new();
        term.opaque(&mut opaque);
        into.extend(opaque.into_iter().map(SettableValue::Opaque));
    }
    into
}

fn sizes_in(term: &Term, into: &mut Vec<SettableValue>) {
    match term {
        Term::Apply(Function::Size, args) => {
            if let Some(Term::Input(input)) = args.first().map(AsRef::as_ref) {
                into.push(SettableValue::Size(input.clone()));
            }
        }
        Term::Apply(_, args) => args.iter().for_each(|arg| sizes_in(arg, into)),
        Term::Binary(_, _, a, b) => {
            sizes_in(a, into);
            sizes_in(b, into);
        }
        Term::Unary(_, _, a) | Term::Cast(_, a) => sizes_in(a, into),
        Term::Const(_) | Term::Input(_) | Term::Opaque(_) => {}
    }
}

/// The types of inputs, derived from their use in a condition.
fn sorts_in(cond: &Cond, sorts: &mut BTreeMap<Input, Sort>) {
    let mut note = |term: &Term, sort: Sort| {
        if let Term::Input(input) = term {
            sorts.entry(input.clone()).or_insert(sort);
        }
    };
    match cond {
        Cond::Compare(_, prim, a, b) => [a, b].into_iter().for_each(|term| {
            note(term, Sort::Prim(*prim));
            numbers_in(term, *prim, &mut note);
        }),
        Cond::Same(a, b) => {
            for (term, other) in [(a, b), (b, a)] {
                match &**other {
                    Term::Const(scalar) if scalar.prim().is_some() => {
                        note(term, Sort::Prim(scalar.prim().unwrap_or(Prim::Int)));
                    }
                    Term::Const(Scalar::Enum(ClassRef::Library(class), name)) => {
                        note(term, Sort::Constant(class.clone(), Rc::new([name.clone()])));
                    }
                    Term::Opaque(opaque) => note(term, opaque.sort.clone()),
                    _ => {}
                }
            }
        }
        Cond::Test(term) => note(term, Sort::Prim(Prim::Bool)),
        Cond::Not(inner) => sorts_in(inner, sorts),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| sorts_in(part, sorts)),
        Cond::IsNull(_) | Cond::Const(_) | Cond::Input(..) | Cond::Unknown(..) => {}
    }
}

fn numbers_in(term: &Term, prim: Prim, note: &mut dyn FnMut(&Term, Sort)) {
    match term {
        Term::Binary(_, own, a, b) => {
            for part in [a, b] {
                note(part, Sort::Prim(*own));
                numbers_in(part, *own, note);
            }
        }
        Term::Unary(_, own, a) => {
            note(a, Sort::Prim(*own));
            numbers_in(a, *own, note);
        }
        Term::Cast(_, a) => {
            note(a, Sort::Prim(prim));
            numbers_in(a, prim, note);
        }
        _ => {}
    }
}

/// The texts that a term parses as numbers.
fn parsed_in<'t>(term: &'t Term, into: &mut Vec<&'t Term>) {
    match term {
        Term::Apply(Function::ParseInt | Function::ParseLong, args) => into.extend(args.iter().map(|arg| &**arg)),
        Term::Apply(_, args) => args.iter().for_each(|arg| parsed_in(arg, into)),
        Term::Binary(_, _, a, b) => {
            parsed_in(a, into);
            parsed_in(b, into);
        }
        Term::Unary(_, _, a) | Term::Cast(_, a) => parsed_in(a, into),
        _ => {}
    }
}

fn constants_of(conditions: &[Cond]) -> Vec<Scalar> {
    fn of_term(term: &Term, into: &mut Vec<Scalar>) {
        match term {
            Term::Const(value) => {
                if !into.contains(value) {
                    into.push(value.clone());
                }
            }
            Term::Binary(_, _, a, b) => {
                of_term(a, into);
                of_term(b, into);
            }
            Term::Unary(_, _, a) | Term::Cast(_, a) => of_term(a, into),
            // Chance never finds a text that matches a pattern, so samples of the pattern are tried.
            Term::Apply(Function::Matches, args) => {
                for arg in args {
                    match &**arg {
                        Term::Const(Scalar::Str(pattern)) => {
                            into.extend(samples(&pattern.text).iter().map(|text| Scalar::text(text)));
                        }
                        arg => of_term(arg, into),
                    }
                }
            }
            Term::Apply(_, args) => args.iter().for_each(|arg| of_term(arg, into)),
            Term::Input(_) | Term::Opaque(_) => {}
        }
    }
    let mut found = Vec::new();
    for cond in conditions {
        let mut terms = Vec::new();
        terms_in(cond, &mut terms);
        terms.into_iter().for_each(|term| of_term(term, &mut found));
    }
    found
}
