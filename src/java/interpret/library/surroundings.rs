//! What the surroundings of a service say when it starts: variables of the environment that nothing is known to set are not set, which oracles assume.

use std::rc::Rc;

use super::invocation::LibraryCall;
use super::support::text;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::value::Value;

/// Variables that are set on common machines.
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

/// The value of a variable that the service looks for when it starts, and that nobody is known to set.
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
