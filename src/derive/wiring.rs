//! Which class the container injects: the only component that fits. Anything that configuration may change is not decided.

use std::collections::BTreeSet;

use crate::frameworks::Properties;
use crate::java::facts::{Modifiers, TypeKind};
use crate::java::ids::TypeId;
use crate::java::interpret::Wiring;
use crate::java::interpret::objects::has;
use crate::java::project::Project;

/// Annotations that make a class a bean.
const STEREOTYPES: &[&str] = &[
    "Component",
    "Service",
    "Repository",
    "Controller",
    "RestController",
    "Configuration",
    "Named",
    "Singleton",
    "ApplicationScoped",
    "RequestScoped",
    "Stateless",
    "Path",
];

/// Annotations that make a bean depend on configuration.
const CONDITIONAL: &[&str] = &[
    "Profile",
    "Conditional",
    "ConditionalOnProperty",
    "ConditionalOnMissingBean",
    "ConditionalOnBean",
    "ConditionalOnClass",
    "ConditionalOnExpression",
    "Alternative",
    "Scope",
    "RequestScope",
    "SessionScope",
];

/// The container of a project.
pub struct Container<'a> {
    /// The code.
    pub project: &'a Project,
    /// Application properties.
    pub properties: &'a Properties,
    /// A file of the service, to find its properties.
    pub near: &'a str,
    /// Simple names of the types that factory methods return.
    pub produced: &'a BTreeSet<String>,
}

impl Wiring for Container<'_> {
    fn bean(&self, declared: TypeId, _name: &str) -> Option<TypeId> {
        let project = self.project;
        let mut fitting = vec![declared];
        fitting.extend(project.all_subtypes(declared));
        fitting.retain(|ty| {
            let facts = project.ty(*ty);
            facts.kind == TypeKind::Class && !facts.modifiers.has(Modifiers::ABSTRACT) && !facts.name.is_empty()
        });
        let [only] = fitting.as_slice() else { return None };
        let facts = project.ty(*only);
        let component = has(&facts.annotations, STEREOTYPES) && !has(&facts.annotations, CONDITIONAL);
        (component && !self.is_produced(declared, *only)).then_some(*only)
    }

    fn property(&self, placeholder: &str) -> Option<String> {
        self.properties.expand(self.near, placeholder).ok().map(|(text, _)| text)
    }
}

impl Container<'_> {
    /// Whether some factory method returns the type, so that its object may be another one.
    fn is_produced(&self, declared: TypeId, class: TypeId) -> bool {
        [declared, class].iter().any(|ty| self.produced.contains(&self.project.ty(*ty).name))
    }
}
