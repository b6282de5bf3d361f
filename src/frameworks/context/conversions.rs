//! Edges of conversions that frameworks run by type: converters and formatters of bound parameters, converters of
//! stored attributes.

use crate::endpoint::{Endpoint, Location};
use crate::routing::Inputs;
use mastor_java::ir::facts::{MemberKind, TypeRef, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::{Named, Super};
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

/// The source and target type of a converter; for a formatter, text and the type.
struct Conversion {
    ty: TypeId,
    from: Named,
    to: Named,
}

/// Adds the edges of all conversions.
pub(super) fn add(inputs: &Inputs<'_>, endpoints: &[Endpoint], edges: &mut ExtraEdges) {
    let project = inputs.project;
    let mut conversions = Vec::new();
    for ty in project.types() {
        for above in project.supers(ty) {
            match library(above) {
                Some("org.springframework.core.convert.converter.Converter") => {
                    let [from, to] = above.args.as_slice() else { continue };
                    conversions.push(Conversion {
                        ty,
                        from: project.resolve(ty, &from.name),
                        to: project.resolve(ty, &to.name),
                    });
                }
                Some("org.springframework.format.Formatter") => {
                    let Some(to) = above.args.first() else { continue };
                    let from = Named::Library("java.lang.String".to_owned());
                    conversions.push(Conversion { ty, from, to: project.resolve(ty, &to.name) });
                }
                Some(name) if name.ends_with("persistence.AttributeConverter") => attribute(project, ty, above, edges),
                Some(
                    "org.springframework.core.convert.converter.GenericConverter"
                    | "org.springframework.core.convert.converter.ConverterFactory",
                ) => {
                    let methods = methods(project, ty);
                    for endpoint in endpoints {
                        edges.add(
                            EdgeSource::Member(endpoint.entry),
                            methods.iter().copied(),
                            "may convert what is bound",
                        );
                    }
                    edges.add(by_service(), methods, "may convert");
                }
                _ => {}
            }
        }
    }
    for conversion in &conversions {
        let methods = methods(project, conversion.ty);
        edges.add(by_service(), methods.iter().copied(), "converts");
        for endpoint in endpoints.iter().filter(|endpoint| binds(project, endpoint, conversion)) {
            edges.add(EdgeSource::Member(endpoint.entry), methods.iter().copied(), "converts what is bound");
        }
    }
}

fn library(above: &Super) -> Option<&str> {
    above.named.library()
}

/// A call of the conversion service may run any matching converter.
fn by_service() -> EdgeSource {
    EdgeSource::Library("ConversionService.convert".to_owned())
}

fn methods(project: &Project, ty: TypeId) -> Vec<MemberId> {
    let runs = |member: &MemberId| matches!(project.member(*member).kind, MemberKind::Method | MemberKind::Constructor);
    project.members(ty).filter(runs).collect()
}

/// Whether a conversion from text produces the type of a parameter that is read from text.
fn binds(project: &Project, endpoint: &Endpoint, conversion: &Conversion) -> bool {
    let text =
        conversion.from.library().is_some_and(|name| matches!(name, "java.lang.String" | "java.lang.CharSequence"));
    let is = |ty: &TypeRef| {
        let of = |name: &str| project.resolve(endpoint.entry.ty, name) == conversion.to;
        of(&ty.name) || ty.args.iter().any(|arg| of(&arg.name))
    };
    // Objects that are filled from the query may contain the type at any depth.
    let by_text = |location: Location| !matches!(location, Location::Body | Location::Context);
    text && endpoint
        .params
        .iter()
        .any(|param| by_text(param.location) && (is(&param.ty) || param.location == Location::Model))
}

/// A converter of stored attributes: adds edges from every type with a field that names it, or, if it is auto-applied,
/// with a field of its type.
fn attribute(project: &Project, converter: TypeId, above: &Super, edges: &mut ExtraEdges) {
    let auto = project.ty(converter).annotations.iter().any(|annotation| {
        annotation.simple() == "Converter" && matches!(annotation.arg("autoApply"), Some(Value::Bool(true)))
    });
    let converted = above.args.first().map(|ty| project.resolve(converter, &ty.name));
    for ty in project.types() {
        let uses = project.ty(ty).members.iter().any(|member| {
            let named = member.annotations.iter().filter(|annotation| annotation.simple() == "Convert").any(|annotation| {
                matches!(annotation.arg("converter"), Some(Value::Class(class)) if project.resolve(ty, &class.name) == Named::Project(converter))
            });
            let of_type = auto
                && matches!(member.kind, MemberKind::Field | MemberKind::RecordComponent)
                && member.ty.as_ref().is_some_and(|field| Some(project.resolve(ty, &field.name)) == converted);
            named || of_type
        });
        if uses {
            edges.add(EdgeSource::Type(ty), methods(project, converter), "converts an attribute");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converter_of_an_attribute_leads_from_the_types_that_have_it() {
        let project = Project::from_sources(&[
            ("a/Money.java", "package a; public class Money {}"),
            ("a/E.java", "package a; public class E { Money price; }"),
            ("a/F.java", "package a; public class F { int price; }"),
            (
                "a/C.java",
                "package a; import jakarta.persistence.*; @Converter(autoApply = true) \
                 public class C implements AttributeConverter<Money, String> { public String convertToDatabaseColumn(Money m) { return null; } }",
            ),
        ]);
        let ty = |name: &str| project.by_fqn(name).unwrap();
        let mut edges = ExtraEdges::default();
        let above = &project.supers(ty("a.C"))[0];
        attribute(&project, ty("a.C"), above, &mut edges);
        assert_eq!(edges.from(&EdgeSource::Type(ty("a.E"))).len(), 1);
        assert!(edges.from(&EdgeSource::Type(ty("a.F"))).is_empty());
    }
}
