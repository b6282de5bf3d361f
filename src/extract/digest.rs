//! Makes links: looks up, once for a project, what the edges of a member mean in every closure.

use std::sync::Arc;

use super::class_literals::class_values;
use super::closure::Widening;
use super::edges::{Call, Direct, LibraryCall};
use super::library_uses::{ClassUse, class_use, implied, writes_out};
use super::links::{HandedAny, LibraryLink, Links, Runs, Source, UnresolvedLink};
use super::reach::Reach;
use super::shared::Known;
use crate::java::calls::Unresolved;
use crate::java::facts::{MemberKind, Modifiers};
use crate::java::ids::{MemberId, TypeId};
use crate::java::injection::EdgeSource;
use crate::java::resolve_calls::ANY_ARITY;

impl<'p> Reach<'p> {
    /// What a member leads to, looked up.
    pub fn links(&self, id: MemberId) -> &Links<'p> {
        self.links[self.resolver.dense(id)].get_or_init(|| Box::new(self.digest(id, self.direct(id))))
    }

    fn digest(&self, id: MemberId, direct: &Direct) -> Links<'p> {
        let member = self.resolver.project().member(id);
        let mut links = Links {
            touched: direct.touched.clone(),
            is_initialising: member.modifiers.has(Modifiers::STATIC) || member.kind != MemberKind::Field,
            constructs: direct.initialises,
            calls: direct.calls.iter().map(|call| (call.to, self.runs(call), call.line)).collect(),
            written: direct.written.clone(),
            made: direct.made.clone(),
            behind: direct.behind.iter().map(|fqn| self.name(fqn).id).collect(),
            hidden: direct.hidden.iter().copied().collect(),
            printed: direct.printed.clone(),
            missing: direct.missing.iter().map(|name| self.name(name)).collect(),
            library: direct.library.iter().map(|call| self.library_call(call)).collect(),
            named: self.named_by_annotations(id),
            proxied: self.proxied(id),
            extra: self.extra_edges(id, direct),
            ..Links::default()
        };
        let injected = |field: MemberId| self.injection.injected(field).unwrap_or_default();
        links.fields = direct.fields.iter().map(|(field, line)| (*field, injected(*field), *line)).collect();
        for (ty, to, line) in &direct.classes {
            match to.as_deref().map_or(ClassUse::Makes, class_use) {
                ClassUse::Name => {}
                ClassUse::Makes => links.classes.push((*ty, false, *line)),
                ClassUse::Fills => links.classes.push((*ty, true, *line)),
            }
        }
        for to in &direct.handed_any {
            let make =
                || HandedAny { to: to.clone(), implied: implied(&to.0, &to.1), writes: writes_out(&to.0, &to.1) };
            links.handed_any.push(self.handed_any.get(to, make));
        }
        for handed in &direct.handed {
            let (library, name) = (&handed.library, &handed.name);
            links.handed.push((handed.ty, implied(library, name), writes_out(library, name), handed.line));
        }
        for call in &direct.unresolved {
            links.widenings.push(Widening { at: id, line: call.line, what: described(call) });
            links.unresolved.push((self.unresolved_call(call), call.line));
        }
        for (what, line) in &direct.reflection {
            links.widenings.push(Widening { at: id, line: *line, what: format!("reflection: {what}") });
        }
        for what in &direct.unknown {
            let line = member.span.line;
            links.widenings.push(Widening { at: id, line, what: format!("not understood: {what}") });
        }
        links
    }

    fn runs(&self, call: &Call) -> Runs {
        let Some(on) = call.on else { return Runs::Declared };
        match call.via.and_then(|field| self.injection.injected(field)) {
            Some(types) => {
                Runs::Injected(types.into_iter().filter_map(|ty| self.implementation(ty, call.to)).collect())
            }
            None => Runs::Virtual(self.dispatch(call.to, on)),
        }
    }

    fn library_call(&self, call: &LibraryCall) -> Arc<Known<LibraryLink>> {
        self.library.get(call, || {
            let below = |ty: &TypeId| self.facets(*ty).library_bases.contains(&call.ty);
            let injected = call.via.and_then(|field| self.injection.injected(field));
            let injected = injected.map(|found| found.into_iter().filter(below).collect());
            LibraryLink::new(call.clone(), self.name(&call.ty).id, injected)
        })
    }

    fn unresolved_call(&self, call: &Unresolved) -> Arc<Known<UnresolvedLink>> {
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

    /// A library makes objects of the types that annotations name: validators, converters, serialisers, identities.
    fn named_by_annotations(&self, id: MemberId) -> Vec<TypeId> {
        let project = self.resolver.project();
        let mut names = Vec::new();
        for annotation in &project.member(id).annotations {
            annotation.args.iter().for_each(|(_, value)| class_values(value, &mut names));
        }
        names.iter().filter_map(|name| project.resolve(id.ty, name).project()).collect()
    }

    /// A method without a body that no class of the project has: a library implements it, so it makes what the method returns.
    fn proxied(&self, id: MemberId) -> Vec<(TypeId, Source)> {
        let types = &self.resolver.types;
        if !types.is_abstract(id) || !self.dispatch(id, id.ty).value.list.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        types.signature(id).ret.projects(&mut found);
        let source = |ty: TypeId| if self.facets(ty).stored { Source::Store } else { Source::Data };
        found.into_iter().map(|ty| (ty, source(ty))).collect()
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
