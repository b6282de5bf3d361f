//! Maps rows to objects: with a mapper of the project, by the properties of a class, or from a single column; and
//! models the `ResultSet` that mappers read.

use super::rows::Row;
use crate::interpret::classes::objects::capitalised;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, open, reference, settle, text};
use crate::interpret::stores::data::plain;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{LambdaCode, Native, Type, Value};
use crate::ir::facts::{MemberKind, TypeKind};
use crate::ir::ids::TypeId;

const RESULT: &str = "java.sql.ResultSet";
const BY_PROPERTIES: &[&str] =
    &["org.springframework.jdbc.core.BeanPropertyRowMapper", "org.springframework.jdbc.core.DataClassRowMapper"];

/// How rows are mapped to values.
#[derive(Debug, Clone)]
pub(super) enum Mapper {
    /// A lambda or an object of the project.
    Own(Value),
    /// By the properties of a class.
    Properties(TypeId),
    /// The only column, converted to this type.
    Column(Type),
}

/// The current row of a `ResultSet`.
#[derive(Debug, Clone)]
struct ResultSetRow {
    columns: Vec<String>,
    row: Row,
    was_null: bool,
}

impl Native for ResultSetRow {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.row.values().cloned().collect()
    }
}

/// The mapper that an argument denotes.
pub(super) fn mapper(machine: &Machine<'_>, given: &Value) -> Option<Mapper> {
    match given {
        Value::Class(Type::Class(ClassRef::Project(ty), _)) if machine.project.ty(*ty).kind != TypeKind::Enum => {
            Some(Mapper::Properties(*ty))
        }
        Value::Class(ty @ (Type::Str | Type::Boxed(_))) => Some(Mapper::Column(ty.clone())),
        // A function with one parameter is a `ResultSetExtractor`, not a row mapper.
        Value::Lambda(lambda) => {
            let takes_two = match &lambda.code {
                LambdaCode::Lambda { at } => {
                    let code = lambda.around.code.as_ref()?;
                    matches!(&code.body.expr(*at).kind, crate::ir::body::ExprKind::Lambda { params, .. } if params.len() == 2)
                }
                LambdaCode::Method { link, .. } => {
                    link.methods.iter().any(|method| machine.project.member(*method).params.len() == 2)
                }
            };
            takes_two.then(|| Mapper::Own(given.clone()))
        }
        Value::Ref(id) => match &machine.object(*id).class {
            ClassRef::Project(ty) => {
                let supers = machine.project.library_supers(*ty);
                supers.iter().any(|name| name.ends_with(".RowMapper")).then(|| Mapper::Own(given.clone()))
            }
            ClassRef::Library(fqn) if BY_PROPERTIES.contains(&&**fqn) => match machine.object(*id).parts.get("class") {
                Some(Value::Class(Type::Class(ClassRef::Project(ty), _))) => Some(Mapper::Properties(*ty)),
                _ => None,
            },
            ClassRef::Library(_) => None,
        },
        _ => None,
    }
}

/// Models mapper factories, and methods of `ResultSet`.
pub(super) fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if BY_PROPERTIES.contains(&call.fqn) {
        return match (call.receiver, call.name, call.args) {
            (None, "<init>" | "newInstance", [class @ Value::Class(_)]) => {
                Some(Ok(machine.modelled(call.fqn, &[("class", class.clone())])))
            }
            _ => None,
        };
    }
    if call.fqn != RESULT {
        return None;
    }
    let id = reference(call.receiver?)?;
    let result = machine.native::<ResultSetRow>(id)?.clone();
    if let ("wasNull", []) = (call.name, call.args) {
        return Some(Ok(Value::bool(result.was_null)));
    }
    let column = match call.args.first()? {
        at if int(at).is_some() => {
            let at = usize::try_from(int(at)?).ok()?.checked_sub(1)?;
            result.columns.get(at)?.clone()
        }
        name => plain(text(name)?),
    };
    let value = result.row.get(&column)?.clone();
    if let Some(result) = machine.native_mut::<ResultSetRow>(id) {
        result.was_null = value.is_null();
    }
    let ty = match (call.name, call.args) {
        ("getString", [_]) => Type::Str,
        ("getInt", [_]) => Type::Prim(Prim::Int),
        ("getLong", [_]) => Type::Prim(Prim::Long),
        ("getShort", [_]) => Type::Prim(Prim::Short),
        ("getBoolean", [_]) => Type::Prim(Prim::Bool),
        ("getDouble", [_]) => Type::Prim(Prim::Double),
        ("getObject", [_, Value::Class(ty)]) => ty.clone(),
        ("getBigDecimal", [_]) => Type::Class(ClassRef::library("java.math.BigDecimal"), Vec::new()),
        ("getTimestamp", [_]) => Type::Class(ClassRef::library("java.sql.Timestamp"), Vec::new()),
        ("getDate", [_]) => Type::Class(ClassRef::library("java.sql.Date"), Vec::new()),
        _ => return None,
    };
    // Null reads as zero for a primitive.
    let answer = match &ty {
        Type::Prim(prim) if value.is_null() => Ok(Value::Scalar(prim.zero())),
        _ => as_type(machine, &value, &ty),
    };
    Some(settle(machine, call, answer))
}

/// Converts a stored value to a type.
pub(super) fn as_type(machine: &mut Machine<'_>, value: &Value, ty: &Type) -> Answer {
    match (ty, value) {
        (Type::Prim(_), Value::Scalar(Scalar::Null)) => open("null for a primitive"),
        (_, Value::Scalar(Scalar::Null)) => Ok(Value::NULL),
        (Type::Str, Value::Scalar(Scalar::Str(_))) => Ok(value.clone()),
        (Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool), Value::Scalar(Scalar::Bool(_))) => Ok(value.clone()),
        (Type::Prim(prim) | Type::Boxed(prim), Value::Scalar(scalar)) if prim.is_integral() && *prim != Prim::Char => {
            let fits = match prim {
                Prim::Int => scalar.as_long().is_some_and(|number| i32::try_from(number).is_ok()),
                Prim::Long => scalar.as_long().is_some(),
                _ => false,
            };
            if fits { Ok(machine.convert(value.clone(), &Type::Prim(*prim))) } else { open("a number of another size") }
        }
        (Type::Prim(prim) | Type::Boxed(prim), Value::Symbol(symbol))
            if symbol.term.is_key() && matches!(prim, Prim::Int | Prim::Long) =>
        {
            Ok(value.clone())
        }
        (Type::Class(ClassRef::Project(id), _), Value::Scalar(Scalar::Str(text)))
            if machine.project.ty(*id).kind == TypeKind::Enum =>
        {
            let constants = machine.enum_constants(*id);
            match constants.iter().find(|name| ***name == *text.text) {
                Some(name) => Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(*id), name.clone()))),
                None => open("a text that is no constant"),
            }
        }
        (Type::Unknown, _) => open("a value of a type that is not known"),
        (_, Value::Symbol(_)) => open("a key as something else"),
        // The value is present, but the driver's conversion is not modelled.
        (Type::Class(ClassRef::Library(_), _), Value::Scalar(Scalar::Str(_)) | Value::Unknown(_)) => {
            Ok(Value::unknowable("how a value is read from the store", ty.clone()))
        }
        (_, Value::Unknown(_)) => Ok(Value::unknowable("how a value is read from the store", ty.clone())),
        _ => open("how a value is read from the store"),
    }
}

/// Maps a row with a mapper.
pub(super) fn mapped(
    machine: &mut Machine<'_>,
    mapper: &Mapper,
    (columns, row, number): (&[String], Row, usize),
) -> Answer {
    match mapper {
        Mapper::Own(by) => {
            let result = native(machine, RESULT, ResultSetRow { columns: columns.to_vec(), row, was_null: false });
            let number = Value::int(i32::try_from(number).unwrap_or(i32::MAX));
            Ok(machine.call_method(by.clone(), "mapRow", vec![result, number])?)
        }
        Mapper::Column(ty) => match columns {
            [only] => {
                let value = row.get(only).cloned().unwrap_or(Value::NULL);
                as_type(machine, &value, ty)
            }
            _ => open("several columns as one value"),
        },
        Mapper::Properties(class) => properties(machine, *class, &row),
    }
}

fn properties(machine: &mut Machine<'_>, class: TypeId, row: &Row) -> Answer {
    let project = machine.project;
    let ty = Type::Class(ClassRef::Project(class), Vec::new());
    let components: Vec<_> =
        project.members(class).filter(|member| project.member(*member).kind == MemberKind::RecordComponent).collect();
    if project.ty(class).kind == TypeKind::Record {
        let mut args = Vec::new();
        for component in components {
            let Some(value) = row.get(&plain(&project.member(component).name)).cloned() else {
                return open("a component that no column is read into");
            };
            let wanted = machine.field_type(component);
            args.push(as_type(machine, &value, &wanted)?);
        }
        return Ok(machine.construct_type(&ty, args)?);
    }
    if !project.all_supers(class).is_empty() {
        return open("properties of a class that inherits some");
    }
    let made = machine.construct_type(&ty, Vec::new())?;
    for member in project.members(class).collect::<Vec<_>>() {
        let facts = project.member(member);
        if facts.kind != MemberKind::Field || facts.modifiers.has(crate::ir::facts::Modifiers::STATIC) {
            continue;
        }
        let Some(value) = row.get(&plain(&facts.name)).cloned() else { continue };
        let setter = format!("set{}", capitalised(&facts.name));
        let wanted = machine.field_type(member);
        let value = as_type(machine, &value, &wanted)?;
        match project.find_method(class, &setter, 1).as_slice() {
            [_] => {
                machine.call_method(made.clone(), &setter, vec![value])?;
            }
            [] if crate::interpret::classes::objects::has(&project.ty(class).annotations, &["Data", "Setter"]) => {
                machine.write_member(&made, member, value)?;
            }
            // A property without a setter is skipped.
            [] => {}
            _ => return open("several setters of a property"),
        }
    }
    Ok(made)
}
