//! Models calls whose result the outside world decides: the environment, the file system, class loading, the request
//! as the server sees it.
//!
//! They change nothing that the code can observe. A call that may fail is treated by `may_throw`; all others are
//! certain to return.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::value::{Type, Unknown, Value};

/// The kind of result of a call.
#[derive(Debug, Clone, Copy)]
enum ResultKind {
    /// Nothing.
    Nothing,
    /// A number or boolean.
    Number(Prim),
    /// A text, which may be null.
    Text,
    /// A text that is not null.
    SomeText,
    /// An object of a class, of which nothing else is known.
    Object(&'static str),
    /// A value of a class that is not null.
    Present(&'static str),
    /// A value of a class, or null.
    Maybe(&'static str),
}

use ResultKind::{Maybe, Nothing, Number, Object, Present, SomeText, Text};

/// A line of a table: classes, methods, the kind of their result, and why the result is unknown.
type ModelledCalls = (&'static [&'static str], &'static [&'static str], ResultKind, &'static str);

const CHANCE: &str = "chance";
const ENVIRONMENT: &str = "the environment";
const FILES: &str = "the file system";
const REQUEST: &str = "the request as the server sees it";
const LOADER: &str = "how classes are loaded";

const REQUESTS: &[&str] = &["jakarta.servlet.http.HttpServletRequest", "javax.servlet.http.HttpServletRequest"];
const SESSIONS: &[&str] = &["jakarta.servlet.http.HttpSession", "javax.servlet.http.HttpSession"];
const PRINCIPALS: &[&str] = &["java.security.Principal", "org.springframework.security.core.Authentication"];

/// Calls that never fail.
const SURE: &[ModelledCalls] = &[
    (&["java.lang.System"], &["getProperties"], Present("java.util.Properties"), ENVIRONMENT),
    (&["java.lang.System"], &["lineSeparator"], SomeText, ENVIRONMENT),
    (&["java.lang.System"], &["gc", "runFinalization"], Nothing, ENVIRONMENT),
    (&["java.lang.Runtime"], &["getRuntime"], Object("java.lang.Runtime"), ENVIRONMENT),
    (&["java.lang.Runtime"], &["availableProcessors"], Number(Prim::Int), ENVIRONMENT),
    (&["java.lang.Runtime"], &["freeMemory", "totalMemory", "maxMemory"], Number(Prim::Long), ENVIRONMENT),
    (&["java.lang.Thread"], &["yield", "onSpinWait"], Nothing, ENVIRONMENT),
    (&["java.lang.Thread"], &["getContextClassLoader"], Object("java.lang.ClassLoader"), LOADER),
    (&["java.lang.Class"], &["getClassLoader"], Object("java.lang.ClassLoader"), LOADER),
    (&["java.lang.ClassLoader"], &["getSystemClassLoader"], Object("java.lang.ClassLoader"), LOADER),
    (&["java.nio.charset.Charset"], &["defaultCharset"], Present("java.nio.charset.Charset"), ENVIRONMENT),
    (
        &["java.io.File"],
        &["exists", "isDirectory", "isFile", "canRead", "canWrite", "isHidden"],
        Number(Prim::Bool),
        FILES,
    ),
    (&["java.io.File"], &["length", "lastModified", "getFreeSpace", "getTotalSpace"], Number(Prim::Long), FILES),
    (&["java.io.File"], &["getAbsolutePath"], SomeText, FILES),
    (&["java.io.File"], &["list", "listFiles"], Maybe("array"), FILES),
    (
        &["java.io.StringWriter", "java.lang.StringBuffer", "java.lang.StringBuilder"],
        &["toString"],
        SomeText,
        "what was written",
    ),
    (
        REQUESTS,
        &[
            "getMethod",
            "getRequestURI",
            "getServletPath",
            "getContextPath",
            "getScheme",
            "getProtocol",
            "getServerName",
            "getRemoteAddr",
            "getRemoteHost",
            "getLocalAddr",
        ],
        SomeText,
        REQUEST,
    ),
    (REQUESTS, &["getRequestURL"], Object("java.lang.StringBuffer"), REQUEST),
    (
        REQUESTS,
        &[
            "getHeader",
            "getParameter",
            "getQueryString",
            "getPathInfo",
            "getContentType",
            "getCharacterEncoding",
            "getRemoteUser",
            "getAuthType",
            "getRequestedSessionId",
        ],
        Text,
        REQUEST,
    ),
    (REQUESTS, &["getServerPort", "getRemotePort", "getLocalPort", "getContentLength"], Number(Prim::Int), REQUEST),
    (REQUESTS, &["isSecure", "isUserInRole", "isRequestedSessionIdValid"], Number(Prim::Bool), REQUEST),
    (REQUESTS, &["getAttribute"], Maybe("java.lang.Object"), REQUEST),
    (REQUESTS, &["getUserPrincipal"], Maybe("java.security.Principal"), REQUEST),
    (REQUESTS, &["getLocale"], Present("java.util.Locale"), REQUEST),
    (REQUESTS, &["getSession"], Maybe("javax.servlet.http.HttpSession"), REQUEST),
    (SESSIONS, &["getId"], SomeText, REQUEST),
    (
        &["org.springframework.web.context.request.WebRequest"],
        &["getParameter", "getHeader", "getContextPath"],
        Text,
        REQUEST,
    ),
    (&["org.springframework.web.context.request.WebRequest"], &["getDescription"], SomeText, REQUEST),
    (&["org.springframework.context.i18n.LocaleContextHolder"], &["getLocale"], Present("java.util.Locale"), REQUEST),
    (
        &["org.springframework.security.core.context.SecurityContextHolder"],
        &["getContext"],
        Object("org.springframework.security.core.context.SecurityContext"),
        REQUEST,
    ),
    (
        &["org.springframework.security.core.context.SecurityContext"],
        &["getAuthentication"],
        Maybe("org.springframework.security.core.Authentication"),
        REQUEST,
    ),
    (
        &["org.springframework.validation.BindingResult", "org.springframework.validation.Errors"],
        &["hasErrors"],
        Number(Prim::Bool),
        "which constraints hold",
    ),
];

/// Classes whose constructors never fail, whatever the arguments, and why the object is unknown.
const MADE: &[(&str, &str)] = &[
    ("java.lang.ref.ReferenceQueue", "when memory is freed"),
    ("java.lang.ref.WeakReference", "when memory is freed"),
    ("java.lang.ref.SoftReference", "when memory is freed"),
    ("org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder", CHANCE),
];

/// Calls that may fail, with one of the exceptions that the method declares.
const RISKY: &[ModelledCalls] = &[
    (&["java.lang.System"], &["getenv", "getProperty"], Text, ENVIRONMENT),
    (&["java.lang.Class"], &["forName"], Object("java.lang.Class"), LOADER),
    (
        &["java.io.FileInputStream", "java.io.FileReader", "java.io.FileOutputStream", "java.io.FileWriter"],
        &["<init>"],
        Object("java.io.InputStream"),
        FILES,
    ),
    (&["java.io.File"], &["createNewFile"], Number(Prim::Bool), FILES),
    (&["java.io.File"], &["createTempFile", "getCanonicalFile"], Object("java.io.File"), FILES),
    (&["java.nio.file.Files"], &["exists", "isDirectory", "isRegularFile", "notExists"], Number(Prim::Bool), FILES),
    (&["java.nio.file.Files"], &["readAllBytes"], Object("array"), FILES),
    (&["java.nio.file.Files"], &["readString"], SomeText, FILES),
    (&["java.net.InetAddress"], &["getLocalHost", "getByName"], Object("java.net.InetAddress"), "the network"),
    (&["java.net.URL"], &["openStream"], Object("java.io.InputStream"), "the network"),
    (&["java.net.URL"], &["openConnection"], Object("java.net.URLConnection"), "the network"),
    (&["java.util.jar.JarFile", "java.util.zip.ZipFile"], &["<init>"], Object("java.util.jar.JarFile"), FILES),
    (&["java.lang.Thread"], &["sleep", "join"], Nothing, "threads"),
];

fn row(table: &'static [ModelledCalls], call: &LibraryCall<'_>) -> Option<&'static ModelledCalls> {
    table.iter().find(|(classes, names, ..)| classes.contains(&call.fqn) && names.contains(&call.name))
}

/// Whether a text is the URL of the request, which is a valid URI.
pub fn is_address(unknown: &Unknown) -> bool {
    unknown.reasons.len() == 1
        && unknown.reasons.iter().all(|reason| reason.starts_with(REQUEST) && reason.ends_with(".getRequestURL"))
}

/// Whether the methods of a framework class are modelled here even for an unknown object that the framework passes to
/// the code.
pub fn is_given(fqn: &str) -> bool {
    REQUESTS.contains(&fqn)
        || PRINCIPALS.contains(&fqn)
        || matches!(
            fqn,
            "org.springframework.web.context.request.WebRequest"
                | "org.springframework.validation.BindingResult"
                | "org.springframework.validation.Errors"
                | "org.springframework.ui.Model"
                | "org.springframework.ui.ModelMap"
        )
}

/// Whether an object created like this is stateless, so that one object may serve all requests.
pub fn keeps_nothing(fqn: &str) -> bool {
    fqn == "org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder"
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if PRINCIPALS.contains(&call.fqn) && call.name == "getName" {
        return Some(name(machine, call));
    }
    if let (true, Some((fqn, why))) = (call.name == "<init>", MADE.iter().find(|(fqn, _)| *fqn == call.fqn)) {
        if call.receiver.is_some() {
            return None;
        }
        return Some(Ok(object(machine, fqn, why)));
    }
    if matches!(call.fqn, "org.springframework.ui.Model" | "org.springframework.ui.ModelMap") {
        let fluent = matches!(call.name, "addAttribute" | "addAllAttributes" | "mergeAttributes");
        if fluent {
            // The attributes are the data of a rendered page.
            machine.handed_over(call);
        }
        return fluent.then(|| call.receiver.cloned().map(Ok))?;
    }
    if let Some((_, _, gives, why)) = row(SURE, call) {
        return Some(Ok(given(machine, *gives, call, why)));
    }
    let (_, _, gives, why) = row(RISKY, call)?;
    if !is_safe(call)
        && let Err(stop) = machine.may_throw(&format!("{why}: {}", shown(call)))
    {
        return Some(Err(stop));
    }
    if machine.is_opaque()
        && matches!(gives, Nothing)
        && let Err(stop) = machine.may_fail(call)
    {
        return Some(Err(stop));
    }
    Some(Ok(given(machine, *gives, call, why)))
}

/// Calls in `RISKY` that cannot fail for these arguments.
fn is_safe(call: &LibraryCall<'_>) -> bool {
    match (call.fqn, call.name, call.args) {
        ("java.lang.System", "getenv", []) => true,
        ("java.lang.System", "getenv", [name]) => crate::interpret::library::base::support::text(name).is_some(),
        ("java.lang.System", "getProperty", [name, ..]) => {
            crate::interpret::library::base::support::text(name).is_some_and(|name| !name.is_empty())
        }
        _ => false,
    }
}

fn shown(call: &LibraryCall<'_>) -> String {
    let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
    if call.name == "<init>" { format!("new {simple}") } else { format!("{simple}.{}", call.name) }
}

fn object(machine: &mut Machine<'_>, fqn: &str, why: &str) -> Value {
    let open = Value::unknown(why, Type::Unknown);
    machine.modelled(fqn, &[("open", open)])
}

fn given(machine: &mut Machine<'_>, gives: ResultKind, call: &LibraryCall<'_>, why: &str) -> Value {
    let reason = format!("{why}: {}", shown(call));
    match gives {
        Nothing => Value::NULL,
        Number(prim) => machine.unknown(&reason, Type::Prim(prim)),
        Text | SomeText => match call.receiver {
            // The text of an unknown object is unknown for the same reason as the object.
            Some(Value::Ref(id)) if let Some(Value::Unknown(open)) = machine.object(*id).parts.get("open").cloned() => {
                Value::Unknown(Rc::new(Unknown {
                    reasons: open.reasons.clone(),
                    ty: Type::Str,
                    present: true,
                    ends: None,
                }))
            }
            _ if matches!(gives, SomeText) => {
                machine.unknown(&reason, Type::Str);
                Value::unknowable(&reason, Type::Str)
            }
            _ => machine.unknown(&reason, Type::Str),
        },
        Present(fqn) => {
            machine.unknown(&reason, Type::Unknown);
            Value::unknowable(&reason, Type::Class(ClassRef::library(fqn), Vec::new()))
        }
        Object("array") | Maybe("array") => machine.unknown(&reason, Type::Array(Box::new(Type::Unknown))),
        Object(fqn) => {
            machine.unknown(&reason, Type::Unknown);
            object(machine, fqn, &reason)
        }
        Maybe(fqn) => machine.unknown(&reason, Type::Class(ClassRef::library(fqn), Vec::new())),
    }
}

/// The name of the logged-in user. If nobody is logged in, the receiver is null.
fn name(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Eval {
    let reason = format!("{REQUEST}: {}", shown(call));
    if let Some(Value::Unknown(_)) = call.receiver {
        let nobody = Cond::Unknown("nobody is logged in".into(), REQUEST.into());
        let decided = machine.conditions.iter().rev().find_map(|taken| {
            if taken.cond == nobody {
                return Some(true);
            }
            (taken.cond == nobody.negate()).then_some(false)
        });
        let site = machine.here();
        let absent = match decided {
            Some(absent) => absent,
            None => machine.decide(nobody, site)?,
        };
        if absent {
            return Err(machine.null_pointer());
        }
    }
    Ok(machine.unknown(&reason, Type::Str))
}
