//! How a value is mapped to another type: by a method, unchanged, by a conversion, or by a generated helper method.

use super::beans::{Access, Property, element, readable};
use super::conversions::{convert, literal};
use super::mappings::{From, Mapping, Mappings};
use super::methods::{choose, fit};
use super::writing::{PropertyValue, Writer};
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ty::Ty;
use mastor_java::types::typing::Fit;

/// The expression for a value in another type.
struct Converted {
    value: String,
    /// Whether the value must be checked for null first.
    guarded: bool,
}

/// The class that is created if this collection or map type is required.
fn made_of(ty: &Ty) -> Option<&str> {
    Some(match ty.library_name()? {
        "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => "java.util.ArrayList",
        "java.util.Set" => "java.util.LinkedHashSet",
        "java.util.Map" => "java.util.LinkedHashMap",
        name @ ("java.util.ArrayList"
        | "java.util.LinkedHashSet"
        | "java.util.HashSet"
        | "java.util.HashMap"
        | "java.util.LinkedHashMap"
        | "java.util.LinkedList") => name,
        _ => return None,
    })
}

fn args(ty: &Ty) -> &[Ty] {
    match ty {
        Ty::Library { args, .. } | Ty::Project { args, .. } => args,
        _ => &[],
    }
}

impl Writer<'_, '_> {
    /// The value that a property is set to; `None` if it is left unchanged.
    pub fn given(
        &mut self,
        sources: &[(String, Ty)],
        property: &Property,
        mappings: &Mappings,
    ) -> Result<Option<PropertyValue>, String> {
        let own: Vec<&Mapping> = mappings.all.iter().filter(|one| one.target[0] == property.name).collect();
        let mapping = match own.as_slice() {
            [] if mappings.only_said => return Ok(None),
            [] => None,
            [only] if only.target.len() == 1 => Some(*only),
            [..] if own.iter().all(|one| one.target.len() > 1) => return self.within(sources, property, &own),
            _ => return Err(format!("{} is mapped more than once", property.name)),
        };
        let plain = |value: String| Some(PropertyValue { before: Vec::new(), value, guard: None, otherwise: None });
        let path = match mapping.map(|one| &one.from) {
            Some(From::Nothing) => return Ok(None),
            Some(From::Constant(text)) => {
                let value = literal(self.types, text, &property.ty);
                return Ok(plain(value.ok_or_else(|| format!("a constant of {} is not followed", property.name))?));
            }
            Some(From::Expression(text)) => return Ok(plain(format!("({text})"))),
            Some(From::Path(Some(path))) => path.clone(),
            Some(From::Path(None)) | None => vec![property.name.clone()],
        };
        let is_said = matches!(mapping.map(|one| &one.from), Some(From::Path(Some(_))));
        let Some((before, value, from)) = self.read(sources, &path, is_said)? else {
            return match mapping {
                Some(_) => Err(format!("there is no source for {}", property.name)),
                None => Ok(None),
            };
        };
        let by_name = mapping.and_then(|one| one.by_name.as_deref());
        let date_format = mapping.and_then(|one| one.date_format.as_deref());
        let made = self.convert_value(&from, &property.ty, &value, by_name, date_format, 0);
        let made = made.map_err(|why| format!("{}: {why}", property.name))?;
        let default = match mapping.and_then(|one| one.default.as_deref()) {
            Some(text) => Some(
                literal(self.types, text, &property.ty)
                    .ok_or_else(|| format!("the default of {} is not followed", property.name))?,
            ),
            None => None,
        };
        let always = mapping.and_then(|one| one.always_checks).unwrap_or(self.mapper.always_checks);
        let guarded = made.guarded || always || default.is_some() || self.keeps(property, mappings);
        let guard = (guarded && !matches!(from, Ty::Prim(_))).then(|| value.clone());
        Ok(Some(PropertyValue { before, value: made.value, guard, otherwise: default }))
    }

    /// Statements that read a path of the source, the variable with the result, and its type.
    fn read(
        &mut self,
        sources: &[(String, Ty)],
        path: &[String],
        is_said: bool,
    ) -> Result<Option<(Vec<String>, String, Ty)>, String> {
        let mut starts = Vec::new();
        for (name, ty) in sources {
            let is_bean = ty.as_project().is_some_and(|id| self.types.project().ty(id).kind != TypeKind::Enum);
            let fits = |one: &Property| Some(&one.name) == path.first();
            if is_bean {
                let all = readable(self.types, ty).ok_or("the properties of a source are not known")?;
                starts.extend(all.into_iter().find(fits).map(|first| (name.clone(), ty.clone(), Some(first), 1)));
            } else if sources.len() > 1 && path.first() == Some(name) {
                starts.push((name.clone(), ty.clone(), None, 1));
            }
        }
        if is_said
            && (starts.is_empty() || sources.len() > 1)
            && let Some((name, ty)) = sources.iter().find(|(name, _)| path.first() == Some(name))
        {
            starts = vec![(name.clone(), ty.clone(), None, 1)];
        }
        let (root, root_ty, first, mut at) = match starts.as_slice() {
            [] => return Ok(None),
            [only] => only.clone(),
            _ => return Err(format!("several sources have {}", path.join("."))),
        };
        let (mut before, mut value, mut ty) = (Vec::new(), root, root_ty);
        // With several sources, any one may be null.
        let mut nullable = sources.len() > 1;
        let mut next = first;
        loop {
            let property = match next.take() {
                Some(property) => property,
                None if at == path.len() => break,
                None => {
                    let name = &path[at];
                    at += 1;
                    let all = readable(self.types, &ty).ok_or("the properties of a source are not known")?;
                    all.into_iter().find(|one| one.name == *name).ok_or_else(|| format!("there is no source {name}"))?
                }
            };
            if matches!(property.ty, Ty::Prim(_)) && nullable {
                return Err("a primitive property behind what may be null is not followed".to_owned());
            }
            let read = match &property.access {
                Access::Method(name) => format!("{value}.{name}()"),
                Access::Field | Access::Filled(_) => format!("{value}.{}", property.name),
            };
            let local = self.name("value$");
            let class = self.text(&property.ty)?;
            before.push(match nullable {
                true => format!(
                    "    {class} {local} = null;\n    if ({value} != null) {{\n      {local} = {read};\n    }}\n"
                ),
                false => format!("    {class} {local} = {read};\n"),
            });
            (value, ty, nullable) = (local, property.ty, true);
        }
        Ok(Some((before, value, ty)))
    }

    /// A nested bean of the target, created only from the annotations for its properties.
    fn within(
        &mut self,
        sources: &[(String, Ty)],
        property: &Property,
        own: &[&Mapping],
    ) -> Result<Option<PropertyValue>, String> {
        let [(source, from)] = sources else { return Err("paths of targets are not followed here".to_owned()) };
        let is_plain = |one: &&&Mapping| match &one.from {
            From::Path(Some(path)) => path.len() == 1,
            From::Path(None) => false,
            From::Nothing | From::Constant(_) | From::Expression(_) => false,
        };
        if !own.iter().all(|one| is_plain(&one)) {
            return Err("paths of targets are not followed here".to_owned());
        }
        let rest = own.iter().map(|one| Mapping { target: one.target[1..].to_vec(), ..(*one).clone() }).collect();
        let mappings = Mappings { all: rest, only_said: true, keeps_on_null: None };
        let body = self.bean(&[("source".to_owned(), from.clone())], None, &property.ty, &mappings)?;
        let name = self.name("within$");
        let (from_text, to_text) = (self.text(from)?, self.text(&property.ty)?);
        let text = format!("  protected {to_text} {name}({from_text} source) {{\n{body}  }}\n");
        // The types are left unknown, so that only its name selects this helper.
        self.helpers.push((Ty::Unknown, Ty::Unknown, name.clone(), text));
        Ok(Some(PropertyValue { before: Vec::new(), value: format!("{name}({source})"), guard: None, otherwise: None }))
    }

    /// The value of a variable in another type.
    fn convert_value(
        &mut self,
        from: &Ty,
        to: &Ty,
        value: &str,
        by_name: Option<&str>,
        date_format: Option<&str>,
        depth: usize,
    ) -> Result<Converted, String> {
        if from.is_partial() || to.is_partial() || depth > 8 {
            return Err("a type is not known".to_owned());
        }
        if let Some(method) = choose(self.types, &self.methods, from, to, by_name)?.cloned() {
            let facts = self.types.project().member(method.member);
            let on = match (facts.modifiers.has(Modifiers::STATIC), method.used) {
                (true, _) => format!("{}.", self.types.project().fqn(method.member.ty)),
                (false, Some(at)) => {
                    self.called.push(at);
                    format!("{}.", self.field(at))
                }
                (false, None) => String::new(),
            };
            let unboxes = matches!(method.from, Ty::Prim(_)) && !matches!(from, Ty::Prim(_));
            return Ok(Converted { value: format!("{on}{}({value})", facts.name), guarded: unboxes });
        }
        let many = element(self.types, to).is_some() || to.library_name() == Some("java.util.Map");
        if date_format.is_none() {
            match fit(self.types, from, to) {
                Fit::Strict if matches!(to, Ty::Array(_)) => {
                    return Ok(Converted { value: format!("{value}.clone()"), guarded: true });
                }
                Fit::Strict if many && args(from) == args(to) => {
                    let class = made_of(to).ok_or("a collection is made in a way that is not followed")?;
                    let inner: Result<Vec<String>, String> = args(to).iter().map(|arg| self.text(arg)).collect();
                    return Ok(Converted {
                        value: format!("new {class}<{}>({value})", inner?.join(", ")),
                        guarded: true,
                    });
                }
                Fit::Strict | Fit::Loose if !many => {
                    let unboxes = matches!(to, Ty::Prim(_)) && !matches!(from, Ty::Prim(_));
                    return Ok(Converted { value: value.to_owned(), guarded: unboxes });
                }
                Fit::Maybe => return Err("whether types fit is not known".to_owned()),
                _ => {}
            }
        }
        if let Some(value) = convert(self.types, from, to, value, date_format) {
            return Ok(Converted { value, guarded: !matches!(from, Ty::Prim(_)) });
        }
        if date_format.is_some() {
            return Err("a format of dates is not followed".to_owned());
        }
        let name = self.helper(from, to, depth)?;
        Ok(Converted { value: format!("{name}({value})"), guarded: false })
    }

    /// The helper method for these types, created once.
    fn helper(&mut self, from: &Ty, to: &Ty, depth: usize) -> Result<String, String> {
        if let Some((.., name, _)) = self.helpers.iter().find(|(a, b, ..)| a == from && b == to) {
            return Ok(name.clone());
        }
        let name = self.name("map$");
        let at = self.helpers.len();
        self.helpers.push((from.clone(), to.clone(), name.clone(), String::new()));
        let is_bean = |ty: &Ty| ty.as_project().is_some_and(|id| self.types.project().ty(id).kind != TypeKind::Enum);
        let body = match (is_bean(from), is_bean(to)) {
            (true, true) if self.mapper.maps_within => {
                self.bean(&[("source".to_owned(), from.clone())], None, to, &Mappings::default())?
            }
            (true, _) | (_, true) => return Err("there is no way from one type to the other".to_owned()),
            _ => self.whole_within("source", from, to, depth + 1)?,
        };
        let (from_text, to_text) = (self.text(from)?, self.text(to)?);
        self.helpers[at].3 = format!("  protected {to_text} {name}({from_text} source) {{\n{body}  }}\n");
        Ok(name)
    }

    /// The body of a method that maps a whole value: elements, entries, constants.
    pub fn whole(&mut self, source: &str, from: &Ty, to: &Ty) -> Result<String, String> {
        self.whole_within(source, from, to, 0)
    }

    fn whole_within(&mut self, source: &str, from: &Ty, to: &Ty, depth: usize) -> Result<String, String> {
        let guard = format!("    if ({source} == null) {{\n      return null;\n    }}\n");
        let is_map = |ty: &Ty| {
            matches!(ty.library_name(), Some("java.util.Map" | "java.util.HashMap" | "java.util.LinkedHashMap"))
        };
        if let (Some(a), Some(b)) = (element(self.types, from), element(self.types, to)) {
            let item = self.name("item$");
            let made = self.convert_value(&a, &b, &item, None, None, depth)?;
            let (class, a, b) = (
                made_of(to).ok_or("a collection is made in a way that is not followed")?,
                self.text(&a)?,
                self.text(&b)?,
            );
            let to = self.text(to)?;
            return Ok(format!(
                "{guard}    {class}<{b}> made$ = new {class}<{b}>();\n    for ({a} {item} : {source}) {{\n      made$.add({});\n    }}\n    \
                 {to} all$ = made$;\n    return all$;\n",
                made.value
            ));
        }
        if let (true, true, [ka, va], [kb, vb]) = (is_map(from), is_map(to), args(from), args(to)) {
            let key = self.convert_value(ka, kb, "entry$.getKey()", None, None, depth)?;
            let value = self.convert_value(va, vb, "entry$.getValue()", None, None, depth)?;
            let class = made_of(to).ok_or("a map is made in a way that is not followed")?;
            let (ka, va, kb, vb) = (self.text(ka)?, self.text(va)?, self.text(kb)?, self.text(vb)?);
            return Ok(format!(
                "{guard}    {class}<{kb}, {vb}> made$ = new {class}<{kb}, {vb}>();\n    for (java.util.Map.Entry<{ka}, {va}> entry$ : {source}.entrySet()) {{\n      \
                 made$.put({}, {});\n    }}\n    return made$;\n",
                key.value, value.value
            ));
        }
        self.constants(source, from, to).map(|body| format!("{guard}{body}"))
    }

    /// Maps enum constants to the constants with the same names.
    fn constants(&self, source: &str, from: &Ty, to: &Ty) -> Result<String, String> {
        let project = self.types.project();
        let names = |ty: &Ty| -> Option<Vec<String>> {
            let id = ty.as_project().filter(|id| project.ty(*id).kind == TypeKind::Enum)?;
            let all = project.ty(id).members.iter().filter(|member| member.kind == MemberKind::EnumConstant);
            Some(all.map(|member| member.name.clone()).collect())
        };
        let (Some(a), Some(b)) = (names(from), names(to)) else {
            return Err("there is no way from one type to the other".to_owned());
        };
        if !a.iter().all(|name| b.contains(name)) {
            return Err("constants of an enum are mapped in a way that is not followed".to_owned());
        }
        let to = self.text(to)?;
        let cases: Vec<String> = a.iter().map(|name| format!("      case {name}: return {to}.{name};\n")).collect();
        Ok(format!(
            "    switch ({source}) {{\n{}      default: throw new IllegalArgumentException(\"Unexpected enum constant: \" + {source});\n    }}\n",
            cases.concat()
        ))
    }
}
