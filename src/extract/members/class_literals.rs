//! Class literals as arguments: the library member that receives each, or a method of the project that only reads the
//! class name.

use std::collections::BTreeMap;

use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::calls::{Resolved, Target};
use mastor_java::ir::facts::{Annotation, Modifiers, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::library_uses::{ClassUse, class_use};
use mastor_java::project::index::Project;
use mastor_java::resolve::resolver::Resolver;

/// How many calls deep a class object is followed.
const DEPTH: u8 = 4;

/// A library call that reads only the class name.
const NAMES: &str = "Class.getName";

/// Stands for a method of the project, which may request beans of the class from a container.
const PROJECT: &str = "project.method";

/// Whether a call (simple type and name) that receives a class object may request beans of that class from a container.
pub fn may_take_beans(to: &str) -> bool {
    let (ty, name) = to.split_once('.').unwrap_or(("", to));
    to == PROJECT || is_lookup(ty, name)
}

/// Whether a library member, by simple type name and member name, looks up beans in a container.
pub fn is_lookup(ty: &str, name: &str) -> bool {
    match name {
        "getBean" | "getBeans" | "getBeansOfType" | "getBeanProvider" | "getBeanNamesForType" => true,
        "getBeanNamesForAnnotation" | "getBeansWithAnnotation" | "beansOfTypeIncludingAncestors" => true,
        "beanOfType" | "qualifiedBeanOfType" | "qualifiedBeansOfType" | "getBeanIfAvailable" => true,
        "select" => ty.contains("Instance") || ty.contains("CDI"),
        "getReference" => ty == "BeanManager",
        "getInstance" | "getProvider" => ty == "Injector",
        "getService" | "getAllServices" => ty == "ServiceLocator",
        "instance" | "listAll" => ty.starts_with("Arc"),
        "lookup" | "doLookup" => matches!(ty, "Context" | "InitialContext"),
        _ => false,
    }
}

/// For each class literal among the arguments of calls: the library member that receives it, as simple type and name. A
/// method of the project that only reads the name of the class counts as `Class.getName`. Also returns whether bodies
/// of other members were read for this.
pub fn class_args(resolver: &Resolver<'_>, body: &Body, resolved: &Resolved) -> (BTreeMap<ExprId, String>, bool) {
    let mut found = BTreeMap::new();
    let mut elsewhere = false;
    let is_literal = |arg: &ExprId| matches!(body.expr(*arg).kind, ExprKind::ClassLit(_));
    for (id, args) in calls(body) {
        match resolved.targets.get(&id) {
            Some(Target::Library { ty, name }) => {
                let short = || format!("{}.{name}", ty.rsplit('.').next().unwrap_or(ty.as_str()));
                found.extend(args.iter().filter(|arg| is_literal(arg)).map(|arg| (*arg, short())));
            }
            Some(Target::Methods(methods)) => {
                for (index, arg) in args.iter().enumerate().filter(|(_, arg)| is_literal(arg)) {
                    elsewhere = true;
                    let named = methods.iter().all(|method| only_named(resolver, *method, index, DEPTH));
                    found.insert(*arg, if named { NAMES } else { PROJECT }.to_owned());
                }
            }
            _ => {}
        }
    }
    (found, elsewhere)
}

fn calls(body: &Body) -> impl Iterator<Item = (ExprId, &[ExprId])> {
    body.exprs.iter().enumerate().filter_map(|(index, expr)| match &expr.kind {
        ExprKind::Call { args, .. } | ExprKind::New { args, .. } => Some((ExprId(index as u32), args.as_slice())),
        _ => None,
    })
}

/// Whether a method that cannot be overridden only reads the name of the class object in this parameter.
fn only_named(resolver: &Resolver<'_>, method: MemberId, index: usize, depth: u8) -> bool {
    let member = resolver.project().member(method);
    let fixed = [Modifiers::STATIC, Modifiers::PRIVATE, Modifiers::FINAL].iter().any(|m| member.modifiers.has(*m));
    let (Some(param), Some(body)) = (member.params.get(index), resolver.body(method)) else { return false };
    if depth == 0 || !fixed || !body.unknown.is_empty() {
        return false;
    }
    let is_param = |id: ExprId| matches!(&body.expr(id).kind, ExprKind::Name(name) if *name == param.name);
    let uses = (0..body.exprs.len()).filter(|index| is_param(ExprId(*index as u32))).count();
    let resolved = resolver.resolve(method);
    let mut harmless = 0;
    for (index, expr) in body.exprs.iter().enumerate() {
        let id = ExprId(index as u32);
        if let ExprKind::Call { target: Some(target), .. } = &expr.kind
            && is_param(*target)
            && let Some(Target::Library { name, .. }) = resolved.targets.get(&id)
            && matches!(name.as_str(), "getName" | "getSimpleName" | "getCanonicalName" | "getTypeName")
        {
            harmless += 1;
        }
    }
    for (id, args) in calls(&body) {
        for (index, _) in args.iter().enumerate().filter(|(_, arg)| is_param(**arg)) {
            let named = match resolved.targets.get(&id) {
                Some(Target::Methods(methods)) => {
                    methods.iter().all(|method| only_named(resolver, *method, index, depth - 1))
                }
                Some(Target::Library { ty, name }) => {
                    let short = format!("{}.{name}", ty.rsplit('.').next().unwrap_or(ty.as_str()));
                    matches!(class_use(&short), ClassUse::Name)
                }
                _ => false,
            };
            harmless += usize::from(named);
        }
    }
    uses == harmless
}

/// Names of the class literals in an annotation's argument.
pub fn class_values(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Class(ty) => found.push(ty.name.to_string()),
        Value::Array(items) => items.iter().for_each(|item| class_values(item, found)),
        Value::Annotation(inner) => inner.args.iter().for_each(|(_, value)| class_values(value, found)),
        _ => {}
    }
}

/// Annotations that refer to classes only by name and create no objects of them.
const NAMING: [&str; 7] = [
    "org.springframework.boot.autoconfigure.AutoConfigureAfter",
    "org.springframework.boot.autoconfigure.AutoConfigureBefore",
    "org.springframework.boot.autoconfigure.AutoConfiguration",
    "org.springframework.boot.autoconfigure.EnableAutoConfiguration",
    "org.springframework.boot.autoconfigure.SpringBootApplication",
    "org.springframework.boot.autoconfigure.domain.EntityScan",
    "org.springframework.context.annotation.ComponentScan",
];

/// Whether an annotation on a type or member only refers to classes, so that nothing creates objects of them. It
/// describes the API for documentation, is a condition on the presence of a class, or states an order or a place to
/// scan.
pub fn only_names(project: &Project, ty: TypeId, annotation: &Annotation) -> bool {
    const PACKAGES: [&str; 3] =
        ["io.swagger.", "org.eclipse.microprofile.openapi.", "org.springframework.boot.autoconfigure.condition."];
    let name = project.resolve(ty, &annotation.name);
    let is_one = |fqn: &str| PACKAGES.iter().any(|start| fqn.starts_with(start)) || NAMING.contains(&fqn);
    name.library().is_some_and(is_one)
}
