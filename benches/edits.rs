//! Single edits and refactorings of a repository: what `mastor ci` says of each.
//!
//! `cargo bench --bench edits -- BINARY REPOSITORY [--each N] [--seed S] [--only KIND] [--limit SECONDS] [--out FILE]`. The repository's work tree must be
//! clean. Each edit is written there, `BINARY ci --since HEAD` is run, and the tree is put back; a run that takes longer than the limit is *late*. What was
//! edited and said is written to FILE, one JSON object a line, for somebody to judge which edits change behaviour; the table counts what was said, by kind.
//! An edit's `places` (first byte, byte behind the last, what stands there instead) let others make it again, as `benches/compare.py` does.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use mastor::config::{Overrides, services};
use mastor::extract;
use mastor::java::ir::body::{BinaryOp, Body, ExprId, ExprKind, Lit, StmtId, StmtKind};
use mastor::java::ir::calls::Resolved;
use mastor::java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, Span};
use mastor::java::ir::ids::MemberId;
use mastor::java::project::index::Project;
use mastor::java::resolve::resolver::Resolver;
use mastor::revision::Repo;
use mastor::types::event::Events;

/// Annotations whose loss may change what an operation does.
const ANNOTATIONS: &[&str] = &[
    "Valid",
    "Validated",
    "NotNull",
    "NotBlank",
    "NotEmpty",
    "Size",
    "Min",
    "Max",
    "Email",
    "Pattern",
    "Positive",
    "PreAuthorize",
    "Secured",
    "RolesAllowed",
    "ResponseStatus",
    "JsonIgnore",
    "JsonProperty",
];

/// Kinds of refactorings; all others are edits.
const REFACTORINGS: &[&str] = &[
    "rename",
    "extract variable",
    "extract method",
    "inline",
    "reorder members",
    "loop to forEach",
    "constant",
    "guard turned round",
    "log line",
];

/// Whether a lambda may hold what stands there: no variable in it is assigned anywhere (JLS §15.27.2).
fn captures(body: &Body, span: Span) -> bool {
    let assigned: BTreeSet<String> = body
        .exprs
        .iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => Some(*target),
            _ => None,
        })
        .filter_map(|target| match &body.expr(target).kind {
            ExprKind::Name(name) => Some(name.to_string()),
            _ => None,
        })
        .collect();
    body.exprs
        .iter()
        .filter(|expr| span.start <= expr.span.start && expr.span.end <= span.end)
        .all(|expr| !matches!(&expr.kind, ExprKind::Name(name) if assigned.contains(&name.to_string())))
}

struct Edit {
    kind: &'static str,
    file: String,
    line: u32,
    /// What stands where instead, from the end of the file to its beginning.
    places: Vec<(usize, usize, String)>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let option = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1)).cloned();
    let plain: Vec<&String> = {
        let taken: BTreeSet<usize> = arguments
            .iter()
            .enumerate()
            .filter(|(_, a)| a.starts_with("--"))
            .flat_map(|(at, _)| [at, at + 1])
            .collect();
        arguments.iter().enumerate().filter(|(at, _)| !taken.contains(at)).map(|(_, a)| a).collect()
    };
    let [binary, repository] = plain.as_slice() else { panic!("edits BINARY REPOSITORY") };
    let each: usize = option("--each").map_or(8, |n| n.parse().expect("a number"));
    let seed: u64 = option("--seed").map_or(1, |n| n.parse().expect("a number"));
    let only = option("--only");
    let limit = option("--limit").unwrap_or_else(|| "300".to_owned());
    let mut out = option("--out").map(|path| std::fs::File::create(path).expect("a file"));
    let all = edits(Path::new(repository));
    let mut by_kind: BTreeMap<&'static str, Vec<Edit>> = BTreeMap::new();
    for edit in all {
        by_kind.entry(edit.kind).or_default().push(edit);
    }
    let mut table: BTreeMap<(bool, &'static str), BTreeMap<String, usize>> = BTreeMap::new();
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    for (kind, mut edits) in by_kind {
        if only.as_ref().is_some_and(|only| only != kind) {
            continue;
        }
        edits.sort_by_cached_key(|edit| {
            let mut hasher = DefaultHasher::new();
            (seed, &edit.file, &edit.places).hash(&mut hasher);
            hasher.finish()
        });
        for edit in edits.into_iter().take(each) {
            let said = run((binary, &limit), Path::new(repository), &edit);
            let counts = table.entry((REFACTORINGS.contains(&kind), kind)).or_default();
            *counts.entry(said.state.clone()).or_default() += 1;
            for cause in &said.stopped {
                *causes.entry(cause.clone()).or_default() += 1;
            }
            if let Some(out) = &mut out {
                let line = serde_json::json!({
                    "kind": kind, "refactoring": REFACTORINGS.contains(&kind), "file": edit.file, "line": edit.line,
                    "places": edit.places, "state": said.state, "diff": said.diff, "told": said.told,
                    "stopped": said.stopped, "operations": said.operations, "seconds": said.seconds,
                });
                writeln!(out, "{line}").expect("written");
            }
        }
    }
    let states: BTreeSet<String> = table.values().flat_map(|counts| counts.keys().cloned()).collect();
    print!("{:<24}", "kind");
    states.iter().for_each(|state| print!("{state:>12}"));
    println!();
    for ((is_refactoring, kind), counts) in &table {
        print!("{:<24}", format!("{}{kind}", if *is_refactoring { "r: " } else { "" }));
        states.iter().for_each(|state| print!("{:>12}", counts.get(state).copied().unwrap_or_default()));
        println!();
    }
    let mut causes: Vec<(String, usize)> = causes.into_iter().collect();
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("\nwhat stopped comparisons:");
    causes.iter().take(40).for_each(|(cause, count)| println!("{count:>5} {cause}"));
}

/// What `mastor ci` said of an edit.
struct Said {
    /// `changed`, `undecided`, `same`, `unaffected`, `late` (no end within the limit) or `failed`.
    state: String,
    told: Vec<String>,
    stopped: Vec<String>,
    operations: usize,
    diff: String,
    seconds: f64,
}

fn run((binary, limit): (&str, &str), repository: &Path, edit: &Edit) -> Said {
    let path = repository.join(&edit.file);
    let before = std::fs::read_to_string(&path).expect("a file of the repository");
    let mut text = before.clone();
    let mut places = edit.places.clone();
    places.sort_by_key(|place| std::cmp::Reverse(place.0));
    for (from, to, new) in places {
        text.replace_range(from..to, &new);
    }
    std::fs::write(&path, &text).expect("written");
    let started = std::time::Instant::now();
    let output = Command::new("timeout")
        .arg(limit)
        .arg(binary)
        .args(["ci", "--since", "HEAD", "--slices", "off", "--format", "json"])
        .current_dir(repository)
        .output()
        .expect("mastor runs");
    let seconds = started.elapsed().as_secs_f64();
    let diff = Command::new("git")
        .args(["diff", "-U1", "--no-color", "HEAD"])
        .current_dir(repository)
        .output()
        .expect("git runs");
    let diff = String::from_utf8_lossy(&diff.stdout).lines().skip(4).collect::<Vec<_>>().join("\n");
    std::fs::write(&path, &before).expect("written");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let texts = |list: &serde_json::Value, name: &str| -> Vec<String> {
        let items = list.as_array().into_iter().flatten();
        items.map(|item| item[name].as_str().unwrap_or_default().to_owned()).collect()
    };
    let told: Vec<String> = texts(&report["changes"], "what");
    let states = texts(&report["compared"], "state");
    let stopped: BTreeSet<String> =
        report["compared"].as_array().into_iter().flatten().flat_map(|one| texts(&one["stopped"], "what")).collect();
    let state = if output.status.code() == Some(124) {
        "late"
    } else if report.is_null() {
        "failed"
    } else if !told.is_empty() {
        "changed"
    } else if states.is_empty() {
        "unaffected"
    } else if states.iter().any(|state| state == "undecided") {
        "undecided"
    } else {
        "same"
    };
    Said {
        state: state.to_owned(),
        told,
        stopped: stopped.into_iter().collect(),
        operations: states.len(),
        diff,
        seconds,
    }
}

/// All edits of what operations reach.
fn edits(repository: &Path) -> Vec<Edit> {
    let repo = Repo::discover(repository).expect("a repository");
    let tree = repo.tree_at(repo.head().expect("a commit").id).expect("its tree");
    let settings = services(&tree, &Overrides::default()).expect("settings").remove(0);
    let surface = extract::surface(&tree, &settings, None, &Events::silent()).expect("a surface");
    let analysis = extract::analyse(surface, &Events::silent());
    let project = &analysis.surface.project;
    let resolver = Resolver::new(project);
    let members: BTreeSet<MemberId> =
        analysis.closures.values().flat_map(|closure| closure.members.keys().copied()).collect();
    let mut found = Vec::new();
    for member in members {
        let file = project.path_of(member.ty).to_owned();
        if !file.contains("src/main/java/") {
            continue;
        }
        let Some(text) = project.text(project.file_of(member.ty)) else { continue };
        let mut maker =
            Maker { project, text: &text, file: &file, member, facts: project.member(member), found: &mut found };
        maker.annotations();
        if let Some(body) = project.body(member) {
            let resolved = resolver.resolve(member);
            maker.expressions(&body, resolved);
            maker.statements(&body);
            maker.refactorings(&body);
        }
    }
    found
}

/// Makes the edits of one member.
struct Maker<'m> {
    project: &'m Project,
    text: &'m str,
    file: &'m str,
    member: MemberId,
    facts: &'m MemberFacts,
    found: &'m mut Vec<Edit>,
}

impl Maker<'_> {
    fn add(&mut self, kind: &'static str, line: u32, places: Vec<(usize, usize, String)>) {
        self.found.push(Edit { kind, file: self.file.to_owned(), line, places });
    }

    fn of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Whether an expression looks like an array, which has no `forEach`.
    fn is_array(&self, items: &str) -> bool {
        let name = items.rsplit('.').next().unwrap_or(items);
        ["toCharArray()", "values()", "getBytes()"].contains(&name)
            || items.contains(".split(")
            || [format!("[] {name}"), format!("{name}[]"), format!("... {name}")]
                .iter()
                .any(|one| self.text.contains(one))
    }

    fn put(&mut self, kind: &'static str, span: Span, text: String) {
        self.add(kind, span.line, vec![(span.start as usize, span.end as usize, text)]);
    }

    fn annotations(&mut self) {
        let of_params = self.facts.params.iter().flat_map(|param| &param.annotations);
        let all: Vec<Annotation> = self.facts.annotations.iter().chain(of_params).cloned().collect();
        for annotation in all {
            if ANNOTATIONS.contains(&annotation.simple()) {
                self.put("lost annotation", annotation.span, String::new());
            }
            let text = self.of(annotation.span).to_owned();
            if let Some(at) = text.find("defaultValue = \"") {
                let start = at + "defaultValue = \"".len();
                if let Some(end) = text[start..].find('"') {
                    let (was, from) = (&text[start..start + end], annotation.span.start as usize + start);
                    let new = was.parse::<i64>().map_or_else(|_| format!("{was}x"), |n| (n + 1).to_string());
                    self.add("default", annotation.span.line, vec![(from, from + end, new)]);
                }
            }
        }
    }

    fn expressions(&mut self, body: &Body, resolved: &Resolved) {
        for (at, expr) in body.exprs.iter().enumerate() {
            let span = expr.span;
            match &expr.kind {
                ExprKind::Field { target, name } if self.of(body.expr(*target).span).ends_with("HttpStatus") => {
                    let new = match &**name {
                        "OK" => "ACCEPTED",
                        "CREATED" => "OK",
                        "NOT_FOUND" => "CONFLICT",
                        "NO_CONTENT" => "OK",
                        _ => "BAD_REQUEST",
                    };
                    if new != &**name {
                        let start = span.end as usize - name.len();
                        self.add("status", span.line, vec![(start, span.end as usize, new.to_owned())]);
                    }
                }
                ExprKind::Binary { op, left, right } => {
                    let (from, to) = (body.expr(*left).span.end as usize, body.expr(*right).span.start as usize);
                    let (kind, was, new) = match op {
                        BinaryOp::Lt => ("boundary", "<", "<="),
                        BinaryOp::Le => ("boundary", "<=", "<"),
                        BinaryOp::Gt => ("boundary", ">", ">="),
                        BinaryOp::Ge => ("boundary", ">=", ">"),
                        BinaryOp::Eq => ("equality", "==", "!="),
                        BinaryOp::Ne => ("equality", "!=", "=="),
                        BinaryOp::And => ("negation", "&&", "||"),
                        BinaryOp::Or => ("negation", "||", "&&"),
                        _ => continue,
                    };
                    if let Some(between) = self.text.get(from..to)
                        && between.contains(was)
                    {
                        let between = between.replacen(was, new, 1);
                        self.add(kind, span.line, vec![(from, to, between)]);
                    }
                }
                ExprKind::Lit(Lit::Bool(value)) => self.put("default", span, (!value).to_string()),
                ExprKind::Lit(Lit::Int(value)) if self.of(span) == value.to_string() => {
                    self.put("default", span, (value + 1).to_string());
                }
                ExprKind::Call { target, name, args, .. } => {
                    self.call(body, resolved, ExprId(at as u32), (*target, name, args));
                }
                _ => {}
            }
        }
    }

    fn call(
        &mut self,
        body: &Body,
        resolved: &Resolved,
        id: ExprId,
        (target, name, args): (Option<ExprId>, &str, &[ExprId]),
    ) {
        let span = body.expr(id).span;
        if let [a, b, ..] = args {
            let (ta, tb) = (resolved.ty(*a), resolved.ty(*b));
            let (sa, sb) = (body.expr(*a).span, body.expr(*b).span);
            let (ta_text, tb_text) = (self.of(sa).to_owned(), self.of(sb).to_owned());
            if format!("{ta:?}") == format!("{tb:?}")
                && format!("{ta:?}") != "Unknown"
                && ta_text != tb_text
                && !name.contains("log")
            {
                let places =
                    vec![(sa.start as usize, sa.end as usize, tb_text), (sb.start as usize, sb.end as usize, ta_text)];
                self.add("swapped arguments", span.line, places);
            }
        }
        let Some(target) = target else { return };
        let from = body.expr(target).span.end as usize;
        let place = self.text.get(from..span.end as usize).and_then(|rest| rest.find(name)).map(|at| from + at);
        let Some(place) = place else { return };
        for (was, new) in [("Asc", "Desc"), ("Desc", "Asc")] {
            if let Some(start) = name.strip_suffix(was)
                && start.contains("OrderBy")
            {
                self.add("order", span.line, vec![(place, place + name.len(), format!("{start}{new}"))]);
            }
        }
        if let (Some(property), []) = (name.strip_prefix("get"), args)
            && let Some(ty) = resolved.ty(target).as_project()
        {
            let project = self.project;
            let field = |member: &MemberId| {
                let facts = project.member(*member);
                facts.kind == MemberKind::Field && !facts.modifiers.has(Modifiers::STATIC)
            };
            let fields: Vec<MemberId> = project.members(ty).filter(field).collect();
            let named = |member: &&MemberId| project.member(**member).name.eq_ignore_ascii_case(property);
            if let Some(own) = fields.iter().find(named) {
                let other =
                    fields.iter().find(|other| *other != own && project.member(**other).ty == project.member(*own).ty);
                if let Some(other) = other {
                    let field = &project.member(*other).name;
                    let new = format!("get{}{}", field[..1].to_uppercase(), &field[1..]);
                    self.add("wrong field", span.line, vec![(place, place + name.len(), new)]);
                }
            }
        }
    }

    fn statements(&mut self, body: &Body) {
        for stmt in &body.stmts {
            match &stmt.kind {
                StmtKind::If { condition, .. } => {
                    let span = body.expr(*condition).span;
                    let new = format!("!({})", self.of(span));
                    self.put("negation", span, new);
                }
                StmtKind::Expr(expr) => {
                    if let ExprKind::Call { target, name, .. } = &body.expr(*expr).kind {
                        let on =
                            target.map(|target| self.of(body.expr(target).span).to_lowercase()).unwrap_or_default();
                        if on.contains("log") || on.contains("system.out") {
                            continue;
                        }
                        let kind = if name.starts_with("set") { "lost setter" } else { "lost call" };
                        self.put(kind, stmt.span, ";".to_owned());
                    }
                }
                StmtKind::Throw(expr) => {
                    if let ExprKind::New { anonymous: None, .. } = &body.expr(*expr).kind {
                        let span = body.expr(*expr).span;
                        self.put("exception", span, "new IllegalStateException()".to_owned());
                    }
                }
                _ => {}
            }
        }
    }

    fn refactorings(&mut self, body: &Body) {
        let Some(whole) = self.facts.body.filter(|_| self.facts.kind == MemberKind::Method) else { return };
        let (start, end) = (whole.start as usize, whole.end as usize);
        let Some(inner) = self.text.get(start..end).map(str::to_owned) else { return };
        if !inner.starts_with('{') {
            return;
        }
        self.add(
            "log line",
            whole.line,
            vec![(start + 1, start + 1, " org.slf4j.LoggerFactory.getLogger(\"edit\").info(\"here\");".to_owned())],
        );
        self.extract_method(start, end, &inner);
        self.reorder();
        for (at, stmt) in body.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Local(locals) if locals.len() == 1 => {
                    let name = locals[0].name.to_string();
                    let used: Vec<usize> = words(&inner, &name);
                    let is_plain = used.iter().all(|at| {
                        let before = inner[..*at].trim_end().chars().last();
                        let after = inner[at + name.len()..].trim_start().chars().next();
                        let is_quoted =
                            inner[..*at].rsplit('\n').next().unwrap_or_default().matches('"').count() % 2 == 1;
                        before != Some('.') && after != Some('(') && !is_quoted
                    });
                    if is_plain && used.len() > 1 && name.len() > 2 {
                        let new = format!("{name}Renamed");
                        let places = used.iter().map(|at| (start + at, start + at + name.len(), new.clone())).collect();
                        self.add("rename", stmt.span.line, places);
                    }
                    self.inline(body, StmtId(at as u32), &name, locals[0].init);
                }
                StmtKind::Return(Some(value)) if matches!(body.expr(*value).kind, ExprKind::Call { .. }) => {
                    let span = body.expr(*value).span;
                    let text = self.of(span).to_owned();
                    if !inner[..(stmt.span.start as usize).saturating_sub(start)].trim_end().ends_with([')', ':'])
                        && !inner[..(stmt.span.start as usize).saturating_sub(start)].trim_end().ends_with("else")
                    {
                        self.put("extract variable", stmt.span, format!("var extracted = {text}; return extracted;"));
                    }
                }
                StmtKind::ForEach { name, items, body: turn, .. } => {
                    if let StmtKind::Block(inner) = &body.stmt(*turn).kind
                        && let [only] = inner.as_slice()
                        && matches!(body.stmt(*only).kind, StmtKind::Expr(_))
                        && captures(body, body.stmt(*only).span)
                        && !self.is_array(self.of(body.expr(*items).span))
                    {
                        let is_name = matches!(body.expr(*items).kind, ExprKind::Name(_) | ExprKind::Call { .. });
                        let (items, only) = (self.of(body.expr(*items).span), self.of(body.stmt(*only).span));
                        let items = if is_name { items.to_owned() } else { format!("({items})") };
                        self.put("loop to forEach", stmt.span, format!("{items}.forEach({name} -> {{ {only} }});"));
                    }
                }
                StmtKind::Block(list) => self.guard(body, list),
                _ => {}
            }
        }
        for expr in &body.exprs {
            if let ExprKind::Lit(Lit::Str(text)) = &expr.kind
                && text.len() > 3
            {
                let (literal, declared) = (self.of(expr.span).to_owned(), self.facts.span.start as usize);
                let constant = format!("private static final String EXTRACTED = {literal};\n    ");
                let places = vec![
                    (expr.span.start as usize, expr.span.end as usize, "EXTRACTED".to_owned()),
                    (declared, declared, constant),
                ];
                self.add("constant", expr.span.line, places);
                break;
            }
        }
    }

    fn extract_method(&mut self, start: usize, end: usize, inner: &str) {
        let is_generic = !self.facts.type_params.is_empty();
        let Some(ty) = &self.facts.ty else { return };
        if is_generic || self.facts.params.iter().any(|param| param.varargs) {
            return;
        }
        let params: Vec<String> = self
            .facts
            .params
            .iter()
            .map(|param| {
                let text = self.of(param.span);
                let declared = text.rsplit(')').next().unwrap_or(text);
                let words: Vec<&str> = declared.split_whitespace().filter(|word| !word.starts_with('@')).collect();
                words.join(" ")
            })
            .collect();
        let names: Vec<&str> = self.facts.params.iter().map(|param| param.name.as_str()).collect();
        let is_void = ty.erased() == "void";
        let written =
            self.text.get(self.facts.span.start as usize..self.facts.name_span.start as usize).unwrap_or_default();
        let Some(returned) = written.split_whitespace().last() else { return };
        if returned.contains('>') && !returned.contains('<') {
            return;
        }
        let is_static = if self.facts.modifiers.has(Modifiers::STATIC) { "static " } else { "" };
        let call = format!("{{ {}extracted({}); }}", if is_void { "" } else { "return " }, names.join(", "));
        let method = format!("{call}\n\n    private {is_static}{returned} extracted({}) {inner}", params.join(", "));
        if params.iter().any(|param| param.matches(' ').count() == 0) {
            return;
        }
        self.add("extract method", self.facts.span.line, vec![(start, end, method)]);
    }

    fn reorder(&mut self) {
        let members: Vec<MemberId> = self.project.members(self.member.ty).collect();
        let next = members.iter().find(|other| {
            let facts = self.project.member(**other);
            facts.kind == MemberKind::Method && facts.span.start > self.facts.span.end
        });
        let Some(next) = next else { return };
        let (own, other) = (self.facts.span, self.project.member(*next).span);
        let (a, b) = (self.of(own).to_owned(), self.of(other).to_owned());
        let places = vec![(own.start as usize, own.end as usize, b), (other.start as usize, other.end as usize, a)];
        self.add("reorder members", own.line, places);
    }

    /// A variable that is used once, in the statement behind it, and is that statement's value.
    fn inline(&mut self, body: &Body, id: StmtId, name: &str, init: Option<ExprId>) {
        let Some(init) = init else { return };
        let block = body.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Block(list) => list.iter().position(|one| *one == id).and_then(|at| list.get(at + 1)),
            _ => None,
        });
        let Some(next) = block.copied() else { return };
        let StmtKind::Return(Some(value)) = &body.stmt(next).kind else { return };
        if self.of(body.expr(*value).span) != name {
            return;
        }
        let (init, own) = (self.of(body.expr(init).span).to_owned(), body.stmt(id).span);
        if init.starts_with('{') {
            return;
        }
        let value = body.expr(*value).span;
        let places = vec![
            (value.start as usize, value.end as usize, init),
            (own.start as usize, own.end as usize, String::new()),
        ];
        self.add("inline", own.line, places);
    }

    /// `if (c) { … return } rest` as `if (!(c)) { rest } else { … return }`.
    fn guard(&mut self, body: &Body, list: &[StmtId]) {
        for (at, id) in list.iter().enumerate() {
            let stmt = body.stmt(*id);
            let StmtKind::If { condition, then, otherwise: None } = &stmt.kind else { continue };
            let leaves = |id: StmtId| {
                let last = match &body.stmt(id).kind {
                    StmtKind::Block(list) => list.last().copied(),
                    _ => Some(id),
                };
                last.is_some_and(|last| matches!(body.stmt(last).kind, StmtKind::Return(_) | StmtKind::Throw(_)))
            };
            let Some(last) = list.last().filter(|last| *last != id) else { continue };
            if !leaves(*then) || !leaves(*last) {
                continue;
            }
            let first = list[at + 1];
            let rest = self.text.get(body.stmt(first).span.start as usize..body.stmt(*last).span.end as usize);
            let Some(rest) = rest.map(str::to_owned) else { continue };
            let (condition, then) =
                (self.of(body.expr(*condition).span).to_owned(), self.of(body.stmt(*then).span).to_owned());
            let places = vec![(
                stmt.span.start as usize,
                body.stmt(*last).span.end as usize,
                format!("if (!({condition})) {{ {rest} }} else {then}"),
            )];
            self.add("guard turned round", stmt.span.line, places);
        }
    }
}

/// Where a word stands in a text.
fn words(text: &str, word: &str) -> Vec<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|at| !is_part(text[..*at].chars().last()) && !is_part(text[at + word.len()..].chars().next()))
        .collect()
}
