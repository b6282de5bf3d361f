//! Enum constants: their names, and the objects behind them.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::body::{Body, ExprId, ExprKind, Root};
use crate::ir::facts::{MemberKind, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

impl Machine<'_> {
    /// Picks the constant of a symbolic enum value: forks into one path for each constant, and one for null if
    /// possible.
    pub fn pick_constant(&mut self, value: &Value) -> Eval {
        let Value::Symbol(symbol) = value else { return Ok(value.clone()) };
        let Type::Class(ClassRef::Project(ty), _) = &symbol.ty else { return Ok(value.clone()) };
        if self.project.ty(*ty).kind != TypeKind::Enum {
            return Ok(value.clone());
        }
        self.not_null(value)?;
        let constants = self.enum_constants(*ty);
        let site = self.here();
        for (index, name) in constants.iter().enumerate() {
            let constant = Scalar::Enum(ClassRef::Project(*ty), name.clone());
            let cond = Cond::Same(symbol.term.clone(), Rc::new(Term::Const(constant.clone())));
            if index + 1 == constants.len() || self.decide(cond, site)? {
                return Ok(Value::Scalar(constant));
            }
        }
        Ok(value.clone())
    }

    /// Names of an enum's constants, in order.
    pub fn enum_constants(&self, ty: TypeId) -> Vec<Rc<str>> {
        enum_constants(self.project, ty)
    }

    /// The class body of a constant, if it has one.
    pub fn body_of_constant(&self, ty: TypeId, constant: &str) -> Option<TypeId> {
        self.project.inner(ty).iter().copied().find(|inner| {
            self.project.within(*inner).is_some_and(|within| {
                let facts = self.project.member(within);
                facts.kind == MemberKind::EnumConstant && facts.name == constant && within.ty == ty
            }) && self.project.ty(*inner).name.is_empty()
        })
    }

    /// The implicit `valueOf` of an enum.
    pub fn enum_value_of(&mut self, ty: TypeId, arg: &Value) -> Eval {
        self.not_null(arg)?;
        match arg {
            Value::Scalar(Scalar::Str(text)) => {
                if self.enum_constants(ty).iter().any(|name| **name == *text.text) {
                    return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(ty), text.text.clone())));
                }
                let message = format!("No enum constant {}.{}", self.project.fqn(ty), text.text);
                Err(self.throw("java.lang.IllegalArgumentException", Value::text(&message)))
            }
            Value::Symbol(symbol) => {
                let site = self.here();
                for name in self.enum_constants(ty) {
                    let same = Cond::Same(symbol.term.clone(), Rc::new(Term::Const(Scalar::text(&name))));
                    if self.decide(same, site)? {
                        return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)));
                    }
                }
                Err(self.throw(
                    "java.lang.IllegalArgumentException",
                    Value::unknown("which text was no constant", Type::Str),
                ))
            }
            _ => self.unknown_call(
                "an enum constant by an unknown name",
                &[],
                Type::Class(ClassRef::Project(ty), Vec::new()),
            ),
        }
    }

    /// The initial value of a field, or the object of an enum constant.
    pub fn initial(&mut self, member: MemberId, this: Option<Value>) -> Eval {
        self.ran(member);
        let facts = self.project.member(member);
        if facts.kind == MemberKind::EnumConstant {
            let name: Rc<str> = Rc::from(facts.name.as_str());
            return Ok(Value::Ref(self.enum_object(member.ty, &name)?));
        }
        let Some(code) = self.codes.code(member) else { return Ok(Value::NULL) };
        let value = self.within(&code, this, |machine| machine.run_root(&code))?;
        self.assigned(value, &code.result)
    }

    /// The object of an enum constant, for reading its fields.
    pub fn enum_object(&mut self, ty: TypeId, constant: &Rc<str>) -> Eval<ObjId> {
        let key = (ty, constant.clone());
        if let Some(id) = self.singles.get(&key) {
            return Ok(*id);
        }
        let class = self.body_of_constant(ty, constant).unwrap_or(ty);
        let id = self.allocate(Object::new(ClassRef::Project(class), Kind::Plain));
        self.singles.insert(key, id);
        let member = self.project.members(ty).find(|member| {
            let facts = self.project.member(*member);
            facts.kind == MemberKind::EnumConstant && facts.name == **constant
        });
        let this = Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant.clone()));
        let code = member.and_then(|member| self.codes.code(member));
        let (args, methods) = match &code {
            Some(code) => (constant_args(&code.body).unwrap_or_default(), constructors(code)),
            None => (Vec::new(), Vec::new()),
        };
        let made = self.quietly(|machine| {
            let args = match &code {
                Some(code) => machine.within(code, None, |machine| machine.eval_all(code, &args))?,
                None => Vec::new(),
            };
            machine.construct_into(ty, id, &this, &methods, args, None)?;
            if class != ty { machine.run_initialisers(class, id, &this) } else { Ok(()) }
        })?;
        if made.is_none() {
            self.object_mut(id).kind = Kind::Escaped(Rc::from("an enum constant could not be initialised"));
        }
        Ok(id)
    }
}

/// Names of an enum's constants, in order.
pub fn enum_constants(project: &crate::project::index::Project, ty: TypeId) -> Vec<Rc<str>> {
    project
        .members(ty)
        .map(|member| project.member(member))
        .filter(|facts| facts.kind == MemberKind::EnumConstant)
        .map(|facts| Rc::from(facts.name.as_str()))
        .collect()
}

/// Constructor arguments of an enum constant's declaration.
fn constant_args(body: &Body) -> Option<Vec<ExprId>> {
    match body.root? {
        Root::Expr(expr) => match &body.expr(expr).kind {
            ExprKind::New { args, .. } | ExprKind::Call { args, .. } => Some(args.clone()),
            ExprKind::ArrayInit(args) => Some(args.clone()),
            _ => None,
        },
        Root::Stmt(_) => None,
    }
}

/// Candidate constructors of a constant's declaration.
fn constructors(code: &Code) -> Vec<MemberId> {
    match code.body.root {
        Some(Root::Expr(root)) => match code.link(root) {
            Link::New(link) => link.constructors.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
