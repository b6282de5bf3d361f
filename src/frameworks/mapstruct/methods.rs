//! The methods that a mapper can call to map a value: its own, and those of the mappers that it uses.

use super::mapper::Mapper;
use mastor_java::ir::facts::{Annotation, Modifiers, Value};
use mastor_java::ir::ids::MemberId;
use mastor_java::ir::named::Named;
use mastor_java::ir::ty::Ty;
use mastor_java::types::typing::{Fit, Types};

/// A method that maps one value to another.
#[derive(Debug, Clone)]
pub struct Method {
    /// Index in the list of used mappers; `None` for the mapper itself.
    pub used: Option<usize>,
    /// The method.
    pub member: MemberId,
    /// Parameter type.
    pub from: Ty,
    /// Return type.
    pub to: Ty,
    /// Qualifier names; a method with names is called only by one of them.
    names: Option<Vec<String>>,
}

/// Annotations of methods that run around others, or create targets. A mapper with one of them is not followed.
const AROUND: &[&str] = &["BeforeMapping", "AfterMapping", "ObjectFactory", "Condition", "SourcePropertyName"];

/// The methods that a mapper can call; the error names what makes all of its methods uncertain.
pub fn methods(types: &Types<'_>, mapper: &Mapper) -> Result<Vec<Method>, String> {
    let project = types.project();
    let mut found: Vec<Method> = Vec::new();
    for (used, member) in mapper.methods(project) {
        let facts = project.member(member);
        if let Some(odd) = facts.annotations.iter().find(|one| AROUND.contains(&one.simple())) {
            return Err(format!("@{} on {} is not followed", odd.simple(), facts.name));
        }
        let signature = types.signature(member);
        let is_hidden = facts.modifiers.has(Modifiers::PRIVATE) || facts.name.starts_with("lambda$");
        let ([from], [param], false) = (signature.params.as_slice(), facts.params.as_slice(), is_hidden) else {
            continue;
        };
        let gives = !matches!(&signature.ret, Ty::Prim(name) if &**name == "void");
        if !gives || facts.name == "equals" || !param.annotations.is_empty() && is_odd(&param.annotations) {
            continue;
        }
        // A method and the one that it overrides count once.
        let is_known =
            |other: &Method| other.used == used && project.member(other.member).signature() == facts.signature();
        if found.iter().any(is_known) {
            continue;
        }
        let names = names(types, member, &facts.annotations);
        found.push(Method { used, member, from: from.clone(), to: signature.ret.clone(), names });
    }
    Ok(found)
}

fn is_odd(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|one| matches!(one.simple(), "MappingTarget" | "Context" | "TargetType"))
}

/// The qualifier names of a method. A qualifier annotation of the project gives an empty list: no name selects the
/// method.
fn names(types: &Types<'_>, member: MemberId, annotations: &[Annotation]) -> Option<Vec<String>> {
    let project = types.project();
    let mut found = None;
    for annotation in annotations {
        if annotation.simple() == "Named" {
            let text = match annotation.arg("value") {
                Some(Value::Str(text)) => Some(text.clone()),
                _ => None,
            };
            found.get_or_insert_with(Vec::new).extend(text);
        } else if let Named::Project(ty) = project.resolve(member.ty, &annotation.name)
            && project.ty(ty).annotations.iter().any(|one| one.simple() == "Qualifier")
        {
            found.get_or_insert_with(Vec::new);
        }
    }
    found
}

/// The method that maps one type to another: `Ok(None)` if there is none; the error says why that cannot be decided.
pub fn choose<'m>(
    types: &Types<'_>,
    all: &'m [Method],
    from: &Ty,
    to: &Ty,
    by_name: Option<&str>,
) -> Result<Option<&'m Method>, String> {
    let mut fitting = Vec::new();
    for method in all {
        let asked = match (by_name, &method.names) {
            (None, None) => true,
            (Some(name), Some(names)) => names.iter().any(|known| known == name),
            _ => false,
        };
        if !asked {
            continue;
        }
        if method.from.has_variable() || method.to.has_variable() {
            // A generic method may accept the value.
            if fit(types, &from.erased(), &method.from.erased()) != Fit::No {
                return Err(format!("whether {} is called is not known", types.project().member(method.member).name));
            }
            continue;
        }
        match (fit(types, from, &method.from), fit(types, &method.to, to)) {
            (Fit::No, _) | (_, Fit::No) => {}
            (Fit::Maybe, _) | (_, Fit::Maybe) => {
                return Err(format!("whether {} is called is not known", types.project().member(method.member).name));
            }
            _ => fitting.push(method),
        }
    }
    let exact: Vec<&Method> = fitting
        .iter()
        .copied()
        .filter(|one| one.from.boxed() == from.boxed() && one.to.boxed() == to.boxed())
        .collect();
    match (exact.as_slice(), fitting.as_slice(), by_name) {
        ([only], ..) | ([], [only], _) => Ok(Some(only)),
        ([], [], None) => Ok(None),
        ([], [], Some(name)) => Err(format!("no method {name} was found")),
        _ => Err("several methods map the same types".to_owned()),
    }
}

/// Whether a value of one type is assignable to another. For library value types, which have nothing to do with
/// collections or project types, this is decided even if some of their supertypes are unknown.
pub fn fit(types: &Types<'_>, from: &Ty, to: &Ty) -> Fit {
    const GENERAL: [&str; 6] = ["Object", "Comparable", "Serializable", "CharSequence", "Number", "Constable"];
    let found = with_arguments(types, from, to);
    if found != Fit::Maybe || from.is_partial() || to.is_partial() {
        return found;
    }
    let is_value = |ty: &Ty| {
        let Some(name) = ty.library_name() else { return matches!(ty, Ty::Prim(_)) };
        let within = ["java.time.", "java.math.", "java.lang.", "java.net."];
        let others = ["java.util.UUID", "java.util.Date", "java.util.Locale", "java.util.Currency"];
        let simple = name.rsplit('.').next().unwrap_or(name);
        !GENERAL.contains(&simple)
            && !name.contains(".temporal.")
            && simple != "Iterable"
            && (within.iter().any(|start| name.starts_with(start)) || others.contains(&name))
    };
    let is_many = |ty: &Ty| {
        let simple = ty.library_name().and_then(|name| name.rsplit('.').next());
        matches!(
            simple,
            Some("List" | "Set" | "Collection" | "Map" | "Iterable" | "Optional" | "ArrayList" | "HashMap" | "HashSet")
        )
    };
    let apart = |one: &Ty, other: &Ty| {
        is_value(one) && (is_value(other) || is_many(other) || matches!(other, Ty::Project { .. } | Ty::Array(_)))
    };
    if from.erased() != to.erased() && (apart(from, to) || apart(to, from)) { Fit::No } else { found }
}

/// Whether types are assignable including their type arguments: a `List<A>` is not a `List<B>`.
fn with_arguments(types: &Types<'_>, from: &Ty, to: &Ty) -> Fit {
    let found = types.fit(from, to);
    let (Ty::Library { args, .. } | Ty::Project { args, .. }) = to else { return found };
    if found == Fit::No || args.is_empty() {
        return found;
    }
    let base = types.super_where(from, |base| base.erased() == to.erased());
    let Some(Ty::Library { args: own, .. } | Ty::Project { args: own, .. }) = base else { return found };
    if own == *args {
        return found;
    }
    let apart = own.iter().zip(args.iter()).any(|(a, b)| a != b && fit(types, a, b) == Fit::No);
    if apart { Fit::No } else { Fit::Maybe }
}
