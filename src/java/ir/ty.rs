//! Static types of expressions, as far as they can be inferred without compiling.

use std::sync::Arc;

use super::ids::TypeId;
use super::name::Name;

/// A type. Type variables stay in it until a call or a receiver binds them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// A project type with its type arguments; without arguments if it is raw or not generic.
    Project {
        /// Its id.
        id: TypeId,
        /// Its type arguments.
        args: Args,
    },
    /// A type that is not in the project.
    Library {
        /// Its dotted name.
        fqn: Name,
        /// Its type arguments.
        args: Args,
    },
    /// One of the eight primitive types, or `void`.
    Prim(Name),
    /// An array of elements of this type.
    Array(Arc<Ty>),
    /// A type variable.
    Var(Name),
    /// The result of unknown library code. If it is a project type at all, it is one of these (sorted), since a
    /// library can only know the types that it received.
    Opaque(Vec<TypeId>),
    /// The type of `null`.
    Null,
    /// Not known.
    Unknown,
}

/// Type arguments. They are shared, because types are copied much more often than created.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Args(
    /// `None` if there are none.
    Option<Arc<[Ty]>>,
);

impl Args {
    /// One argument.
    pub fn one(arg: Ty) -> Self {
        Self(Some(Arc::from([arg])))
    }
}

impl FromIterator<Ty> for Args {
    fn from_iter<I: IntoIterator<Item = Ty>>(args: I) -> Self {
        let args = args.into_iter();
        // Mapping no arguments is the most frequent case.
        if args.size_hint() == (0, Some(0)) {
            return Self::default();
        }
        let args: Arc<[Ty]> = args.collect();
        Self(Some(args).filter(|args| !args.is_empty()))
    }
}

impl std::ops::Deref for Args {
    type Target = [Ty];

    fn deref(&self) -> &[Ty] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl std::fmt::Debug for Args {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&**self, f)
    }
}

/// Bound type variables with their types.
pub type Bindings = Vec<(Name, Ty)>;

impl Ty {
    /// Whether both have the same erasure: class, primitive type or array.
    pub fn is_same_erased(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Project { id, .. }, Self::Project { id: other, .. }) => id == other,
            (Self::Library { fqn, .. }, Self::Library { fqn: other, .. }) => fqn == other && !fqn.starts_with('?'),
            (Self::Prim(own), Self::Prim(other)) => own == other,
            (Self::Array(own), Self::Array(other)) => own.is_same_erased(other),
            _ => false,
        }
    }

    /// A project type without type arguments.
    pub fn project(id: TypeId) -> Self {
        Self::Project { id, args: Args::default() }
    }

    /// A library type without type arguments.
    pub fn library(fqn: impl Into<Name>) -> Self {
        Self::Library { fqn: fqn.into(), args: Args::default() }
    }

    /// `java.lang.String`.
    pub fn string() -> Self {
        Self::library(Name::string())
    }

    /// A primitive type.
    pub fn prim(name: &str) -> Self {
        Self::Prim(Name::primitive(name))
    }

    /// An array.
    pub fn array(element: Self) -> Self {
        Self::Array(Arc::new(element))
    }

    /// The id of a project type.
    pub fn as_project(&self) -> Option<TypeId> {
        match self {
            Self::Project { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// Whether the type is unknown.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// Whether some part of the type is unknown.
    pub fn is_partial(&self) -> bool {
        match self {
            Self::Unknown | Self::Var(_) => true,
            Self::Project { args, .. } | Self::Library { args, .. } => args.iter().any(Self::is_partial),
            Self::Array(element) => element.is_partial(),
            _ => false,
        }
    }

    /// Whether the type contains a type variable.
    pub fn has_variable(&self) -> bool {
        match self {
            Self::Var(_) => true,
            Self::Project { args, .. } | Self::Library { args, .. } => args.iter().any(Self::has_variable),
            Self::Array(element) => element.has_variable(),
            _ => false,
        }
    }

    /// Every project type that occurs in this type, including its arguments.
    pub fn projects(&self, into: &mut impl Extend<TypeId>) {
        match self {
            Self::Project { id, args } => {
                into.extend([*id]);
                args.iter().for_each(|arg| arg.projects(into));
            }
            Self::Library { args, .. } => args.iter().for_each(|arg| arg.projects(into)),
            Self::Array(element) => element.projects(into),
            Self::Opaque(ids) => into.extend(ids.iter().copied()),
            _ => {}
        }
    }

    /// Replaces type variables by their bindings; unbound ones stay.
    pub fn subst(&self, bindings: &Bindings) -> Self {
        match self {
            Self::Var(name) => lookup(bindings, name).cloned().unwrap_or_else(|| self.clone()),
            Self::Project { id, args } if !args.is_empty() => {
                Self::Project { id: *id, args: args.iter().map(|arg| arg.subst(bindings)).collect() }
            }
            Self::Library { fqn, args } if !args.is_empty() => {
                Self::Library { fqn: *fqn, args: args.iter().map(|arg| arg.subst(bindings)).collect() }
            }
            Self::Array(element) => Self::array(element.subst(bindings)),
            _ => self.clone(),
        }
    }

    /// Replaces bound type variables by their bindings, and unbound ones of `vars` by unknown.
    pub fn close(&self, bindings: &Bindings, vars: &[Name]) -> Self {
        if !self.has_variable() {
            return self.clone();
        }
        let mut all = bindings.clone();
        for var in vars {
            if lookup(&all, var).is_none() {
                all.push((*var, Self::Unknown));
            }
        }
        self.subst(&all)
    }

    /// The box of a primitive type; any other type unchanged.
    pub fn boxed(&self) -> Self {
        let Self::Prim(name) = self else { return self.clone() };
        Self::library(match &**name {
            "boolean" => "java.lang.Boolean",
            "byte" => "java.lang.Byte",
            "short" => "java.lang.Short",
            "char" => "java.lang.Character",
            "int" => "java.lang.Integer",
            "long" => "java.lang.Long",
            "float" => "java.lang.Float",
            "double" => "java.lang.Double",
            _ => "java.lang.Void",
        })
    }

    /// The primitive type of a box.
    pub fn unboxed(&self) -> Option<&'static str> {
        let Self::Library { fqn, .. } = self else { return None };
        Some(match &**fqn {
            "java.lang.Boolean" => "boolean",
            "java.lang.Byte" => "byte",
            "java.lang.Short" => "short",
            "java.lang.Character" => "char",
            "java.lang.Integer" => "int",
            "java.lang.Long" => "long",
            "java.lang.Float" => "float",
            "java.lang.Double" => "double",
            _ => return None,
        })
    }

    /// Dotted name of a library type.
    pub fn library_name(&self) -> Option<&str> {
        match self {
            Self::Library { fqn, .. } => Some(fqn),
            _ => None,
        }
    }

    /// The type without type arguments.
    pub fn erased(&self) -> Self {
        match self {
            Self::Project { id, .. } => Self::project(*id),
            Self::Library { fqn, .. } => Self::library(*fqn),
            Self::Array(element) => Self::array(element.erased()),
            _ => self.clone(),
        }
    }
}

/// The binding of a type variable.
pub fn lookup<'b>(bindings: &'b Bindings, name: &str) -> Option<&'b Ty> {
    bindings.iter().find(|(bound, _)| **bound == *name).map(|(_, ty)| ty)
}

/// Whether a primitive value of type `from` may be used without a cast where `to` is declared (JLS §5.1.2); also true
/// for equal types.
pub fn widens(from: &str, to: &str) -> bool {
    const ORDER: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];
    let place = |name: &str| ORDER.iter().position(|known| *known == name);
    from == to
        || match (place(from), place(to)) {
            (Some(from), Some(to)) => from < to,
            (None, Some(to)) => from == "char" && to >= 2,
            _ => false,
        }
}
