//! Models environment variables at start-up: a variable that nothing is known to set is assumed to be unset, which
//! oracles record as an assumption.

use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::text;
use crate::interpret::values::value::Value;

/// Variables that are commonly set.
const SET: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "SHELL",
    "PWD",
    "OLDPWD",
    "TERM",
    "TMP",
    "TEMP",
    "TMPDIR",
    "TZ",
    "HOSTNAME",
    "HOST",
    "JAVA_HOME",
    "JDK_HOME",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "PORT",
    "ENV",
    "DISPLAY",
    "SHLVL",
    "EDITOR",
    "MAIL",
    "CI",
];

/// Null for an environment variable that is read at start-up and not commonly set; the assumption is recorded.
pub fn unset(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Value> {
    let ("java.lang.System", "getenv", None, [name]) = (call.fqn, call.name, call.receiver, call.args) else {
        return None;
    };
    let name = text(name)?;
    let is_common = SET.contains(&name) || name.starts_with("LC_") || name.starts_with("XDG_");
    let member = machine.here()?.member;
    if is_common || !machine.is_starting {
        return None;
    }
    machine.store.unset.insert((Rc::from(name), member));
    Some(Value::NULL)
}
