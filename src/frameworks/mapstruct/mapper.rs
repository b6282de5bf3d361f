//! A mapper as its annotation configures it.

use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, Nesting, TypeKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// How code gets an object of a mapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    /// As a Spring bean.
    Spring,
    /// By `Mappers.getMapper`.
    Plain,
}

/// A mapper.
#[derive(Debug, Clone)]
pub struct Mapper {
    /// The annotated type.
    pub ty: TypeId,
    /// How code gets an object of it.
    pub component: Component,
    /// The mappers that it uses, in order.
    pub uses: Vec<TypeId>,
    /// Whether, in an update, a null source property leaves the target's property unchanged.
    pub keeps_on_null: bool,
    /// Whether nested beans are mapped by property names, without a method for them.
    pub maps_within: bool,
    /// Whether every source property is checked for null before the target's property is set.
    pub always_checks: bool,
    /// Simple name of the implementation.
    pub name: String,
}

/// Elements of the annotation without an effect at run time.
const SILENT: &[&str] = &[
    "unmappedTargetPolicy",
    "unmappedSourcePolicy",
    "typeConversionPolicy",
    "imports",
    "suppressTimestampInGenerated",
    "injectionStrategy",
];

impl Mapper {
    /// Reads a mapper; the error says what is not followed.
    pub fn read(project: &Project, ty: TypeId, spring_by_default: bool) -> Result<Self, String> {
        let facts = project.ty(ty);
        if facts.nesting != Nesting::Top || !facts.type_params.is_empty() {
            return Err("it is nested or generic".to_owned());
        }
        if facts.kind == TypeKind::Class && !facts.modifiers.has(Modifiers::ABSTRACT) {
            return Err("it is no interface or abstract class".to_owned());
        }
        if let Some(odd) = facts.annotations.iter().find(|one| matches!(one.simple(), "DecoratedWith" | "AnnotateWith"))
        {
            return Err(format!("@{} is not followed", odd.simple()));
        }
        let Some(annotation) = facts.annotations.iter().find(|one| one.simple() == "Mapper") else {
            return Err("it has no annotation".to_owned());
        };
        let mut mapper = Self {
            ty,
            component: if spring_by_default { Component::Spring } else { Component::Plain },
            uses: Vec::new(),
            keeps_on_null: false,
            maps_within: true,
            always_checks: false,
            name: format!("{}Impl", facts.name),
        };
        // Elements of the mapper's own annotation override those of its configuration class.
        if let Some(Value::Class(config)) = annotation.arg("config") {
            let config = project.resolve(ty, &config.name).project().ok_or("its configuration is not known")?;
            let shared = project.ty(config).annotations.iter().find(|one| one.simple() == "MapperConfig");
            if project.ty(config).members.iter().any(|member| member.kind == MemberKind::Method) {
                return Err("its configuration has methods".to_owned());
            }
            mapper.take(project, config, shared.ok_or("its configuration is not known")?)?;
        }
        mapper.take(project, ty, annotation)?;
        Ok(mapper)
    }

    fn take(&mut self, project: &Project, scope: TypeId, annotation: &Annotation) -> Result<(), String> {
        for (name, value) in &annotation.args {
            match (name.as_str(), last_name(value).as_deref()) {
                ("config", _) => {}
                ("componentModel", Some("spring" | "SPRING")) => self.component = Component::Spring,
                ("componentModel", Some("default" | "DEFAULT")) => self.component = Component::Plain,
                ("uses", _) => {
                    for class in classes(value).ok_or("what it uses is not known")? {
                        self.uses.push(project.resolve(scope, &class).project().ok_or("what it uses is not known")?);
                    }
                }
                ("nullValuePropertyMappingStrategy", Some("IGNORE")) => self.keeps_on_null = true,
                ("nullValuePropertyMappingStrategy", Some("SET_TO_NULL")) => self.keeps_on_null = false,
                ("nullValueCheckStrategy", Some("ALWAYS")) => self.always_checks = true,
                ("nullValueCheckStrategy", Some("ON_IMPLICIT_CONVERSION")) => self.always_checks = false,
                ("disableSubMappingMethodsGeneration", Some("true")) => self.maps_within = false,
                ("disableSubMappingMethodsGeneration", Some("false")) => self.maps_within = true,
                (name, _) if SILENT.contains(&name) => {}
                (name, _) => return Err(format!("{name} of @{} is not followed", annotation.simple())),
            }
        }
        Ok(())
    }

    /// Full name of the implementation.
    pub fn made_name(&self, project: &Project) -> String {
        let package = project.package_of(self.ty);
        if package.is_empty() { self.name.clone() } else { format!("{package}.{}", self.name) }
    }

    /// The mapper's own and inherited methods, then those of the mappers that it uses.
    pub fn methods(&self, project: &Project) -> Vec<(Option<usize>, MemberId)> {
        let of = |ty: TypeId| {
            let line = std::iter::once(ty).chain(project.all_supers(ty));
            let all: Vec<MemberId> = line.flat_map(|ty| project.members(ty)).collect();
            all.into_iter().filter(|member| project.member(*member).kind == MemberKind::Method)
        };
        let own = of(self.ty).map(|member| (None, member));
        let used = self.uses.iter().enumerate().flat_map(|(at, ty)| of(*ty).map(move |member| (Some(at), member)));
        own.chain(used).collect()
    }

    /// The methods to implement: the abstract ones of the type and its supertypes.
    pub fn open(&self, project: &Project) -> Vec<MemberId> {
        let line: Vec<TypeId> = std::iter::once(self.ty).chain(project.all_supers(self.ty)).collect();
        let mut found: Vec<MemberId> = Vec::new();
        for member in line.iter().flat_map(|ty| project.members(*ty)) {
            let facts = project.member(member);
            let is_open = facts.kind == MemberKind::Method
                && facts.body.is_none()
                && !facts.modifiers.has(Modifiers::STATIC)
                && !facts.modifiers.has(Modifiers::NATIVE);
            let is_known = found.iter().any(|other| project.member(*other).signature() == facts.signature());
            if is_open && !is_known {
                found.push(member);
            }
        }
        found
    }
}

/// The string of an argument, or the last part of its name.
pub fn last_name(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Name(name) => name.rsplit('.').next().map(str::to_owned),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// The classes in an argument.
fn classes(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Class(ty) => Some(vec![ty.name.to_string()]),
        Value::Array(items) => items.iter().map(classes).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}
