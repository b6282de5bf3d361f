//! Decides which class the container injects: the only component that fits. Undecided if configuration may change it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::applies::{counts, is_active};
use crate::subject::Subject;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_java::interpret::Wiring;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::stores::data::Stores;
use mastor_java::ir::facts::{Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::usage::Usage;

/// Annotations that make a bean depend on configuration.
const CONDITIONAL: &[&str] = &[
    "Profile",
    "Conditional",
    "ConditionalOnProperty",
    "ConditionalOnMissingBean",
    "ConditionalOnBean",
    "ConditionalOnClass",
    "ConditionalOnExpression",
];

/// Annotations that change the scope of a bean, or make it an alternative to another bean.
const SCOPED: &[&str] = &[
    "Alternative",
    "Scope",
    "RequestScope",
    "SessionScope",
    "SessionScoped",
    "ConversationScoped",
    "Stateful",
    "Dependent",
];

/// Maximum size in bytes of a class path resource. Apart from static initialisers, every path reads it again.
const LIMIT: usize = 512 << 10;

/// The container of an operation's application.
pub struct Container<'a> {
    /// The operation that runs.
    pub subject: Subject<'a>,
    /// Whether this run follows the state of the stores.
    pub follows_stores: bool,
    found: Rc<Injected>,
}

/// Answers of the container, cached per operation, since every path asks again.
#[derive(Default)]
pub struct Injected {
    /// The class of the injected bean, by requested type.
    beans: RefCell<HashMap<TypeId, Option<TypeId>>>,
    /// The factory method of the injected object, by requested library type.
    factories: RefCell<HashMap<String, Option<MemberId>>>,
    /// Expanded placeholders.
    properties: RefCell<HashMap<String, Option<String>>>,
}

impl<'a> Container<'a> {
    /// The container of an operation, with its cache.
    pub fn of(subject: Subject<'a>, follows_stores: bool, found: &Rc<Injected>) -> Self {
        Self { subject, follows_stores, found: found.clone() }
    }
}

impl Wiring for Container<'_> {
    fn bean(&self, declared: TypeId, _name: &str) -> Option<TypeId> {
        if let Some(known) = self.found.beans.borrow().get(&declared) {
            return *known;
        }
        let found = self.look_for_bean(declared);
        self.found.beans.borrow_mut().insert(declared, found);
        found
    }

    fn usage(&self) -> Option<&Usage> {
        Some(self.subject.shared.usage())
    }

    fn property(&self, placeholder: &str) -> Option<String> {
        if let Some(known) = self.found.properties.borrow().get(placeholder) {
            return known.clone();
        }
        let Subject { properties, endpoint, .. } = self.subject;
        let found = properties.expand(&endpoint.file, placeholder).ok().map(|(text, _)| text);
        self.found.properties.borrow_mut().insert(placeholder.to_owned(), found.clone());
        found
    }

    fn is_default(&self, placeholder: &str) -> bool {
        self.subject.properties.rests_on_default(&self.subject.endpoint.file, placeholder)
    }

    fn stores(&self) -> Option<&Stores> {
        self.follows_stores.then_some(&self.subject.shared.stores)
    }

    fn follows_state(&self, field: MemberId) -> bool {
        let shared = self.subject.shared;
        self.follows_stores
            && !shared.begun().contains(&field.ty)
            && !shared.disturbed(self.subject.endpoints).contains(&field)
    }

    fn factory(&self, fqn: &str) -> Option<MemberId> {
        if let Some(known) = self.found.factories.borrow().get(fqn) {
            return *known;
        }
        let found = self.look_for_factory(fqn);
        self.found.factories.borrow_mut().insert(fqn.to_owned(), found);
        found
    }
    fn has_plain_xml(&self) -> bool {
        self.subject.endpoint.framework.body.plain_xml
    }

    fn keeps_session(&self) -> bool {
        let Subject { properties, endpoint, build, .. } = self.subject;
        let is_kept = endpoint.framework.beans.session_per_request;
        let is_off = ["spring.jpa.open-in-view", "spring.jpa.openInView"]
            .iter()
            .any(|key| properties.get(&endpoint.file, key).is_some_and(|property| property.value.trim() == "false"));
        is_kept && !is_off && build.uses_near(&endpoint.file, "spring-boot")
    }

    fn declared_stores(&self) -> Option<&Stores> {
        Some(&self.subject.shared.stores)
    }

    fn resource(&self, path: &str) -> Option<Rc<[u8]>> {
        let tail = format!("src/main/resources/{path}");
        let mut found =
            self.subject.files.files().filter(|entry| {
                entry.path.strip_suffix(&tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            });
        let (only, None) = (found.next()?, found.next()) else { return None };
        let bytes = self.subject.files.read(&only.path).ok().filter(|bytes| bytes.len() <= LIMIT)?;
        // The build may replace placeholders in the file.
        (!has_placeholder(&bytes)).then(|| Rc::from(&*bytes))
    }
}

impl Container<'_> {
    fn look_for_bean(&self, declared: TypeId) -> Option<TypeId> {
        let project = self.subject.project;
        let mut fitting = vec![declared];
        fitting.extend(project.all_subtypes(declared));
        fitting.retain(|ty| {
            let facts = project.ty(*ty);
            facts.kind == TypeKind::Class && !facts.modifiers.has(Modifiers::ABSTRACT) && !facts.name.is_empty()
        });
        // Classes of another application, and classes that a profile or property excludes, are not beans.
        fitting.retain(|ty| counts(&self.subject, *ty));
        fitting.retain(|ty| is_active(&self.subject, *ty) != Some(false));
        let [only] = fitting.as_slice() else { return None };
        let facts = project.ty(*only);
        let is_open = has(&facts.annotations, CONDITIONAL) && is_active(&self.subject, *only) != Some(true)
            || has(&facts.annotations, SCOPED);
        let makes_unmarked = self.subject.endpoint.framework.beans.makes_unmarked;
        let component = (makes_unmarked || is_component(project, *only)) && !is_open;
        (component && !self.is_produced(declared, *only)).then_some(*only)
    }

    fn look_for_factory(&self, fqn: &str) -> Option<MemberId> {
        let project = self.subject.project;
        let simple = fqn.rsplit('.').next().unwrap_or(fqn);
        let makes = |member: &MemberId| {
            let facts = project.member(*member);
            let made = facts.ty.as_ref().filter(|ty| ty.simple() == simple);
            has(&facts.annotations, &["Bean", "Produces"])
                && made.is_some_and(|ty| project.resolve(member.ty, &ty.name).library() == Some(fqn))
                && counts(&self.subject, member.ty)
        };
        let mut found = self.subject.shared.produced.get(simple)?.iter().copied().filter(makes);
        let (only, None) = (found.next()?, found.next()) else { return None };
        let (facts, owner) = (project.member(only), project.ty(only.ty));
        let plain = facts.params.is_empty()
            && !has(&facts.annotations, CONDITIONAL)
            && !has(&owner.annotations, CONDITIONAL)
            && is_component(project, only.ty);
        plain.then_some(only)
    }

    /// Whether a factory method returns the type, so that the injected object may be another one.
    fn is_produced(&self, declared: TypeId, class: TypeId) -> bool {
        let Subject { project, shared, .. } = self.subject;
        [declared, class].iter().any(|ty| shared.produced.contains_key(&project.ty(*ty).name))
    }
}

/// Whether a text contains a placeholder that a build may replace: `${…}` or `@…@`.
fn has_placeholder(bytes: &[u8]) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    bytes.windows(2).any(|two| two == b"${")
        || bytes.split(|byte| *byte == b'@').skip(1).any(|part| !part.is_empty() && part.iter().all(name))
}
