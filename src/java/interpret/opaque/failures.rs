//! Calls that are not followed and may fail: where the project catches that, both ways, and what is thrown then.

use std::rc::Rc;

use super::calls::{OPERATOR, Unfollowed};
use super::does::{READINGS, is_of_jdk};
use super::state::{THROWN, THROWS};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::path::Thrown;
use crate::java::interpret::scalar::Prim;
use crate::java::interpret::term::{Canon, Opaque, Origin, Sort, Term};
use crate::java::interpret::value::{Type, Value};

impl Machine<'_> {
    /// Where the project catches what a call may throw, both ways: once on a path.
    pub(super) fn throws(&mut self, result: &Opaque, call: &Unfollowed<'_>, is_likely: bool) -> Eval<()> {
        // Making an exception is not throwing one.
        let class = call.callee.split(".<init>").next().filter(|_| call.name == "<init>");
        let makes_exception = class.is_some_and(|class| class.ends_with("Exception") || class.ends_with("Error"));
        let is_plain =
            is_of_jdk(call.callee) && (call.name == "<init>" || READINGS.contains(&call.name)) && call.args.is_empty();
        let is_caught = self.catching > 0;
        let may = (is_caught || self.opaque.is_failing)
            && !self.opaque.has_thrown
            && !makes_exception
            && !is_plain
            // A query for one row fails where there is none.
            && (is_likely || call.receiver.is_none() || call.name == "getSingleResult");
        if !may {
            return Ok(());
        }
        let words = format!("{} fails", result.words);
        let throws = Opaque::new(
            Origin::Part,
            THROWS,
            vec![Canon::Term(Rc::new(Term::Opaque(Rc::new(result.clone()))))],
            Sort::Prim(Prim::Bool),
            &words,
        );
        let throws = Rc::new(throws);
        let site = self.calling.or_else(|| self.here());
        // Without a `catch` around it nothing forks here; it still fails where the other revision has asked, and it does.
        let cond = Cond::Test(Rc::new(Term::Opaque(throws.clone())));
        if !is_caught && self.known().decides(&cond) != Some(true) {
            return Ok(());
        }
        if !self.decide(cond, site)? {
            return Ok(());
        }
        self.opaque.has_thrown = true;
        self.opaque.throwing = Some(throws);
        Err(Stop::thrown(Thrown { class: None, object: None, site }))
    }

    /// The exception of an opaque call that is under way, as an opaque value: both revisions catch the same one of the same call.
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

    /// What is thrown where an opaque value is: where that was caught, the call that failed.
    pub(in crate::java::interpret) fn throwing_of(thrown: &Rc<Opaque>) -> Rc<Opaque> {
        let call = thrown.operands.first().filter(|_| &*thrown.callee == THROWN).and_then(|call| match call {
            Canon::Term(term) => match &**term {
                Term::Opaque(throwing) => Some(throwing.clone()),
                _ => None,
            },
            _ => None,
        });
        call.unwrap_or_else(|| thrown.clone())
    }

    /// Whether the exception of an opaque call that is under way is of a class.
    pub(in crate::java::interpret) fn is_opaque_exception(&mut self, class: &str) -> Option<Cond> {
        let throwing = self.opaque.throwing.clone()?;
        // What the JDK throws by itself are classes of its own.
        let call = throwing.operands.first().filter(|_| &*throwing.callee == THROWS).and_then(Canon::as_opaque);
        if call.is_some_and(|call| is_of_jdk(&call.callee)) && !class.starts_with("java") {
            return Some(Cond::Const(false));
        }
        // What a library runs by itself throws no exception of the project's.
        let own = self.project.by_fqn_all(class);
        let may_throw = |call: &Opaque| {
            let is_of_class = |operand: &Canon| matches!(operand, Canon::Object(own, _) if &**own == class);
            // What it is handed it may throw, or ask for.
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

    /// Whether a call runs no code of the project: an operator, a static method of a library, or one of a repository that a library makes; no lambda either.
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
            // What is called on an object may call listeners, users' services and converters of the project.
            None => call.callee.starts_with(OPERATOR) || is_static_of_library(call),
        };
        is_library && !call.words.contains("a lambda")
    }
}

/// Whether a call is one of a static method of a library: it is handed its arguments, and is called on nothing.
pub fn is_static_of_library(call: &Opaque) -> bool {
    let count = call.callee.rsplit_once('/').and_then(|(_, count)| count.parse::<usize>().ok());
    let handed = call.operands.iter().filter(|operand| !operand.is_mark()).count();
    count == Some(handed) && call.callee.contains('.') && !call.callee.starts_with('?')
}
