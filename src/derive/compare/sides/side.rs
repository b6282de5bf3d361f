//! One side of a comparison: an operation of one revision, with its runs and the data read from it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::hands::MemberEscapes;
use super::revision::Revision;
use crate::judge::oracle::place;
use crate::oracles::contexts;
use crate::search::explore::Settled;
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::scalar::Prim;
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Run;
use mastor_runtime::subject::Subject;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Place};
use mastor_types::suite::source_context::SourceContext;

/// Collection types, all of which are serialised as lists.
const COLLECTIONS: &[&str] = &[
    "ArrayList",
    "Collection",
    "HashSet",
    "Iterable",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "Set",
    "SortedSet",
    "TreeSet",
];

/// Objects that an operation's code passes to libraries, takes from requests, and answers with.
#[derive(Debug, Default)]
pub(in crate::compare) struct EscapingObjects {
    /// What its members pass on, combined. Its types include the parameter and return types of the handler and the
    /// exception handlers.
    pub(in crate::compare) hands: MemberEscapes,
    /// Classes in the return type of the handler.
    pub(in crate::compare) answered: BTreeSet<TypeId>,
    /// Classes in the parameter types of the handler.
    pub(in crate::compare) taken: BTreeSet<TypeId>,
    /// All members that the operation's code may run.
    pub(in crate::compare) members: BTreeSet<MemberId>,
    /// Classes of service objects, which a container creates or which the constructors of other wired classes create.
    pub(in crate::compare) wired: BTreeSet<TypeId>,
    /// Cached answers to whether a library may see an object of a class, or one that contains it.
    pub(in crate::compare) known: RefCell<BTreeMap<TypeId, bool>>,
}

/// One side of a comparison.
pub struct Side<'a> {
    /// The operation, set up for runs.
    pub bench: Bench<'a>,
    open: OnceCell<Run>,
    context: OnceCell<SourceContext>,
    cases: OnceCell<Vec<crate::oracles::error_cases::Case>>,
    pub(in crate::compare) handed: OnceCell<EscapingObjects>,
    /// Data that all operations of its revision share.
    pub(in crate::compare) revision: &'a Revision,
}

impl<'a> Side<'a> {
    /// Sets up an operation; `revision` keeps the data that all operations of the same revision share.
    pub fn of(subject: &'a Subject<'a>, revision: &'a Revision) -> Self {
        let bench = Bench::new(subject);
        Self {
            bench,
            open: OnceCell::new(),
            context: OnceCell::new(),
            cases: OnceCell::new(),
            handed: OnceCell::new(),
            revision,
        }
    }

    /// What a member's own code passes to libraries.
    pub(in crate::compare) fn hands(&self, member: MemberId) -> Arc<MemberEscapes> {
        self.revision.hands.get(member, || {
            let code = self.bench.codes.code(member);
            Arc::new(code.map(|code| MemberEscapes::of(self.bench.subject.project, &code)).unwrap_or_default())
        })
    }

    /// Its run on open inputs.
    pub fn open(&self) -> &Run {
        self.open.get_or_init(|| self.bench.open())
    }

    /// Its source context.
    pub fn context(&self) -> &SourceContext {
        self.context.get_or_init(|| contexts::context(&self.bench, self.open()))
    }

    /// Its error cases.
    pub fn cases(&self) -> &[crate::oracles::error_cases::Case] {
        self.cases.get_or_init(|| crate::oracles::error_cases::error_cases(&self.bench, self.open()))
    }

    /// A type as clients see it: project classes are objects, whose fields are compared separately; boxes are
    /// primitives, and collections are lists.
    pub fn on_the_wire(&self, ty: &str) -> String {
        let project = self.bench.subject.project;
        let is_object = |word: &str| {
            let named = |ty: &TypeId| project.ty(*ty).name == word && project.ty(*ty).kind != TypeKind::Enum;
            project.types().any(|ty| named(&ty))
        };
        let mut out = String::new();
        for part in ty.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            let plain = match Prim::of_box(&format!("java.lang.{word}")) {
                Some(prim) => prim.keyword(),
                None if COLLECTIONS.contains(&word) => "List",
                None if is_object(word) => "object",
                None => word,
            };
            out.push_str(plain);
            out.push_str(&part[word.len()..]);
        }
        out
    }

    /// The location where an answer is decided.
    pub fn place_of(&self, settled: &Settled) -> Option<Place> {
        settled.exit.map(|site| place(self.bench.subject, site)).or_else(|| Some(self.entry()))
    }

    /// The location of a class's declaration.
    pub(in crate::compare) fn place_of_class(&self, ty: TypeId) -> Place {
        let project = self.bench.subject.project;
        let (file, line) = project.shown(ty, project.ty(ty).name_span.line);
        Place { file, line, end_line: line, symbol: project.fqn(ty).to_owned() }
    }

    /// The location of the operation's entry.
    pub fn entry(&self) -> Place {
        let subject = self.bench.subject;
        let member = subject.endpoint.entry;
        place(
            subject,
            mastor_java::interpret::paths::path::Site { member, span: subject.project.member(member).name_span },
        )
    }

    /// The class with this full name, as the operation's handler sees it.
    pub fn class(&self, fqn: &str) -> Option<TypeId> {
        self.bench.subject.project.seen_type(self.bench.subject.endpoint.entry.ty, fqn)
    }

    /// The member with this full name, as the operation's entry sees it.
    pub fn member(&self, symbol: &str) -> Option<MemberId> {
        self.bench.subject.project.seen_member(self.bench.subject.endpoint.entry.ty, symbol)
    }

    /// The location of cited evidence of the source context.
    pub fn cited(&self, id: &mastor_types::suite::evidence::EvidenceId) -> Option<Place> {
        let symbol = &self.context().evidence.get(id)?.symbol;
        let member = self.member(symbol)?;
        let span = self.bench.subject.project.member(member).name_span;
        Some(place(self.bench.subject, mastor_java::interpret::paths::path::Site { member, span }))
    }

    /// The conditions that apply to a request here.
    pub fn conditions(&self, case: &Case) -> Vec<Cond> {
        // What is not sent is not read, and so is not refused for its form.
        let is_of_form = |cond: &Cond| match cond {
            Cond::Not(inner) => matches!(**inner, Cond::Input(_, Defect::NotA(_))),
            _ => false,
        };
        let holds = |cond: &Cond| self.bench.holds(cond, case).unwrap_or_else(|| is_of_form(cond));
        let taken =
            self.open().served.iter().position(|served| served.path.conditions.iter().all(|taken| holds(&taken.cond)));
        taken.map(|index| crate::oracles::error_cases::relevant(self.open(), index)).unwrap_or_default()
    }
}

/// A derived change of an operation with this effect and text.
pub fn change(new: &Side<'_>, effect: ChangeEffect, what: String) -> Change {
    Change::new(new.bench.subject.op_id, ChangeKind::Derived, effect, what)
}
