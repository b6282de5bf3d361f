//! Builds links: resolves, once for a project, the edges of a member as far as they mean the same in every closure.

use std::sync::Arc;

use super::links::{HandedAny, LibraryLink, Links, Source, Step, UnresolvedLink};
use super::reach::Reach;
use super::shared::Numbered;
use crate::members::class_literals::{class_values, may_take_beans, only_names};
use crate::members::closure::Widening;
use crate::members::edges::{BeanLookup, Call, Direct, LibraryCall};
use mastor_java::ir::calls::Unresolved;
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::EdgeSource;
use mastor_java::objects::library_uses::{ClassUse, class_use, implied, writes_out};
use mastor_java::resolve::resolve_calls::ANY_ARITY;

impl<'p> Reach<'p> {
    /// The resolved links of a member.
    pub fn links(&self, id: MemberId) -> &Links<'p> {
        self.links[self.resolver.dense(id)].get_or_init(|| self.with_direct(id, |direct| self.digest(id, direct)))
    }

    fn digest(&self, id: MemberId, direct: &Direct) -> Links<'p> {
        let project = self.resolver.project();
        let member = project.member(id);
        let hands_on = self.only_hands_on(id, direct);
        let is_made = |ty: &TypeId| direct.made.iter().any(|(made, _)| made == ty);
        let touch = |ty: TypeId| if hands_on && !is_made(&ty) { Step::HandOn(ty) } else { Step::Touch(ty) };
        let mut steps: Vec<Step<'p>> = direct.touched.iter().copied().map(touch).collect();
        if member.modifiers.has(Modifiers::STATIC) || member.kind != MemberKind::Field {
            steps.push(Step::Initialise);
        }
        steps.extend(direct.initialises.then_some(Step::Construct));
        steps.extend(self.injection.elements(id).iter().map(|ty| Step::Inject(*ty, id)));
        for call in &direct.calls {
            steps.push(Step::Call(call.to, call.line));
            self.runs(call, &mut steps);
        }
        steps.extend(direct.linked.iter().map(|(method, line)| Step::Link(*method, *line)));
        for (field, line) in &direct.fields {
            steps.push(Step::Use(*field, *line));
            let injected = self.injection.injected(*field).unwrap_or_default();
            let elements = self.injection.elements(*field).iter().copied();
            steps.extend(injected.into_iter().chain(elements).map(|ty| Step::Inject(ty, *field)));
        }
        steps.extend(direct.written.iter().map(|(field, line)| Step::Use(*field, *line)));
        steps.extend(self.changes_stored(id, direct).map(Step::Changes));
        steps.extend(direct.made.iter().map(|(ty, line)| Step::Make(*ty, *line)));
        for (ty, to, line) in &direct.classes {
            if to.as_deref().is_some_and(may_take_beans) {
                let beans = self.injection.of_type(*ty).iter().chain(self.injection.annotated(*ty));
                steps.extend(beans.map(|bean| Step::Inject(*bean, id)));
            }
            match to.as_deref().map_or(ClassUse::Makes, class_use) {
                ClassUse::Name => {}
                ClassUse::Makes => steps.push(Step::Class(*ty, false, *line)),
                ClassUse::Fills => steps.push(Step::Class(*ty, true, *line)),
            }
        }
        direct.taken.iter().for_each(|taken| self.taken(id, taken, &mut steps));
        for (ty, line) in &direct.made_below {
            let below = std::iter::once(ty).chain(self.subs(*ty));
            steps.extend(below.filter(|ty| self.facets(**ty).concrete).map(|ty| Step::Class(*ty, false, *line)));
        }
        for (annotation, line) in &direct.found_by {
            for method in self.annotated_methods(*annotation) {
                steps.push(match project.member(*method).modifiers.has(Modifiers::STATIC) {
                    true => Step::Call(*method, *line),
                    false => Step::Virtual(self.dispatch(*method, method.ty), *line),
                });
            }
        }
        steps.extend(direct.printed.iter().map(|(ty, line)| Step::Print(*ty, *line)));
        for handed in &direct.handed {
            let (library, name) = (handed.library.as_str(), handed.name.as_str());
            steps.push(Step::Hand(handed.ty, implied(library, name), writes_out(library, name), handed.line));
        }
        self.kept(id, direct, &mut steps);
        let named = |ty: TypeId| if self.is_thrown(ty) { Step::HandOn(ty) } else { Step::Named(ty) };
        steps.extend(self.named_by_annotations(id).into_iter().map(named));
        steps.extend(self.proxied(id).into_iter().map(|(ty, source)| Step::Proxied(ty, source)));
        steps.extend(self.extra_edges(id, direct).into_iter().flatten().map(Step::Extra));
        steps.into()
    }

    /// Whether a member only passes on the values that it gets: a constructor that only stores them, a bean factory
    /// method that only passes them to constructors, or the field in which one is stored. Code that uses such a value
    /// names its type itself.
    fn only_hands_on(&self, id: MemberId, direct: &Direct) -> bool {
        const CHECKS: [&str; 3] = ["requireNonNull", "notNull", "checkNotNull"];
        let project = self.resolver.project();
        let is_constructor = |member: MemberId| project.member(member).kind == MemberKind::Constructor;
        let only_makes = || {
            direct.calls.iter().all(|call| is_constructor(call.to))
                && direct.library.iter().all(|call| CHECKS.contains(&call.name.as_str()))
                && direct.unresolved.is_empty()
        };
        let is_factory = |member: MemberId| project.member(member).annotations.iter().any(|one| one.simple() == "Bean");
        match project.member(id).kind {
            MemberKind::Constructor => only_makes() && direct.made.is_empty(),
            MemberKind::Method => is_factory(id) && only_makes(),
            MemberKind::Field => project.member(id).body.is_none(),
            _ => false,
        }
    }

    /// Links to beans that are looked up in a container by name. If no class has a bean of that name, a factory method
    /// may make it, so the type of the cast decides.
    fn taken(&self, id: MemberId, taken: &BeanLookup, steps: &mut Vec<Step<'p>>) {
        let beans = match taken {
            BeanLookup::Named(name, cast) => match (self.injection.named(name), cast) {
                ([], Some(ty)) => self.injection.of_type(*ty),
                (named, _) => named,
            },
            BeanLookup::Of(ty) => self.injection.of_type(*ty),
            BeanLookup::Any => &[],
        };
        if beans.is_empty() {
            steps.push(Step::AnyBean);
        }
        steps.extend(beans.iter().map(|bean| Step::Inject(*bean, id)));
    }

    /// Links that are followed only after everything else is reached.
    fn kept(&self, id: MemberId, direct: &Direct, steps: &mut Vec<Step<'p>>) {
        steps.extend(direct.behind.iter().map(|fqn| Step::Behind(self.name(*fqn).id)));
        steps.extend(direct.hidden.iter().copied().map(Step::Hide));
        for to in &direct.handed_any {
            let make = || HandedAny { to: *to, implied: implied(&to.0, &to.1), writes: writes_out(&to.0, &to.1) };
            steps.push(Step::HandAny(self.handed_any.get(to, make)));
        }
        for call in &direct.unresolved {
            steps.push(Step::Unresolved(self.unresolved_call(call), call.line));
        }
        let mut widen = |line: u32, what: String| steps.push(Step::Widen(Box::new(Widening { at: id, line, what })));
        for call in &direct.unresolved {
            widen(call.line, described(call));
        }
        for (what, line) in &direct.reflection {
            widen(*line, format!("reflection: {what}"));
        }
        for what in &direct.unknown {
            widen(self.resolver.project().member(id).span.line, format!("not understood: {what}"));
        }
        steps.extend(direct.missing.iter().map(|name| Step::Missing(self.name(name.into()))));
        steps.extend(direct.library.iter().map(|call| Step::Library(self.library_call(call))));
    }

    /// Links to the methods that a call may run besides the declaration that it names.
    fn runs(&self, call: &Call, steps: &mut Vec<Step<'p>>) {
        let Some(on) = call.on else { return };
        match call.via.and_then(|field| self.injection.injected(field)) {
            Some(types) => {
                let run = types.into_iter().filter_map(|ty| self.implementation(ty, call.to));
                steps.extend(run.map(|member| Step::Dispatch(member, call.line)));
            }
            None => steps.push(Step::Virtual(self.dispatch(call.to, on), call.line)),
        }
    }

    fn library_call(&self, call: &LibraryCall) -> Arc<Numbered<LibraryLink>> {
        self.library.get(call, || {
            let below = |ty: &TypeId| self.facets(*ty).library_bases.contains(&call.ty);
            let injected = call.via.and_then(|field| self.injection.injected(field));
            let injected = injected.map(|found| found.into_iter().filter(below).collect());
            LibraryLink::new(call.clone(), self.name(call.ty).id, injected)
        })
    }

    fn unresolved_call(&self, call: &Unresolved) -> Arc<Numbered<UnresolvedLink>> {
        let key = (call.name.clone(), call.arity);
        self.unresolved.get(&key, || {
            let project = self.resolver.project();
            let arities = if call.arity == ANY_ARITY { 0..12 } else { call.arity..call.arity + 1 };
            let mut members: Vec<MemberId> =
                arities.flat_map(|arity| project.methods_named(&call.name, arity)).collect();
            members.sort();
            members.dedup();
            UnresolvedLink { key: key.clone(), members }
        })
    }

    /// Classes that annotations name and that a library instantiates: validators, converters, serialisers, identities.
    fn named_by_annotations(&self, id: MemberId) -> Vec<TypeId> {
        let project = self.resolver.project();
        let mut names = Vec::new();
        let facts = project.member(id);
        let said = facts.annotations.iter().chain(&facts.of_elements);
        for annotation in said.filter(|one| !only_names(project, id.ty, one)) {
            annotation.args.iter().for_each(|(_, value)| class_values(value, &mut names));
        }
        names.iter().filter_map(|name| project.resolve(id.ty, name).project()).collect()
    }

    /// The return types of an abstract method that no class of the project implements: a library implements it and
    /// creates the returned objects.
    fn proxied(&self, id: MemberId) -> Vec<(TypeId, Source)> {
        if !self.is_made_by_library(id) {
            return Vec::new();
        }
        let types = &self.resolver.types;
        let mut found = Vec::new();
        types.signature(id).ret.projects(&mut found);
        let source = |ty: TypeId| if self.facets(ty).stored { Source::Store } else { Source::Data };
        found.into_iter().map(|ty| (ty, source(ty))).collect()
    }

    /// Whether a method is abstract and no class of the project implements it.
    pub(super) fn is_made_by_library(&self, id: MemberId) -> bool {
        self.resolver.types.is_abstract(id) && self.dispatch(id, id.ty).value.list.is_empty()
    }

    fn extra_edges(&self, id: MemberId, direct: &Direct) -> Vec<&'p [(MemberId, Arc<str>)]> {
        let annotations = direct.annotations.iter().cloned().map(EdgeSource::Annotation);
        let library = direct.library.iter().map(|call| EdgeSource::Library(call.short()));
        let sources = std::iter::once(EdgeSource::Member(id)).chain(annotations).chain(library);
        let extra: &'p _ = self.extra;
        sources.map(|source| extra.from(&source)).filter(|edges| !edges.is_empty()).collect()
    }
}

fn described(call: &Unresolved) -> String {
    let arity = if call.arity == ANY_ARITY { String::new() } else { format!("/{}", call.arity) };
    format!("unresolved call: {}{arity}", call.name)
}
