//! Tests of lowering: small bodies and their printed form.

use super::*;
use crate::ir::body::{LambdaBody, Lit, Pattern, SwitchArm};
use crate::ir::facts::Modifiers;
use mastor_types::Hash;

/// Facts with only the spans of the method bodies and anonymous classes of a file.
fn facts(text: &str) -> FileFacts {
    let tree = tree::parse(text).unwrap();
    let mut facts = FileFacts::default();
    let ty = |node: Node<'_>, nesting| TypeFacts {
        name: String::new(),
        kind: crate::ir::facts::TypeKind::Class,
        nesting,
        outer: None,
        within: None,
        modifiers: Modifiers::default(),
        type_params: vec![],
        extends: vec![],
        implements: vec![],
        permits: vec![],
        annotations: vec![],
        members: vec![],
        span: tree::span(node),
        name_span: tree::span(node),
        header: Hash::of(b""),
        named: Vec::new(),
    };
    facts.types.push(ty(tree.root_node(), Nesting::Top));
    let mut queue = vec![tree.root_node()];
    while let Some(node) = queue.pop() {
        if node.kind() == "object_creation_expression" && children(node).iter().any(|c| c.kind() == "class_body") {
            facts.types.push(ty(node, Nesting::Anonymous));
        }
        if node.kind() == "method_declaration" {
            facts.types[0].members.push(MemberFacts {
                kind: MemberKind::Method,
                name: String::new(),
                modifiers: Modifiers::default(),
                type_params: vec![],
                ty: None,
                params: vec![],
                throws: vec![],
                annotations: vec![],
                of_elements: vec![],
                span: tree::span(node),
                name_span: tree::span(node),
                body: node.child_by_field_name("body").map(tree::span),
                value: None,
                literals: vec![],
                named: Vec::new(),
                tokens: Hash::of(b""),
            });
        }
        let mut cursor = node.walk();
        queue.extend(node.children(&mut cursor));
    }
    facts
}

fn lowered(statements: &str) -> Body {
    let text = format!("class A {{ void m() {{ {statements} }} }}");
    lower_file(&text, &facts(&text)).remove(0).remove(0).unwrap()
}

/// Prints a body as a term: `call(x, size)`.
fn shown(statements: &str) -> String {
    let body = lowered(statements);
    assert_eq!(body.unknown, Vec::<String>::new(), "{statements}");
    let Some(Root::Stmt(root)) = body.root else { panic!("no block") };
    let text = stmt(&body, root);
    text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(&text).to_owned()
}

fn list(body: &Body, ids: &[ExprId]) -> String {
    ids.iter().map(|id| expr(body, *id)).collect::<Vec<_>>().join(", ")
}

fn pattern(p: &Pattern) -> String {
    match p {
        Pattern::Type { ty, name } => format!("{ty} {}", name.as_deref().unwrap_or("")),
        Pattern::Record { ty, parts } => {
            format!("{ty}({})", parts.iter().map(pattern).collect::<Vec<_>>().join(", "))
        }
        Pattern::Any => "_".into(),
    }
}

fn arms(body: &Body, arms: &[SwitchArm]) -> String {
    let one = |arm: &SwitchArm| {
        let patterns: Vec<String> = arm.patterns.iter().map(pattern).collect();
        let guard = arm.guard.map(|g| format!(" when {}", expr(body, g))).unwrap_or_default();
        let stmts: Vec<String> = arm.body.iter().map(|s| stmt(body, *s)).collect();
        let default = if arm.default { "default" } else { "" };
        let arrow = if arm.arrow { "->" } else { ":" };
        format!("[{}{}{default}{guard}{arrow} {}]", list(body, &arm.labels), patterns.join(","), stmts.join(" "))
    };
    arms.iter().map(one).collect::<Vec<_>>().join("")
}

fn expr(body: &Body, id: ExprId) -> String {
    match &body.expr(id).kind {
        ExprKind::Lit(Lit::Str(s)) => format!("{s:?}"),
        ExprKind::Lit(Lit::Int(i)) => i.to_string(),
        ExprKind::Lit(lit) => format!("{lit:?}"),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Field { target, name } => format!("{}.{name}", expr(body, *target)),
        ExprKind::Index { target, index } => format!("{}[{}]", expr(body, *target), expr(body, *index)),
        ExprKind::Call { target, name, args, type_args } => {
            let target = target.map(|t| expr(body, t) + ".").unwrap_or_default();
            let types: Vec<String> = type_args.iter().map(ToString::to_string).collect();
            let types = if types.is_empty() { String::new() } else { format!("<{}>", types.join(",")) };
            format!("{target}{types}{name}({})", list(body, args))
        }
        ExprKind::New { ty, diamond, outer, args, anonymous } => {
            let outer = outer.map(|o| expr(body, o) + ".").unwrap_or_default();
            let diamond = if *diamond { "<>" } else { "" };
            let class = anonymous.map(|a| format!("#{a}")).unwrap_or_default();
            format!("{outer}new {ty}{diamond}({}){class}", list(body, args))
        }
        ExprKind::NewArray { ty, lengths, init } => {
            let init = init.map(|i| expr(body, i)).unwrap_or_default();
            format!("new {ty}({}){init}", list(body, lengths))
        }
        ExprKind::ArrayInit(items) => format!("{{{}}}", list(body, items)),
        ExprKind::Unary { op, operand } => format!("{op:?}({})", expr(body, *operand)),
        ExprKind::Binary { op, left, right } => format!("({} {op:?} {})", expr(body, *left), expr(body, *right)),
        ExprKind::Assign { op, target, value } => {
            let op = op.map(|op| format!("{op:?}")).unwrap_or_default();
            format!("{} {op}= {}", expr(body, *target), expr(body, *value))
        }
        ExprKind::IncDec { increment, prefix, target } => format!("inc({increment},{prefix},{})", expr(body, *target)),
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", expr(body, *condition), expr(body, *then), expr(body, *otherwise))
        }
        ExprKind::Cast { ty, operand } => format!("({ty}){}", expr(body, *operand)),
        ExprKind::InstanceOf { operand, pattern: p } => format!("{} is {}", expr(body, *operand), pattern(p)),
        ExprKind::Lambda { params, body: inner } => {
            let params: Vec<String> = params.iter().map(|p| format!("{} {}", p.ty, p.name)).collect();
            let inner = match inner {
                LambdaBody::Expr(id) => expr(body, *id),
                LambdaBody::Block(id) => stmt(body, *id),
            };
            format!("({}) -> {inner}", params.join(","))
        }
        ExprKind::MethodRef { target, ty, name } => {
            let target = target.map(|t| expr(body, t)).unwrap_or_default();
            format!("{target}{}::{name}", ty.as_ref().map(ToString::to_string).unwrap_or_default())
        }
        ExprKind::Switch { selector, arms: a } => format!("switch {} {}", expr(body, *selector), arms(body, a)),
        ExprKind::This(outer) => format!("this{}", outer.as_deref().unwrap_or("")),
        ExprKind::Super(outer) => format!("super{}", outer.as_deref().unwrap_or("")),
        ExprKind::ClassLit(ty) => format!("{ty}.class"),
        ExprKind::Unknown(kind) => format!("?{kind}"),
    }
}

fn stmt(body: &Body, id: StmtId) -> String {
    let opt = |id: &Option<ExprId>| id.map(|id| expr(body, id)).unwrap_or_default();
    match &body.stmt(id).kind {
        StmtKind::Block(inner) => {
            format!("{{{}}}", inner.iter().map(|s| stmt(body, *s)).collect::<Vec<_>>().join(" "))
        }
        StmtKind::Local(locals) => {
            let one = |l: &crate::ir::body::Local| format!("{} {} = {};", l.ty, l.name, opt(&l.init));
            locals.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        StmtKind::LocalType(index) => format!("type {index};"),
        StmtKind::Expr(e) => format!("{};", expr(body, *e)),
        StmtKind::If { condition, then, otherwise } => {
            let otherwise = otherwise.map(|s| format!(" else {}", stmt(body, s))).unwrap_or_default();
            format!("if {} {}{otherwise}", expr(body, *condition), stmt(body, *then))
        }
        StmtKind::While { condition, body: inner } => {
            format!("while {} {}", expr(body, *condition), stmt(body, *inner))
        }
        StmtKind::DoWhile { body: inner, condition } => format!("do {} {}", stmt(body, *inner), expr(body, *condition)),
        StmtKind::For { init, condition, update, body: inner } => {
            let init: Vec<String> = init.iter().map(|s| stmt(body, *s)).collect();
            format!("for {} {}; {} {}", init.join(","), opt(condition), list(body, update), stmt(body, *inner))
        }
        StmtKind::ForEach { ty, name, items, body: inner } => {
            format!("for {ty} {name} in {} {}", expr(body, *items), stmt(body, *inner))
        }
        StmtKind::Return(e) => format!("return {};", opt(e)),
        StmtKind::Throw(e) => format!("throw {};", expr(body, *e)),
        StmtKind::Try { resources, body: inner, catches, finally } => {
            let resources: Vec<String> = resources.iter().map(|s| stmt(body, *s)).collect();
            let catches: Vec<String> = catches
                .iter()
                .map(|c| {
                    let types: Vec<String> = c.types.iter().map(ToString::to_string).collect();
                    format!(" catch {} {} {}", types.join("|"), c.name, stmt(body, c.body))
                })
                .collect();
            let finally = finally.map(|f| format!(" finally {}", stmt(body, f))).unwrap_or_default();
            format!("try ({}) {}{}{finally}", resources.join(" "), stmt(body, *inner), catches.concat())
        }
        StmtKind::Switch { selector, arms: a } => format!("switch {} {}", expr(body, *selector), arms(body, a)),
        StmtKind::Break(label) => format!("break {};", label.as_deref().unwrap_or("")),
        StmtKind::Continue(label) => format!("continue {};", label.as_deref().unwrap_or("")),
        StmtKind::Labeled { label, body: inner } => format!("{label}: {}", stmt(body, *inner)),
        StmtKind::Synchronized { lock, body: inner } => format!("sync {} {}", expr(body, *lock), stmt(body, *inner)),
        StmtKind::Assert { condition, message } => format!("assert {} {};", expr(body, *condition), opt(message)),
        StmtKind::Yield(e) => format!("yield {};", expr(body, *e)),
        StmtKind::ConstructorCall { is_super, outer, args } => {
            format!("{is_super} {}({});", opt(outer), list(body, args))
        }
        StmtKind::Empty => ";".into(),
        StmtKind::Unknown(kind) => format!("?{kind};"),
    }
}

#[test]
fn expressions_of_every_kind() {
    for (source, expected) in [
        ("a.b.c(1, \"x\").d[2] = -y + z * 3;", "a.b.c(1, \"x\").d[2] = (Minus(y) Add (z Mul 3));"),
        ("x >>>= 2; i++; --i;", "x UShr= 2; inc(true,false,i); inc(false,true,i);"),
        ("f((a) -> a + 1, (int b, c) -> { return; }, x -> x);", ""),
        (
            "f(A::b, int[]::new, List<String>::new, this::c, super::d, a.B::new);",
            "f(A::b, int[]::new, List<String>::new, this::c, super::d, a.B::new);",
        ),
        (
            "new A<>(1); o.new B(); new int[3][]; new String[] {\"a\"}; new A() { int x; };",
            "new A<>(1); o.new B(); new int[][](3); new String[](){\"a\"}; new A()#1;",
        ),
        (
            "A.this.x(); A.super.y(); super.z(); A.<String>w(); Collections.<T>e();",
            "thisA.x(); superA.y(); super.z(); A.<String>w(); Collections.<T>e();",
        ),
        (
            "b = o instanceof String s && o instanceof final P(int x, Q(var y)); c = o instanceof A;",
            "b = (o is String s And o is P(int x, Q(var y))); c = o is A ;",
        ),
        (
            "s = a ? 1 : b ? 2 : 3; k = (List<String>) q; r = (Runnable & java.io.Serializable) () -> g();",
            "s = (a ? 1 : (b ? 2 : 3)); k = (List<String>)q; r = (Runnable)() -> g();",
        ),
        (
            "Class<?> c = int[].class, d = Map.Entry.class; int a[] = {1, 2}, b = 0;",
            "Class<?> c = int[].class; Class<?> d = Map.Entry.class; int[] a = {1, 2}; int b = 0;",
        ),
    ] {
        if !expected.is_empty() {
            assert_eq!(shown(source), expected, "{source}");
        }
    }
}

#[test]
fn statements_of_every_kind() {
    for (source, expected) in [
        ("if (a) b(); else if (c) { } else d();", "if a b(); else if c {} else d();"),
        (
            "for (int i = 0, j = 1; i < 2; i++, j--) ; for (;;) break;",
            "for int i = 0; int j = 1; (i Lt 2); inc(true,false,i), inc(false,false,j) ; for  ;  break ;",
        ),
        (
            "for (final var x : xs) continue; l: while (a) { continue l; } do a(); while (b);",
            "for var x in xs continue ; l: while a {continue l;} do a(); b",
        ),
        (
            "try (A a = b(); c) { } catch (final X | Y e) { throw e; } finally { f(); }",
            "try (A a = b(); c;) {} catch X|Y e {throw e;} finally {f();}",
        ),
        ("synchronized (this) { } assert a : \"b\"; return;", "sync this {} assert a \"b\"; return ;"),
        ("switch (x) { case 1: case 2: a(); break; default: b(); }", "switch x [1: ][2: a(); break ;][default: b();]"),
        (
            "int y = switch (x) { case A, B -> 1; case C -> { yield 2; } default -> throw e; };",
            "int y = switch x [A, B-> yield 1;][C-> {yield 2;}][default-> throw e;];",
        ),
        (
            "switch (o) { case String s when s.isEmpty() -> a(); case P(int x, var y) -> b(); case null -> c(); default -> d(); }",
            "switch o [String s when s.isEmpty()-> a();][P(int x, var y)-> b();][Lit-> c();][default-> d();]",
        ),
    ] {
        let expected = expected.replace("Lit->", "Null->");
        assert_eq!(shown(source), expected, "{source}");
    }
}

#[test]
fn long_chains_and_deep_nests_do_not_overflow() {
    let sum = format!("int x = {};", vec!["a"; 10_000].join(" + "));
    assert!(lowered(&sum).unknown.is_empty());
    let calls = format!("b{};", ".append(1)".repeat(10_000));
    assert!(lowered(&calls).unknown.is_empty());
    let ifs = format!("{} else z();", vec!["if (a) b();"; 5_000].join(" else "));
    assert!(lowered(&ifs).unknown.is_empty());
    for (open, close) in [("f(", ")"), ("-(", ")"), ("x = (y = ", ")"), ("() -> (", ")")] {
        let deep = format!("x = {}1{};", open.repeat(10_000), close.repeat(10_000));
        assert_eq!(lowered(&deep).unknown, [TOO_DEEP], "{open}");
    }
    let blocks = format!("{}{}", "{".repeat(10_000), "}".repeat(10_000));
    assert_eq!(lowered(&blocks).unknown, [TOO_DEEP]);
}

#[test]
fn broken_code_is_named() {
    let body = lowered("int x = 1 +; foo(y z);");
    assert!(body.unknown.contains(&"ERROR".to_owned()) || body.unknown.contains(&"MISSING".to_owned()));
}
