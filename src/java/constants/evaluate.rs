//! Evaluates constant expressions and annotation arguments (JLS §15.29): literals, operators and constants of any
//! class. Steps are bounded, and cycles end.

use std::collections::HashMap;

use super::arithmetic;
use super::media_types;
use crate::ir::constant::{Constant, Evaluated};
use crate::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind, Value};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::{Named, StaticName};
use crate::project::index::Project;

/// Maximum nesting depth of expressions and the constants they refer to.
const MAX_DEPTH: usize = 300;

/// Maximum number of expression parts that one evaluation visits.
const MAX_STEPS: usize = 100_000;

impl Project {
    /// The value of a constant expression in the scope of the type `scope`.
    pub fn eval(&self, scope: TypeId, value: &Value) -> Evaluated {
        let mut evaluation = Evaluation::of(self);
        let value = evaluation.value(scope, value);
        Evaluated { value, used: evaluation.used }
    }

    /// The value of a constant field, an enum constant, or the default of an annotation element.
    pub fn eval_member(&self, member: MemberId) -> Evaluated {
        let mut evaluation = Evaluation::of(self);
        let value = evaluation.member(member);
        Evaluated { value, used: evaluation.used }
    }

    /// The argument `name` of an annotation in the type `scope`, or the default that the project's annotation type
    /// declares for it.
    pub fn annotation_arg(&self, scope: TypeId, annotation: &Annotation, name: &str) -> Option<Evaluated> {
        if let Some(value) = annotation.arg(name) {
            return Some(self.eval(scope, value));
        }
        let ty = self.resolve(scope, &annotation.name).project()?;
        let element = self.members(ty).find(|id| {
            let member = self.member(*id);
            member.kind == MemberKind::AnnotationElement && member.name == name
        })?;
        self.member(element).value.is_some().then(|| self.eval_member(element))
    }
}

struct Evaluation<'p> {
    project: &'p Project,
    used: Vec<MemberId>,
    /// Values of the constants visited so far; `None` while one is being evaluated.
    known: HashMap<MemberId, Option<Constant>>,
    depth: usize,
    steps: usize,
}

impl<'p> Evaluation<'p> {
    fn of(project: &'p Project) -> Self {
        Self { project, used: Vec::new(), known: HashMap::new(), depth: 0, steps: 0 }
    }

    fn value(&mut self, scope: TypeId, value: &Value) -> Constant {
        self.steps += 1;
        if self.depth >= MAX_DEPTH || self.steps > MAX_STEPS {
            return Constant::Unknown("nested too deep".to_owned());
        }
        self.depth += 1;
        let found = self.value_within(scope, value);
        self.depth -= 1;
        found
    }

    fn value_within(&mut self, scope: TypeId, value: &Value) -> Constant {
        match value {
            Value::Str(text) => Constant::Str(text.clone()),
            Value::Char(unit) => Constant::Char(*unit),
            Value::Int(n) => i32::try_from(*n).map_or(Constant::Long(*n), Constant::Int),
            Value::Float(n) => Constant::Double(*n),
            Value::Bool(value) => Constant::Bool(*value),
            Value::Null => Constant::Null,
            Value::Name(name) => self.name(scope, name),
            Value::Class(ty) => Constant::Class { named: self.project.resolve(scope, &ty.name), dims: ty.dims },
            Value::Array(values) => Constant::Array(values.iter().map(|value| self.value(scope, value)).collect()),
            Value::Annotation(annotation) => Constant::Annotation {
                named: self.project.resolve(scope, &annotation.name),
                args: annotation.args.iter().map(|(key, value)| (key.clone(), self.value(scope, value))).collect(),
            },
            Value::Unary(op, operand) => arithmetic::unary(op, self.value(scope, operand)),
            Value::Binary(op, left, right) => {
                let left = self.value(scope, left);
                let right = self.value(scope, right);
                arithmetic::binary(op, left, right)
            }
            Value::Conditional(condition, then, otherwise) => match self.value(scope, condition) {
                Constant::Bool(true) => self.value(scope, then),
                Constant::Bool(false) => self.value(scope, otherwise),
                Constant::Unknown(why) => Constant::Unknown(why),
                _ => Constant::Unknown("a condition is no boolean".to_owned()),
            },
            Value::Cast(ty, operand) => arithmetic::cast(&ty.erased(), self.value(scope, operand)),
            Value::Other => Constant::Unknown("not a constant expression".to_owned()),
        }
    }

    fn name(&mut self, scope: TypeId, name: &str) -> Constant {
        match name.rsplit_once('.') {
            None => self.simple_name(scope, name),
            Some((owner, field)) => match self.project.resolve(scope, owner) {
                Named::Project(ty) => match self.project.find_field(ty, field) {
                    Some(member) => self.member(member),
                    None => Constant::Unknown(format!("{} has no {field} in sight", self.project.fqn(ty))),
                },
                Named::Library(ty) => library(&ty, field),
                _ => Constant::Unknown(format!("{name} is not known")),
            },
        }
    }

    fn simple_name(&mut self, scope: TypeId, name: &str) -> Constant {
        let mut here = Some(scope);
        while let Some(ty) = here {
            if let Some(member) = self.project.find_field(ty, name) {
                return self.member(member);
            }
            here = self.project.outer(ty);
        }
        for found in self.project.resolve_static(scope, name) {
            match found {
                StaticName::Member(id) if self.project.member(id).kind != MemberKind::Method => return self.member(id),
                StaticName::Member(_) => {}
                StaticName::Library(path) => {
                    let (ty, field) = path.rsplit_once('.').unwrap_or(("", &path));
                    return library(ty, field);
                }
            }
        }
        Constant::Unknown(format!("{name} is not known"))
    }

    fn member(&mut self, id: MemberId) -> Constant {
        match self.known.get(&id) {
            Some(Some(found)) => return found.clone(),
            Some(None) => return Constant::Unknown("cycle".to_owned()),
            None => {}
        }
        self.known.insert(id, None);
        self.used.push(id);
        let project = self.project;
        let member = project.member(id);
        let fixed = member.modifiers.has(Modifiers::FINAL)
            || matches!(project.ty(id.ty).kind, TypeKind::Interface | TypeKind::Annotation);
        let found = match (member.kind, &member.value) {
            (MemberKind::EnumConstant, _) => Constant::Enum { ty: Named::Project(id.ty), name: member.name.clone() },
            (MemberKind::AnnotationElement, Some(value)) => self.value(id.ty, value),
            (MemberKind::Field, Some(value)) if fixed => {
                let found = self.value(id.ty, value);
                let ty = member.ty.as_ref().map(|ty| ty.erased()).unwrap_or_default();
                arithmetic::cast(&ty, found)
            }
            _ => Constant::Unknown(format!("{} is no constant", project.symbol(id))),
        };
        self.known.insert(id, Some(found.clone()));
        found
    }
}

/// A static member of a library: limits of numeric types and media types have a value, other members only a name.
fn library(ty: &str, name: &str) -> Constant {
    match (ty.strip_prefix("java.lang.").unwrap_or_default(), name) {
        ("Integer", "MAX_VALUE") => Constant::Int(i32::MAX),
        ("Integer", "MIN_VALUE") => Constant::Int(i32::MIN),
        ("Long", "MAX_VALUE") => Constant::Long(i64::MAX),
        ("Long", "MIN_VALUE") => Constant::Long(i64::MIN),
        ("Short", "MAX_VALUE") => Constant::Int(i32::from(i16::MAX)),
        ("Short", "MIN_VALUE") => Constant::Int(i32::from(i16::MIN)),
        ("Byte", "MAX_VALUE") => Constant::Int(i32::from(i8::MAX)),
        ("Byte", "MIN_VALUE") => Constant::Int(i32::from(i8::MIN)),
        ("Character", "MAX_VALUE") => Constant::Char(u16::MAX),
        ("Character", "MIN_VALUE") => Constant::Char(0),
        ("Double", "MAX_VALUE") => Constant::Double(f64::MAX),
        ("Float", "MAX_VALUE") => Constant::Float(f32::MAX),
        ("Math", "PI") => Constant::Double(std::f64::consts::PI),
        _ if let Some(text) = media_types::text(ty, name) => Constant::Str(text.to_owned()),
        _ => Constant::Enum { ty: Named::Library(ty.to_owned()), name: name.to_owned() },
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
