//! Generic signatures of library types: what a call returns and what a lambda is given, read from the Java sources in `signatures/`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::extract_facts::facts_of;
use super::facts::{FileFacts, MemberFacts, MemberKind, Modifiers, Nesting, TypeFacts, TypeKind, TypeRef};
use super::ty::{Bindings, Ty};

/// A library type whose signatures are known.
#[derive(Debug)]
pub struct LibraryType {
    /// Dotted name.
    pub fqn: Arc<str>,
    /// Its type parameters.
    pub params: Vec<Arc<str>>,
    /// What it extends and implements, over its own parameters.
    pub supers: Vec<Ty>,
    /// Whether it is an interface for lambdas.
    pub functional: bool,
    /// Methods and constructors (named `<init>`) in the order of the source.
    pub methods: Vec<LibraryMethod>,
}

/// A method of a library type.
#[derive(Debug)]
pub struct LibraryMethod {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether a lambda for its type stands for this method.
    pub is_abstract: bool,
    /// Its own type parameters.
    pub vars: Vec<Arc<str>>,
    /// Its parameter types; for a varargs parameter the type of one element.
    pub params: Vec<Ty>,
    /// Whether the last parameter is `T...`.
    pub varargs: bool,
    /// What it returns.
    pub ret: Ty,
}

static TYPES: LazyLock<HashMap<Arc<str>, LibraryType>> = LazyLock::new(read_all);

/// The library type of this dotted name; `jakarta` is read as `javax`.
pub fn library_type(fqn: &str) -> Option<&'static LibraryType> {
    if let Some(rest) = fqn.strip_prefix("jakarta.") {
        return TYPES.get(format!("javax.{rest}").as_str());
    }
    TYPES.get(fqn)
}

/// The supertypes of a library type with its arguments put in, breadth first, itself first.
pub fn library_supers(ty: &Ty) -> Vec<Ty> {
    let mut found = vec![ty.clone()];
    let mut at = 0;
    while let Some(Ty::Library { fqn, args }) = found.get(at).cloned() {
        at += 1;
        let Some(known) = library_type(&fqn) else { continue };
        let bindings = bind(&known.params, &args);
        for base in &known.supers {
            let base = base.close(&bindings, &known.params);
            if !found.contains(&base) {
                found.push(base);
            }
        }
    }
    found
}

/// Type parameters with the arguments given for them; none for a raw type.
pub fn bind(params: &[Arc<str>], args: &[Ty]) -> Bindings {
    if params.len() != args.len() {
        return Vec::new();
    }
    params.iter().cloned().zip(args.iter().cloned()).collect()
}

/// The single abstract method of a library interface for lambdas, with the type it was found in.
pub fn functional(ty: &Ty) -> Option<(Ty, &'static LibraryMethod)> {
    library_type(ty.library_name()?).filter(|known| known.functional)?;
    library_supers(ty).into_iter().find_map(|base| {
        let known = library_type(base.library_name()?)?;
        let method = known.methods.iter().find(|method| method.is_abstract && !method.is_static)?;
        Some((base, method))
    })
}

fn read_all() -> HashMap<Arc<str>, LibraryType> {
    let mut files: Vec<FileFacts> = Vec::new();
    for source in [include_str!("signatures/jdk.java"), include_str!("signatures/frameworks.java")] {
        for part in source.split("\npackage ").skip(1) {
            files.push(facts_of(&format!("package {part}")));
        }
    }
    let mut names: HashMap<String, Arc<str>> = HashMap::new();
    for file in &files {
        for index in 0..file.types.len() {
            let nested = nested_name(file, index);
            let fqn: Arc<str> = format!("{}.{nested}", file.package).into();
            names.insert(format!("{} {nested}", file.package), fqn.clone());
            if file.package == "java.lang" {
                names.insert(nested, fqn);
            }
        }
    }
    let mut types = HashMap::new();
    for file in &files {
        for (index, facts) in file.types.iter().enumerate() {
            let ty = read_type(file, facts, &nested_name(file, index), &names);
            types.insert(ty.fqn.clone(), ty);
        }
    }
    types
}

/// `Map.Entry`.
fn nested_name(file: &FileFacts, index: usize) -> String {
    let ty = &file.types[index];
    match ty.outer.filter(|_| ty.nesting == Nesting::Member) {
        Some(outer) => format!("{}.{}", nested_name(file, outer as usize), ty.name),
        None => ty.name.clone(),
    }
}

fn read_type(file: &FileFacts, facts: &TypeFacts, nested: &str, names: &HashMap<String, Arc<str>>) -> LibraryType {
    let params: Vec<Arc<str>> = facts.type_params.iter().map(|param| param.name.as_str().into()).collect();
    let read = |r: &TypeRef, vars: &[Arc<str>]| read_ref(r, &[&params, vars], &file.package, names);
    let functional = facts.annotations.iter().any(|annotation| annotation.simple() == "FunctionalInterface");
    let methods = facts.members.iter().filter(|m| matches!(m.kind, MemberKind::Method | MemberKind::Constructor));
    let method = |member: &MemberFacts| {
        let vars: Vec<Arc<str>> = member.type_params.iter().map(|param| param.name.as_str().into()).collect();
        let constructor = member.kind == MemberKind::Constructor;
        LibraryMethod {
            name: if constructor { "<init>".into() } else { member.name.as_str().into() },
            is_static: member.modifiers.has(Modifiers::STATIC),
            is_abstract: facts.kind == TypeKind::Interface && !member.modifiers.has(Modifiers::DEFAULT),
            params: member.params.iter().map(|param| read(&param.ty, &vars)).collect(),
            varargs: member.params.last().is_some_and(|param| param.varargs),
            ret: member.ty.as_ref().map_or(Ty::prim("void"), |ty| read(ty, &vars)),
            vars,
        }
    };
    LibraryType {
        fqn: format!("{}.{nested}", file.package).into(),
        supers: facts.extends.iter().chain(&facts.implements).map(|base| read(base, &[])).collect(),
        functional,
        methods: methods.map(method).collect(),
        params,
    }
}

fn read_ref(r: &TypeRef, vars: &[&[Arc<str>]], package: &str, names: &HashMap<String, Arc<str>>) -> Ty {
    let base = if let Some(var) = vars.iter().flat_map(|vars| vars.iter()).find(|var| ***var == *r.name) {
        Ty::Var(var.clone())
    } else if r.name == "?" {
        Ty::Unknown
    } else if TypeRef::named(r.name.clone()).is_primitive() {
        Ty::prim(r.name.as_str())
    } else {
        let fqn = names.get(&format!("{package} {}", r.name)).or_else(|| names.get(&r.name)).cloned();
        let args = r.args.iter().map(|arg| read_ref(arg, vars, package, names)).collect();
        Ty::Library { fqn: fqn.unwrap_or_else(|| r.name.as_str().into()), args }
    };
    (0..r.dims).fold(base, |ty, _| Ty::Array(Box::new(ty)))
}
