//! `mastor explain`: shows an oracle with its request, expectations and cited code.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::request;
use crate::wording::words;
use mastor_template::escape::plain;
use mastor_types::results::trace::Trace;
use mastor_types::suite::oracle::{Confirmation, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Label of code that is unchanged since it was cited.
pub const CITED: &str = "cited here";

/// A cited piece of source, as it is in the requested revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The cited symbol.
    pub symbol: String,
    /// Path from the repository's root.
    pub path: String,
    /// The whole file's text.
    pub text: String,
    /// Byte range of the cited code.
    pub span: Range<usize>,
    /// Label of the excerpt.
    pub label: String,
}

/// A citation with its code, or with the reason why the code is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cited {
    /// The code exists.
    Found(Excerpt),
    /// The code is missing or has changed.
    Lost {
        /// The cited symbol.
        symbol: String,
        /// Why it is not shown.
        reason: String,
    },
}

/// What `explain` shows about an oracle beside the oracle itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explained {
    /// Its evidence.
    pub cited: Vec<Cited>,
    /// Its history, one sentence an item.
    pub history: Vec<String>,
    /// The path of its request through the current code.
    pub trace: Option<Trace>,
}

/// An oracle with its evidence, for the terminal.
pub fn oracle(oracle: &Oracle, explained: &Explained) -> String {
    let Explained { cited, history, trace } = explained;
    let mut out = format!("{}  {}\n{}\n\n", oracle.o_id, plain(&oracle.test_id), plain(&oracle.description));
    let _ = writeln!(out, "operation  {}", plain(oracle.op_id.as_str()));
    let _ = writeln!(out, "strategy   {} ({})", oracle.strategy.as_str(), words::strategy(oracle.strategy));
    let _ = writeln!(out, "request    {}", plain(&request::in_words(&oracle.op_id, &oracle.as_user, &oracle.input)));
    for (n, assertion) in oracle.assertions.iter().enumerate() {
        let _ = writeln!(
            out,
            "{}  {}",
            if n == 0 { "expects  " } else { "         " },
            plain(&words::assertion(assertion))
        );
    }
    for event in &oracle.events {
        let _ =
            writeln!(out, "           {} is called with ({}) (observed)", plain(&event.name()), plain(&event.handed()));
    }
    for given in &oracle.given {
        let _ = writeln!(out, "given      {}", plain(&given.what()));
    }
    for assumption in &oracle.assumes {
        let _ = writeln!(out, "assumes    {}", plain(&assumption.words()));
    }
    if !oracle.rationale.is_empty() {
        let _ = writeln!(out, "because    {}", plain(&oracle.rationale));
    }
    let _ = writeln!(out, "made by    {}", plain(&words::origin(&oracle.origin)));
    let _ = writeln!(out, "confirmed  {}", confirmation(&oracle.confirmation));
    for line in history {
        let _ = writeln!(out, "history    {}", plain(line));
    }
    if let Some(trace) = trace {
        path(&mut out, trace);
    }
    out.push('\n');
    evidence(&mut out, cited);
    out
}

/// A sequence with its steps and evidence, for the terminal.
pub fn sequence(sequence: &Sequence, cited: &[Cited]) -> String {
    let Sequence { s_id, test_id, description, .. } = sequence;
    let mut out = format!("{s_id}  {}\n{}\n\n", plain(test_id), plain(description));
    for (n, step) in sequence.steps.iter().enumerate() {
        let request = request::in_words(&step.op_id, &step.as_user, &step.input);
        let _ = writeln!(out, "step {}     {}", n + 1, plain(&request));
        for (place, from) in &step.binds {
            let _ = writeln!(out, "  with     {} from {}", plain(place), plain(from));
        }
        for assertion in &step.assertions {
            let _ = writeln!(out, "  expects  {}", plain(&words::assertion(assertion)));
        }
        for (name, from) in &step.captures {
            let _ = writeln!(out, "  takes    {} from {}", plain(name), plain(from));
        }
    }
    for given in &sequence.given {
        let _ = writeln!(out, "given      {}", plain(&given.what()));
    }
    for assumption in &sequence.assumes {
        let _ = writeln!(out, "assumes    {}", plain(&assumption.words()));
    }
    let _ = writeln!(out, "made by    {}", plain(&words::origin(&sequence.origin)));
    let _ = writeln!(out, "confirmed  {}\n", confirmation(&sequence.confirmation));
    evidence(&mut out, cited);
    out
}

fn evidence(out: &mut String, cited: &[Cited]) {
    if cited.is_empty() {
        out.push_str("no evidence: a person wrote it\n");
    }
    for citation in cited {
        match citation {
            Cited::Found(excerpt) => {
                out.push_str(&snippet(excerpt));
                out.push('\n');
            }
            Cited::Lost { symbol, reason } => {
                let _ = writeln!(out, "{}: {}", plain(symbol), plain(reason));
            }
        }
    }
}

/// Appends the path of the request: conditions, deciding place, models, and unknown code.
fn path(out: &mut String, trace: &Trace) {
    let at = |place: &Option<(String, u32)>| match place {
        Some((file, line)) => format!("  {}:{line}", plain(file)),
        None => "  (the framework)".to_owned(),
    };
    for (n, step) in trace.conditions.iter().enumerate() {
        let head = if n == 0 { "path     " } else { "         " };
        let _ = writeln!(out, "{head}  {}{}", plain(&step.what), at(&step.place));
    }
    if trace.decided.is_some() {
        let _ = writeln!(out, "decided  {}", at(&trace.decided));
    }
    if !trace.models.is_empty() {
        let _ = writeln!(out, "models     {}", plain(&trace.models.join(", ")));
    }
    for (n, unknown) in trace.unknown.iter().enumerate() {
        let _ = writeln!(out, "{}  {}", if n == 0 { "unknown  " } else { "         " }, plain(unknown));
    }
    if let Some(bound) = &trace.bound {
        let _ = writeln!(out, "bound      {}", plain(bound));
    }
}

/// The cited code with line numbers.
pub fn snippet(excerpt: &Excerpt) -> String {
    let text = &excerpt.text;
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let start = floor(excerpt.span.start);
    let end = floor(excerpt.span.end).max(start);
    // Only the cited lines are passed on, so that a huge file costs nothing.
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let line = text[..from].matches('\n').count() + 1;
    let annotation = AnnotationKind::Primary.span(start - from..end - from).label(plain(&excerpt.label));
    let lines = Snippet::source(&text[from..to]).line_start(line).path(plain(&excerpt.path)).annotation(annotation);
    let group = Level::INFO.no_name().primary_title(plain(&excerpt.symbol)).element(lines);
    Renderer::styled().render(&[group])
}

fn confirmation(confirmation: &Confirmation) -> String {
    let (mut out, varies) = words::confirmed(confirmation);
    for (path, why) in &varies {
        let _ = write!(out, "; {} varies ({})", plain(path), plain(why));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::results::trace::Step;

    #[test]
    fn an_oracle_is_explained_with_what_was_lost() {
        let suite = crate::sample::suite();
        let explained = &suite.operations.values().next().unwrap().oracles[0];
        let lost =
            Cited::Lost { symbol: "com.acme.Orders#find(String)".into(), reason: "its code has changed since".into() };
        let trace = Trace {
            conditions: vec![
                Step { what: "body can be read".to_owned(), place: None },
                Step { what: "length of code < 2".to_owned(), place: Some(("src/Orders.java".to_owned(), 12)) },
            ],
            members: Vec::new(),
            decided: Some(("src/Orders.java".to_owned(), 13)),
            models: vec!["java.lang.String.length".to_owned()],
            unknown: vec!["Clock.now is not modelled".to_owned()],
            bound: None,
        };
        let history = vec!["in the suite since abc".to_owned()];
        insta::assert_snapshot!(oracle(explained, &Explained { cited: vec![lost], history, trace: Some(trace) }));
    }

    #[test]
    fn a_snippet_shows_the_cited_lines_with_their_numbers() {
        let text = "class A {\n    int f(int a) {\n        if (a > 3) throw new X();\n        return a;\n    }\n}\n";
        let start = text.find("if").unwrap();
        let excerpt = Excerpt {
            symbol: "A#f(int)".into(),
            path: "src/A.java".into(),
            text: text.into(),
            span: start..start + "if (a > 3) throw new X();".len(),
            label: "400 above 3".into(),
        };
        insta::assert_snapshot!(anstream::adapter::strip_str(&snippet(&excerpt)));
        let beyond = Excerpt { span: 5..9000, ..excerpt };
        assert!(snippet(&beyond).contains("class A"));
    }
}
