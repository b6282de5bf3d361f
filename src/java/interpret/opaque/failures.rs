//! Failures of opaque calls: if the project may catch an exception, both outcomes are followed.

use std::rc::Rc;

use super::calls::Unfollowed;
use super::does::{CallEffect, READINGS, is_of_jdk, reads_in_vain};
use super::state::{THROWN, THROWS};
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::LibraryCall;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Thrown;
use crate::interpret::values::scalar::Prim;
use crate::interpret::values::term::{Canon, OPERATOR, Opaque, Origin, Sort, Term};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::{ExprId, ExprKind};
use crate::ir::ids::MemberId;

/// Packages of the Servlet API.
const CONTAINER: [&str; 2] = ["jakarta.servlet.", "javax.servlet."];

/// Names of library methods that wait, and may be interrupted.
const WAITING: [&str; 20] = [
    "acquire",
    "await",
    "awaitTermination",
    "exchange",
    "get",
    "invokeAll",
    "invokeAny",
    "join",
    "lockInterruptibly",
    "offer",
    "poll",
    "put",
    "send",
    "sleep",
    "submit",
    "take",
    "tryAcquire",
    "tryLock",
    "wait",
    "waitFor",
];

/// Classes of the Servlet API whose methods run filters and servlets of the project.
const RUNS_OTHERS: [&str; 2] = [".FilterChain.", ".RequestDispatcher."];

impl Machine<'_> {
    /// Forks on whether an opaque call throws, if the project catches that; see [`OpaqueState::thrown`].
    pub(super) fn throws(&mut self, result: &Opaque, call: &Unfollowed<'_>, is_likely: bool) -> Eval<()> {
        // A constructor of an exception does not throw it.
        let class = call.callee.split(".<init>").next().filter(|_| call.name == "<init>");
        let makes_exception = class.is_some_and(|class| class.ends_with("Exception") || class.ends_with("Error"));
        let is_plain =
            is_of_jdk(call.callee) && (call.name == "<init>" || READINGS.contains(&call.name)) && call.args.is_empty();
        let is_caught = self.catching > 0;
        let may = (is_caught || self.opaque.is_failing)
            && self.may_fail_too(result)
            && !makes_exception
            && !is_plain
            // A query for a single row fails if there is none.
            && (is_likely || call.receiver.is_none() || call.name == "getSingleResult");
        if !may {
            return Ok(());
        }
        let words = format!("{} fails", self.failing(result, call));
        let throws = Opaque::new(
            Origin::Part,
            THROWS,
            vec![Canon::Term(Rc::new(Term::Opaque(Rc::new(result.clone()))))],
            Sort::Prim(Prim::Bool),
            &words,
        );
        let throws = Rc::new(throws);
        let site = self.calling.or_else(|| self.here());
        // Without an enclosing `catch` there is no fork. The call still fails if the path starts with that condition,
        // taken from the other revision.
        let cond = Cond::Test(Rc::new(Term::Opaque(throws.clone())));
        if !is_caught && self.known().decides(&cond) != Some(true) {
            return Ok(());
        }
        if !self.decide(cond, site)? {
            return Ok(());
        }
        self.opaque.thrown.push(Rc::new(result.clone()));
        self.opaque.throwing = Some(throws);
        Err(Stop::thrown(Thrown { class: None, object: None, site }))
    }

    /// Forks on whether a call without a result throws, if the project catches that. The call itself is no event.
    pub(in crate::interpret) fn may_fail(&mut self, call: &LibraryCall<'_>) -> Eval<()> {
        let callee = format!("{}.{}/{}", call.fqn, call.name, call.args.len());
        let call = Unfollowed {
            callee: &callee,
            name: call.name,
            receiver: call.receiver,
            args: call.args,
            ty: Type::Void,
            does: CallEffect::Known { writes: false },
        };
        let operands = self.canons(call.args);
        let result = Opaque::new(Origin::Call, &callee, operands, Sort::Object, &self.words_of(&call));
        self.throws(&result, &call, true)
    }

    /// Whether a call may fail on this path: none has so far, or one other that was handed the same value.
    fn may_fail_too(&self, call: &Opaque) -> bool {
        let is_value = |one: &Canon| match one {
            Canon::Term(term) => !matches!(**term, Term::Const(_)),
            Canon::Named(_) => false,
            one => !one.is_mark(),
        };
        match self.opaque.thrown.as_slice() {
            [] => true,
            [first] => {
                first.key != call.key && call.operands.iter().any(|one| is_value(one) && first.operands.contains(one))
            }
            _ => false,
        }
    }

    /// Names the call that fails. A factory method of a library seldom fails, so a failure in a chain of calls that starts
    /// with one is attributed to the last call that is not a getter (`Jwts.parser().parseClaimsJws(token).getBody()`).
    fn failing(&self, result: &Opaque, call: &Unfollowed<'_>) -> String {
        let is_factory = call.receiver.is_none() && !call.callee.contains('#') && !is_of_jdk(call.callee);
        let Some((member, at)) = self.opaque.calling.filter(|_| is_factory) else { return result.words.to_string() };
        let Some(code) = self.codes.code(member) else { return result.words.to_string() };
        let called_on = |on: ExprId| {
            code.body.exprs.iter().enumerate().find_map(|(id, expr)| match &expr.kind {
                ExprKind::Call { target: Some(target), name, .. } if *target == on => {
                    Some((ExprId(u32::try_from(id).ok()?), name))
                }
                _ => None,
            })
        };
        let mut names: Vec<&str> = Vec::new();
        let mut at = at;
        while let Some((next, name)) = called_on(at) {
            names.push(name);
            at = next;
        }
        let last = names.iter().rposition(|name| !reads_in_vain(name));
        match last.and_then(|at| Some((at, names.get(at)?))) {
            None => result.words.to_string(),
            Some((0, name)) => format!("{}.{name}", result.words),
            Some((_, name)) => format!("{}….{name}", result.words),
        }
    }

    /// The current exception of an opaque call, as an opaque value: both revisions catch the same exception of the
    /// same call.
    pub fn opaque_exception(&self, ty: Type) -> Option<Value> {
        let throwing = self.opaque.throwing.as_ref()?;
        if &*throwing.callee != THROWS {
            return Some(Value::symbol(Term::Opaque(throwing.clone()), ty, false));
        }
        let call = throwing.words.strip_suffix(" fails").unwrap_or(&throwing.words);
        let words = format!("the exception of {call}");
        let of = vec![Canon::Term(Rc::new(Term::Opaque(throwing.clone())))];
        let thrown = Opaque::new(Origin::Part, THROWN, of, Sort::Object, &words);
        Some(Value::symbol(Term::Opaque(Rc::new(thrown)), ty, false))
    }

    /// The opaque value to throw for an opaque exception: the failed call, if the exception was caught from a call.
    pub(in crate::interpret) fn throwing_of(thrown: &Rc<Opaque>) -> Rc<Opaque> {
        let call = thrown.operands.first().filter(|_| &*thrown.callee == THROWN).and_then(|call| match call {
            Canon::Term(term) => match &**term {
                Term::Opaque(throwing) => Some(throwing.clone()),
                _ => None,
            },
            _ => None,
        });
        call.unwrap_or_else(|| thrown.clone())
    }

    /// The condition that the current exception of an opaque call is an instance of a class.
    pub(in crate::interpret) fn is_opaque_exception(&mut self, class: &str) -> Option<Cond> {
        let throwing = self.opaque.throwing.clone()?;
        // The JDK itself throws only its own exceptions.
        let call = throwing.operands.first().filter(|_| &*throwing.callee == THROWS).and_then(Canon::as_opaque);
        if call.is_some_and(|call| is_of_jdk(&call.callee)) && !class.starts_with("java") {
            return Some(Cond::Const(false));
        }
        // Methods of the Servlet API throw no exceptions of other libraries, unless they run filters or servlets.
        let is_of_container = |call: &Opaque| {
            CONTAINER.iter().any(|package| call.callee.starts_with(package))
                && !RUNS_OTHERS.iter().any(|class| call.callee.contains(class))
        };
        if call.is_some_and(|call| is_of_container(call))
            && !class.starts_with("java")
            && !class.starts_with("jakarta.")
        {
            return Some(Cond::Const(false));
        }
        // It is checked: only what declares it throws it (JLS, section 11.2).
        if class == "java.lang.InterruptedException" && call.is_some_and(|call| !self.is_interruptible(call)) {
            return Some(Cond::Const(false));
        }
        // Library code alone throws no exception of the project.
        let own = self.project.by_fqn_all(class);
        if own.is_empty() && call.is_some_and(|call| is_of_another_library(call, class)) {
            return Some(Cond::Const(false));
        }
        let may_throw = |call: &Opaque| {
            let is_of_class = |operand: &Canon| matches!(operand, Canon::Object(own, _) if &**own == class);
            // The call may throw an exception or run a lambda that it receives.
            let is_handed = call.words.contains("a lambda") || call.operands.iter().any(is_of_class);
            let follows = self.cx.follows.filter(|_| call.callee.contains('#') && !is_handed);
            follows.is_none_or(|follows| own.iter().any(|class| follows.may_throw(&call.callee, *class)))
        };
        if !own.is_empty() && call.is_some_and(|call| self.is_run_by_library(call) || !may_throw(call)) {
            return Some(Cond::Const(false));
        }
        let words = format!("{} with {}", throwing.words, class.rsplit('.').next().unwrap_or(class));
        let is = self.part(&Rc::new(Term::Opaque(throwing)), &format!("is a {class}"), &Type::Prim(Prim::Bool), &words);
        Some(Cond::Test(Rc::new(Term::Opaque(Rc::new(is)))))
    }

    /// Whether a call may be interrupted: the method of the project declares so, or a library's method has the name of one
    /// that waits.
    fn is_interruptible(&self, call: &Opaque) -> bool {
        let declares = |member: MemberId| {
            let thrown = &self.project.member(member).throws;
            thrown.iter().any(|one| ["InterruptedException", "Exception", "Throwable"].contains(&one.simple()))
        };
        match self.project.by_symbol(&call.callee) {
            Some(member) => declares(member),
            None => {
                let name = call.callee.split('/').next().unwrap_or_default();
                WAITING.contains(&name.rsplit(['.', '#']).next().unwrap_or_default())
            }
        }
    }

    /// Whether a call runs no project code and receives no lambda: an operator, a static library method, or a method
    /// of a generated repository.
    fn is_run_by_library(&self, call: &Opaque) -> bool {
        let is_made = |owner: &str| {
            let mut types = self.project.by_fqn_all(owner).iter();
            types.next().is_some_and(|ty| {
                let supers = self.project.library_supers(*ty);
                supers.iter().any(|name| name.ends_with("Repository")) && self.project.all_subtypes(*ty).is_empty()
            })
        };
        let is_library = match call.callee.split_once('#') {
            Some((owner, _)) => is_made(owner),
            // A call on an object may run listeners, services and converters of the project.
            None => call.callee.starts_with(OPERATOR) || is_static_of_library(call),
        };
        is_library && !call.words.contains("a lambda")
    }
}

/// Whether an exception belongs to another library than a call of a library method, which runs no code that it is handed. The
/// exceptions of an interface's implementations (JDK, Jakarta) are not known; what filters further down the chain throw is
/// taken to be of the container, the framework or the JDK.
fn is_of_another_library(call: &Opaque, exception: &str) -> bool {
    let is_of_interfaces = |name: &str| ["java.", "javax.", "jakarta."].iter().any(|start| name.starts_with(start));
    if is_of_interfaces(exception) || call.callee.contains('#') || call.words.contains("a lambda") {
        return false;
    }
    if RUNS_OTHERS.iter().any(|class| call.callee.contains(class)) {
        return !exception.starts_with("org.springframework.");
    }
    let vendor = |name: &str| name.splitn(3, '.').take(2).map(str::to_owned).collect::<Vec<_>>();
    let is_library =
        call.callee.contains('.') && !call.callee.starts_with(['?', '<']) && !call.callee.starts_with(OPERATOR);
    is_library && !is_of_interfaces(&call.callee) && vendor(&call.callee) != vendor(exception)
}

/// Whether a call is of a static library method: it has arguments but no receiver.
pub fn is_static_of_library(call: &Opaque) -> bool {
    let count = call.callee.rsplit_once('/').and_then(|(_, count)| count.parse::<usize>().ok());
    let handed = call.operands.iter().filter(|operand| !operand.is_mark()).count();
    count == Some(handed) && call.callee.contains('.') && !call.callee.starts_with('?')
}
