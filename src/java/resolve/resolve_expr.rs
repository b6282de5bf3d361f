//! Resolves expressions: infers their types, and finds the declarations of names and field accesses.

use super::resolve_body::BodyResolver;
use crate::ir::body::{BinaryOp, ExprId, ExprKind, Lit, UnaryOp};
use crate::ir::calls::{Declares, Target};
use crate::ir::facts::MemberKind;
use crate::ir::few::SmallList;
use crate::ir::named::{Named, StaticName};
use crate::ir::ty::{Args, Ty};

/// First parts of package names, which are not taken for inherited fields of a library class.
const PACKAGES: &[&str] = &["java", "javax", "jakarta", "org", "com", "net", "io"];

/// The meaning of an expression before a dot.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// A value.
    Value(Ty),
    /// A type.
    Type(Ty),
    /// Perhaps a package.
    Package(String),
}

impl Meaning {
    /// The type of a value; unknown for anything else.
    fn ty(&self) -> Ty {
        match self {
            Self::Value(ty) => ty.clone(),
            Self::Type(_) | Self::Package(_) => Ty::Unknown,
        }
    }
}

impl BodyResolver<'_, '_> {
    /// Resolves an expression where a value of type `expected` is required.
    pub(crate) fn expr(&mut self, id: ExprId, expected: &Ty) -> Ty {
        let ty = match self.expr_type(id, expected) {
            // An opaque result must have the expected type if that is a primitive, a box or `String`.
            Ty::Opaque(_) if matches!(expected, Ty::Prim(_)) || expected.unboxed().is_some() => expected.clone(),
            Ty::Opaque(_) if *expected == Ty::string() => expected.clone(),
            found => found,
        };
        self.out.types[id.0 as usize] = ty.clone();
        ty
    }

    fn expr_type(&mut self, id: ExprId, expected: &Ty) -> Ty {
        let body = self.body;
        match &body.expr(id).kind {
            ExprKind::Lit(lit) => literal(lit),
            ExprKind::Name(_) => self.meaning(id).ty(),
            ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Call { .. } => self.chain(id, expected).ty(),
            ExprKind::New { ty, diamond, outer, args, anonymous } => {
                let outer = outer.map(|outer| self.expr(outer, &Ty::Unknown));
                let mut made = self.read(ty);
                if let Some(outer) = outer.as_ref().and_then(Ty::as_project) {
                    made = self.inner_of(outer, &ty.name).unwrap_or(made);
                }
                let (target, ty) = self.construct(&made, args, *diamond, expected);
                self.out.targets.insert(id, target);
                if let Some(place) = anonymous {
                    self.out.captures.insert(*place, self.locals.clone());
                    let project = self.types.project;
                    let anonymous = project.type_in(project.file_of(self.scope()), *place);
                    self.out.touched.insert(anonymous);
                    // The new object gets its anonymous type only if its supertype is not a project type and no type is
                    // expected, so that its own members can be called.
                    return if made.as_project().is_some() || !expected.is_unknown() {
                        ty
                    } else {
                        Ty::project(anonymous)
                    };
                }
                ty
            }
            ExprKind::NewArray { ty, lengths, init } => {
                let made = self.read(ty);
                for length in lengths {
                    self.expr(*length, &Ty::prim("int"));
                }
                if let Some(init) = init {
                    self.expr(*init, &made);
                }
                made
            }
            ExprKind::ArrayInit(items) => {
                let element = self.element(expected);
                for item in items {
                    self.expr(*item, &element);
                }
                expected.clone()
            }
            ExprKind::Unary { op, operand } => {
                let ty = self.expr(*operand, &Ty::Unknown);
                if *op == UnaryOp::Not { Ty::prim("boolean") } else { numeric(&ty, &Ty::prim("int")) }
            }
            ExprKind::Binary { .. } => self.binary(id),
            ExprKind::Assign { target, value, .. } => {
                let ty = self.expr(*target, &Ty::Unknown);
                self.expr(*value, &ty);
                ty
            }
            ExprKind::IncDec { target, .. } => self.expr(*target, &Ty::Unknown),
            ExprKind::Conditional { .. } => self.conditional(id, expected),
            ExprKind::Cast { ty, operand } => {
                let ty = self.read(ty);
                self.expr(*operand, &ty);
                ty
            }
            ExprKind::InstanceOf { operand, pattern } => {
                let value = self.expr(*operand, &Ty::Unknown);
                self.patterns_of(Declares::Expr(id), 0, pattern, &value);
                Ty::prim("boolean")
            }
            ExprKind::Lambda { .. } | ExprKind::MethodRef { .. } => {
                self.function(id, expected);
                expected.clone()
            }
            ExprKind::Switch { selector, arms } => {
                let selector = self.expr(*selector, &Ty::Unknown);
                self.yields.push((expected.clone(), None));
                self.arms(Declares::Expr(id), &selector, arms);
                self.yields.pop().and_then(|(_, given)| given).unwrap_or_else(|| expected.clone())
            }
            ExprKind::This(None) => self.types.this_type(self.scope()),
            ExprKind::This(Some(name)) => {
                let outer = self.types.project.resolve_at(self.member, name).project();
                outer.map_or(Ty::Unknown, |outer| self.types.this_type(outer))
            }
            ExprKind::Super(None) => self.super_type(),
            ExprKind::Super(Some(name)) => self.read(&crate::ir::facts::TypeRef::named(name.as_str())),
            ExprKind::ClassLit(ty) => {
                let ty = self.read(ty);
                Ty::Library { fqn: "java.lang.Class".into(), args: Args::one(ty.boxed()) }
            }
            ExprKind::Unknown(_) => Ty::Unknown,
        }
    }

    /// Resolves a left-deep chain of operators, from its first operand on.
    fn binary(&mut self, id: ExprId) -> Ty {
        let body = self.body;
        let mut spine = SmallList::none((id, BinaryOp::Add, id));
        let mut at = id;
        while let ExprKind::Binary { op, left, right } = &body.expr(at).kind {
            spine.push((at, *op, *right));
            at = *left;
        }
        let mut ty = self.expr(at, &Ty::Unknown);
        for (id, op, right) in spine.iter().rev().copied() {
            let other = self.expr(right, &Ty::Unknown);
            ty = match op {
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                    Ty::prim("boolean")
                }
                BinaryOp::And | BinaryOp::Or => Ty::prim("boolean"),
                BinaryOp::Add if ty == Ty::string() || other == Ty::string() => Ty::string(),
                // If neither operand is known to be a number, the sum may be a string.
                BinaryOp::Add if !is_numeric(&ty) && !is_numeric(&other) => Ty::Opaque(Vec::new()),
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => numeric(&ty, &Ty::prim("int")),
                _ => numeric(&ty, &other),
            };
            self.out.types[id.0 as usize] = ty.clone();
        }
        ty
    }

    /// Resolves a chain `a ? x : b ? y : z`.
    fn conditional(&mut self, id: ExprId, expected: &Ty) -> Ty {
        let body = self.body;
        let (mut at, mut found, mut heads) = (id, Vec::new(), Vec::new());
        while let ExprKind::Conditional { condition, then, otherwise } = &body.expr(at).kind {
            self.expr(*condition, &Ty::prim("boolean"));
            found.push(self.expr(*then, expected));
            heads.push(at);
            at = *otherwise;
        }
        found.push(self.expr(at, expected));
        let ty = self.either(&found);
        for head in heads {
            self.out.types[head.0 as usize] = ty.clone();
        }
        ty
    }

    /// Resolves a chain of calls, field accesses and index accesses, from its first target on.
    fn chain(&mut self, id: ExprId, expected: &Ty) -> Meaning {
        let body = self.body;
        let mut links = SmallList::none(id);
        links.push(id);
        let mut base = None;
        let mut at = id;
        while let Some(target) = target_of(&body.expr(at).kind) {
            if matches!(body.expr(target).kind, ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Call { .. })
            {
                links.push(target);
                at = target;
            } else {
                base = Some(target);
                break;
            }
        }
        let mut meaning = base.map(|base| self.meaning(base));
        for link in links.iter().rev().copied() {
            let wanted = if link == id { expected.clone() } else { Ty::Unknown };
            let next = match (&body.expr(link).kind, meaning.take()) {
                (ExprKind::Field { name, .. }, Some(target)) => self.field_access(link, &target, name),
                (ExprKind::Index { index, .. }, Some(target)) => {
                    self.expr(*index, &Ty::prim("int"));
                    Meaning::Value(self.element(&target.ty()))
                }
                (ExprKind::Call { name, args, type_args, .. }, target) => {
                    Meaning::Value(self.call(link, target, name, args, type_args, &wanted))
                }
                _ => Meaning::Value(Ty::Unknown),
            };
            self.out.types[link.0 as usize] = next.ty();
            meaning = Some(next);
        }
        meaning.unwrap_or(Meaning::Value(Ty::Unknown))
    }

    /// The meaning of an expression before a dot.
    pub(crate) fn meaning(&mut self, id: ExprId) -> Meaning {
        let body = self.body;
        match &body.expr(id).kind {
            ExprKind::Name(name) => {
                let meaning = self.name(id, name);
                self.out.types[id.0 as usize] = meaning.ty();
                meaning
            }
            ExprKind::Field { .. } => {
                let meaning = self.chain(id, &Ty::Unknown);
                self.out.types[id.0 as usize] = meaning.ty();
                meaning
            }
            _ => Meaning::Value(self.expr(id, &Ty::Unknown)),
        }
    }

    /// Resolves a simple name (JLS §6.4.2): a variable comes before a type, a type before a package.
    fn name(&mut self, id: ExprId, name: &str) -> Meaning {
        let own = self.locals.iter().skip(self.captured).rfind(|local| local.name == name);
        if let Some((ty, slot)) = own.map(|own| (own.ty.clone(), own.slot)) {
            self.out.targets.insert(id, slot.map_or(Target::Captured, Target::Local));
            return Meaning::Value(ty);
        }
        let scopes = self.scopes();
        for (depth, scope) in scopes.iter().enumerate() {
            if let Some((field, ty)) = self.types.field(&self.types.this_type(*scope), name) {
                self.out.targets.insert(id, Target::Field(field));
                return Meaning::Value(ty);
            }
            if depth == 0 {
                let around = self.locals.iter().take(self.captured).rfind(|local| local.name == name);
                if let Some(ty) = around.map(|around| around.ty.clone()) {
                    self.out.targets.insert(id, Target::Captured);
                    return Meaning::Value(ty);
                }
            }
            if self.types.logger(*scope, name) {
                return self.library_value(id, "org.slf4j.Logger", name, Ty::library("org.slf4j.Logger"));
            }
        }
        if let Some(meaning) = self.static_import(id, name, false) {
            return meaning;
        }
        match self.types.resolve_at(self.member, name) {
            Named::Unknown(_) => {}
            named => return self.type_meaning(id, named),
        }
        let capital = name.starts_with(char::is_uppercase);
        let constant = capital && name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric());
        if constant && let Some(meaning) = self.static_import(id, name, true) {
            return meaning;
        }
        let own = self.types.project.package_of(self.scope()).split('.').next().unwrap_or_default();
        let is_package = PACKAGES.contains(&name) || name == own;
        if (!capital || constant) && !is_package {
            for scope in scopes.iter() {
                let bases = self.types.library_bases(&Ty::project(*scope));
                if let Some(base) = bases.into_iter().find(|base| !is_plain(base)) {
                    let given = self.given_by_library(&base, &[]);
                    let fqn = base.library_name().unwrap_or_default().to_owned();
                    return self.library_value(id, &fqn, name, given);
                }
            }
        }
        if capital {
            return self.type_meaning(id, Named::Unknown(name.to_owned()));
        }
        Meaning::Package(name.to_owned())
    }

    /// A constant from a static import. A wildcard import of a library counts only if `wildcards` is set, since it
    /// might supply any name.
    fn static_import(&mut self, id: ExprId, name: &str, wildcards: bool) -> Option<Meaning> {
        let project = self.types.project;
        let imports = &project.file(project.file_of(self.scope())).facts.imports;
        if !imports.iter().any(|import| import.is_static) {
            return None;
        }
        let single = imports.iter().any(|import| {
            import.is_static && !import.wildcard && import.path.rsplit('.').next().is_some_and(|last| last == name)
        });
        for found in project.resolve_static(self.scope(), name) {
            match found {
                StaticName::Member(field) => {
                    let kind = project.member(field).kind;
                    if matches!(kind, MemberKind::Field | MemberKind::EnumConstant) {
                        self.out.targets.insert(id, Target::Field(field));
                        return Some(Meaning::Value(self.types.signature(field).ret.clone()));
                    }
                }
                StaticName::Library(path) if single || wildcards => {
                    let ty = path.rsplit_once('.').map(|(ty, _)| ty.to_owned()).unwrap_or_default();
                    return Some(self.library_value(id, &ty, name, Ty::Opaque(Vec::new())));
                }
                StaticName::Library(_) => {}
            }
        }
        None
    }

    fn library_value(&mut self, id: ExprId, ty: &str, name: &str, value: Ty) -> Meaning {
        self.out.targets.insert(id, Target::Library { ty: ty.into(), name: name.into() });
        Meaning::Value(value)
    }

    fn type_meaning(&mut self, id: ExprId, named: Named) -> Meaning {
        let ty = match &named {
            Named::Project(ty) => Ty::project(*ty),
            Named::Library(fqn) => Ty::library(fqn.as_str()),
            Named::Unknown(name) => self.read(&crate::ir::facts::TypeRef::named(name.as_str())),
            Named::TypeVar(_) | Named::Primitive => Ty::Unknown,
        };
        self.note_missing(&ty);
        self.out.touched.extend(ty.as_project());
        self.out.targets.insert(id, Target::Type(named));
        Meaning::Type(ty)
    }

    fn field_access(&mut self, id: ExprId, target: &Meaning, name: &str) -> Meaning {
        match target {
            Meaning::Value(ty) => Meaning::Value(self.value_field(id, ty, name)),
            Meaning::Type(ty @ Ty::Project { id: owner, .. }) => {
                if let Some((field, found)) = self.types.field(ty, name) {
                    self.out.targets.insert(id, Target::Field(field));
                    return Meaning::Value(found);
                }
                if let Some(inner) = self.inner_of(*owner, name).and_then(|ty| ty.as_project()) {
                    return self.type_meaning(id, Named::Project(inner));
                }
                let base = self.types.library_bases(ty).into_iter().next();
                let given = base.map_or(Ty::Unknown, |base| self.given_by_library(&base, &[]));
                let fqn = self.types.project.fqn(*owner).to_owned();
                self.library_value(id, &fqn, name, given)
            }
            Meaning::Type(Ty::Library { fqn, .. }) => {
                let mut chars = name.chars();
                let is_type =
                    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase);
                if is_type && name != "NaN" {
                    return self.type_meaning(id, Named::Library(format!("{fqn}.{name}")));
                }
                let given = self.given_by_library(&Ty::library(*fqn), &[]);
                let fqn = fqn.to_string();
                self.library_value(id, &fqn, name, given)
            }
            Meaning::Type(_) => Meaning::Value(Ty::Unknown),
            Meaning::Package(package) => {
                let whole = format!("{package}.{name}");
                if name.starts_with(char::is_uppercase) {
                    let named = self.types.project.resolve(self.scope(), &whole);
                    return self.type_meaning(id, named);
                }
                Meaning::Package(whole)
            }
        }
    }

    fn value_field(&mut self, id: ExprId, ty: &Ty, name: &str) -> Ty {
        match ty {
            Ty::Array(_) if name == "length" => Ty::prim("int"),
            Ty::Var(var) => {
                let bound = self.types.bound(self.scope(), Some(self.member), var);
                if matches!(bound, Ty::Var(_)) { Ty::Unknown } else { self.value_field(id, &bound, name) }
            }
            Ty::Opaque(ids) => {
                let found = ids.iter().find_map(|owner| self.types.field(&Ty::project(*owner), name));
                match found {
                    Some((field, ty)) => {
                        self.out.targets.insert(id, Target::Field(field));
                        ty
                    }
                    None => ty.clone(),
                }
            }
            Ty::Project { .. } | Ty::Library { .. } => {
                if let Some((field, found)) = self.types.field(ty, name) {
                    self.out.targets.insert(id, Target::Field(field));
                    return found;
                }
                let base = self.types.library_bases(ty).into_iter().next();
                let Some(base) = base else {
                    self.out.targets.insert(id, Target::Unresolved { name: name.to_owned(), arity: 0 });
                    return Ty::Unknown;
                };
                let fqn = base.library_name().unwrap_or_default().into();
                self.out.targets.insert(id, Target::Library { ty: fqn, name: name.into() });
                self.given_by_library(&base, &[])
            }
            _ => {
                self.out.targets.insert(id, Target::Unresolved { name: name.to_owned(), arity: 0 });
                Ty::Unknown
            }
        }
    }

    /// A member type of a type, own or inherited.
    fn inner_of(&self, owner: crate::ir::ids::TypeId, name: &str) -> Option<Ty> {
        let project = self.types.project;
        let owners = std::iter::once(owner).chain(project.all_supers(owner));
        owners
            .flat_map(|owner| project.inner(owner))
            .find(|inner| project.ty(**inner).name == name)
            .map(|inner| Ty::project(*inner))
    }
}

/// The target of a call, field access or index access.
pub(crate) fn target_of(kind: &ExprKind) -> Option<ExprId> {
    match kind {
        ExprKind::Field { target, .. } | ExprKind::Index { target, .. } => Some(*target),
        ExprKind::Call { target, .. } => *target,
        _ => None,
    }
}

/// Library supertypes that add no fields to a type.
fn is_plain(base: &Ty) -> bool {
    base.library_name().is_some_and(|fqn| {
        fqn.starts_with("java.lang.")
            || matches!(fqn, "java.io.Serializable" | "java.util.Comparator" | "java.util.Map")
    })
}

fn literal(lit: &Lit) -> Ty {
    match lit {
        Lit::Null => Ty::Null,
        Lit::Bool(_) => Ty::prim("boolean"),
        Lit::Char(_) => Ty::prim("char"),
        Lit::Int(_) => Ty::prim("int"),
        Lit::Long(_) => Ty::prim("long"),
        Lit::Float(_) => Ty::prim("float"),
        Lit::Double(_) => Ty::prim("double"),
        Lit::Str(_) | Lit::Utf16(_) => Ty::string(),
    }
}

fn primitive(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::Prim(name) => Some(name),
        _ => ty.unboxed(),
    }
}

fn is_numeric(ty: &Ty) -> bool {
    primitive(ty).is_some_and(|name| name != "boolean" && name != "void")
}

/// Binary numeric promotion (JLS §5.6); `boolean` for bitwise operators on booleans.
fn numeric(left: &Ty, right: &Ty) -> Ty {
    match (primitive(left), primitive(right)) {
        (Some("boolean"), _) => Ty::prim("boolean"),
        (Some(left), Some(right)) => {
            let wide = ["double", "float", "long"].into_iter().find(|wide| left == *wide || right == *wide);
            Ty::prim(wide.unwrap_or("int"))
        }
        _ => Ty::Opaque(Vec::new()),
    }
}
