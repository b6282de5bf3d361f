//! Runs an operation with opaque values for code that is not interpreted: the handler with its callees, and the
//! exception handlers. Middleware is left out: both revisions share it, and if it changed, nothing is claimed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::serve::Server;
use crate::app::around::RESPONSE_FILTER;
use crate::app::wiring::Container;
use crate::bench::Bench;
use crate::body::shape::{Answer, AnswerBody};
use mastor_frameworks::code::stereotypes::is_component;
use mastor_frameworks::record::Serving;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop, explore_where};
use mastor_java::interpret::engine::region::Region;
use mastor_java::interpret::opaque::follows::FollowedMembers;
use mastor_java::interpret::opaque::state::Event;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::path::{Bound, Exploration, Path, Taken, Thrown};
use mastor_java::interpret::state::beans::INJECTED;
use mastor_java::interpret::values::scalar::{ClassRef, Prim};
use mastor_java::interpret::values::term::{Canon, Term};
use mastor_java::interpret::values::value::{Symbol, Type, Value};
use mastor_java::interpret::{Bounds, Context};
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{MemberKind, Param, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Stands for an exception of unknown class.
pub const ANY_EXCEPTION: &str = "an exception";

/// Stands for the result of an answer without a body.
pub const NO_BODY: &str = "no body";

/// The end of one path, in a form that is comparable between revisions.
#[derive(Debug, Clone)]
pub struct ComparablePath {
    /// The path.
    pub path: Path,
    /// Its conditions, with classes by name.
    pub conditions: Vec<Taken>,
    /// Number of those, at the end, that it took itself. It started from the others.
    pub own: usize,
    /// The status, if known.
    pub status: Option<u16>,
    /// Canonical form of the value that was returned to the framework.
    pub given: Option<Canon>,
    /// The exception that left the handler: its class, and the object.
    pub thrown: Option<(Rc<str>, Canon)>,
    /// External effects, in order.
    pub events: Vec<Event>,
    /// The library classes of the beans that factory methods have made on it.
    pub beans: BTreeSet<Rc<str>>,
    /// Static library calls that are not events, with their arguments.
    pub quiet: Vec<(Rc<str>, String)>,
    /// Number of library calls whose arguments are all null.
    pub given_null: usize,
    /// Conditions that were evaluated, each with the place of the test, also where the path had decided them before;
    /// with classes by name.
    pub asked: Vec<Taken>,
    /// Whether the constructor of a bean throws under the path's conditions, so that the service does not start.
    pub never_starts: bool,
    /// Whether the path reached the end of the member with which the run ends.
    pub is_ended: bool,
}

/// Methods of a response that set its status.
const SETS_STATUS: [&str; 2] = ["setStatus", "setStatusInfo"];

/// The code to run.
#[derive(Debug, Clone, Copy)]
pub enum Start<'s> {
    /// The operation.
    Operation,
    /// A single member with symbolic arguments.
    Member(MemberId),
    /// A part of a member's body with symbolic variables.
    Region(&'s Region),
}

impl Bench<'_> {
    /// Whether the operation can be run with opaque values.
    pub fn runs_opaquely(&self) -> bool {
        self.subject.endpoint.framework.serving != Serving::Exchange
    }

    /// Runs an operation, a member or a region under these path conditions, with opaque values for code that is not
    /// interpreted. Returns the paths, and whether these are all.
    pub fn opaquely(
        &self,
        start: Start<'_>,
        follows: &dyn FollowedMembers,
        known: &[Cond],
        bounds: Bounds,
    ) -> (Vec<ComparablePath>, bool) {
        let container = Container::of(*self.subject, false, &self.injected);
        let cx = Context { codes: &self.codes, wiring: &container, bounds, follows: Some(follows) };
        let known: Vec<Cond> = known.iter().map(|cond| self.of_revision(cond)).collect();
        let is_status_known = !self.is_status_set_later();
        let ends: RefCell<Vec<PathEnd>> = RefCell::new(Vec::new());
        let Exploration { paths, complete } = explore_where(&cx, &known, |machine| {
            let server = Server { bench: self, case: None };
            machine.opaque.is_handling = matches!(start, Start::Operation);
            machine.opaque.method = machine.opaque.is_handling.then(|| self.subject.endpoint.method.as_str());
            let mut thrown = None;
            let answer = match start {
                Start::Member(member) => alone(machine, (member, None), &mut thrown),
                Start::Region(region) => alone(machine, (region.member, Some(region)), &mut thrown),
                Start::Operation => server.serve_opaquely(machine, &mut thrown),
            };
            machine.note_changed();
            let is_ended = matches!(answer, Err(Stop::Cut(Bound::Reached)));
            if let Some(ending) = machine.opaque.ended_by.take() {
                thrown = Some(exception(machine, &ending));
            }
            let (answer, end) = match answer {
                Err(Stop::Cut(Bound::Reached)) => (Answer::unknown(), Ok(Value::NULL)),
                Ok(answer) => (answer, Ok(Value::NULL)),
                Err(stop) => (Answer::unknown(), Err(stop)),
            };
            let named = |cond: &Cond| {
                cond.with_classes(&|class| matches!(class, ClassRef::Project(_)).then(|| machine.named(class)))
            };
            let by_name = |taken: &Taken| Taken { cond: named(&taken.cond), site: taken.site };
            let asked = machine.opaque.asked.iter().map(by_name).collect();
            ends.borrow_mut().push(PathEnd {
                conditions: machine.conditions.iter().map(by_name).collect(),
                status: answer.status.filter(|_| is_status_known),
                given: machine.opaque.answered.take(),
                body: answer.body,
                thrown,
                events: std::mem::take(&mut machine.opaque.events),
                beans: std::mem::take(&mut machine.opaque.beans),
                quiet: std::mem::take(&mut machine.opaque.quiet),
                given_null: machine.opaque.given_null,
                asked,
                never_starts: machine.opaque.never_starts,
                is_ended,
            });
            end
        });
        let ended = paths.into_iter().zip(ends.into_inner()).map(|(path, end)| ComparablePath {
            path,
            own: end.conditions.len(),
            conditions: end.conditions,
            status: end.status,
            given: end.given.or(match end.body {
                AnswerBody::Empty => Some(Canon::Named(Rc::from(NO_BODY))),
                AnswerBody::Unknown => None,
                body => Some(Canon::Named(Rc::from(format!("{body:?}")))),
            }),
            thrown: end.thrown,
            events: end.events,
            beans: end.beans,
            quiet: end.quiet,
            given_null: end.given_null,
            asked: end.asked,
            never_starts: end.never_starts,
            is_ended: end.is_ended,
        });
        (ended.collect(), complete)
    }

    /// Whether a response filter of the project sets the status of an answer after the handler (Jakarta RESTful Web
    /// Services 3.1, section 6.2.1).
    fn is_status_set_later(&self) -> bool {
        let (project, shared) = (self.subject.project, &self.subject.shared.around.doubts);
        let sets = |member: MemberId| {
            project.body(member).is_some_and(|body| {
                body.exprs.iter().any(|expr| match &expr.kind {
                    ExprKind::Call { name, .. } => SETS_STATUS.contains(&name.as_str()),
                    _ => false,
                })
            })
        };
        let filters = shared
            .iter()
            .filter(|(_, doubt)| doubt.starts_with(RESPONSE_FILTER) && self.surroundings.doubts.contains(doubt));
        filters.map(|(ty, _)| *ty).any(|ty| project.members(ty).any(sets))
    }

    /// The condition with classes of this revision. If several modules have a class of the same name, the one that the
    /// handler sees is used.
    fn of_revision(&self, cond: &Cond) -> Cond {
        let (project, entry) = (self.subject.project, self.subject.endpoint.entry);
        cond.with_classes(&|class| match class {
            ClassRef::Library(fqn) => project.seen_type(entry.ty, fqn).map(ClassRef::Project),
            ClassRef::Project(_) => None,
        })
    }
}

/// The end of one path before its [`Path`] exists.
struct PathEnd {
    conditions: Vec<Taken>,
    status: Option<u16>,
    given: Option<Canon>,
    body: AnswerBody,
    thrown: Option<(Rc<str>, Canon)>,
    events: Vec<Event>,
    beans: BTreeSet<Rc<str>>,
    quiet: Vec<(Rc<str>, String)>,
    given_null: usize,
    asked: Vec<Taken>,
    never_starts: bool,
    is_ended: bool,
}

/// An exception in comparable form: its class, and the object.
fn exception(machine: &Machine<'_>, thrown: &Thrown) -> (Rc<str>, Canon) {
    let class = thrown.class.as_ref().map_or_else(|| ANY_EXCEPTION.to_owned(), |class| machine.class_name(class));
    let object = match (thrown.object, &machine.opaque.throwing) {
        (Some(id), _) => machine.canon(&Value::Ref(id)),
        (None, Some(throwing)) => Canon::Term(Rc::new(Term::Opaque(throwing.clone()))),
        (None, None) => Canon::Unknown(Rc::from("which exception is thrown")),
    };
    (Rc::from(class), object)
}

/// Runs a member, or a part of its body, on symbolic arguments.
fn alone(
    machine: &mut Machine<'_>,
    (member, region): (MemberId, Option<&Region>),
    left: &mut Option<(Rc<str>, Canon)>,
) -> Eval<Answer> {
    let project = machine.project;
    let symbol = project.symbol(member);
    let mut args = Vec::new();
    // A container hands no null to what it calls for beans, unless a parameter says that it may (Spring, "Using @Autowired").
    let annotations = &project.member(member).annotations;
    let is_factory = annotations.iter().any(|one| ["Bean", "Produces"].contains(&one.simple()));
    for (at, param) in project.member(member).params.iter().enumerate() {
        let mut ty = machine.type_of(member.ty, &param.ty);
        if param.varargs {
            ty = Type::Array(Box::new(ty));
        }
        let given = machine.given_as(&format!("parameter {at} of {symbol}"), &param.name, ty);
        args.push(match given {
            Value::Symbol(symbol) if is_factory && param.annotations.is_empty() => {
                Value::Symbol(Rc::new(Symbol { nullable: false, ..(*symbol).clone() }))
            }
            given => given,
        });
    }
    let class = Type::Class(ClassRef::Project(member.ty), Vec::new());
    let makes = project.member(member).kind == MemberKind::Constructor && region.is_none();
    let is_value = matches!(project.member(member).kind, MemberKind::Field | MemberKind::EnumConstant);
    let is_block = project.member(member).kind == MemberKind::StaticInitializer && region.is_none();
    let this = if machine.is_static(member) || makes || is_block {
        None
    } else if is_of_container(project, member.ty) {
        Some(Value::Ref(machine.bean(member.ty)?))
    } else {
        let name = project.fqn(member.ty).to_owned();
        Some(machine.given(&name, &name, class.clone()))
    };
    let this = this.map(|this| machine.lazy_object(&this).unwrap_or(this));
    let given = match region {
        Some(region) => machine.run_region(region, this, args),
        None if is_block => machine.initialised(member.ty),
        None if is_value => machine.initial(member, this).map(|value| machine.canon(&value)),
        None if makes => machine.construct_by(&class, &[member], args, Some(false)).map(|made| machine.canon(&made)),
        None => machine.invoke_with(member, this, args, Some(false)).map(|value| machine.canon(&value)),
    };
    match given {
        Ok(given) => {
            machine.opaque.answered = Some(given);
            Ok(Answer::unknown())
        }
        Err(Stop::Throw(thrown)) => {
            *left = Some(exception(machine, &thrown));
            Ok(Answer::unknown())
        }
        Err(cut) => Err(cut),
    }
}

/// Whether a class looks like a bean: it injects something, is a component, or has a supertype from a library and no
/// constructor that takes texts or numbers.
fn is_of_container(project: &Project, ty: TypeId) -> bool {
    let takes_values = |member: MemberId| {
        let facts = project.member(member);
        let is_value = |param: &Param| param.annotations.is_empty() && is_plain_value(&param.ty);
        facts.kind == MemberKind::Constructor && facts.params.iter().any(is_value)
    };
    let injects = |member: MemberId| {
        let facts = project.member(member);
        facts.kind == MemberKind::Field && has(&facts.annotations, INJECTED)
    };
    project.members(ty).any(injects)
        || is_component(project, ty)
        || project.library_supers(ty).iter().any(|above| !above.starts_with("java."))
            && !project.members(ty).any(takes_values)
}

/// Whether a type is that of a text, a number, a truth value or a date, which no container injects by its type.
fn is_plain_value(ty: &TypeRef) -> bool {
    const VALUES: [&str; 14] = [
        "BigDecimal",
        "Boolean",
        "Byte",
        "Character",
        "Double",
        "Float",
        "Instant",
        "Integer",
        "LocalDate",
        "LocalDateTime",
        "Long",
        "Short",
        "String",
        "UUID",
    ];
    Prim::of_keyword(ty.simple()).is_some() || VALUES.contains(&ty.simple())
}

impl Server<'_> {
    fn serve_opaquely(&self, machine: &mut Machine<'_>, left: &mut Option<(Rc<str>, Canon)>) -> Eval<Answer> {
        let result = self.handle_anyone(machine).and_then(|value| self.settle(machine, value));
        if let Err(Stop::Throw(thrown)) = &result {
            *left = Some(exception(machine, thrown));
            if thrown.class.is_none() {
                return Ok(Answer::unknown());
            }
        }
        self.end(machine, result)
    }
}
