//! The fields of success bodies, by their types.

use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::types::type_of;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::signature::element;
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::source_context::ResponseField;

/// The type of a success body.
pub fn response_type(bench: &Bench<'_>) -> Option<Type> {
    let entry = bench.subject.endpoint.entry;
    let declared = bench.subject.project.member(entry).ty.as_ref()?;
    match type_of(bench.subject.project, entry.ty, declared) {
        Type::Class(ClassRef::Library(fqn), args)
            if matches!(&*fqn, "org.springframework.http.ResponseEntity" | "org.springframework.http.HttpEntity") =>
        {
            args.into_iter().next()
        }
        other => Some(other),
    }
}

/// Maximum number of parameters and fields of one request, or fields of one answer, in a source context.
pub(crate) const FIELDS: usize = 1_000;

/// The fields of a success body.
pub fn response_fields(
    bench: &Bench<'_>,
    cited: &mut impl FnMut(MemberId) -> EvidenceId,
    out: &mut Vec<ResponseField>,
) {
    let Some(ty) = response_type(bench) else { return };
    let (inner, prefix) = match element(&ty) {
        Some(inner) => (inner, "[*]".to_owned()),
        None => (ty, String::new()),
    };
    if let Some(id) = inner.project() {
        fields_of(bench, id, &prefix, cited, out, &mut Vec::new());
    }
}

fn fields_of(
    bench: &Bench<'_>,
    id: TypeId,
    prefix: &str,
    cited: &mut impl FnMut(MemberId) -> EvidenceId,
    out: &mut Vec<ResponseField>,
    above: &mut Vec<TypeId>,
) {
    if above.contains(&id) || above.len() > 5 {
        return;
    }
    let project = bench.subject.project;
    let Some(properties) = mastor_runtime::body::properties::properties(project, id, false) else { return };
    above.push(id);
    for property in properties {
        if out.len() >= FIELDS {
            break;
        }
        let facts = project.member(property.member);
        let path = if prefix.is_empty() { property.name.clone() } else { format!("{prefix}.{}", property.name) };
        let Some(declared) = &facts.ty else { continue };
        let ty = type_of(project, property.member.ty, declared);
        let nullable = if matches!(ty, Type::Prim(_)) { Some(false) } else { None };
        out.push(ResponseField {
            path: path.clone(),
            ty: declared.to_string(),
            nullable,
            evidence: cited(property.member),
        });
        let (inner, path) = match element(&ty) {
            Some(inner) => (inner, format!("{path}[*]")),
            None => (ty, path),
        };
        if let Some(inner) = inner.project() {
            fields_of(bench, inner, &path, cited, out, above);
        }
    }
    above.pop();
}
