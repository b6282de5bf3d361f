//! Annotations as frameworks read them: by resolved name, through composed annotations and `@AliasFor`, with evaluated
//! arguments.

use std::collections::BTreeMap;

use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, Import, MemberKind, Span, TypeKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// An annotation that matched a search, written directly or through a composed annotation of the project.
#[derive(Debug, Clone)]
pub struct MatchedAnnotation {
    /// Fully qualified name that was searched for.
    pub fqn: String,
    /// Arguments, each with the type in whose scope it is written.
    pub args: BTreeMap<String, (Value, TypeId)>,
    /// Elements and declarations of composed annotations that the result depends on.
    pub members: Vec<MemberId>,
    /// Location of the annotation that is written on the element.
    pub span: Span,
    /// Name of that annotation as written.
    pub written: String,
}

impl MatchedAnnotation {
    /// The strings of the first of these arguments that is present and not empty, with the constants that they depend
    /// on. The error says why an argument has no constant value.
    pub fn strings(&self, project: &Project, names: &[&str]) -> Result<(Vec<String>, Vec<MemberId>), String> {
        for name in names {
            let Some((value, scope)) = self.args.get(*name) else { continue };
            let evaluated = project.eval(*scope, value);
            let mut strings = Vec::new();
            collect(&evaluated.value, &mut strings)?;
            if !strings.is_empty() {
                return Ok((strings, evaluated.used));
            }
        }
        Ok((Vec::new(), Vec::new()))
    }

    /// The first string of the first of these arguments that is present.
    pub fn string(&self, project: &Project, names: &[&str]) -> Option<String> {
        self.strings(project, names).ok()?.0.into_iter().next()
    }

    /// A boolean argument.
    pub fn flag(&self, project: &Project, name: &str) -> Option<bool> {
        let (value, scope) = self.args.get(name)?;
        match project.eval(*scope, value).value {
            Constant::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The names of enum constants (`GET` for `RequestMethod.GET`).
    pub fn names(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((value, _)) = self.args.get(name) {
            last_names(value, &mut found);
        }
        found
    }

    /// The resolved types of class literals in the first of these arguments that is present.
    pub fn classes(&self, project: &Project, names: &[&str]) -> Vec<(Named, TypeId)> {
        let mut found = Vec::new();
        for name in names {
            if let Some((value, scope)) = self.args.get(*name) {
                class_literals(project, *scope, value, &mut found);
                break;
            }
        }
        found
    }
}

fn collect(constant: &Constant, out: &mut Vec<String>) -> Result<(), String> {
    match constant {
        Constant::Str(text) => out.push(text.clone()),
        Constant::Char(unit) => out.push(String::from_utf16_lossy(&[*unit])),
        Constant::Int(number) => out.push(number.to_string()),
        Constant::Long(number) => out.push(number.to_string()),
        Constant::Array(items) => {
            for item in items {
                collect(item, out)?;
            }
        }
        Constant::Enum { name, .. } => out.push(name.clone()),
        Constant::Null => {}
        Constant::Unknown(why) => return Err(why.clone()),
        _ => return Err("it is not a string".to_owned()),
    }
    Ok(())
}

fn last_names(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Name(name) => out.push(name.rsplit('.').next().unwrap_or(name).to_owned()),
        Value::Array(items) => items.iter().for_each(|item| last_names(item, out)),
        _ => {}
    }
}

fn class_literals(project: &Project, scope: TypeId, value: &Value, out: &mut Vec<(Named, TypeId)>) {
    match value {
        Value::Class(ty) => out.push((project.resolve(scope, &ty.name), scope)),
        Value::Array(items) => items.iter().for_each(|item| class_literals(project, scope, item, out)),
        _ => {}
    }
}

/// Whether a name written in `scope` refers to the type `fqn`. If the project cannot decide (a wildcard import of a
/// library), an import that could provide the type is enough.
pub fn means(project: &Project, scope: TypeId, written: &str, fqn: &str) -> bool {
    let (package, simple) = fqn.rsplit_once('.').unwrap_or(("", fqn));
    if written.rsplit('.').next() != Some(simple) {
        return false;
    }
    match project.resolve(scope, written) {
        Named::Library(found) => found == fqn,
        Named::Unknown(_) => {
            let imports = imports_of(project, scope);
            written == fqn
                || imports.iter().any(|import| !import.is_static && import.wildcard && import.path == package)
        }
        _ => false,
    }
}

/// The index of the type among `fqns` that a name written in `scope` refers to.
pub fn means_any(project: &Project, scope: TypeId, written: &str, fqns: &[&str]) -> Option<usize> {
    fqns.iter().position(|fqn| means(project, scope, written, fqn))
}

/// The imports of the file that declares a type.
pub fn imports_of(project: &Project, scope: TypeId) -> &[Import] {
    &project.file(project.file_of(scope)).facts.imports
}

/// The first annotation that is in `fqns`, or composed of one in `fqns`.
pub fn find(project: &Project, scope: TypeId, annotations: &[Annotation], fqns: &[&str]) -> Option<MatchedAnnotation> {
    annotations.iter().find_map(|annotation| one(project, scope, annotation, fqns, 0))
}

/// All annotations that are in `fqns`, or composed of one in `fqns`, in the order of the file.
pub fn find_all(project: &Project, scope: TypeId, annotations: &[Annotation], fqns: &[&str]) -> Vec<MatchedAnnotation> {
    annotations.iter().filter_map(|annotation| one(project, scope, annotation, fqns, 0)).collect()
}

/// Whether one of the annotations is in `fqns`, or composed of one in `fqns`.
pub fn has(project: &Project, scope: TypeId, annotations: &[Annotation], fqns: &[&str]) -> bool {
    find(project, scope, annotations, fqns).is_some()
}

fn one(
    project: &Project,
    scope: TypeId,
    annotation: &Annotation,
    fqns: &[&str],
    depth: u32,
) -> Option<MatchedAnnotation> {
    if let Some(at) = means_any(project, scope, &annotation.name, fqns) {
        let args = annotation.args.iter().map(|(name, value)| (name.clone(), (value.clone(), scope))).collect();
        return Some(MatchedAnnotation {
            fqn: fqns[at].to_owned(),
            args,
            members: Vec::new(),
            span: annotation.span,
            written: annotation.name.clone(),
        });
    }
    if depth > 8 || project.by_simple(annotation.simple()).is_empty() {
        return None;
    }
    let Named::Project(composed) = project.resolve(scope, &annotation.name) else { return None };
    let facts = project.ty(composed);
    if facts.kind != TypeKind::Annotation {
        return None;
    }
    let mut found = facts.annotations.iter().find_map(|meta| one(project, composed, meta, fqns, depth + 1))?;
    override_args(project, composed, annotation, scope, &mut found);
    found.span = annotation.span;
    found.written.clone_from(&annotation.name);
    Some(found)
}

/// Elements of a composed annotation set the arguments of its meta-annotation: by `@AliasFor`, or by the same name.
fn override_args(project: &Project, composed: TypeId, used: &Annotation, scope: TypeId, found: &mut MatchedAnnotation) {
    const ALIAS_FOR: &str = "org.springframework.core.annotation.AliasFor";
    for member in project.members(composed) {
        let facts = project.member(member);
        if facts.kind != MemberKind::AnnotationElement {
            continue;
        }
        found.members.push(member);
        let alias = facts.annotations.iter().find(|annotation| means(project, composed, &annotation.name, ALIAS_FOR));
        let target = match alias {
            Some(alias) if alias.arg("annotation").is_some() => {
                let named = alias.arg("attribute").or_else(|| alias.arg("value"));
                named.and_then(|value| constant_string(project, composed, value)).unwrap_or_else(|| facts.name.clone())
            }
            Some(_) => continue,
            None if facts.name != "value" => facts.name.clone(),
            None => continue,
        };
        // An element may be set through an alias within the composed annotation.
        let given = used.arg(&facts.name).cloned().or_else(|| sibling(project, composed, &facts.name, used));
        match (given, &facts.value) {
            (Some(value), _) => {
                found.args.insert(target, (value, scope));
            }
            (None, Some(default)) if alias.is_some() && !is_empty(default) => {
                found.args.insert(target, (default.clone(), composed));
            }
            _ => {}
        }
    }
}

/// The value of another element of the same annotation that is declared as an alias of `name`.
fn sibling(project: &Project, composed: TypeId, name: &str, used: &Annotation) -> Option<Value> {
    project.members(composed).find_map(|member| {
        let facts = project.member(member);
        let alias = facts.annotations.iter().find(|annotation| annotation.simple() == "AliasFor")?;
        if alias.arg("annotation").is_some() {
            return None;
        }
        let of = alias.arg("attribute").or_else(|| alias.arg("value"))?;
        (constant_string(project, composed, of)? == name).then(|| used.arg(&facts.name).cloned())?
    })
}

fn constant_string(project: &Project, scope: TypeId, value: &Value) -> Option<String> {
    match project.eval(scope, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Str(text) => text.is_empty(),
        _ => false,
    }
}

/// The members whose annotations apply to a member, in the order in which frameworks read them: itself, then the
/// members that it overrides, nearest first.
pub fn with_overridden(project: &Project, member: MemberId) -> Vec<MemberId> {
    let mut all = vec![member];
    all.extend(project.overridden(member));
    all
}

/// Simple name of a resolved name.
pub fn simple_of(project: &Project, named: &Named) -> Option<String> {
    match named {
        Named::Project(id) => Some(project.ty(*id).name.clone()),
        Named::Library(fqn) | Named::Unknown(fqn) => Some(fqn.rsplit('.').next().unwrap_or(fqn).to_owned()),
        _ => None,
    }
}

/// The annotation of this table on a parameter, on the nearest declaration that has one, with its entry of the table.
pub fn on_parameter<T: Copy>(
    project: &Project,
    declarations: &[MemberId],
    index: usize,
    table: &[(&str, T)],
) -> Option<(T, MatchedAnnotation)> {
    let fqns: Vec<&str> = table.iter().map(|(fqn, _)| *fqn).collect();
    declarations.iter().find_map(|declared| {
        let param = project.member(*declared).params.get(index)?;
        let found = find(project, declared.ty, &param.annotations, &fqns)?;
        let (_, entry) = table.iter().find(|(fqn, _)| *fqn == found.fqn)?;
        Some((*entry, found))
    })
}

/// Annotations on a parameter in all declarations, nearest first, without duplicates.
pub fn of_parameter(project: &Project, declarations: &[MemberId], index: usize) -> Vec<Annotation> {
    let mut all: Vec<Annotation> = Vec::new();
    let params = declarations.iter().filter_map(|declared| project.member(*declared).params.get(index));
    for annotation in params.flat_map(|param| &param.annotations) {
        if !all.iter().any(|known| known.simple() == annotation.simple() && known.args == annotation.args) {
            all.push(annotation.clone());
        }
    }
    all
}
