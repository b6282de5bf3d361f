//! Reads type declarations and their members from the syntax tree, including the readable parts around a syntax
//! error.

use super::lombok_fields::add_modifiers;
use super::read_parts::{self, type_list};
use super::read_values;
use super::source::{MAX_DEPTH, Source, between, children, parts};
use crate::ir::facts::{MemberFacts, MemberKind, Modifiers, Nesting, Param, Span, TypeFacts, TypeKind, TypeRef};
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{is_type, type_ref};

/// Collects the types of one file.
pub struct DeclarationReader<'s, 't> {
    source: &'s Source<'t>,
    types: Vec<TypeFacts>,
    cut_lines: Vec<u32>,
    depth: usize,
}

/// The position of a type declaration.
#[derive(Clone, Copy)]
struct DeclarationPosition {
    nesting: Nesting,
    outer: Option<u32>,
    within: Option<u32>,
}

/// The type whose body is being read.
struct Owner {
    index: u32,
    name: String,
    members: Vec<MemberFacts>,
    components: Vec<Param>,
}

impl<'s, 't> DeclarationReader<'s, 't> {
    /// A reader with no types yet.
    pub fn new(source: &'s Source<'t>) -> Self {
        Self { source, types: Vec::new(), cut_lines: Vec::new(), depth: 0 }
    }

    /// The types, and the lines at which nesting was too deep to continue.
    pub fn finish(mut self) -> (Vec<TypeFacts>, Vec<u32>) {
        self.types.iter_mut().for_each(add_modifiers);
        (self.types, self.cut_lines)
    }

    /// Reads the top-level declarations of a file.
    pub fn read_top(&mut self, nodes: Vec<Node<'_>>) {
        let place = DeclarationPosition { nesting: Nesting::Top, outer: None, within: None };
        // If the parser could close no declaration at all, the tokens are direct children of the file.
        if self.read_broken(&nodes, &[], place) {
            return;
        }
        for (index, node) in nodes.iter().enumerate() {
            if type_kind(*node).is_some() {
                self.read_type(*node, place);
            } else if node.is_error() {
                let inside = children(*node);
                if !self.read_broken(&inside, &nodes[index + 1..], place) {
                    self.read_top(inside.into_iter().filter(|n| type_kind(*n).is_some()).collect());
                }
            }
        }
    }

    fn read_type(&mut self, node: Node<'_>, place: DeclarationPosition) {
        let Some(kind) = type_kind(node) else { return };
        let body = node.by_field("body");
        let name = node.by_field("name");
        let mut facts = self.header(kind, place, node, body);
        facts.name = name.map(|name| self.source.joined(name)).unwrap_or_default();
        facts.name_span = tree::span(name.unwrap_or(node));
        facts.type_params = read_parts::type_params(self.source, node.by_field("type_parameters"));
        for part in parts(node) {
            self.read_header_part(&mut facts, part);
        }
        let components = match kind {
            TypeKind::Record => read_parts::params(self.source, node.by_field("parameters")),
            _ => Vec::new(),
        };
        self.read_members(facts, components, body.map(children).unwrap_or_default());
    }

    /// A type with the parts that every kind has; its names are not read yet.
    fn header(&self, kind: TypeKind, place: DeclarationPosition, node: Node<'_>, body: Option<Node<'_>>) -> TypeFacts {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        TypeFacts {
            name: String::new(),
            kind,
            nesting: place.nesting,
            outer: place.outer,
            within: place.within,
            modifiers: Modifiers::default(),
            type_params: Vec::new(),
            extends: Vec::new(),
            implements: Vec::new(),
            permits: Vec::new(),
            annotations: Vec::new(),
            members: Vec::new(),
            span: tree::span(node),
            name_span: Span::default(),
            header: self.source.tokens.hash(&[(node.start_byte(), end)]),
            named: self.source.tokens.named(&[(node.start_byte(), end)]),
        }
    }

    fn read_header_part(&self, facts: &mut TypeFacts, part: Node<'_>) {
        match part.kind_name() {
            "modifiers" => (facts.modifiers, facts.annotations) = read_parts::modifiers(self.source, Some(part)),
            "superclass" => facts.extends = type_list(self.source, part),
            "super_interfaces" | "extends_interfaces" => facts.implements = type_list(self.source, part),
            "permits" => facts.permits = type_list(self.source, part),
            _ => {}
        }
    }

    /// Reads a type whose declaration the parser could not close: its keyword and name are in the error node
    /// `inside`, its members there and in `after`. False if there is no such keyword.
    fn read_broken(&mut self, inside: &[Node<'_>], after: &[Node<'_>], place: DeclarationPosition) -> bool {
        let found = inside.windows(2).position(|pair| {
            matches!(pair[0].kind_name(), "class" | "interface" | "enum" | "record")
                && pair[1].kind_name() == "identifier"
        });
        let Some(at) = found else { return false };
        let kind = match inside[at].kind_name() {
            "interface" => TypeKind::Interface,
            "enum" => TypeKind::Enum,
            "record" => TypeKind::Record,
            _ => TypeKind::Class,
        };
        let first = if at > 0 && inside[at - 1].kind_name() == "modifiers" { at - 1 } else { at };
        for whole in &inside[..first] {
            self.read_type(*whole, place);
        }
        let open = inside[at..].iter().position(|n| n.kind_name() == "{").map_or(inside.len(), |n| at + n);
        let mut facts = self.header(kind, place, inside[first], None);
        facts.name = self.source.joined(inside[at + 1]);
        facts.name_span = tree::span(inside[at + 1]);
        for part in &inside[first..open] {
            self.read_header_part(&mut facts, *part);
        }
        let last = after.last().or(inside.last()).copied().unwrap_or(inside[at]);
        facts.span = between(inside[first], last);
        let header_end = inside.get(open).map_or(inside[at + 1].end_byte(), |n| n.start_byte());
        facts.header = self.source.tokens.hash(&[(inside[first].start_byte(), header_end)]);
        facts.named = self.source.tokens.named(&[(inside[first].start_byte(), header_end)]);
        let components = inside[at..open]
            .iter()
            .find(|n| n.kind_name() == "formal_parameters")
            .map(|n| read_parts::params(self.source, Some(*n)))
            .unwrap_or_default();
        let members = inside[open..].iter().chain(after.iter().filter(|n| type_kind(**n).is_none())).copied();
        self.read_members(facts, components, members.collect());
        true
    }

    fn read_members(&mut self, facts: TypeFacts, components: Vec<Param>, nodes: Vec<Node<'_>>) {
        if self.depth >= MAX_DEPTH {
            self.cut_lines.push(facts.span.line);
            return self.types.push(facts);
        }
        self.depth += 1;
        let index = self.types.len() as u32;
        let mut owner = Owner { index, name: facts.name.clone(), members: Vec::new(), components };
        self.types.push(facts);
        for component in owner.components.clone() {
            let member = self.component(&component);
            owner.members.push(member);
        }
        self.read_member_nodes(&mut owner, nodes);
        self.types[index as usize].members = owner.members;
        self.depth -= 1;
    }

    fn read_member_nodes(&mut self, owner: &mut Owner, nodes: Vec<Node<'_>>) {
        let mut queue = nodes;
        queue.reverse();
        while let Some(node) = queue.pop() {
            match node.kind_name() {
                "enum_body_declarations" | "ERROR" => queue.extend(children(node).into_iter().rev()),
                "field_declaration" | "constant_declaration" | "local_variable_declaration" => self.fields(owner, node),
                "method_declaration" => self.method(owner, node, MemberKind::Method),
                "constructor_declaration" | "compact_constructor_declaration" => {
                    self.method(owner, node, MemberKind::Constructor);
                }
                "annotation_type_element_declaration" => self.method(owner, node, MemberKind::AnnotationElement),
                "static_initializer" => self.initializer(owner, node, MemberKind::StaticInitializer),
                "block" => self.initializer(owner, node, MemberKind::Initializer),
                "enum_constant" => self.enum_constant(owner, node),
                _ if type_kind(node).is_some() => {
                    let place =
                        DeclarationPosition { nesting: Nesting::Member, outer: Some(owner.index), within: None };
                    self.read_type(node, place);
                }
                _ => {}
            }
        }
    }

    /// A member of this kind with span and token hash only.
    fn member(&self, kind: MemberKind, span: Span, places: &[(usize, usize)]) -> MemberFacts {
        MemberFacts {
            kind,
            name: String::new(),
            modifiers: Modifiers::default(),
            type_params: Vec::new(),
            ty: None,
            params: Vec::new(),
            throws: Vec::new(),
            annotations: Vec::new(),
            of_elements: Vec::new(),
            span,
            name_span: span,
            body: None,
            value: None,
            tokens: self.source.tokens.hash(places),
            literals: Vec::new(),
            named: self.source.tokens.named(places),
        }
    }

    fn component(&self, param: &Param) -> MemberFacts {
        let mut ty = param.ty.clone();
        ty.dims = ty.dims.saturating_add(u8::from(param.varargs));
        let place = (param.span.start as usize, param.span.end as usize);
        MemberFacts {
            name: param.name.clone(),
            ty: Some(ty),
            annotations: param.annotations.clone(),
            of_elements: param.of_elements.clone(),
            ..self.member(MemberKind::RecordComponent, param.span, &[place])
        }
    }

    fn fields(&mut self, owner: &mut Owner, node: Node<'_>) {
        let inside = parts(node);
        let (modifiers, annotations) = self.modifiers(&inside);
        let Some(declared) = node.by_field("type") else { return };
        let ty = type_ref(declared, self.source.text);
        let of_elements = read_parts::element_annotations(self.source, declared);
        let declarators: Vec<Node<'_>> =
            inside.into_iter().filter(|part| part.kind_name() == "variable_declarator").collect();
        let Some(first) = declarators.first().copied() else { return };
        for declarator in declarators {
            let own = (declarator.start_byte(), declarator.end_byte());
            let places = match declarator == first {
                true => vec![(node.start_byte(), own.1)],
                false => vec![(node.start_byte(), first.start_byte()), own],
            };
            let name = declarator.by_field("name").unwrap_or(declarator);
            let mut ty = ty.clone();
            ty.dims = ty.dims.saturating_add(read_parts::dims_in(self.source, declarator.by_field("dimensions")));
            let init = declarator.by_field("value");
            let value = init
                .filter(|init| init.kind_name() != "array_initializer")
                .map(|init| read_values::value(self.source, init))
                .filter(|value| !matches!(value, crate::ir::facts::Value::Other));
            owner.members.push(MemberFacts {
                name: self.source.joined(name),
                modifiers,
                ty: Some(ty),
                annotations: annotations.clone(),
                of_elements: of_elements.clone(),
                name_span: tree::span(name),
                body: init.map(tree::span),
                value,
                ..self.member(MemberKind::Field, between(node, declarator), &places)
            });
            self.scan(init, owner);
        }
    }

    fn method(&mut self, owner: &mut Owner, node: Node<'_>, kind: MemberKind) {
        let inside = parts(node);
        let (modifiers, annotations) = self.modifiers(&inside);
        let field = |name: &str| node.by_field(name);
        let name = field("name");
        let of_kind = |kind: &str| inside.iter().copied().find(|part| part.kind_name() == kind);
        let throws = of_kind("throws");
        let ty = field("type").filter(|ty| is_type(ty.kind_name())).map(|ty| {
            let mut ty = type_ref(ty, self.source.text);
            ty.dims = ty.dims.saturating_add(read_parts::dims_in(self.source, field("dimensions")));
            ty
        });
        let compact = node.kind_name() == "compact_constructor_declaration";
        let default = field("value").filter(|_| kind == MemberKind::AnnotationElement);
        let body = field("body").or(default);
        owner.members.push(MemberFacts {
            name: if kind == MemberKind::Constructor && !owner.name.is_empty() {
                owner.name.clone()
            } else {
                name.map(|name| self.source.joined(name)).unwrap_or_default()
            },
            modifiers,
            type_params: read_parts::type_params(self.source, of_kind("type_parameters")),
            ty,
            params: if compact {
                owner.components.clone()
            } else {
                read_parts::params(self.source, field("parameters"))
            },
            throws: throws.map(|throws| type_list(self.source, throws)).unwrap_or_default(),
            annotations,
            of_elements: field("type").map(|ty| read_parts::element_annotations(self.source, ty)).unwrap_or_default(),
            name_span: tree::span(name.unwrap_or(node)),
            body: body.map(tree::span),
            value: default.map(|default| read_values::value(self.source, default)),
            ..self.member(kind, tree::span(node), &[place_of(node)])
        });
        self.scan(body, owner);
    }

    fn initializer(&mut self, owner: &mut Owner, node: Node<'_>, kind: MemberKind) {
        let block = if kind == MemberKind::Initializer {
            Some(node)
        } else {
            parts(node).into_iter().find(|part| part.kind_name() == "block")
        };
        let is_static = kind == MemberKind::StaticInitializer;
        owner.members.push(MemberFacts {
            name: if is_static { "<clinit>" } else { "<init>" }.to_owned(),
            modifiers: Modifiers(if is_static { Modifiers::STATIC } else { 0 }),
            name_span: tree::span(node),
            body: block.map(tree::span),
            ..self.member(kind, tree::span(node), &[place_of(node)])
        });
        self.scan(block, owner);
    }

    fn enum_constant(&mut self, owner: &mut Owner, node: Node<'_>) {
        let (modifiers, annotations) = self.modifiers(&parts(node));
        let (args, body) = (node.by_field("arguments"), node.by_field("body"));
        let name = node.by_field("name").unwrap_or(node);
        let runs = args.or(body).zip(body.or(args)).map(|(first, last)| between(first, last));
        owner.members.push(MemberFacts {
            name: self.source.joined(name),
            modifiers,
            annotations,
            name_span: tree::span(name),
            body: runs,
            ..self.member(MemberKind::EnumConstant, tree::span(node), &[place_of(node)])
        });
        self.scan(args, owner);
        if let Some(body) = body {
            self.anonymous(node, body, TypeRef::named(owner.name.clone()), owner);
        }
    }

    /// Reads the local and anonymous types in the body of the last member.
    fn scan(&mut self, node: Option<Node<'_>>, owner: &Owner) {
        let Some(node) = node else { return };
        let holds =
            |node: Node<'_>, skip: usize| self.source.tokens.may_hold_type(node.start_byte() + skip, node.end_byte());
        if !holds(node, usize::from(node.kind_name() == "block")) {
            return;
        }
        let mut around: Vec<Node<'_>> = Vec::new();
        let mut cursor = node.walk();
        let mut found: Vec<(Node<'_>, Option<Node<'_>>)> = Vec::new();
        'walk: loop {
            let here = cursor.node();
            let mut enter = false;
            if type_kind(here).is_some() {
                found.push((here, None));
            } else if here.kind_name() == "class_body" {
                found.push((around.last().copied().unwrap_or(here), Some(here)));
            } else {
                enter = holds(here, 0);
            }
            if enter && cursor.goto_first_child() {
                around.push(here);
                continue;
            }
            while !cursor.goto_next_sibling() {
                around.pop();
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        for (node, body) in found {
            match body {
                None => self.read_type(node, self.inside(Nesting::Local, owner)),
                Some(body) => {
                    let made = node.by_field("type").map(|ty| type_ref(ty, self.source.text));
                    self.anonymous(node, body, made.unwrap_or_default(), owner);
                }
            }
        }
    }

    fn inside(&self, nesting: Nesting, owner: &Owner) -> DeclarationPosition {
        DeclarationPosition {
            nesting,
            outer: Some(owner.index),
            within: Some(owner.members.len().saturating_sub(1) as u32),
        }
    }

    /// Reads the class body of the `new T() { … }` or enum constant `node`.
    fn anonymous(&mut self, node: Node<'_>, body: Node<'_>, made: TypeRef, owner: &Owner) {
        let mut facts = self.header(TypeKind::Class, self.inside(Nesting::Anonymous, owner), node, Some(body));
        let name = children(node).into_iter().find(|child| child.kind_name() == "new").unwrap_or(node);
        facts.name_span = tree::span(name);
        facts.extends = vec![made];
        self.read_members(facts, Vec::new(), children(body));
    }

    /// The modifiers and annotations among the parts of a declaration.
    fn modifiers(&self, inside: &[Node<'_>]) -> (Modifiers, Vec<crate::ir::facts::Annotation>) {
        let found = inside.iter().copied().find(|part| part.kind_name() == "modifiers");
        read_parts::modifiers(self.source, found)
    }
}

fn place_of(node: Node<'_>) -> (usize, usize) {
    (node.start_byte(), node.end_byte())
}

fn type_kind(node: Node<'_>) -> Option<TypeKind> {
    Some(match node.kind_name() {
        "class_declaration" => TypeKind::Class,
        "interface_declaration" => TypeKind::Interface,
        "enum_declaration" => TypeKind::Enum,
        "record_declaration" => TypeKind::Record,
        "annotation_type_declaration" => TypeKind::Annotation,
        _ => return None,
    })
}
