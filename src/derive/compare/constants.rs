//! Constants of enums that are new or gone: whether anything but code that names them can meet them. Who names one changed with it, and is compared.

use std::collections::BTreeSet;

use super::handed::handed;
use super::holders::{holders, names};
use super::made::{Made, made_by_libraries};
use super::side::Side;
use crate::frameworks::stereotypes::stereotype;
use crate::java::body::ExprKind;
use crate::java::facts::{Annotation, MemberKind, TypeKind};
use crate::java::ids::{FileId, MemberId, TypeId};
use crate::java::interpret::code::{Code, Link};
use crate::java::project::Project;

/// Annotations of classes whose objects a database stores (Jakarta Persistence).
const STORED: &[&str] = &["Entity", "Embeddable", "MappedSuperclass"];

/// Annotations of classes whose methods run for requests.
const HANDLING: &[&str] = &["Controller", "Repository", "RestController", "Service"];

/// What besides code that names it may meet this constant of an enum, which the other revision does not have, in words; `None` where nothing may.
pub(super) fn met_elsewhere((side, other): (&Side<'_>, &Side<'_>), constant: MemberId) -> Option<String> {
    let project = side.bench.subject.project;
    // Who names an enum that is new or gone changed too.
    if other.bench.subject.project.by_fqn_all(project.fqn(constant.ty)).is_empty() {
        return None;
    }
    let (of, name) = (constant.ty, format!("{}.{}", project.ty(constant.ty).name, project.member(constant).name));
    let holders = holders(side, of);
    if !holders.is_disjoint(&handed(side).taken) {
        return Some(format!("a request may say `{name}`"));
    }
    if is_kept_by_place(project, constant) {
        return Some(format!("`{name}` moves the constants behind it, and a table keeps their places"));
    }
    // Who handles an exception makes none.
    let mut made = holders.iter().filter(|holder| !is_thrown(project, **holder));
    let is_read =
        made.any(|holder| is_read_by_class(side, *holder, (of, &holders)) || is_given_by_others(project, *holder));
    is_read.then(|| format!("a library may give `{name}`"))
}

fn is_thrown(project: &Project, ty: TypeId) -> bool {
    let all = std::iter::once(ty).chain(project.all_supers(ty));
    let mut above = all.flat_map(|ty| project.supers(ty).to_vec());
    above.any(|above| {
        above.named.library().is_some_and(|name| name.ends_with("Exception") || name.ends_with("Throwable"))
    })
}

/// Whether constants stand behind this one, and rows hold the places of the enum's constants (JPA, `EnumType.ORDINAL`, which is the default).
fn is_kept_by_place(project: &Project, constant: MemberId) -> bool {
    let constants = project.members(constant.ty).filter(|one| project.member(*one).kind == MemberKind::EnumConstant);
    if constants.last() == Some(constant) {
        return false;
    }
    let of = BTreeSet::from([constant.ty]);
    project.types().any(|ty| {
        let is_stored = project.ty(ty).annotations.iter().any(|one| STORED.contains(&one.simple()));
        is_stored
            && project.members(ty).any(|member| {
                let facts = project.member(member);
                let by_name = |one: &Annotation| {
                    one.simple() == "Convert"
                        || (one.simple() == "Enumerated"
                            && one.args.iter().any(|(_, value)| format!("{value:?}").contains("STRING")))
                };
                facts.ty.as_ref().is_some_and(|reference| names(project, ty, reference, &of))
                    && !facts.annotations.iter().any(by_name)
            })
    })
}

/// Whether code hands a class to a library, which may make objects of it, or asks for all constants or their places. A library that makes the object from
/// another one gives no other constant than that holds.
fn is_read_by_class(side: &Side<'_>, ty: TypeId, (of, holders): (TypeId, &BTreeSet<TypeId>)) -> bool {
    let project = side.bench.subject.project;
    let name = &project.ty(ty).name;
    let class = format!("{name}.class");
    let mut marks = vec![format!("Reference<{name}>"), format!("Reference<List<{name}>")];
    if ty == of {
        marks.extend([".ordinal()", "EnumSet.", "EnumMap<"].map(str::to_owned));
    }
    // How often code names the class that the operation does not run, or that makes such objects of others.
    let aside = |file: FileId| -> usize {
        let members = project.types_of(file).flat_map(|ty| project.members(ty));
        let codes = members.filter_map(|member| side.bench.codes.code(member));
        let copies = |call: &Made| !holders.is_disjoint(&call.from) || !call.may_make(project, of);
        let of_code = codes.map(|code| {
            let is_of_request = stereotype(project, code.member.ty).is_some_and(|one| HANDLING.contains(&one.simple()));
            match handed(side).members.contains(&code.member) {
                true => made_by_libraries(project, &code)
                    .iter()
                    .filter(|call| call.to.contains(&ty) && copies(call))
                    .count(),
                false if is_of_request => named_in(&code, ty),
                false => 0,
            }
        });
        of_code.sum()
    };
    let mut files = project.files().filter(|file| project.file(*file).facts.type_words.binary_search(name).is_ok());
    files.any(|file| {
        project.text(file).is_some_and(|text| {
            let is_whole = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let named = text.match_indices(&class).filter(|(at, _)| is_whole(*at)).count();
            marks.iter().any(|mark| text.contains(mark)) || named > aside(file)
        })
    })
}

/// How many literals of this class stand in code.
fn named_in(code: &Code, ty: TypeId) -> usize {
    let all = code.body.exprs.iter().zip(&code.links);
    let named = all.filter(|(expr, link)| match (&expr.kind, link) {
        (ExprKind::ClassLit(_), Link::Type(named)) => named.project() == Some(ty),
        _ => false,
    });
    named.count()
}

/// Whether a library gives what a method of an interface returns: a client of another service.
fn is_given_by_others(project: &Project, ty: TypeId) -> bool {
    let among = BTreeSet::from([ty]);
    project.types().filter(|one| project.ty(*one).kind == TypeKind::Interface && !project.is_model(*one)).any(|one| {
        let is_client = project.ty(one).annotations.iter().any(|annotation| {
            ["FeignClient", "RegisterRestClient", "HttpExchange", "Client"].contains(&annotation.simple())
        });
        is_client
            && project.members(one).any(|member| {
                project.member(member).ty.as_ref().is_some_and(|reference| names(project, one, reference, &among))
            })
    })
}
