//! Request filters of JAX-RS: which classes run before resource methods, in which order, and for which methods.

use crate::code::expressions::{below, string_of};
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::Value;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// The default priority of a filter.
const USER: i64 = 5000;
/// The constants of `Priorities` and their values.
const PLACES: [(&str, i64); 5] = [
    ("AUTHENTICATION", 1000),
    ("AUTHORIZATION", 2000),
    ("HEADER_DECORATOR", 3000),
    ("ENTITY_CODER", 4000),
    ("USER", USER),
];
/// Calls that register a class with the runtime.
const REGISTERS: [&str; 5] = ["register", "registerClasses", "registerInstances", "addProvider", "setProvider"];

/// Whether a filter runs at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registered {
    /// Code registers it with the runtime, or the runtime discovers it.
    Surely,
    /// No known code registers it.
    Open,
}

/// One request filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestFilter {
    /// Its class.
    pub ty: TypeId,
    /// Its priority: lower values run first.
    pub priority: i64,
    /// Annotations that bind it to resources that have them; empty if it runs for all.
    pub bound_by: Vec<TypeId>,
    /// Whether it runs before a resource is matched.
    pub is_early: bool,
    /// Whether it is registered.
    pub registered: Registered,
}

impl RequestFilter {
    /// Reads the properties of a filter class.
    pub fn of(project: &Project, ty: TypeId) -> Self {
        let facts = project.ty(ty);
        let has = |name: &str| facts.annotations.iter().any(|annotation| annotation.simple() == name);
        let bound_by = facts.annotations.iter().filter_map(|annotation| {
            let Named::Project(id) = project.resolve(ty, &annotation.name) else { return None };
            binds(project, id).then_some(id)
        });
        let surely = is_registered(project, ty) || has("Provider") && is_looked_for(project, ty);
        Self {
            ty,
            priority: priority(project, ty),
            bound_by: bound_by.collect(),
            is_early: has("PreMatching"),
            registered: if surely { Registered::Surely } else { Registered::Open },
        }
    }

    /// Whether it runs for a resource method; `None` if only an application class has one of its binding
    /// annotations.
    pub fn runs_for(&self, project: &Project, entry: MemberId, receiver: TypeId) -> Option<bool> {
        if self.is_early || self.bound_by.is_empty() {
            return Some(true);
        }
        let bears = |wanted: &TypeId| {
            let of = |ty: TypeId, annotations: &[mastor_java::ir::facts::Annotation]| {
                annotations.iter().any(|one| project.resolve(ty, &one.name) == Named::Project(*wanted))
            };
            of(entry.ty, &project.member(entry).annotations)
                || [receiver, entry.ty].into_iter().any(|ty| of(ty, &project.ty(ty).annotations))
        };
        if self.bound_by.iter().all(bears) {
            return Some(true);
        }
        let by_application = applications(project).any(|ty| {
            let names = project.ty(ty).annotations.iter();
            names.filter_map(|one| project.resolve(ty, &one.name).project()).any(|one| self.bound_by.contains(&one))
        });
        (!by_application).then_some(false)
    }
}

/// Whether an annotation of the project binds filters to resources.
fn binds(project: &Project, annotation: TypeId) -> bool {
    project.ty(annotation).annotations.iter().any(|own| own.simple() == "NameBinding")
}

fn priority(project: &Project, ty: TypeId) -> i64 {
    let facts = project.ty(ty);
    let Some(annotation) = facts.annotations.iter().find(|annotation| annotation.simple() == "Priority") else {
        return USER;
    };
    let Some(value) = annotation.arg("value") else { return USER };
    let offset = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        Value::Name(name) => {
            let last = name.rsplit('.').next().unwrap_or(name);
            PLACES.iter().find(|(place, _)| *place == last).map(|(_, number)| *number)
        }
        _ => None,
    };
    match value {
        Value::Binary(op, left, right) => match (op.as_str(), offset(left), offset(right)) {
            ("+", Some(left), Some(right)) => left + right,
            ("-", Some(left), Some(right)) => left - right,
            _ => USER,
        },
        plain => offset(plain).unwrap_or(USER),
    }
}

/// Classes of the project that list the classes of an application.
fn applications(project: &Project) -> impl Iterator<Item = TypeId> {
    project.types().filter(|ty| {
        project.library_supers(*ty).iter().any(|name| {
            let simple = name.rsplit('.').next().unwrap_or(name);
            simple == "ResourceConfig" || simple == "Application" && name.contains("ws.rs")
        })
    })
}

/// Whether code registers the class with the runtime, for all resources.
fn is_registered(project: &Project, ty: TypeId) -> bool {
    let name = &project.ty(ty).name;
    let naming = project.files().filter(|file| project.file(*file).facts.type_words.binary_search(name).is_ok());
    naming.flat_map(|file| project.types_of(file)).any(|owner| {
        // A `DynamicFeature` decides for each resource.
        let chooses = project.library_supers(owner).iter().any(|name| name.ends_with("DynamicFeature"));
        !chooses && owner != ty && project.members(owner).any(|member| hands_on(project, member, ty))
    })
}

fn hands_on(project: &Project, member: MemberId, ty: TypeId) -> bool {
    let Some(body) = project.body(member) else { return false };
    let means = |written: &str| project.resolve(member.ty, written) == Named::Project(ty);
    let names = |at| match &body.expr(at).kind {
        ExprKind::ClassLit(named) => means(&named.name),
        ExprKind::New { ty: named, .. } => means(&named.name),
        _ => false,
    };
    // An application's classes and objects are the return values of these methods.
    let gives = matches!(project.member(member).name.as_str(), "getClasses" | "getSingletons");
    body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Call { name, args, .. } if REGISTERS.contains(&name.as_str()) || gives => {
            args.iter().any(|arg| below(&body, *arg).into_iter().any(names))
        }
        _ => false,
    })
}

/// Whether the runtime discovers classes like this one by their annotation.
fn is_looked_for(project: &Project, ty: TypeId) -> bool {
    let package = project.package_of(ty).to_owned();
    let below_package = |prefix: &str| package == prefix || package.starts_with(&format!("{prefix}."));
    let scans = |owner: TypeId| {
        project.members(owner).any(|member| {
            let Some(body) = project.body(member) else { return false };
            body.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Call { name, args, .. } if name == "packages" => args.iter().any(|arg| {
                    string_of(project, owner, &body, *arg).is_some_and(|(prefix, _)| below_package(&prefix))
                }),
                _ => false,
            })
        })
    };
    let mut all = applications(project).peekable();
    if all.peek().is_none() {
        let configures = |file| project.file(file).facts.type_words.binary_search(&"ResourceConfig".to_owned()).is_ok();
        return project.files().filter(|file| configures(*file)).flat_map(|file| project.types_of(file)).any(scans);
    }
    all.all(|owner| {
        // An `Application` that lists no classes uses all annotated classes, a `ResourceConfig` those in the packages
        // that it scans.
        let is_config = project.library_supers(owner).iter().any(|name| name.ends_with("ResourceConfig"));
        let names_classes = project
            .members(owner)
            .any(|member| matches!(project.member(member).name.as_str(), "getClasses" | "getSingletons"));
        if is_config { scans(owner) } else { !names_classes }
    })
}
