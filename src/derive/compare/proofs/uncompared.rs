//! Changed code that did not run where base and head are alike, and so prevents the result *same*.

use std::collections::BTreeSet;

use crate::compare::edits::beside::{beside_members, short};
use crate::compare::edits::changed::{ChangedCode, namesakes};
use crate::compare::edits::classes::only_adds_members;
use crate::compare::edits::constants::{is_reordered, other_uses};
use crate::compare::edits::declarations::{
    deciding, declared_alike, goes_along, is_harmless, is_injected, is_kept, is_row, is_stored,
};
use crate::compare::edits::set_alike::{is_as_generated, sets_alike};
use crate::compare::edits::twins::{Fate, fate};
use crate::compare::objects::callers::{
    has_no_library_above, is_accessor, is_called_by_code, is_called_by_name, is_called_for_others, stands_alone,
};
use crate::compare::objects::handed::{
    handed, handles, hands_out, hands_out_member, makes, members_around, met_around,
};
use crate::compare::objects::holders::holders;
use crate::compare::off_path::declared::OF_CALLS;
use crate::compare::sides::side::Side;
use mastor_java::interpret::Covered;
use mastor_java::interpret::linking::branches::Way;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Super;
use mastor_java::project::index::Project;
use mastor_types::manifest::{Changed, InputChange};
use mastor_types::results::compared::Stop;

/// The stops for changed code that did not run where both sides are alike, and the inputs that were not compared.
pub(in crate::compare) fn uncovered_stops(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> (BTreeSet<Stop>, Vec<String>) {
    let (mut stopped, open) = uncompared_inputs((old, new), changed, ran);
    stopped.extend(unrun((old, new), changed, ran));
    (stopped, open)
}

/// Whether a stop only says that no path reaches a part of a member that ran.
pub(super) fn is_unreached(stop: &Stop) -> bool {
    [STATEMENT, BRANCH].iter().any(|part| stop.what.starts_with(part))
}

/// Prefixes of stops about a part of a member that ran.
const STATEMENT: &str = "a statement of ";
const BRANCH: &str = "a branch of ";

/// Stops for added or removed methods that did not run: a library may call them by name, as a JSON serialiser calls
/// getters, or in place of the methods that they override.
fn unrun(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> BTreeSet<Stop> {
    let mut found = BTreeSet::new();
    for symbol in changed.symbols() {
        let members = [old, new].map(|side| side.member(symbol));
        let (side, member, (ran, _)) = match members {
            [Some(gone), None] => (old, gone, &ran[0]),
            [None, Some(come)] => (new, come, &ran[1]),
            _ => continue,
        };
        let project = side.bench.subject.project;
        let facts = project.member(member);
        let is_met = || {
            facts.annotations.iter().any(|one| !is_harmless(std::slice::from_ref(one))) || is_met_by_name(side, member)
        };
        let other = if members[0].is_some() { new } else { old };
        if fate(side, other, member) == Some(Fate::Unnoticed) {
            continue;
        }
        // A declaration without a body has no effect by itself.
        let may_matter =
            || facts.body.is_some() && !is_called_by_code(project, member) && !comes_whole(side, other, member);
        if facts.kind == MemberKind::Method && !ran.contains(&member) && may_matter() && is_met() {
            let what = format!("`{}#{}` is new or gone, and did not run", project.ty(member.ty).name, facts.name);
            found.insert(at(side, Site { member, span: facts.name_span }, what));
        }
    }
    found
}

/// The stops that keep changed inputs from counting as compared, and these inputs.
pub(super) fn uncompared_inputs(
    (old, new): (&Side<'_>, &Side<'_>),
    changed: &ChangedCode,
    ran: &[(BTreeSet<MemberId>, Covered); 2],
) -> (BTreeSet<Stop>, Vec<String>) {
    let (mut found, mut open) = (BTreeSet::new(), Vec::new());
    for change in &changed.inputs {
        let stops = uncompared((old, new), change, ran);
        if !stops.is_empty() {
            open.push(change.input.clone());
        }
        found.extend(stops);
    }
    (found, open)
}

pub(in crate::compare) fn at(side: &Side<'_>, site: Site, what: String) -> Stop {
    let place = crate::judge::oracle::place(side.bench.subject, site);
    Stop { what, file: Some(place.file), line: Some(place.line) }
}

/// The stops that keep one changed input from counting as compared.
fn uncompared(
    (old, new): (&Side<'_>, &Side<'_>),
    change: &InputChange,
    covered: &[(BTreeSet<MemberId>, Covered); 2],
) -> BTreeSet<Stop> {
    let input = change.input.as_str();
    let sides = [old, new].map(|side| side.member(input));
    if let (None, None) = (sides[0], sides[1]) {
        return beside_members((old, new), change).into_iter().collect();
    }
    if [old, new].into_iter().zip(sides).all(|(side, id)| id.is_none_or(|id| is_of_other_rows(side, id))) {
        return BTreeSet::new();
    }
    let fate = match sides {
        [Some(gone), None] => fate(old, new, gone),
        [None, Some(come)] => fate(new, old, come),
        _ => None,
    };
    if is_called_for_others((old, new), input) || fate == Some(Fate::Unnoticed) {
        return BTreeSet::new();
    }
    let is_by_code = [old, new].into_iter().zip(sides).all(|(side, id)| {
        let project = side.bench.subject.project;
        id.is_some_and(|id| project.member(id).kind == MemberKind::Method && is_called_by_code(project, id))
    });
    let entries = [old, new].map(|side| Some(side.bench.subject.endpoint.entry));
    // A renamed handler is still the handler.
    let is_renamed = matches!(sides, [Some(_), None]) && sides[0] == entries[0]
        || matches!(sides, [None, Some(_)]) && sides[1] == entries[1];
    let declared = if is_renamed { entries } else { sides };
    let [was, is] = deciding([(old, declared[0]), (new, declared[1])]);
    let name = short(input);
    let is_entry = declared[0] == entries[0];
    let declared = match (&was, &is) {
        (Some(was), Some(is)) => {
            let hands_out = || {
                [old, new].into_iter().zip(declared).any(|(side, id)| id.is_some_and(|id| hands_out_member(side, id)))
            };
            let is_typed_alike = !is_entry && gives_objects(was, is) && !hands_out();
            let seen = |facts: &MemberFacts| {
                let mut facts = facts.clone();
                // The access level of a method that only code calls has no effect.
                if is_by_code {
                    facts.modifiers = facts.modifiers.without_access();
                }
                // The returned values are compared, whatever the declared return type.
                if is_typed_alike {
                    facts.ty = None;
                }
                facts
            };
            (!declared_alike(&seen(was), &seen(is), is_entry)).then(|| format!("the declaration of `{name}` changed"))
        }
        (Some(one), None) | (None, Some(one)) => {
            let is_plain = |said: &Annotation| one.kind == MemberKind::Constructor && said.simple() == "Builder";
            // A key or version that is added to existing rows changes how they are found and written.
            let class = input.split('#').next().unwrap_or(input);
            let is_new_class = [old, new].iter().any(|side| side.class(class).is_none());
            let tells_rows =
                |said: &Annotation| ["EmbeddedId", "GeneratedValue", "Id", "Version"].contains(&said.simple());
            let is_stored = |said: &Annotation| is_kept(one, said) && (is_new_class || !tells_rows(said));
            // JSON annotations of a field matter if a library reads it.
            let reads = || {
                let both = [old, new].into_iter().zip(sides);
                both.into_iter().any(|(side, id)| id.is_some_and(|id| hands_out_member(side, id)))
            };
            let is_unread =
                |said: &Annotation| one.kind == MemberKind::Field && said.simple().starts_with("Json") && !reads();
            // Code that builds or prints an object of the class is compared (Lombok).
            let is_of_lombok = |said: &Annotation| {
                one.kind == MemberKind::Field
                    && ["Builder.Default", "ToString.Exclude", "EqualsAndHashCode.Exclude"]
                        .contains(&said.name.as_str())
            };
            let all: Vec<Annotation> = one
                .annotations
                .iter()
                .chain(&one.of_elements)
                .filter(|said| !is_stored(said) && !is_injected(one, said) && !is_plain(said) && !is_unread(said))
                .filter(|said| !is_of_lombok(said))
                // Code that calls it in one revision only is compared.
                .filter(|said| one.body.is_some() || !OF_CALLS.contains(&said.simple()))
                .cloned()
                .collect();
            (!is_harmless(&all)).then(|| format!("`{name}` carries annotations, and is new or gone"))
        }
        (None, None) => None,
    };
    let mut stops = BTreeSet::new();
    if let Some(what) = declared {
        stops.insert(Stop::of(what));
    }
    if sets_alike(old, new, sides) {
        return stops;
    }
    let constant = |side: &Side<'_>, id: Option<MemberId>| id.and_then(|id| side.bench.codes.constant(id)).map(|c| c.0);
    if let (Some(a), Some(b)) = (constant(old, sides[0]), constant(new, sides[1]))
        && a == b
    {
        return stops;
    }
    for (at, (id, covered)) in sides.into_iter().zip(covered).enumerate() {
        let Some(id) = id else { continue };
        let (side, other) = ([old, new][at], [new, old][at]);
        let is_in_both = sides.iter().all(Option::is_some);
        let is_method = side.bench.subject.project.member(id).kind == MemberKind::Method;
        if !is_in_both && is_method && !covered.0.contains(&id) && comes_whole(side, other, id) {
            continue;
        }
        let is_unseen = !is_in_both && !covered.0.contains(&id);
        if is_unseen
            && (is_implied(side, other, id) || is_made_by_code(side, other, id) || is_as_generated(side, other, id))
        {
            continue;
        }
        stops.extend(
            namesakes(side, id).filter_map(|id| not_run((side, other), id, covered, (change.change, is_in_both))),
        );
    }
    stops
}

/// Whether a member belongs to rows that the operation neither handles nor affects through cascades from rows that it
/// handles.
fn is_of_other_rows(side: &Side<'_>, id: MemberId) -> bool {
    let project = side.bench.subject.project;
    is_stored(project, id.ty)
        && !handles(side, id.ty)
        && project.library_supers(id.ty).iter().all(|name| name.starts_with("java."))
        && (!goes_along(project.member(id)) || holders(side, id.ty).is_disjoint(&handed(side).hands.met))
}

/// The part of a changed member that did not run on requests which both revisions answer alike.
fn not_run(
    (side, other): (&Side<'_>, &Side<'_>),
    id: MemberId,
    (members, covered): &(BTreeSet<MemberId>, Covered),
    (change, is_in_both): (Changed, bool),
) -> Option<Stop> {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let name = short(&project.symbol(id)).to_owned();
    let here = |line: u32, what: String| {
        let (file, line) = project.shown(id.ty, line);
        Some(Stop { what, file: Some(file), line: Some(line) })
    };
    match facts.kind {
        // Code that calls the method exists in one revision only, so it changed too. Methods that a library may find by
        // name are an exception.
        MemberKind::Method
            if !is_in_both
                && !members.contains(&id)
                && (is_called_by_code(project, id) || !is_met_by_name(side, id)) =>
        {
            return None;
        }
        MemberKind::Constructor if !members.contains(&id) && is_of_unmet_row((side, other), id) => return None,
        MemberKind::Method | MemberKind::Constructor if facts.body.is_some() => {}
        MemberKind::StaticInitializer | MemberKind::Initializer => {}
        MemberKind::Field
            if is_in_both && facts.modifiers.has(Modifiers::STATIC) && is_read_for_others((side, other), id) =>
        {
            return None;
        }
        // A static field may keep a value from earlier requests, so comparing the initial values does not suffice.
        MemberKind::Field if is_in_both && members.contains(&id) && is_counted_on(facts) => {
            return here(facts.name_span.line, format!("what `{name}` is set to at first is something else"));
        }
        // Libraries may sort the constants.
        MemberKind::EnumConstant if is_in_both && is_reordered((side, other), id) => {
            return here(facts.name_span.line, format!("`{name}` has another place among the constants of its enum"));
        }
        // The run evaluated the initialiser.
        MemberKind::Field | MemberKind::EnumConstant if members.contains(&id) => return None,
        // Code that names an added or removed enum constant changed too.
        MemberKind::EnumConstant if !is_in_both => {
            return other_uses((side, other), id).and_then(|what| here(facts.name_span.line, what));
        }
        // Code that names an added or removed field changed too.
        MemberKind::Field if !is_in_both && !hands_out_member(side, id) => return None,
        // An added or removed constant has no effect by itself; code that names it changed too.
        MemberKind::Field if facts.modifiers.has(Modifiers::STATIC) && !is_in_both => return None,
        // The store replaces the initial value of a row's field, unless code or a request creates the object.
        MemberKind::Field
            if is_in_both
                && !facts.modifiers.has(Modifiers::STATIC)
                && is_row(project, id.ty)
                && !facts.annotations.iter().any(|one| one.simple() == "Transient")
                && !makes(side, id.ty) =>
        {
            return None;
        }
        // A record's component is a declaration, which is compared as such.
        MemberKind::RecordComponent if is_in_both => return None,
        MemberKind::Method if !is_in_both => return None,
        // A method without a body has no effect by itself; code that calls it in one revision only is compared.
        MemberKind::Method if facts.body.is_none() && change != Changed::Changed => return None,
        _ => return here(facts.name_span.line, format!("`{name}` changed, and is no code that a request runs")),
    }
    if !members.contains(&id) {
        return here(facts.name_span.line, format!("`{name}` did not run on a request that both answer alike"));
    }
    let left = side.bench.codes.executed(id).into_iter().find(|one| !covered.performed.contains_key(&(id, one.at)));
    if let Some(left) = left {
        return here(left.line, format!("{STATEMENT}`{name}` did not run on a request that both answer alike"));
    }
    let taken = |way: Way, at| covered.ways.contains(&(id, at, way));
    let branch = side.bench.codes.branches(id).into_iter().find(|branch| !taken(branch.way, branch.at))?;
    here(branch.line, format!("{BRANCH}`{name}` was not taken by a request that both answer alike"))
}

/// Whether a constructor of a stored class makes no object for the operation: only one revision has the class, so that code and
/// fields that name it changed too; or it takes values, which no store gives it, and no code that may run calls it.
fn is_of_unmet_row((side, other): (&Side<'_>, &Side<'_>), id: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let is_of_one = || other.class(project.fqn(id.ty)).is_none();
    let is_never_called = || {
        !facts.params.is_empty()
            && facts.annotations.is_empty()
            && lets_libraries_make(project, id.ty)
            && !handed(side).members.contains(&id)
            && !members_around(side).contains(&id)
            && !handed(side).is_made(project, id.ty, None)
    };
    is_stored(project, id.ty) && (is_of_one() || is_never_called())
}

/// Whether a class says a constructor without parameters, which libraries call.
fn lets_libraries_make(project: &Project, ty: TypeId) -> bool {
    let takes_nothing = |own: MemberId| {
        let own = project.member(own);
        own.kind == MemberKind::Constructor && own.params.is_empty()
    };
    project.members(ty).any(takes_nothing)
        || project.ty(ty).annotations.iter().any(|one| one.simple() == "NoArgsConstructor")
}

/// Whether a private static field is read only by methods that only other operations call.
fn is_read_for_others((side, other): (&Side<'_>, &Side<'_>), field: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(field);
    let names = |member: &MemberId| {
        let Some(body) = project.body(*member).filter(|_| *member != field) else { return false };
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Name(name) | ExprKind::Field { name, .. } => **name == *facts.name,
            _ => false,
        })
    };
    let is_for_others = |member: MemberId| {
        let is_entry = side.bench.subject.endpoints.iter().any(|endpoint| endpoint.entry == member);
        project.member(member).kind == MemberKind::Method
            && (is_entry && !handed(side).members.contains(&member)
                || is_called_for_others((side, other), &project.symbol(member)))
    };
    let mut own = project.types_of(project.file_of(field.ty)).flat_map(|ty| project.members(ty));
    facts.modifiers.has(Modifiers::PRIVATE) && own.all(|member| !names(&member) || is_for_others(member))
}

/// Whether a static field can keep values from earlier requests.
fn is_counted_on(facts: &MemberFacts) -> bool {
    let is_counter = |ty: &TypeRef| ty.simple().starts_with("Atomic") || ty.simple().ends_with("Adder");
    facts.modifiers.has(Modifiers::STATIC)
        && facts.body.is_some()
        && (!facts.modifiers.has(Modifiers::FINAL) || facts.ty.as_ref().is_some_and(is_counter))
}

/// Whether something besides code that names an added or removed method may call it. Only an accessor that overrides
/// nothing, is not overridden, and belongs to no object that a library reads is certain not to be called so.
fn is_met_by_name(side: &Side<'_>, id: MemberId) -> bool {
    !is_accessor(side.bench.subject.project.member(id))
        || !stands_alone(side.bench.subject.project, id)
        || hands_out_member(side, id)
}

/// Whether a constructor does no more than the default constructor of the other revision's class (JLS, section 8.8.9).
fn is_implied(side: &Side<'_>, other: &Side<'_>, id: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let does_nothing = || project.body(id).is_some_and(|body| body.exprs.is_empty());
    let of_other = other.bench.subject.project;
    let has_none = || {
        other.class(project.fqn(id.ty)).is_some_and(|ty| {
            of_other.members(ty).all(|member| of_other.member(member).kind != MemberKind::Constructor)
                && !of_other.ty(ty).annotations.iter().any(|one| one.simple().ends_with("ArgsConstructor"))
        })
    };
    facts.kind == MemberKind::Constructor
        && facts.params.is_empty()
        && facts.annotations.is_empty()
        && does_nothing()
        && has_none()
}

/// Whether only code that names a constructor calls it, and that code changed too: it has more than one parameter, its
/// number of parameters differs from all constructors of the other revision (else existing calls may now resolve to
/// it), it has no annotations, and its class has a constructor for libraries.
fn is_made_by_code(side: &Side<'_>, other: &Side<'_>, id: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let is_plain = |one: &Annotation| ["Builder", "Deprecated"].contains(&one.simple());
    let lets_libraries = lets_libraries_make(project, id.ty);
    let of_other = other.bench.subject.project;
    let may_be_called_instead = |own: MemberId| {
        let own = of_other.member(own);
        let varies = own.params.last().is_some_and(|last| last.varargs);
        own.kind == MemberKind::Constructor && (varies || own.params.len() == facts.params.len())
    };
    let twin = other.class(project.fqn(id.ty));
    let twins = || twin.into_iter().flat_map(|ty| of_other.members(ty));
    let takes_all = || {
        let is_part = |one: &MemberId| {
            let own = of_other.member(*one);
            own.kind == MemberKind::Field && !own.modifiers.has(Modifiers::STATIC)
        };
        twin.is_some_and(|ty| of_other.ty(ty).annotations.iter().any(|one| one.simple() == "AllArgsConstructor"))
            && twins().filter(is_part).count() == facts.params.len()
    };
    // If no library sees an object, only code calls its constructors.
    let is_own = || {
        !hands_out(side, id.ty)
            && !is_stored(project, id.ty)
            && !met_around(side).contains(&id.ty)
            && only_adds_members(&project.ty(id.ty).annotations)
    };
    facts.kind == MemberKind::Constructor
        && (facts.params.len() > 1 || is_own())
        && !facts.params.iter().any(|param| param.varargs)
        && facts.annotations.iter().all(is_plain)
        && (lets_libraries || is_own())
        && !twins().any(may_be_called_instead)
        && !takes_all()
}

/// Whether a method was added or removed together with all methods that it overrides and that override it, without
/// library supertypes: then only code that names it calls it, and that code changed too.
fn comes_whole(side: &Side<'_>, other: &Side<'_>, id: MemberId) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    if !is_harmless(&facts.annotations)
        || is_called_by_name(facts) && (!is_accessor(facts) || hands_out_member(side, id))
    {
        return false;
    }
    let (supers, subtypes) = (project.all_supers(id.ty), project.all_subtypes(id.ty));
    let family: Vec<_> = std::iter::once(id.ty).chain(supers).chain(subtypes).collect();
    family.iter().all(|ty| {
        let mut of_name = project.members(*ty).filter(|one| project.member(*one).name == facts.name);
        (has_no_library_above(project, *ty) || is_of_no_library((side, id), *ty, &family))
            && of_name.all(|one| other.member(&project.symbol(one)).is_none())
    })
}

/// Whether a method overrides no method of the library interfaces that a type implements directly. This is certain if a
/// parameter has a project class, which no library knows (unless the interface has type arguments), or if a project
/// interface declares the method too.
fn is_of_no_library((side, id): (&Side<'_>, MemberId), ty: TypeId, family: &[TypeId]) -> bool {
    let project = side.bench.subject.project;
    let facts = project.member(id);
    let mut above = project.supers(ty).iter().filter(|above| above.named.project().is_none());
    let is_class =
        |above: &Super| project.ty(ty).extends.iter().any(|one| project.resolve(ty, &one.name) == above.named);
    let takes_own = facts.params.iter().any(|param| project.resolve(id.ty, &param.ty.name).project().is_some());
    let is_declared = || {
        let declares = |of: &TypeId| {
            let is_own = project.ty(*of).kind == TypeKind::Interface && has_no_library_above(project, *of);
            is_own && project.members(*of).any(|one| project.member(one).name == facts.name)
        };
        family.iter().any(declares)
    };
    above.all(|above| above.args.is_empty() && !is_class(above)) && (takes_own || is_declared())
}

/// Types of `java.lang` for numbers, characters and booleans.
const BOXES: [&str; 8] = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];

/// Whether two methods with bodies return objects other than numbers, characters and booleans, which would be converted
/// to the declared type.
fn gives_objects(was: &MemberFacts, is: &MemberFacts) -> bool {
    [was, is].into_iter().all(|facts| {
        let is_object =
            |ty: &TypeRef| ty.dims == 0 && ty.simple().starts_with(char::is_uppercase) && !BOXES.contains(&ty.simple());
        facts.kind == MemberKind::Method && facts.body.is_some() && facts.ty.as_ref().is_some_and(is_object)
    })
}
