//! The implicit `equals`, `hashCode` and `toString` of records (JLS §8.10.3).

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};
use crate::ir::facts::MemberKind;
use crate::ir::ids::MemberId;

impl Machine<'_> {
    /// The components of a record's class.
    fn components(&self, id: ObjId) -> Vec<MemberId> {
        let ClassRef::Project(ty) = self.object(id).class else { return Vec::new() };
        let of = |member: &MemberId| self.project.member(*member).kind == MemberKind::RecordComponent;
        self.project.members(ty).filter(of).collect()
    }

    /// Calls an implicit method of a record.
    pub fn record_method(&mut self, id: ObjId, name: &str, args: &[Value]) -> Eval {
        let components = self.components(id);
        let this = Value::Ref(id);
        match (name, args) {
            ("toString", []) => {
                let class = match &self.object(id).class {
                    ClassRef::Project(ty) => self.project.ty(*ty).name.clone(),
                    ClassRef::Library(fqn) => fqn.to_string(),
                };
                let mut text = Value::text(&format!("{class}["));
                for (index, component) in components.iter().enumerate() {
                    let name = self.project.member(*component).name.clone();
                    let before = format!("{}{name}=", if index == 0 { "" } else { ", " });
                    text = self.concat(&text, &Value::text(&before))?;
                    let held = self.read_member(&this, *component)?;
                    text = self.concat(&text, &held)?;
                }
                self.concat(&text, &Value::text("]"))
            }
            ("equals", [Value::Ref(other)]) => {
                let other = *other;
                if other == id {
                    return Ok(Value::bool(true));
                }
                if self.object(other).class != self.object(id).class {
                    return Ok(Value::bool(false));
                }
                for component in components {
                    let (a, b) =
                        (self.read_member(&this, component)?, self.read_member(&Value::Ref(other), component)?);
                    let same = self.equal_components(a, b)?;
                    let Some(site) = self.here() else { return Ok(same) };
                    if !self.truth(&same, site)? {
                        return Ok(Value::bool(false));
                    }
                }
                Ok(Value::bool(true))
            }
            ("equals", [Value::Unknown(_)]) => Ok(self.unknown("objects are compared", Type::Prim(Prim::Bool))),
            ("equals", [_]) => Ok(Value::bool(false)),
            // The language does not fix how the components' hashes are combined.
            _ => Ok(self.unknown("the hash of a record", Type::Prim(Prim::Int))),
        }
    }

    /// `equals` of two non-null values as generated methods compare them.
    pub fn equal_components(&mut self, a: Value, b: Value) -> Eval {
        match (&a, &b) {
            (Value::Scalar(Scalar::Double(x)), Value::Scalar(Scalar::Double(y))) => {
                Ok(Value::bool(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()))
            }
            (Value::Scalar(Scalar::Float(x)), Value::Scalar(Scalar::Float(y))) => {
                Ok(Value::bool(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()))
            }
            (Value::Scalar(Scalar::Null), _) => Ok(self.is_null(&b)),
            (_, Value::Scalar(Scalar::Null)) => Ok(self.is_null(&a)),
            (Value::Scalar(_), Value::Scalar(_)) if a.prim().is_some() => Ok(Value::bool(a.scalar() == b.scalar())),
            _ => self.call_method(a, "equals", vec![b]),
        }
    }
}
