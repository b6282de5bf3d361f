//! Writes the implementation of a mapper.

use super::beans::{Access, Maker, Property, element, maker, readable, writable};
use super::mapper::{Component, Mapper};
use super::mappings::{From, Mappings};
use super::methods::methods;
use super::writing::{PropertyValue, Writer};
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::MemberId;
use mastor_java::ir::ty::Ty;
use mastor_java::types::typing::Types;

/// The source of a mapper's implementation, and the methods that are left out, each with the reason.
pub fn implementation(types: &Types<'_>, mapper: &Mapper) -> (String, Vec<(String, String)>) {
    let project = types.project();
    let open = mapper.open(project);
    let methods = match methods(types, mapper) {
        Ok(methods) => methods,
        Err(why) => return (String::new(), vec![(String::new(), why)]),
    };
    let mut writer = Writer { types, mapper, methods, helpers: Vec::new(), called: Vec::new(), count: 0 };
    let (mut texts, mut left_out) = (Vec::new(), Vec::new());
    for member in open {
        let kept = writer.helpers.len();
        match writer.method(member) {
            Ok(text) => texts.push(text),
            Err(why) => {
                writer.helpers.truncate(kept);
                left_out.push((project.member(member).signature(), why));
            }
        }
    }
    (writer.class(&texts), left_out)
}

impl Writer<'_, '_> {
    fn class(&mut self, texts: &[String]) -> String {
        let project = self.types.project();
        let facts = project.ty(self.mapper.ty);
        let file = &project.file(project.file_of(self.mapper.ty)).facts;
        let mut out = String::new();
        if !file.package.is_empty() {
            out += &format!("package {};\n\n", file.package);
        }
        for import in &file.imports {
            let (kind, all) = (if import.is_static { "static " } else { "" }, if import.wildcard { ".*" } else { "" });
            out += &format!("import {kind}{}{all};\n", import.path);
        }
        let spring = self.mapper.component == Component::Spring;
        if spring {
            out += "@org.springframework.stereotype.Component\n";
        }
        let way = if facts.kind == TypeKind::Interface { "implements" } else { "extends" };
        out += &format!("public class {} {way} {} {{\n", self.mapper.name, facts.name);
        self.called.sort_unstable();
        self.called.dedup();
        for at in self.called.clone() {
            let (fqn, name) = (project.fqn(self.mapper.uses[at]), self.field(at));
            let is_mapper = project.ty(self.mapper.uses[at]).annotations.iter().any(|one| one.simple() == "Mapper");
            out += &match (spring, is_mapper) {
                (true, _) => {
                    format!("  @org.springframework.beans.factory.annotation.Autowired\n  private {fqn} {name};\n")
                }
                (false, true) => format!("  private final {fqn} {name} = new {fqn}Impl();\n"),
                (false, false) => format!("  private final {fqn} {name} = new {fqn}();\n"),
            };
        }
        for text in texts.iter().chain(self.helpers.iter().map(|(.., text)| text)) {
            out += &format!("\n{text}");
        }
        out + "}\n"
    }

    fn method(&mut self, member: MemberId) -> Result<String, String> {
        let project = self.types.project();
        let facts = project.member(member);
        let mappings = Mappings::of(facts)?;
        let signature = self.types.signature(member).clone();
        let (mut sources, mut target) = (Vec::new(), None);
        for (param, ty) in facts.params.iter().zip(&signature.params) {
            let has = |name: &str| param.annotations.iter().any(|one| one.simple() == name);
            if has("Context") || has("TargetType") || param.varargs {
                return Err("a parameter beside the source is not followed".to_owned());
            }
            match has("MappingTarget") {
                true => target = Some((param.name.clone(), ty.clone())),
                false => sources.push((param.name.clone(), ty.clone())),
            }
        }
        if sources.is_empty() || !facts.type_params.is_empty() {
            return Err("it is generic or has no source".to_owned());
        }
        let params: Vec<String> = facts.params.iter().map(|param| format!("{} {}", param.ty, param.name)).collect();
        let returned = facts.ty.as_ref().map(ToString::to_string).unwrap_or_default();
        let body = match (&target, sources.as_slice()) {
            (None, [(name, from)]) if !self.is_bean_like(from, &signature.ret) && mappings == Mappings::default() => {
                self.whole(name, from, &signature.ret)?
            }
            _ => self.bean(&sources, target.as_ref(), &signature.ret, &mappings)?,
        };
        let access =
            if facts.modifiers.has(mastor_java::ir::facts::Modifiers::PROTECTED) { "protected" } else { "public" };
        Ok(format!("  @Override\n  {access} {returned} {}({}) {{\n{body}  }}\n", facts.name, params.join(", ")))
    }

    fn is_bean_like(&self, from: &Ty, to: &Ty) -> bool {
        let is_bean = |ty: &Ty| ty.as_project().is_some_and(|id| self.types.project().ty(id).kind != TypeKind::Enum);
        is_bean(from) && is_bean(to)
    }

    /// The body of a method that maps a bean to a bean, property by property.
    pub fn bean(
        &mut self,
        sources: &[(String, Ty)],
        target: Option<&(String, Ty)>,
        ret: &Ty,
        mappings: &Mappings,
    ) -> Result<String, String> {
        let is_void = matches!(ret, Ty::Prim(name) if &**name == "void");
        let made = target.map_or(ret, |(_, ty)| ty).clone();
        let object = target.map_or_else(|| "made$".to_owned(), |(name, _)| name.clone());
        let mut out = self.guard(sources, if is_void { "" } else { target.map_or("null", |(name, _)| name) });
        let maker = if target.is_some() { Maker::Empty } else { maker(self.types, &made)? };
        let is_built = matches!(maker, Maker::Built(_));
        let (by_constructor, properties) = match maker {
            Maker::Built(properties) => (Vec::new(), properties),
            maker => {
                let properties = writable(self.types, &made).ok_or("the properties of the target are not known")?;
                (if let Maker::Full(params) = maker { params } else { Vec::new() }, properties)
            }
        };
        let known = |name: &String| {
            by_constructor.iter().any(|(param, _)| param == name) || properties.iter().any(|one| one.name == *name)
        };
        if let Some(odd) = mappings.all.iter().find(|one| !known(&one.target[0]) && one.from != From::Nothing) {
            return Err(format!("the target has no property {}", odd.target[0]));
        }
        let update = target.is_some();
        let class = self.text(&made)?;
        let mut args = Vec::new();
        for (name, ty) in &by_constructor {
            let local = self.name("arg$");
            let zero = match ty {
                Ty::Prim(name) if &**name == "boolean" => "false",
                Ty::Prim(_) => "0",
                _ => "null",
            };
            out += &format!("    {} {local} = {zero};\n", self.text(ty)?);
            let property = Property { name: name.clone(), access: Access::Field, ty: ty.clone() };
            if let Some(given) = self.given(sources, &property, mappings)? {
                out += &set(&given, |value| format!("{local} = {value};"));
            }
            args.push(local);
        }
        if is_built {
            out += &format!("    var {object} = {class}.builder();\n");
        } else if !update {
            out += &format!("    {class} {object} = new {class}({});\n", args.join(", "));
        }
        // Annotated properties are set before those that are mapped by name.
        let said = |one: &&Property| mappings.all.iter().any(|mapping| mapping.target[0] == one.name);
        let rest = properties.iter().filter(|one| !by_constructor.iter().any(|(param, _)| *param == one.name));
        let (first, then): (Vec<&Property>, Vec<&Property>) = rest.partition(said);
        for property in first.into_iter().chain(then) {
            let Some(given) = self.given(sources, property, mappings)? else { continue };
            out += &self.assign(&object, &made, property, given, update, mappings)?;
        }
        if is_built {
            out += &format!("    return {object}.build();\n");
        } else if !is_void {
            out += &format!("    return {object};\n");
        }
        Ok(out)
    }

    /// The statement that returns `nothing` if all sources are null.
    fn guard(&self, sources: &[(String, Ty)], nothing: &str) -> String {
        let nullable = sources.iter().filter(|(_, ty)| !matches!(ty, Ty::Prim(_)));
        let all: Vec<String> = nullable.map(|(name, _)| format!("{name} == null")).collect();
        if all.is_empty() || all.len() < sources.len() {
            return String::new();
        }
        format!("    if ({}) {{\n      return {nothing};\n    }}\n", all.join(" && "))
    }

    /// Statements that set a property.
    fn assign(
        &mut self,
        object: &str,
        made: &Ty,
        property: &Property,
        given: PropertyValue,
        update: bool,
        mappings: &Mappings,
    ) -> Result<String, String> {
        let setter = |value: &str| match &property.access {
            Access::Method(name) => format!("{object}.{name}({value});"),
            Access::Field => format!("{object}.{} = {value};", property.name),
            Access::Filled(getter) => format!("{object}.{getter}().addAll({value});"),
        };
        let is_many = element(self.types, &property.ty).is_some();
        if let Access::Filled(getter) = &property.access {
            let filled = self.name("list$");
            let held = self.text(&property.ty)?;
            let inner = set(&given, |value| {
                format!(
                    "{held} {filled} = {value};\n      if ({filled} != null) {{\n        {}\n      }}",
                    setter(&filled)
                )
            });
            if update {
                return Err(format!("how {} is updated is not followed", property.name));
            }
            return Ok(format!("    if ({object}.{getter}() != null) {{\n{inner}    }}\n"));
        }
        if !update {
            return Ok(set(&given, setter));
        }
        let keeps = self.keeps(property, mappings);
        if is_many {
            let getter =
                readable(self.types, made).unwrap_or_default().into_iter().find(|one| one.name == property.name);
            let Some(Property { access: Access::Method(getter), .. }) = getter else {
                return Err(format!("how {} is updated is not followed", property.name));
            };
            let (list, held) = (self.name("list$"), self.text(&property.ty)?);
            let otherwise = if keeps { String::new() } else { format!(" else {{ {} }}", setter("null")) };
            let mut out = given.before.concat();
            out += &match &given.guard {
                Some(guard) => format!(
                    "    {held} {list} = null;\n    if ({guard} != null) {{\n      {list} = {};\n    }}\n",
                    given.value
                ),
                None => format!("    {held} {list} = {};\n", given.value),
            };
            out += &format!(
                "    if ({object}.{getter}() != null) {{\n      if ({list} != null) {{\n        \
                 {object}.{getter}().clear();\n        {object}.{getter}().addAll({list});\n      }}{otherwise}\n    }} else if ({list} != null) {{\n      \
                 {}\n    }}\n",
                setter(&list)
            );
            return Ok(out);
        }
        // In an update, null sets the property to null if its type allows that.
        let given = match (&given.guard, &given.otherwise, &property.ty) {
            (Some(_), None, ty) if !keeps && !matches!(ty, Ty::Prim(_)) => {
                PropertyValue { otherwise: Some("null".to_owned()), ..given }
            }
            _ => given,
        };
        Ok(set(&given, setter))
    }
}

/// Statements that evaluate a value and pass it to a setter.
fn set(given: &PropertyValue, setter: impl Fn(&str) -> String) -> String {
    let mut out = given.before.concat();
    match &given.guard {
        None => out += &format!("    {}\n", setter(&given.value)),
        Some(guard) => {
            out += &format!("    if ({guard} != null) {{\n      {}\n    }}", setter(&given.value));
            if let Some(otherwise) = &given.otherwise {
                out += &format!(" else {{\n      {}\n    }}", setter(otherwise));
            }
            out.push('\n');
        }
    }
    out
}
