//! The class hierarchy: the project's declarations, classes of frameworks, and a table of the JDK's exceptions.

use crate::interpret::values::scalar::ClassRef;
use crate::ir::named::Named;
use crate::project::index::Project;

/// Library classes with their superclasses. Interfaces do not matter for exceptions.
const SUPERS: &[(&str, &str)] = &[
    ("java.lang.Exception", "java.lang.Throwable"),
    ("java.lang.Error", "java.lang.Throwable"),
    ("java.lang.ThreadDeath", "java.lang.Error"),
    ("java.lang.AssertionError", "java.lang.Error"),
    ("java.lang.StackOverflowError", "java.lang.VirtualMachineError"),
    ("java.lang.VirtualMachineError", "java.lang.Error"),
    ("java.lang.RuntimeException", "java.lang.Exception"),
    ("java.lang.CloneNotSupportedException", "java.lang.Exception"),
    ("java.lang.InterruptedException", "java.lang.Exception"),
    ("java.lang.ReflectiveOperationException", "java.lang.Exception"),
    ("java.lang.ClassNotFoundException", "java.lang.ReflectiveOperationException"),
    ("java.lang.IllegalArgumentException", "java.lang.RuntimeException"),
    ("java.lang.IllegalStateException", "java.lang.RuntimeException"),
    ("java.lang.ArithmeticException", "java.lang.RuntimeException"),
    ("java.lang.NullPointerException", "java.lang.RuntimeException"),
    ("java.lang.ClassCastException", "java.lang.RuntimeException"),
    ("java.lang.NegativeArraySizeException", "java.lang.RuntimeException"),
    ("java.lang.ArrayStoreException", "java.lang.RuntimeException"),
    ("java.lang.UnsupportedOperationException", "java.lang.RuntimeException"),
    ("java.lang.SecurityException", "java.lang.RuntimeException"),
    ("java.lang.IndexOutOfBoundsException", "java.lang.RuntimeException"),
    ("java.lang.MatchException", "java.lang.RuntimeException"),
    ("java.lang.ArrayIndexOutOfBoundsException", "java.lang.IndexOutOfBoundsException"),
    ("java.lang.StringIndexOutOfBoundsException", "java.lang.IndexOutOfBoundsException"),
    ("java.lang.NumberFormatException", "java.lang.IllegalArgumentException"),
    ("java.util.NoSuchElementException", "java.lang.RuntimeException"),
    ("java.util.InputMismatchException", "java.util.NoSuchElementException"),
    ("java.util.ConcurrentModificationException", "java.lang.RuntimeException"),
    ("java.util.EmptyStackException", "java.lang.RuntimeException"),
    ("java.util.MissingResourceException", "java.lang.RuntimeException"),
    ("java.util.concurrent.TimeoutException", "java.lang.Exception"),
    ("java.util.concurrent.ExecutionException", "java.lang.Exception"),
    ("java.util.regex.PatternSyntaxException", "java.lang.IllegalArgumentException"),
    ("java.time.DateTimeException", "java.lang.RuntimeException"),
    ("java.time.format.DateTimeParseException", "java.time.DateTimeException"),
    ("java.time.temporal.UnsupportedTemporalTypeException", "java.time.DateTimeException"),
    ("java.time.zone.ZoneRulesException", "java.time.DateTimeException"),
    ("java.text.ParseException", "java.lang.Exception"),
    ("java.io.IOException", "java.lang.Exception"),
    ("java.io.FileNotFoundException", "java.io.IOException"),
    ("java.io.UnsupportedEncodingException", "java.io.IOException"),
    ("java.io.UncheckedIOException", "java.lang.RuntimeException"),
    ("java.net.MalformedURLException", "java.io.IOException"),
    ("java.net.URISyntaxException", "java.lang.Exception"),
    ("java.sql.SQLException", "java.lang.Exception"),
    ("java.security.GeneralSecurityException", "java.lang.Exception"),
    ("java.security.NoSuchAlgorithmException", "java.security.GeneralSecurityException"),
    // Bean Validation, which belongs to no single framework.
    ("jakarta.validation.ConstraintViolationException", "jakarta.validation.ValidationException"),
    ("jakarta.validation.ValidationException", "java.lang.RuntimeException"),
    ("javax.validation.ConstraintViolationException", "javax.validation.ValidationException"),
    ("javax.validation.ValidationException", "java.lang.RuntimeException"),
];

/// The part of a class name after the JAX-RS package, `javax` or `jakarta`.
pub fn jax_rs_name(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("javax.ws.rs.").or_else(|| fqn.strip_prefix("jakarta.ws.rs."))
}

/// The superclass of a library class; `None` if neither the tables nor a framework know it. `java.lang.Throwable` is
/// the top.
pub fn library_super(project: &Project, fqn: &str) -> Option<String> {
    if let Some(brought) = project.brought().exception(fqn) {
        return Some(brought.extends.to_owned());
    }
    for package in ["javax.persistence.", "jakarta.persistence."] {
        if let Some(name) = fqn.strip_prefix(package) {
            return match name {
                "PersistenceException" => Some("java.lang.RuntimeException".to_owned()),
                name if name.ends_with("Exception") => Some(format!("{package}PersistenceException")),
                _ => None,
            };
        }
    }
    SUPERS.iter().find(|(class, _)| *class == fqn).map(|(_, parent)| (*parent).to_owned())
}

/// The superclass of a class: from its declaration, or for a library class from the tables.
pub fn super_of(project: &Project, class: &ClassRef) -> Option<ClassRef> {
    match class {
        ClassRef::Library(fqn) => match project.model(fqn) {
            Some(model) => super_of(project, &ClassRef::Project(model)),
            None => library_super(project, fqn).map(|parent| ClassRef::library(&parent)),
        },
        ClassRef::Project(id) => {
            // A class without `extends` has only interfaces among its supertypes.
            if project.ty(*id).extends.is_empty() {
                return Some(ClassRef::library("java.lang.Object"));
            }
            match &project.supers(*id).first()?.named {
                // Invalid source can inherit from itself; that superclass is ignored.
                Named::Project(parent) if parent == id || project.all_supers(*parent).contains(id) => None,
                Named::Project(parent) => Some(ClassRef::Project(*parent)),
                Named::Library(fqn) => Some(ClassRef::library(fqn)),
                _ => None,
            }
        }
    }
}

/// Whether `class` equals `other` or is a subclass of it (classes only); `None` if the chain reaches an unknown
/// class.
pub fn is_below(project: &Project, class: &ClassRef, other: &ClassRef) -> Option<bool> {
    let mut at = class.clone();
    for _ in 0..64 {
        if same(&named(project, &at), &named(project, other)) {
            return Some(true);
        }
        if matches!(&at, ClassRef::Library(fqn) if matches!(&**fqn, "java.lang.Throwable" | "java.lang.Object")) {
            return Some(false);
        }
        at = super_of(project, &at)?;
    }
    None
}

/// Replaces the class of a Java model by the library class that it stands for.
fn named(project: &Project, class: &ClassRef) -> ClassRef {
    match class {
        ClassRef::Project(id) if project.is_model(*id) => ClassRef::library(project.fqn(*id)),
        other => other.clone(),
    }
}

/// Equality that ignores the difference between `javax` and `jakarta` names.
fn same(a: &ClassRef, b: &ClassRef) -> bool {
    let plain = |fqn: &str| {
        let rest = fqn.strip_prefix("javax.")?;
        let moved = ["servlet.", "ws.rs.", "validation.", "persistence."];
        moved.iter().any(|package| rest.starts_with(package)).then(|| format!("jakarta.{rest}"))
    };
    match (a, b) {
        (ClassRef::Library(a), ClassRef::Library(b)) => {
            a == b || plain(a).unwrap_or_else(|| a.to_string()) == plain(b).unwrap_or_else(|| b.to_string())
        }
        _ => a == b,
    }
}
