//! Updates of fields: Spring Data's `Update` and the driver's `Updates`.

use std::rc::Rc;

use super::kept::CopyKind;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, spread, text};
use crate::interpret::stores::data::Entity;
use crate::interpret::stores::state::StoreOperation;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};

const UPDATE: &str = "org.springframework.data.mongodb.core.query.Update";
const UPDATES: &str = "com.mongodb.client.model.Updates";

/// One change of a field.
#[derive(Debug, Clone)]
pub enum Change {
    /// Sets the field.
    Set(Rc<str>, Value),
    /// Adds to the field.
    Add(Rc<str>, Value),
    /// Removes the field.
    Unset(Rc<str>),
    /// Appends to the field's list.
    Push(Rc<str>, Value),
    /// A change that is not modelled.
    Open,
}

/// The state of an update object.
#[derive(Debug, Clone, Default)]
pub struct Changes(pub Vec<Change>);

impl Native for Changes {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let of = |change: &Change| match change {
            Change::Set(_, value) | Change::Add(_, value) | Change::Push(_, value) => Some(value.clone()),
            Change::Unset(_) | Change::Open => None,
        };
        self.0.iter().filter_map(of).collect()
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.fqn, call.receiver) {
        (UPDATE, None) => {
            let changes = match (call.name, call.args) {
                ("<init>", []) => Vec::new(),
                ("update", [name, value]) => vec![Change::Set(Rc::from(text(name)?), value.clone())],
                _ => return None,
            };
            Some(Ok(native(machine, UPDATE, Changes(changes))))
        }
        (UPDATE, Some(receiver)) => {
            let id = reference(receiver)?;
            let change = change(call.name, call.args).unwrap_or(Change::Open);
            machine.native_mut::<Changes>(id)?.0.push(change);
            Some(Ok(receiver.clone()))
        }
        (UPDATES, None) => {
            let changes = match call.name {
                "combine" => {
                    let mut all = Vec::new();
                    for one in spread(machine, call.args)
                        .iter()
                        .flat_map(|one| machine.given_items(one).unwrap_or_else(|| vec![one.clone()]))
                    {
                        all.extend(machine.native::<Changes>(reference(&one)?)?.0.clone());
                    }
                    all
                }
                name => vec![change(name, call.args)?],
            };
            Some(Ok(native(machine, UPDATES, Changes(changes))))
        }
        _ => None,
    }
}

fn change(name: &str, args: &[Value]) -> Option<Change> {
    Some(match (name, args) {
        ("set", [name, value]) => Change::Set(Rc::from(text(name)?), value.clone()),
        ("inc", [name, value]) => Change::Add(Rc::from(text(name)?), value.clone()),
        ("inc", [name]) => Change::Add(Rc::from(text(name)?), Value::int(1)),
        ("unset", [name]) => Change::Unset(Rc::from(text(name)?)),
        ("push", [name, value]) => Change::Push(Rc::from(text(name)?), value.clone()),
        _ => return None,
    })
}

impl<'p> Machine<'p> {
    /// Changes the fields of a document; returns whether it differs from before, if known.
    pub(super) fn change_document(
        &mut self,
        entity: &'p Entity,
        row: ObjId,
        changes: &[Change],
    ) -> Answer<Option<bool>> {
        if self.is_by_codec(entity.ty) {
            return open("fields of a document that a codec keeps");
        }
        let mut is_other = Some(false);
        let mut paths: Vec<&str> = Vec::new();
        for change in changes {
            let (Change::Set(path, _) | Change::Add(path, _) | Change::Unset(path) | Change::Push(path, _)) = change
            else {
                return open("a change that is not followed");
            };
            let field = entity.fields.iter().find(|field| field.name == **path && field.member != entity.id);
            let Some(field) = field else { return open("a change of what is no field") };
            if paths.contains(&&**path) {
                return open("two changes of one field");
            }
            paths.push(path);
            let member = field.member;
            let declared = self.field_type(member);
            let held = self.read_member(&Value::Ref(row), member)?;
            let value = match change {
                Change::Set(_, value) => self.set_to(value, &declared)?,
                Change::Unset(_) => match declared {
                    Type::Prim(_) => return open("a number that is no more"),
                    _ => Value::NULL,
                },
                Change::Add(_, by) => sum(&held, by, &declared)?,
                Change::Push(_, value) => {
                    if !declared.library().is_some_and(|fqn| matches!(fqn, "java.util.List" | "java.util.Collection")) {
                        return open("a field of a document that is no list");
                    }
                    let mut items = match &held {
                        held if held.is_null() => Vec::new(),
                        held => match self.given_items(held) {
                            Some(items) => items,
                            None => return open("a list of a document is not known"),
                        },
                    };
                    items.push(self.copied_alone(value)?);
                    self.list_of(items)
                }
                Change::Open => return open("a change that is not followed"),
            };
            is_other = match (is_other, self.same_kept(&held, &value)) {
                (Some(true), _) | (_, Ok(false)) => Some(true),
                // MongoDB may store null or remove the field, so it is unknown whether the document differs.
                _ if value.is_null() => None,
                (known, Ok(true)) => known,
                _ => None,
            };
            self.object_mut(row).fields.insert(member, value);
        }
        let at = self.store.rows.get(&entity.ty).and_then(|rows| rows.iter().position(|held| held.object == row));
        if let Some(at) = at {
            self.keep_row(entity.ty, at);
        }
        self.store.deeds.push(StoreOperation::Changed { entity: entity.ty, row });
        Ok(is_other)
    }

    /// The value that a field has after it is set to a value.
    fn set_to(&mut self, value: &Value, declared: &Type) -> Answer {
        match (value, declared) {
            (value, Type::Prim(_)) if value.is_null() => open("a number that is no more"),
            (value, _) if value.is_null() => Ok(Value::NULL),
            (Value::Scalar(Scalar::Str(_)) | Value::Symbol(_), Type::Str) => Ok(value.clone()),
            (Value::Scalar(Scalar::Enum(of, _)), Type::Class(class, _)) if of == class => Ok(value.clone()),
            (Value::Scalar(scalar), Type::Prim(prim) | Type::Boxed(prim)) if scalar.prim() == Some(*prim) => {
                Ok(value.clone())
            }
            (Value::Scalar(scalar), Type::Prim(prim) | Type::Boxed(prim))
                if matches!((scalar.prim(), prim), (Some(Prim::Int), Prim::Long)) =>
            {
                Ok(self.convert(value.clone(), &Type::Prim(*prim)))
            }
            (Value::Ref(id), Type::Class(class, _)) if self.object(*id).class == *class => self.copied_alone(value),
            (Value::Ref(_), Type::Class(ClassRef::Library(fqn), _))
                if matches!(&**fqn, "java.util.List" | "java.util.Collection") && self.given_items(value).is_some() =>
            {
                self.copied_alone(value)
            }
            _ => open("a field is set to a value of another kind"),
        }
    }

    fn copied_alone(&mut self, value: &Value) -> Answer {
        self.copied(value, CopyKind { reads: false, by_codec: false }, 0)
    }
}

/// The value that a numeric field has after an addition.
fn sum(held: &Value, by: &Value, declared: &Type) -> Answer {
    let (Type::Prim(prim) | Type::Boxed(prim)) = declared else { return open("a sum that is not followed") };
    let whole = |value: &Value| match value {
        value if value.is_null() => Some(0),
        value => value.scalar().and_then(Scalar::as_long),
    };
    let total = whole(held).zip(whole(by)).and_then(|(a, b)| a.checked_add(b));
    let total = match prim {
        Prim::Int => total.and_then(|total| i32::try_from(total).ok()).map(Scalar::Int),
        Prim::Long => total.map(Scalar::Long),
        _ => None,
    };
    total.map_or_else(|| open("a sum that is not followed"), |total| Ok(Value::Scalar(total)))
}
