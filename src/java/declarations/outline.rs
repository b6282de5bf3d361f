//! The outline of a file: a hash over everything that other files can see of it, so without bodies, spans and
//! comments.
//!
//! The meaning of names in a body depends on the body and on the outlines of the project. The code destructures every
//! part of the facts by name, so that a new field does not compile until somebody decides whether it belongs to the
//! outline.

use crate::ir::facts::{Annotation, FileFacts, Import, MemberFacts, Param, TypeFacts, TypeParam, TypeRef, Value};
use mastor_types::Hash;

/// The outline of a file with these facts.
pub fn outline(facts: &FileFacts) -> Hash {
    let mut out = Outline(Vec::with_capacity(4 << 10));
    out.file(facts);
    Hash::of(&out.0)
}

/// Bytes that are equal for two files only if their outlines are equal: every text and list is preceded by its
/// length.
struct Outline(Vec<u8>);

impl Outline {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn text(&mut self, text: &str) {
        self.0.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn place(&mut self, place: Option<u32>) {
        self.number(place.map_or(0, |place| u64::from(place) + 1));
    }

    fn list<T>(&mut self, list: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.0.extend_from_slice(&(list.len() as u32).to_le_bytes());
        list.iter().for_each(|item| each(self, item));
    }

    fn file(&mut self, facts: &FileFacts) {
        let FileFacts {
            package,
            imports,
            types,
            type_words: _,
            error_lines: _,
            cut_lines: _,
            package_annotations,
            escapes_line_ends,
            generated,
        } = facts;
        self.text(package);
        self.list(imports, Self::import);
        self.list(types, Self::ty);
        self.list(package_annotations, Self::annotation);
        self.byte(u8::from(*escapes_line_ends));
        self.byte(u8::from(*generated));
    }

    fn import(&mut self, import: &Import) {
        let Import { path, is_static, wildcard, line: _ } = import;
        self.text(path);
        self.byte(u8::from(*is_static));
        self.byte(u8::from(*wildcard));
    }

    fn ty(&mut self, ty: &TypeFacts) {
        let TypeFacts {
            name,
            kind,
            nesting,
            outer,
            within,
            modifiers,
            type_params,
            extends,
            implements,
            permits,
            annotations,
            members,
            span: _,
            name_span: _,
            header: _,
            named: _,
        } = ty;
        self.text(name);
        self.byte(*kind as u8);
        self.byte(*nesting as u8);
        self.place(*outer);
        self.place(*within);
        self.number(u64::from(modifiers.0));
        self.list(type_params, Self::type_param);
        self.list(extends, Self::type_ref);
        self.list(implements, Self::type_ref);
        self.list(permits, Self::type_ref);
        self.list(annotations, Self::annotation);
        self.list(members, Self::member);
    }

    fn type_param(&mut self, param: &TypeParam) {
        let TypeParam { name, bounds } = param;
        self.text(name);
        self.list(bounds, Self::type_ref);
    }

    fn member(&mut self, member: &MemberFacts) {
        let MemberFacts {
            kind,
            name,
            modifiers,
            type_params,
            ty,
            params,
            throws,
            annotations,
            of_elements,
            span: _,
            name_span: _,
            body,
            value,
            tokens: _,
            literals: _,
            named: _,
        } = member;
        self.byte(*kind as u8);
        self.text(name);
        self.number(u64::from(modifiers.0));
        self.list(type_params, Self::type_param);
        self.list(ty.as_slice(), Self::type_ref);
        self.list(params, Self::param);
        self.list(throws, Self::type_ref);
        self.list(annotations, Self::annotation);
        self.list(of_elements, Self::annotation);
        self.byte(u8::from(body.is_some()));
        self.list(value.as_slice(), Self::value);
    }

    fn param(&mut self, param: &Param) {
        let Param { name, ty, varargs, annotations, of_elements, span: _ } = param;
        self.text(name);
        self.type_ref(ty);
        self.byte(u8::from(*varargs));
        self.list(annotations, Self::annotation);
        self.list(of_elements, Self::annotation);
    }

    fn type_ref(&mut self, ty: &TypeRef) {
        let TypeRef { name, args, dims } = ty;
        self.text(name);
        self.list(args, Self::type_ref);
        self.byte(*dims);
    }

    fn annotation(&mut self, annotation: &Annotation) {
        let Annotation { name, args, span: _ } = annotation;
        self.text(name);
        self.list(args, |out, (key, value)| {
            out.text(key);
            out.value(value);
        });
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Str(text) => self.tagged(0, text),
            Value::Char(unit) => self.tagged(1, &unit.to_string()),
            Value::Int(number) => self.tagged(2, &number.to_string()),
            Value::Float(number) => self.tagged(3, &number.to_bits().to_string()),
            Value::Bool(is_true) => self.tagged(4, if *is_true { "1" } else { "0" }),
            Value::Null => self.byte(5),
            Value::Name(name) => self.tagged(6, name),
            Value::Class(ty) => {
                self.byte(7);
                self.type_ref(ty);
            }
            Value::Array(items) => {
                self.byte(8);
                self.list(items, Self::value);
            }
            Value::Annotation(inner) => {
                self.byte(9);
                self.annotation(inner);
            }
            Value::Unary(op, inner) => {
                self.tagged(10, op);
                self.value(inner);
            }
            Value::Binary(op, left, right) => {
                self.tagged(11, op);
                self.value(left);
                self.value(right);
            }
            Value::Conditional(condition, then, otherwise) => {
                self.byte(12);
                [condition, then, otherwise].into_iter().for_each(|part| self.value(part));
            }
            Value::Cast(ty, inner) => {
                self.byte(13);
                self.type_ref(ty);
                self.value(inner);
            }
            Value::Other => self.byte(14),
        }
    }

    fn tagged(&mut self, tag: u8, text: &str) {
        self.byte(tag);
        self.text(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declarations::extract_facts::facts_of;

    fn of(text: &str) -> Hash {
        outline(&facts_of(text))
    }

    #[test]
    fn bodies_and_layout_are_not_in_the_outline_and_declarations_are() {
        let text = "package a; import b.C; class A { @X(1) int f = 2; int g(String s) { return 1; } }";
        let same = "package a;\n/* c */ import b.C;\nclass A { @X(1) int f = 2;\n int g(String s) { h(); return 2; } }";
        assert_eq!(of(text), of(same));
        for other in [
            "package a; import b.D; class A { @X(1) int f = 2; int g(String s) { return 1; } }",
            "package a; import b.C; class A { @X(2) int f = 2; int g(String s) { return 1; } }",
            "package a; import b.C; class A { @X(1) int f = 3; int g(String s) { return 1; } }",
            "package a; import b.C; class A { @X(1) int f = 2; int g(Object s) { return 1; } }",
            "package a; import b.C; class A { @X(1) int f = 2; int g(String s); }",
            "package a; import b.C; class A { @X(1) int f = 2; int g(String s) { new B() { }; return 1; } }",
            "package a; import b.C; class A extends B { @X(1) int f = 2; int g(String s) { return 1; } }",
        ] {
            assert_ne!(of(text), of(other), "{other}");
        }
    }
}
