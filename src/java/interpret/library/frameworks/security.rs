//! Models Spring Security's users: user details, authorities, and the current caller.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{boolean, reference, text};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Object, Value};

/// The class of the framework's own users.
const USER: &str = "org.springframework.security.core.userdetails.User";
const BUILDER: &str = "org.springframework.security.core.userdetails.User$UserBuilder";
const DETAILS: &str = "org.springframework.security.core.userdetails.UserDetails";
const IN_MEMORY: &str = "org.springframework.security.provisioning.InMemoryUserDetailsManager";
const AUTHORITY: &str = "org.springframework.security.core.authority.SimpleGrantedAuthority";
const AUTHORITIES: &str = "org.springframework.security.core.authority.AuthorityUtils";
const TOKEN: &str = "org.springframework.security.authentication.UsernamePasswordAuthenticationToken";
const CONTEXT: &str = "org.springframework.security.core.context.SecurityContext";
const HOLDER: &str = "org.springframework.security.core.context.SecurityContextHolder";
const NOT_FOUND: &str = "org.springframework.security.core.userdetails.UsernameNotFoundException";

/// The methods that tell whether a user may log in.
const FLAGS: &[&str] = &["isEnabled", "isAccountNonExpired", "isAccountNonLocked", "isCredentialsNonExpired"];
/// Key under which the machine stores the current caller.
const CALLER: &str = "security.caller";

/// Whether a library type represents the caller.
pub fn is_principal(fqn: &str) -> bool {
    matches!(fqn, "java.security.Principal" | "org.springframework.security.core.Authentication" | TOKEN)
}

/// Whether a class holds user details.
pub fn is_details(machine: &Machine<'_>, class: &ClassRef) -> bool {
    match class {
        ClassRef::Library(fqn) => matches!(&**fqn, DETAILS | USER),
        ClassRef::Project(ty) => machine.project.library_supers(*ty).iter().any(|name| matches!(*name, DETAILS | USER)),
    }
}

/// The current caller as an authentication; `None` if there is none.
pub fn caller(machine: &Machine<'_>) -> Option<Value> {
    machine.constants.get(CALLER).map(|id| Value::Ref(*id))
}

/// The user details of the current caller.
pub fn details(machine: &Machine<'_>) -> Option<Value> {
    machine.object(*machine.constants.get(CALLER)?).parts.get("principal").cloned()
}

/// Sets the current caller from the details of a user.
///
/// # Errors
/// A bound was reached.
pub fn tell(machine: &mut Machine<'_>, details: &Value) -> Eval<()> {
    let name = machine.call_method(details.clone(), "getUsername", Vec::new())?;
    let authorities = machine.call_method(details.clone(), "getAuthorities", Vec::new())?;
    let parts = [("name", name), ("principal", details.clone()), ("authorities", authorities)];
    if let Value::Ref(id) = machine.modelled(TOKEN, &parts) {
        machine.constants.insert(Rc::from(CALLER), id);
    }
    Ok(())
}

/// The authorities of a user; `None` if one is unknown.
///
/// # Errors
/// A bound was reached.
pub fn authorities(machine: &mut Machine<'_>, details: &Value) -> Eval<Option<Vec<String>>> {
    let held = machine.call_method(details.clone(), "getAuthorities", Vec::new())?;
    let Some(items) = machine.given_items(&held) else { return Ok(None) };
    let mut found = Vec::new();
    for item in items {
        let name = machine.call_method(item, "getAuthority", Vec::new())?;
        let Some(name) = text(&name) else { return Ok(None) };
        found.push(name.to_owned());
    }
    Ok(Some(found))
}

/// Whether a user with the right password is certain to be let in.
///
/// # Errors
/// A bound was reached.
pub fn is_usable(machine: &mut Machine<'_>, details: &Value) -> Eval<bool> {
    for flag in FLAGS {
        let value = machine.call_method(details.clone(), flag, Vec::new())?;
        if boolean(&value) != Some(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match call.fqn {
        USER => user(machine, call),
        BUILDER => builder(machine, call),
        AUTHORITY => authority(machine, call),
        IN_MEMORY => in_memory(machine, call),
        AUTHORITIES if matches!(call.name, "createAuthorityList" | "commaSeparatedStringToAuthorityList") => {
            let mut names = texts(machine, call.args)?;
            if call.name.starts_with("comma") {
                let split = names.iter().flat_map(|one| one.split(',')).map(|one| one.trim().to_owned());
                names = split.filter(|one| !one.is_empty()).collect();
            }
            Some(Ok(granted(machine, &names)))
        }
        HOLDER if call.name == "getContext" => {
            let caller = caller(machine)?;
            Some(Ok(machine.modelled(CONTEXT, &[("authentication", caller)])))
        }
        CONTEXT if call.name == "getAuthentication" => part(machine, call, "authentication"),
        TOKEN | "java.security.Principal" | "org.springframework.security.core.Authentication" => match call.name {
            "getName" => part(machine, call, "name"),
            "getPrincipal" => part(machine, call, "principal"),
            "getAuthorities" => part(machine, call, "authorities"),
            "isAuthenticated" => part(machine, call, "principal").map(|_| Ok(Value::bool(true))),
            _ => None,
        },
        // The default methods of the interface.
        DETAILS if FLAGS.contains(&call.name) => Some(Ok(Value::bool(true))),
        _ => None,
    }
}

fn part(machine: &Machine<'_>, call: &LibraryCall<'_>, name: &str) -> Option<Eval> {
    machine.object(reference(call.receiver?)?).parts.get(name).cloned().map(Ok)
}

/// Models `User` and project classes that extend it.
fn user(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.name == "<init>" {
        let (name, password, flags, held) = match call.args {
            [name, password, held] => (name, password, None, held),
            [name, password, flags @ .., held] if flags.len() == 4 => (name, password, Some(flags), held),
            _ => return None,
        };
        text(name)?;
        machine.given_items(held)?;
        let mut parts = vec![("name", name.clone()), ("password", password.clone()), ("authorities", held.clone())];
        let flag = |at: usize| flags.and_then(|flags| flags.get(at)).cloned().unwrap_or(Value::bool(true));
        parts.extend([("enabled", flag(0)), ("account", flag(1)), ("credentials", flag(2)), ("unlocked", flag(3))]);
        return Some(Ok(match call.receiver {
            Some(made) => {
                let id = reference(made)?;
                machine.object_mut(id).parts.extend(parts);
                Value::NULL
            }
            None => machine.modelled(USER, &parts),
        }));
    }
    if call.receiver.is_none() {
        return match (call.name, call.args) {
            ("withUsername", [name]) => {
                text(name)?;
                Some(Ok(machine.modelled(BUILDER, &[("name", name.clone())])))
            }
            ("builder" | "withDefaultPasswordEncoder", []) => Some(Ok(machine.modelled(BUILDER, &[]))),
            _ => None,
        };
    }
    match call.name {
        "getUsername" => part(machine, call, "name"),
        "getPassword" => part(machine, call, "password"),
        "getAuthorities" => part(machine, call, "authorities"),
        "isEnabled" => part(machine, call, "enabled"),
        "isAccountNonExpired" => part(machine, call, "account"),
        "isCredentialsNonExpired" => part(machine, call, "credentials"),
        "isAccountNonLocked" => part(machine, call, "unlocked"),
        _ => None,
    }
}

/// Models `User.withUsername(…).password(…).roles(…).build()`.
fn builder(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(call.receiver?)?;
    let negated = |value: &Value| boolean(value).map(|flag| Value::bool(!flag));
    let (name, value) = match (call.name, call.args) {
        ("username", [name]) => ("name", name.clone()),
        ("password", [password]) => ("password", password.clone()),
        ("passwordEncoder", [_]) => return Some(Ok(Value::Ref(id))),
        ("disabled", [flag]) => ("enabled", negated(flag)?),
        ("accountExpired", [flag]) => ("account", negated(flag)?),
        ("credentialsExpired", [flag]) => ("credentials", negated(flag)?),
        ("accountLocked", [flag]) => ("unlocked", negated(flag)?),
        ("roles", args) => {
            let names: Vec<String> = texts(machine, args)?.iter().map(|name| format!("ROLE_{name}")).collect();
            ("authorities", granted(machine, &names))
        }
        ("authorities", [one]) if machine.given_items(one).is_some_and(|all| all.iter().all(|a| text(a).is_none())) => {
            ("authorities", one.clone())
        }
        ("authorities", args) => {
            let names = texts(machine, args)?;
            ("authorities", granted(machine, &names))
        }
        ("build", []) => {
            let mut parts = machine.object(id).parts.clone();
            parts.get("name")?;
            parts.get("authorities")?;
            for flag in ["enabled", "account", "credentials", "unlocked"] {
                parts.entry(flag).or_insert(Value::bool(true));
            }
            let parts: Vec<(&'static str, Value)> = parts.into_iter().collect();
            return Some(Ok(machine.modelled(USER, &parts)));
        }
        _ => return None,
    };
    machine.object_mut(id).parts.insert(name, value);
    Some(Ok(Value::Ref(id)))
}

fn authority(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.receiver, call.name, call.args) {
        (None, "<init>", [name]) => {
            text(name)?;
            Some(Ok(machine.modelled(AUTHORITY, &[("name", name.clone())])))
        }
        (Some(_), "getAuthority" | "toString", []) => part(machine, call, "name"),
        _ => None,
    }
}

/// Models users in memory, keyed by lower-case name.
fn in_memory(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.receiver, call.name, call.args) {
        (None, "<init>", args) => {
            let users = spread(machine, args);
            for user in &users {
                name_of(machine, user)?;
            }
            let held = list(machine, users);
            Some(Ok(machine.modelled(IN_MEMORY, &[("users", held)])))
        }
        (Some(this), "createUser", [user]) => {
            let id = reference(this)?;
            name_of(machine, user)?;
            let mut users = machine.given_items(&machine.object(id).parts.get("users")?.clone())?;
            users.push(user.clone());
            let held = list(machine, users);
            machine.object_mut(id).parts.insert("users", held);
            Some(Ok(Value::NULL))
        }
        (Some(this), "loadUserByUsername", [name]) => {
            let id = reference(this)?;
            let wanted = text(name)?.to_lowercase();
            let users = machine.given_items(&machine.object(id).parts.get("users")?.clone())?;
            let found = users.into_iter().find(|user| name_of(machine, user).as_ref() == Some(&wanted));
            Some(found.ok_or_else(|| machine.throw(NOT_FOUND, name.clone())))
        }
        _ => None,
    }
}

fn name_of(machine: &Machine<'_>, user: &Value) -> Option<String> {
    let name = machine.object(reference(user)?).parts.get("name")?;
    text(name).map(str::to_lowercase)
}

fn granted(machine: &mut Machine<'_>, names: &[String]) -> Value {
    let mut items = Vec::new();
    for name in names {
        let name = machine.fresh_text(name);
        items.push(machine.modelled(AUTHORITY, &[("name", name)]));
    }
    list(machine, items)
}

fn list(machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
    let object = Object::new(ClassRef::library("java.util.ArrayList"), Kind::List { items, fixed: false });
    Value::Ref(machine.allocate(object))
}

/// The variable arguments, passed one by one or as an array.
fn spread(machine: &Machine<'_>, args: &[Value]) -> Vec<Value> {
    match args {
        [only] => machine.given_items(only).unwrap_or_else(|| args.to_vec()),
        several => several.to_vec(),
    }
}

fn texts(machine: &Machine<'_>, args: &[Value]) -> Option<Vec<String>> {
    spread(machine, args).iter().map(|one| text(one).map(str::to_owned)).collect()
}
