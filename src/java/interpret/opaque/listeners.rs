//! Whether code of the project listens to an event that is published within the application (Spring).

use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::Value;
use crate::ir::facts::{MemberFacts, TypeRef};
use crate::ir::ids::TypeId;
use crate::ir::named::Named;
use crate::project::index::Project;

/// End of the names of annotations that make a method a listener.
const LISTENS: [&str; 2] = ["EventListener", "ModuleListener"];
/// End of the names of the interfaces of listeners.
const LISTENER: &str = "ApplicationListener";
/// Annotation of events that a library sends to others.
const EXTERNAL: &str = "Externalized";
/// Events of the framework, which are no events of the project.
const OF_FRAMEWORK: [&str; 4] =
    ["ApplicationReadyEvent", "ApplicationStartedEvent", "ContextRefreshedEvent", "ContextClosedEvent"];

/// Types of the JDK that an event may have.
const WIDEST: [&str; 4] = ["java.io.Serializable", "java.lang.Object", "java.lang.Record", "java.util.EventObject"];

impl Machine<'_> {
    /// Whether the argument is an event of a project class to which nothing in the project listens.
    pub(super) fn is_unheard(&self, args: &[Value]) -> bool {
        let [Value::Ref(id)] = args else { return false };
        let ClassRef::Project(event) = self.object(*id).class else { return false };
        let project = self.project;
        let is_external = project.ty(event).annotations.iter().any(|one| one.simple() == EXTERNAL);
        !is_external && !project.types().any(|ty| listens(project, ty, event))
    }
}

/// Whether a class has a listener to an event of this class.
fn listens(project: &Project, ty: TypeId, event: TypeId) -> bool {
    let takes = |taken: &TypeRef| match project.resolve(ty, &taken.name) {
        Named::Project(own) => own == event || project.all_supers(event).contains(&own),
        Named::Library(fqn) if fqn.starts_with("java.") => WIDEST.contains(&fqn.as_str()),
        _ => !OF_FRAMEWORK.contains(&taken.simple()),
    };
    let hears = |facts: &MemberFacts| {
        let is_listener = |one: &str| LISTENS.iter().any(|end| one.ends_with(end));
        facts.annotations.iter().any(|one| is_listener(one.simple()))
            && facts.params.first().is_none_or(|param| takes(&param.ty))
    };
    let facts = project.ty(ty);
    let mut above = facts.extends.iter().chain(&facts.implements);
    above.any(|one| one.simple().ends_with(LISTENER) && one.args.first().is_none_or(takes))
        || project.members(ty).any(|member| hears(project.member(member)))
}
