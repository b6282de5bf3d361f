//! Beans: the implementations that the container injects, narrowed by name, `@Qualifier`, `@Primary` and the name of
//! the field or parameter.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::unmarked::unmarked;
use crate::code::inheritance::is_concrete;
use crate::code::stereotypes::stereotype;
use crate::files::applications::Applications;
use mastor_java::build::layout::ModuleId;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::Injection;
use mastor_java::project::index::Project;

/// The beans of a project.
pub struct Beans {
    injected: BTreeMap<MemberId, Vec<TypeId>>,
    /// Beans of type arguments of fields and parameters (`List<S>`, `Map<String, S>`, `ObjectProvider<S>`), and classes
    /// that the container makes without a stereotype.
    elements: BTreeMap<MemberId, Vec<TypeId>>,
    managed: Vec<bool>,
    /// All beans, in the order of ids.
    all: Vec<TypeId>,
    /// The beans that are of a type.
    of_type: BTreeMap<TypeId, Vec<TypeId>>,
    by_name: BTreeMap<String, Vec<TypeId>>,
    /// Beans by project annotation, which they carry directly or as a meta-annotation.
    annotated: BTreeMap<TypeId, Vec<TypeId>>,
    /// The module of each type, and which modules can be in one application.
    modules: Vec<ModuleId>,
    applications: Arc<Applications>,
}

/// One bean.
struct Bean {
    ty: TypeId,
    name: String,
    primary: bool,
}

/// Beans by type, and the types that factory methods return.
struct BeanIndex<'p> {
    beans: Vec<Bean>,
    /// For each type, the beans that are assignable to it, in order.
    by_type: BTreeMap<TypeId, Vec<usize>>,
    /// Simple names of the types in `by_type`.
    names: HashSet<&'p str>,
    /// Simple names of the return types of factory methods.
    made: HashSet<&'p str>,
}

impl Beans {
    /// Finds all beans, and the beans that each field receives. `served` are the handler classes, which a framework
    /// creates.
    pub fn of(project: &Project, applications: &Arc<Applications>, served: &[TypeId]) -> Self {
        let found = BeanIndex::of(project);
        let mut managed = vec![false; project.types().len()];
        for bean in &found.beans {
            managed[bean.ty.0 as usize] = true;
        }
        let mut injected = BTreeMap::new();
        for ty in project.types() {
            for field in project.members(ty).filter(|m| project.member(*m).kind == MemberKind::Field) {
                if let Some(types) = injection(project, &found, ty, field) {
                    injected.insert(field, types);
                }
            }
        }
        let members = project.types().flat_map(|ty| project.members(ty));
        let mut elements: BTreeMap<MemberId, Vec<TypeId>> =
            members.filter_map(|member| Some((member, elements(project, &found, member)?))).collect();
        let all: Vec<TypeId> = found.beans.iter().map(|bean| bean.ty).collect();
        let is_left =
            |ty: TypeId| !found.by_type.contains_key(&ty) && !found.made.contains(project.ty(ty).name.as_str());
        let made: Vec<TypeId> = all.iter().chain(served).copied().collect();
        for (member, given) in unmarked(project, made, is_left) {
            elements.entry(member).or_default().extend(given);
        }
        let of_type = found.by_type.iter();
        let of_type = of_type.map(|(ty, at)| (*ty, at.iter().map(|at| found.beans[*at].ty).collect())).collect();
        let mut by_name: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
        let mut annotated: BTreeMap<TypeId, Vec<TypeId>> = BTreeMap::new();
        for bean in &found.beans {
            by_name.entry(bean.name.clone()).or_default().push(bean.ty);
            let mut marks = Vec::new();
            let above = std::iter::once(bean.ty).chain(project.all_supers(bean.ty));
            above.for_each(|ty| marked(project, ty, &mut marks));
            marks.into_iter().for_each(|mark| annotated.entry(mark).or_default().push(bean.ty));
        }
        let modules = project.types().map(|ty| project.module_of(ty)).collect();
        let applications = applications.clone();
        Self { injected, elements, managed, all, of_type, by_name, annotated, modules, applications }
    }
}

impl<'p> BeanIndex<'p> {
    fn of(project: &'p Project) -> Self {
        let beans: Vec<Bean> = project.types().filter_map(|ty| bean(project, ty)).collect();
        let mut by_type: BTreeMap<TypeId, Vec<usize>> = BTreeMap::new();
        for (index, bean) in beans.iter().enumerate() {
            let all = std::iter::once(bean.ty).chain(project.all_supers(bean.ty));
            all.for_each(|ty| by_type.entry(ty).or_default().push(index));
        }
        let names = by_type.keys().map(|ty| project.ty(*ty).name.as_str()).collect();
        let methods = project.types().flat_map(|ty| &project.ty(ty).members).filter(|m| {
            m.kind == MemberKind::Method
                && m.annotations.iter().any(|a| matches!(a.simple(), "Bean" | "Produces" | "Provides"))
        });
        let made = methods.filter_map(|m| m.ty.as_ref()).map(TypeRef::simple).collect();
        Self { beans, by_type, names, made }
    }
}

impl Injection for Beans {
    fn injected(&self, field: MemberId) -> Option<Vec<TypeId>> {
        self.injected.get(&field).cloned()
    }

    fn elements(&self, member: MemberId) -> &[TypeId] {
        self.elements.get(&member).map(Vec::as_slice).unwrap_or_default()
    }

    fn of_type(&self, ty: TypeId) -> &[TypeId] {
        self.of_type.get(&ty).map(Vec::as_slice).unwrap_or_default()
    }

    fn named(&self, name: &str) -> &[TypeId] {
        self.by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn annotated(&self, annotation: TypeId) -> &[TypeId] {
        self.annotated.get(&annotation).map(Vec::as_slice).unwrap_or_default()
    }

    fn all(&self) -> &[TypeId] {
        &self.all
    }

    fn sees(&self, from: TypeId, ty: TypeId) -> bool {
        let module = |ty: TypeId| self.modules.get(ty.0 as usize).copied();
        match (module(from), module(ty)) {
            (Some(from), Some(to)) => self.applications.modules_run_together(from, to),
            _ => true,
        }
    }

    fn managed(&self, ty: TypeId) -> bool {
        self.managed.get(ty.0 as usize).copied().unwrap_or(false)
    }
}

/// The project's annotations on a type, and their meta-annotations.
fn marked(project: &Project, ty: TypeId, found: &mut Vec<TypeId>) {
    for annotation in &project.ty(ty).annotations {
        if let Some(mark) = project.resolve(ty, &annotation.name).project()
            && !found.contains(&mark)
        {
            found.push(mark);
            marked(project, mark, found);
        }
    }
}

fn bean(project: &Project, ty: TypeId) -> Option<Bean> {
    let facts = project.ty(ty);
    if !is_concrete(project, ty) {
        return None;
    }
    let written = stereotype(project, ty)?;
    let given = text(project, ty, written).filter(|name| !name.is_empty() && !name.starts_with('/'));
    Some(Bean {
        ty,
        name: given.unwrap_or_else(|| decapitalised(&facts.name)),
        primary: facts.annotations.iter().any(|a| a.simple() == "Primary"),
    })
}

/// The beans for the type arguments of a field, or of the parameters of a constructor or annotated method; `None` if
/// there are none.
fn elements(project: &Project, found: &BeanIndex<'_>, member: MemberId) -> Option<Vec<TypeId>> {
    fn named<'t>(found: &BeanIndex<'_>, written: &'t TypeRef, into: &mut Vec<&'t TypeRef>) {
        for arg in &written.args {
            into.extend(Some(arg).filter(|arg| found.names.contains(arg.simple())));
            named(found, arg, into);
        }
    }
    let facts = project.member(member);
    let mut wanted = Vec::new();
    match facts.kind {
        MemberKind::Field => facts.ty.iter().for_each(|ty| named(found, ty, &mut wanted)),
        MemberKind::Constructor => facts.params.iter().for_each(|param| named(found, &param.ty, &mut wanted)),
        MemberKind::Method if !facts.annotations.is_empty() => {
            facts.params.iter().for_each(|param| named(found, &param.ty, &mut wanted));
        }
        _ => {}
    }
    let types = wanted.into_iter().filter_map(|written| project.resolve_at(member, &written.name).project());
    let beans = types.filter_map(|ty| found.by_type.get(&ty)).flatten().map(|at| found.beans[*at].ty);
    let mut beans: Vec<TypeId> = beans.collect();
    beans.extend(params(project, found, member));
    beans.sort();
    beans.dedup();
    (!beans.is_empty()).then_some(beans)
}

/// The beans that the container passes to the parameters of a factory method, and to constructor parameters that no
/// field of the same type stores.
fn params(project: &Project, found: &BeanIndex<'_>, member: MemberId) -> Vec<TypeId> {
    let facts = project.member(member);
    let mut given = Vec::new();
    let factory = ["Bean", "Produces", "Provides", "Autowired", "Inject"];
    let takes = match facts.kind {
        MemberKind::Constructor => true,
        MemberKind::Method => facts.annotations.iter().any(|annotation| factory.contains(&annotation.simple())),
        _ => false,
    };
    for param in facts.params.iter().filter(|param| takes && found.names.contains(param.ty.simple())) {
        let is_kept = |other: &MemberFacts| {
            other.kind == MemberKind::Field && other.ty.as_ref().is_some_and(|ty| ty.name == param.ty.name)
        };
        let Some(wanted) = project.resolve_at(member, &param.ty.name).project() else { continue };
        let Some(fits) = found.by_type.get(&wanted) else { continue };
        if facts.kind == MemberKind::Constructor && project.ty(member.ty).members.iter().any(is_kept) {
            continue;
        }
        let fits: Vec<&Bean> = fits.iter().map(|index| &found.beans[*index]).collect();
        let asked = qualified(project, member.ty, &param.annotations);
        given.extend(chosen(&fits, asked, std::slice::from_ref(&param.name)).into_iter().map(|bean| bean.ty));
    }
    given
}

/// The beans of a type that an injection point receives, by its qualifier and the names that decide by default.
fn chosen<'b>(fits: &[&'b Bean], asked: Option<String>, names: &[String]) -> Vec<&'b Bean> {
    let of = |is: &dyn Fn(&Bean) -> bool| fits.iter().copied().filter(|bean| is(bean)).collect::<Vec<&Bean>>();
    if let Some(asked) = asked {
        let named = of(&|bean| bean.name == asked);
        return if named.is_empty() { fits.to_vec() } else { named };
    }
    if fits.len() > 1 {
        let primary = of(&|bean| bean.primary);
        if !primary.is_empty() {
            return primary;
        }
        let named = of(&|bean| names.contains(&bean.name));
        if named.len() == 1 {
            return named;
        }
    }
    fits.to_vec()
}

/// The beans that a field receives: `None` if it is not an injection point, or no bean is assignable.
fn injection(project: &Project, found: &BeanIndex<'_>, owner: TypeId, field: MemberId) -> Option<Vec<TypeId>> {
    let facts = project.member(field);
    let written = facts.ty.as_ref().filter(|ty| found.names.contains(ty.simple()))?;
    let wanted = project.resolve_at(field, &written.name).project()?;
    let fits: Vec<&Bean> = found.by_type.get(&wanted)?.iter().map(|index| &found.beans[*index]).collect();
    // Factory methods can return any implementation, even one that is not a bean itself.
    if found.made.contains(project.ty(wanted).name.as_str()) {
        return None;
    }
    let (marks, names) = point(project, owner, field);
    Some(chosen(&fits, marks, &names).into_iter().map(|bean| bean.ty).collect())
}

/// The qualifier of a field or of the constructor parameter that fills it, and the names that decide by default.
fn point(project: &Project, owner: TypeId, field: MemberId) -> (Option<String>, Vec<String>) {
    let facts = project.member(field);
    let mut names = vec![facts.name.clone()];
    let mut qualifier = qualified(project, owner, &facts.annotations);
    let written = facts.ty.as_ref().map(|ty| ty.name.as_str()).unwrap_or_default();
    for method in
        project.ty(owner).members.iter().filter(|m| matches!(m.kind, MemberKind::Constructor | MemberKind::Method))
    {
        let setter = method.kind == MemberKind::Method
            && !method.annotations.iter().any(|a| matches!(a.simple(), "Autowired" | "Inject" | "Resource"));
        if setter {
            continue;
        }
        for param in method.params.iter().filter(|p| p.ty.name == written) {
            qualifier = qualifier.or_else(|| qualified(project, owner, &param.annotations));
            names.push(param.name.clone());
        }
    }
    (qualifier, names)
}

fn qualified(project: &Project, scope: TypeId, annotations: &[Annotation]) -> Option<String> {
    let annotation = annotations.iter().find(|a| matches!(a.simple(), "Qualifier" | "Named" | "Resource"))?;
    text(project, scope, annotation).filter(|name| !name.is_empty())
}

fn text(project: &Project, scope: TypeId, annotation: &Annotation) -> Option<String> {
    let value = annotation.arg("value").or_else(|| annotation.arg("name"))?;
    match project.eval(scope, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    }
}

/// The default name of a bean (JavaBeans: `URLs` stays `URLs`).
fn decapitalised(name: &str) -> String {
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(a), Some(b)) if a.is_uppercase() && b.is_uppercase() => name.to_owned(),
        (Some(a), _) => a.to_lowercase().chain(name.chars().skip(1)).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{FRAMEWORKS, brought};

    fn injected(user: &str) -> Vec<String> {
        let project = Project::from_sources(&[
            ("a/S.java", "package a; public interface S { int get(); }"),
            (
                "a/One.java",
                "package a; import org.springframework.stereotype.Service; @Service public class One implements S { public int get() { return 1; } }",
            ),
            (
                "a/Two.java",
                "package a; import org.springframework.stereotype.Service; @Service(\"second\") public class Two implements S { public int get() { return 2; } }",
            ),
            ("a/U.java", user),
        ])
        .with_brought(brought(FRAMEWORKS));
        let beans = Beans::of(&project, &Arc::default(), &[]);
        let ty = project.by_fqn("a.U").unwrap();
        let field = project.own_field(ty, "s").or_else(|| project.own_field(ty, "one")).unwrap();
        beans.injected(field).unwrap_or_default().into_iter().map(|ty| project.fqn(ty).to_owned()).collect()
    }

    #[test]
    fn a_qualifier_chooses_the_bean_of_that_name() {
        assert_eq!(injected("package a; class U { @Qualifier(\"second\") S s; }"), ["a.Two"]);
    }

    #[test]
    fn the_name_of_field_or_constructor_parameter_chooses_and_nothing_chooses_all() {
        assert_eq!(injected("package a; class U { S one; }"), ["a.One"]);
        assert_eq!(injected("package a; class U { final S s; U(S second) { this.s = second; } }"), ["a.Two"]);
        assert_eq!(injected("package a; class U { S s; }"), ["a.One", "a.Two"]);
    }
}
