//! The fields that a `Gson` binds, and their names: exclusion strategies of the project, `@Expose`, and naming
//! policies.

use super::fields::{Bound, bound};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Native, Type, Value};
use crate::ir::facts::{Annotation, Value as Arg};
use crate::ir::ids::{MemberId, TypeId};

const ATTRIBUTES: &str = "com.google.gson.FieldAttributes";

/// The direction in which an exclusion strategy applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingDirection {
    /// Serialisation.
    Written,
    /// Deserialisation.
    Read,
    /// Both.
    Both,
}

/// The naming policy for fields without `@SerializedName`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Naming {
    /// The field name unchanged.
    #[default]
    Own,
    /// Lower case, with words separated by this character.
    Lower(char),
    /// The first letter in upper case.
    Upper,
}

/// The configuration that selects and names the bound fields.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    /// Exclusion strategies: objects of the project.
    pub strategies: Vec<(Value, BindingDirection)>,
    /// Whether only fields with `@Expose` are bound.
    pub is_exposed_only: bool,
    /// The naming policy.
    pub naming: Naming,
}

/// A field as passed to an exclusion strategy (`FieldAttributes`).
#[derive(Debug, Clone)]
struct Attributes(MemberId);

impl Native for Attributes {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// Models calls of exclusion strategies on a field.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != ATTRIBUTES {
        return None;
    }
    let Attributes(field) = machine.native::<Attributes>(reference(call.receiver?)?)?.clone();
    let facts = machine.project.member(field);
    Some(Ok(match (call.name, call.args) {
        ("getName", []) => machine.fresh_text(&facts.name.clone()),
        ("getDeclaringClass", []) => Value::Class(Type::Class(ClassRef::Project(field.ty), Vec::new())),
        ("getDeclaredClass", []) => match machine.field_type(field) {
            Type::Class(class, _) => Value::Class(Type::Class(class, Vec::new())),
            Type::Unknown => return None,
            other => Value::Class(other),
        },
        ("getAnnotation", [Value::Class(Type::Class(class, _))]) => {
            let wanted = machine.class_name(class);
            let simple = wanted.rsplit(['.', '$']).next().unwrap_or_default();
            match facts.annotations.iter().any(|annotation| annotation.simple() == simple) {
                true => Value::unknowable("an annotation of a field", Type::Class(class.clone(), Vec::new())),
                false => Value::NULL,
            }
        }
        _ => return None,
    }))
}

impl Binding {
    fn is_plain(&self) -> bool {
        self.strategies.is_empty() && !self.is_exposed_only && self.naming == Naming::Own
    }

    /// The fields of a class that are bound in a direction; unknown if a strategy's answer is not a definite boolean.
    pub fn fields(&self, machine: &mut Machine<'_>, ty: TypeId, way: BindingDirection) -> Answer<Option<Vec<Bound>>> {
        let Some(fields) = bound(machine.project, ty) else { return Ok(None) };
        if self.is_plain() {
            return Ok(Some(fields));
        }
        let mut kept = Vec::new();
        for mut field in fields {
            let annotations = machine.project.member(field.field).annotations.clone();
            if self.is_exposed_only && !exposed(&annotations, way) || self.skips(machine, field.field, way)? {
                continue;
            }
            if !annotations.iter().any(|annotation| annotation.simple() == "SerializedName") {
                field.name = named(&field.name, self.naming);
            }
            kept.push(field);
        }
        Ok(Some(kept))
    }

    /// Whether an exclusion strategy skips a field or the class of its value.
    fn skips(&self, machine: &mut Machine<'_>, field: MemberId, way: BindingDirection) -> Answer<bool> {
        for (strategy, of) in &self.strategies {
            if *of != BindingDirection::Both && *of != way {
                continue;
            }
            let asked = native(machine, ATTRIBUTES, Attributes(field));
            let mut answers = vec![machine.call_method(strategy.clone(), "shouldSkipField", vec![asked])?];
            let class = match machine.field_type(field) {
                Type::Class(class, _) => Value::Class(Type::Class(class, Vec::new())),
                Type::Unknown => return open("whether a class is left out of JSON"),
                other => Value::Class(other),
            };
            answers.push(machine.call_method(strategy.clone(), "shouldSkipClass", vec![class])?);
            for answer in answers {
                match answer {
                    Value::Scalar(Scalar::Bool(true)) => return Ok(true),
                    Value::Scalar(Scalar::Bool(false)) => {}
                    _ => return open("whether a field is left out of JSON"),
                }
            }
        }
        Ok(false)
    }
}

fn exposed(annotations: &[Annotation], way: BindingDirection) -> bool {
    let Some(annotation) = annotations.iter().find(|annotation| annotation.simple() == "Expose") else { return false };
    let arg = if way == BindingDirection::Read { "deserialize" } else { "serialize" };
    !matches!(annotation.arg(arg), Some(Arg::Bool(false)))
}

/// A field name converted by a naming policy.
fn named(name: &str, naming: Naming) -> String {
    match naming {
        Naming::Own => name.to_owned(),
        Naming::Upper => {
            let at = name.find(char::is_alphabetic).unwrap_or(0);
            let mut out = name.to_owned();
            if let Some(letter) = out.get(at..=at).map(str::to_uppercase) {
                out.replace_range(at..=at, &letter);
            }
            out
        }
        Naming::Lower(sign) => {
            let mut out = String::new();
            for letter in name.chars() {
                if letter.is_uppercase() && !out.is_empty() {
                    out.push(sign);
                }
                out.extend(letter.to_lowercase());
            }
            out
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Naming, named};

    #[test]
    fn policies_name_as_gson_does() {
        assert_eq!(named("someFieldName", Naming::Lower('_')), "some_field_name");
        assert_eq!(named("aURL", Naming::Lower('-')), "a-u-r-l");
        assert_eq!(named("_someName", Naming::Upper), "_SomeName");
    }
}
