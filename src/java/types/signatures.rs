//! Generic signatures of library types, read from the Java sources in `signatures/`: result types of calls, and
//! parameter types of lambdas.

use std::sync::{LazyLock, OnceLock};

use rustc_hash::FxHashMap;

use crate::declarations::extract_facts::facts_of;
use crate::ir::facts::{FileFacts, MemberFacts, MemberKind, Modifiers, Nesting, TypeFacts, TypeKind, TypeRef};
use crate::ir::name::Name;
use crate::ir::ty::{Bindings, Ty};
use crate::models::sources::models;

/// A library type with known signatures.
#[derive(Debug)]
pub struct LibraryType {
    /// Dotted name.
    pub fqn: Name,
    /// Its type parameters.
    pub params: Vec<Name>,
    /// Its supertypes, in terms of its own type parameters.
    pub supers: Vec<Ty>,
    /// Whether it is a functional interface.
    pub functional: bool,
    /// Methods and constructors (named `<init>`) in source order.
    pub methods: Vec<LibraryMethod>,
    /// Indexes of the methods of each name.
    by_name: FxHashMap<Name, Vec<u32>>,
    /// All known supertypes, breadth first, in terms of its own type parameters.
    above: OnceLock<Vec<Ty>>,
}

/// A method of a library type.
#[derive(Debug)]
pub struct LibraryMethod {
    /// Its name.
    pub name: Name,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is abstract: the method that a lambda implements.
    pub is_abstract: bool,
    /// Its own type parameters.
    pub vars: Vec<Name>,
    /// Its parameter types; the element type of a varargs parameter.
    pub params: Vec<Ty>,
    /// Whether the last parameter is `T...`.
    pub varargs: bool,
    /// Its return type.
    pub ret: Ty,
}

static TYPES: LazyLock<FxHashMap<Name, LibraryType>> = LazyLock::new(read_all);

/// The library type with this dotted name; `jakarta` is looked up as `javax`.
pub fn library_type(fqn: &str) -> Option<&'static LibraryType> {
    if let Some(rest) = fqn.strip_prefix("jakarta.") {
        return TYPES.get(format!("javax.{rest}").as_str());
    }
    TYPES.get(fqn)
}

/// A library type and its supertypes with its type arguments applied, breadth first.
pub fn library_supers(ty: &Ty) -> Vec<Ty> {
    library_supers_where(ty, |_| true)
}

/// The types of [`library_supers`] that `wanted` accepts; `wanted` sees them without the type arguments applied.
pub fn library_supers_where(ty: &Ty, wanted: impl Fn(&Ty) -> bool) -> Vec<Ty> {
    let mut found = Vec::from_iter(wanted(ty).then(|| ty.clone()));
    let Ty::Library { fqn, args } = ty else { return found };
    let Some(known) = library_type(fqn) else { return found };
    let bindings = bind(&known.params, args);
    for base in known.above().iter().filter(|base| wanted(base)) {
        let base = base.close(&bindings, &known.params);
        if !found.contains(&base) {
            found.push(base);
        }
    }
    found
}

impl LibraryType {
    /// The methods with this name, in source order; constructors have the name `<init>`.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &LibraryMethod> {
        let places = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.methods.get(*place as usize))
    }

    /// Whether there are methods with this name.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    fn above(&self) -> &[Ty] {
        self.above.get_or_init(|| {
            let own = self.params.iter().copied().map(Ty::Var).collect();
            let mut found = vec![Ty::Library { fqn: self.fqn, args: own }];
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
            found.remove(0);
            found
        })
    }
}

/// Binds type parameters to the given arguments; empty for a raw type.
pub fn bind(params: &[Name], args: &[Ty]) -> Bindings {
    if params.len() != args.len() {
        return Vec::new();
    }
    params.iter().cloned().zip(args.iter().cloned()).collect()
}

/// The single abstract method of a functional library interface, with the type that declares it.
pub fn functional(ty: &Ty) -> Option<(Ty, &'static LibraryMethod)> {
    library_type(ty.library_name()?).filter(|known| known.functional)?;
    library_supers(ty).into_iter().find_map(|base| {
        let known = library_type(base.library_name()?)?;
        let method = known.methods.iter().find(|method| method.is_abstract && !method.is_static)?;
        Some((base, method))
    })
}

fn read_all() -> FxHashMap<Name, LibraryType> {
    let mut files: Vec<FileFacts> = Vec::new();
    for source in [include_str!("signatures/jdk.java"), include_str!("signatures/frameworks.java")] {
        for part in source.split("\npackage ").skip(1) {
            files.push(facts_of(&format!("package {part}")));
        }
    }
    // Library models declare their signatures themselves.
    files.extend(models().iter().map(|model| FileFacts::clone(&model.facts)));
    let mut names: FxHashMap<String, Name> = FxHashMap::default();
    for file in &files {
        for import in file.imports.iter().filter(|import| !import.is_static && !import.wildcard) {
            let simple = import.path.rsplit('.').next().unwrap_or_default();
            names.insert(format!("{} {simple}", file.package), import.path.as_str().into());
        }
        for index in 0..file.types.len() {
            let nested = nested_name(file, index);
            let fqn: Name = format!("{}.{nested}", file.package).into();
            names.insert(format!("{} {nested}", file.package), fqn);
            if file.package == "java.lang" {
                names.insert(nested, fqn);
            }
        }
    }
    let mut types = FxHashMap::default();
    for file in &files {
        for (index, facts) in file.types.iter().enumerate() {
            let ty = read_type(file, facts, &nested_name(file, index), &names);
            types.insert(ty.fqn, ty);
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

fn read_type(file: &FileFacts, facts: &TypeFacts, nested: &str, names: &FxHashMap<String, Name>) -> LibraryType {
    let params: Vec<Name> = facts.type_params.iter().map(|param| param.name.as_str().into()).collect();
    let read = |r: &TypeRef, vars: &[Name]| read_ref(r, &[&params, vars], &file.package, names);
    let functional = facts.annotations.iter().any(|annotation| annotation.simple() == "FunctionalInterface");
    let methods = facts.members.iter().filter(|m| matches!(m.kind, MemberKind::Method | MemberKind::Constructor));
    let methods = methods.filter(|method| !method.modifiers.has(Modifiers::PRIVATE));
    let method = |member: &MemberFacts| {
        let vars: Vec<Name> = member.type_params.iter().map(|param| param.name.as_str().into()).collect();
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
    let methods: Vec<LibraryMethod> = methods.map(method).collect();
    let mut by_name: FxHashMap<Name, Vec<u32>> = FxHashMap::default();
    for (place, method) in methods.iter().enumerate() {
        by_name.entry(method.name).or_default().push(place as u32);
    }
    LibraryType {
        by_name,
        fqn: format!("{}.{nested}", file.package).into(),
        supers: facts.extends.iter().chain(&facts.implements).map(|base| read(base, &[])).collect(),
        functional,
        methods,
        params,
        above: OnceLock::new(),
    }
}

fn read_ref(r: &TypeRef, vars: &[&[Name]], package: &str, names: &FxHashMap<String, Name>) -> Ty {
    let base = if let Some(var) = vars.iter().flat_map(|vars| vars.iter()).find(|var| ***var == *r.name) {
        Ty::Var(*var)
    } else if r.name == "?" {
        Ty::Unknown
    } else if TypeRef::named(r.name.clone()).is_primitive() {
        Ty::prim(r.name.as_str())
    } else {
        let fqn = names.get(&format!("{package} {}", r.name)).or_else(|| names.get(r.name.as_str())).cloned();
        let args = r.args.iter().map(|arg| read_ref(arg, vars, package, names)).collect();
        Ty::Library { fqn: fqn.unwrap_or_else(|| r.name.as_str().into()), args }
    };
    (0..r.dims).fold(base, |ty, _| Ty::array(ty))
}
