//! The interpreter's side: runs a case and encodes its answer in the format that `Run.java` uses for the JVM's.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::cases::{Arg, Case, Family};
use mastor::java::interpret::library::base::contents::{Contents, contents};
use mastor::java::interpret::paths::path::{Modelled, Outcome, Path};
use mastor::java::interpret::values::scalar::{ClassRef, Scalar};
use mastor::java::interpret::values::value::{Kind, ObjId, Type, Value};
use mastor::java::interpret::{Bounds, Codes, Context, Wiring, explore};
use mastor::java::ir::facts::{MemberKind, Modifiers};
use mastor::java::ir::ids::{MemberId, TypeId};
use mastor::java::project::index::Project;

/// The interpreter's answer to a case.
pub enum Answer {
    /// The whole result.
    Exact(String),
    /// An exception with a known class and an unknown message.
    Class(String),
    /// The result is unknown, for these reasons.
    Unknown(Vec<String>),
}

/// A container without beans.
pub struct NoBeans;

impl Wiring for NoBeans {
    fn bean(&self, _: TypeId, _: &str) -> Option<TypeId> {
        None
    }

    fn starts_fresh(&self) -> bool {
        true
    }

    fn property(&self, _: &str) -> Option<String> {
        None
    }
}

/// The sources as the interpreter's project.
pub fn project(families: &[Family]) -> Project {
    let sources: Vec<(String, &str)> = families
        .iter()
        .flat_map(|family| &family.sources)
        .map(|(name, text)| (format!("src/main/java/{name}"), text.as_str()))
        .collect();
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    Project::from_sources(&sources)
}

/// The interpreter for a project.
pub struct Side<'p> {
    /// The project.
    pub project: &'p Project,
    /// Its bodies.
    pub codes: &'p Codes<'p>,
    /// Library members that models evaluated, as `class.name`.
    pub answered: RefCell<BTreeSet<String>>,
}

impl Side<'_> {
    /// Runs one case.
    pub fn answer(&self, class: &str, case: &Case) -> Answer {
        let class = self.project.by_fqn(class).unwrap();
        let method: MemberId =
            self.project.members(class).find(|member| self.project.member(*member).name == case.calls).unwrap();
        let args = case.args.iter().map(|arg| {
            Value::Scalar(match arg {
                Arg::Int(x) => Scalar::Int(*x),
                Arg::Long(x) => Scalar::Long(*x),
                Arg::Double(x) => Scalar::Double(*x),
                Arg::Text(text) => Scalar::text(text),
            })
        });
        let args: Vec<Value> = args.collect();
        // All inputs are concrete, so there is one path; if the interpreter forks, the result is unknown.
        let bounds = Bounds { paths: 1, steps: 300_000, total_steps: 300_000, ..Bounds::default() };
        let cx = Context { codes: self.codes, wiring: &NoBeans, bounds, follows: None };
        let exploration = explore(&cx, |machine| machine.invoke(method, None, args.clone()));
        for path in &exploration.paths {
            let calls = path.library_calls.iter().filter(|(_, modelled)| **modelled == Modelled::Answered);
            self.answered.borrow_mut().extend(calls.map(|(name, _)| name.to_string()));
        }
        let ([path], true) = (exploration.paths.as_slice(), exploration.complete) else {
            let why = exploration.paths.iter().flat_map(|path| path.unknowns.iter().map(ToString::to_string));
            return Answer::Unknown(why.take(1).collect());
        };
        if let Some(doubt) = path.doubts.iter().next() {
            return Answer::Unknown(vec![doubt.to_string()]);
        }
        let mut writer = Writer { project: self.project, path, unknown: Vec::new(), message: false };
        match &path.outcome {
            Outcome::Returned(value) => {
                let text = writer.value(value, 0);
                if writer.message {
                    writer.unknown.push("message of an exception".to_owned());
                }
                if writer.unknown.is_empty() { Answer::Exact(text) } else { Answer::Unknown(writer.unknown) }
            }
            Outcome::Thrown(thrown) => match (&thrown.class, thrown.object) {
                (Some(class), object) => {
                    let text = format!("throws {}", writer.thrown(class, object, 0));
                    if !writer.unknown.is_empty() || writer.message {
                        Answer::Class(format!("throws {} ", writer.class(class)))
                    } else {
                        Answer::Exact(text)
                    }
                }
                _ => Answer::Unknown(vec!["some exception".to_owned()]),
            },
            Outcome::Cut(bound) => Answer::Unknown(vec![bound.describe().to_owned()]),
        }
    }
}

struct Writer<'a> {
    project: &'a Project,
    path: &'a Path,
    unknown: Vec<String>,
    /// Whether the message of an exception is not known.
    message: bool,
}

impl Writer<'_> {
    fn class(&self, class: &ClassRef) -> String {
        match class {
            ClassRef::Project(id) => self.project.fqn(*id).to_owned(),
            ClassRef::Library(fqn) => fqn.replace('$', "."),
        }
    }

    fn not_known(&mut self, why: &str) -> String {
        self.unknown.push(why.to_owned());
        "?".to_owned()
    }

    fn each(&mut self, items: &[Value], depth: usize) -> String {
        let items: Vec<String> = items.iter().map(|item| self.value(item, depth)).collect();
        format!("[{}]", items.join(","))
    }

    fn thrown(&mut self, class: &ClassRef, object: Option<ObjId>, depth: usize) -> String {
        if depth > 6 {
            return "...".to_owned();
        }
        let parts = object.and_then(|id| self.path.object(id)).map(|object| object.parts.clone()).unwrap_or_default();
        let before = self.unknown.len();
        let message = match parts.get("message") {
            Some(message) => self.value(message, 0),
            None => "null".to_owned(),
        };
        if self.unknown.len() > before {
            self.unknown.truncate(before);
            self.message = true;
        }
        let mut text = format!("{} {message}", self.class(class));
        match parts.get("cause") {
            Some(Value::Ref(id)) => {
                if let Some(cause) = self.path.object(*id).map(|object| object.class.clone()) {
                    let _ = write!(text, " by {}", self.thrown(&cause, Some(*id), depth + 1));
                }
            }
            None | Some(Value::Scalar(Scalar::Null)) => {}
            _ => self.message = true,
        }
        text
    }

    fn value(&mut self, value: &Value, depth: usize) -> String {
        if depth > 8 {
            return "...".to_owned();
        }
        match value {
            Value::Scalar(scalar) => self.scalar(scalar),
            Value::Class(ty) => match ty {
                Type::Class(class, _) => format!("class:{}", self.class(class)),
                Type::Str => "class:java.lang.String".to_owned(),
                _ => self.not_known("a class"),
            },
            Value::Ref(id) => self.object(*id, depth + 1),
            Value::Unknown(unknown) => {
                self.unknown.extend(unknown.reasons.iter().map(ToString::to_string));
                "?".to_owned()
            }
            Value::Cond(_) | Value::Symbol(_) => self.not_known("something symbolic"),
            Value::Lambda(_) => self.not_known("a lambda"),
        }
    }

    fn scalar(&self, scalar: &Scalar) -> String {
        match scalar {
            Scalar::Null => "null".to_owned(),
            Scalar::Bool(x) => x.to_string(),
            Scalar::Byte(x) => format!("byte:{x}"),
            Scalar::Short(x) => format!("short:{x}"),
            Scalar::Char(x) => format!("char:{x}"),
            Scalar::Int(x) => format!("int:{x}"),
            Scalar::Long(x) => format!("long:{x}"),
            Scalar::Float(x) => format!("float:{:x}", if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }),
            Scalar::Double(x) => {
                format!("double:{:x}", if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() })
            }
            Scalar::Str(text) => quote(&text.text),
            Scalar::Enum(class, name) => format!("enum:{}.{name}", self.class(class)),
        }
    }

    fn object(&mut self, id: ObjId, depth: usize) -> String {
        let Some(object) = self.path.object(id).cloned() else { return self.not_known("no such object") };
        if let Kind::Escaped(reason) = &object.kind {
            let reason = reason.to_string();
            return self.not_known(&reason);
        }
        if object.parts.contains_key("message") {
            return format!("throwable {}", self.thrown(&object.class, Some(id), depth - 1));
        }
        match contents(&self.path.heap, id) {
            Some(Contents::Array(items)) => "array".to_owned() + &self.each(&items, depth),
            Some(Contents::List(items)) => "list".to_owned() + &self.each(&items, depth),
            Some(Contents::Set(items)) => "set".to_owned() + &self.each(&items, depth),
            Some(Contents::Collection(items)) => "collection".to_owned() + &self.each(&items, depth),
            Some(Contents::Map(entries)) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("{}={}", self.value(key, depth), self.value(value, depth)))
                    .collect();
                format!("map[{}]", entries.join(","))
            }
            Some(Contents::Entry(key, value)) => {
                format!("entry[{}={}]", self.value(&key, depth), self.value(&value, depth))
            }
            Some(Contents::Optional(value)) => format!("optional[{}]", self.value(&value, depth)),
            Some(Contents::Builder(text)) => "text".to_owned() + &quote(&text),
            Some(Contents::Integer(text)) => format!("integer:{text}"),
            Some(Contents::Decimal(unscaled, scale)) => format!("decimal:{unscaled}e{}", -i64::from(scale)),
            Some(Contents::Text(text)) => format!("{}:{}", self.class(&object.class), quote(&text)),
            Some(Contents::Bag(_) | Contents::Pairs(_)) => self.not_known("the order of a hashed collection"),
            Some(Contents::Unknown(why)) => self.not_known(&why),
            None => match object.class {
                ClassRef::Project(ty) => self.project_object(ty, &object.fields, depth),
                ClassRef::Library(fqn) => self.not_known(&format!("an object of {fqn}")),
            },
        }
    }

    fn project_object(
        &mut self,
        ty: TypeId,
        fields: &std::collections::BTreeMap<MemberId, Value>,
        depth: usize,
    ) -> String {
        let mut classes = vec![ty];
        classes.extend(
            self.project
                .all_supers(ty)
                .into_iter()
                .filter(|up| self.project.ty(*up).kind == mastor::java::ir::facts::TypeKind::Class),
        );
        let mut out = Vec::new();
        for class in classes.into_iter().rev() {
            for member in self.project.members(class) {
                let facts = self.project.member(member);
                let field = match facts.kind {
                    MemberKind::RecordComponent => true,
                    MemberKind::Field => !facts.modifiers.has(Modifiers::STATIC),
                    _ => false,
                };
                if !field {
                    continue;
                }
                let zero = match facts.ty.as_ref().filter(|ty| ty.dims == 0 && ty.is_primitive()) {
                    Some(ty) => mastor::java::interpret::values::scalar::Prim::of_keyword(&ty.name)
                        .map_or(Value::NULL, |prim| Value::Scalar(prim.zero())),
                    None => Value::NULL,
                };
                let value = fields.get(&member).cloned().unwrap_or(zero);
                out.push(format!("{}={}", facts.name, self.value(&value, depth)));
            }
        }
        format!("object:{}{{{}}}", self.project.fqn(ty), out.join(","))
    }
}

fn quote(text: &str) -> String {
    let mut out = "\"".to_owned();
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if (32..127).contains(&byte) && byte != b'"' && byte != b'\\' => out.push(byte.into()),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out + "\""
}
