//! The sources that generators create from documents, each with its location in the document.

use super::apis::apis;
use super::models::models;
use super::style::Style;
use crate::files::build::Generator;
use crate::routing::Inputs;
use mastor_java::build::origin::Origin;
use mastor_java::project::made::GeneratedSource;
use mastor_openapi::{Document, DocumentLocation, read};
use mastor_types::suite::input::canonical;
use mastor_types::{Hash, Warning};

/// All classes that the build generates from documents and that are not in the repository; generated code that is not
/// followed gives a warning.
pub fn made(inputs: &Inputs<'_>) -> (Vec<GeneratedSource>, Vec<Warning>) {
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    for generator in inputs.build.generators() {
        let style = match Style::of(inputs.build, generator) {
            Ok(style) => style,
            Err(why) => {
                let message =
                    format!("the classes that the build makes of {} are not known: {why}", generator.document);
                warnings.push(Warning::new("contract-models", message, Some(&generator.build_file)));
                continue;
            }
        };
        let own = match inputs.document {
            Some(document) if document.path == generator.document => None,
            // An unreadable document is reported when the routes are read.
            _ => match read(inputs.tree, &generator.document) {
                Ok(document) => Some(document),
                Err(_) => continue,
            },
        };
        let Some(document) = own.as_ref().or(inputs.document) else { continue };
        found.extend(of_document(inputs, generator, document, &style));
    }
    found.retain(|one| inputs.project.by_fqn(&fqn(one)).is_none());
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    (found, warnings)
}

/// The full name of the type that a generated file declares.
fn fqn(made: &GeneratedSource) -> String {
    let package = made.text.lines().find_map(|line| line.strip_prefix("package ")).unwrap_or_default();
    let name = made.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".java");
    format!("{}.{name}", package.trim_end_matches(';'))
}

fn of_document(inputs: &Inputs<'_>, generator: &Generator, document: &Document, style: &Style) -> Vec<GeneratedSource> {
    let text = inputs.tree.text(&document.path).map(|text| text.text).unwrap_or_default();
    let folder = generator.build_file.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    let out = match generator.build_file.ends_with(".xml") {
        true => "target/generated-sources/openapi/src/main/java",
        false => "build/generated/openapi/src/main/java",
    };
    let path = |package: &str, name: &str| format!("{folder}{out}/{}/{name}.java", package.replace('.', "/"));
    let origin = |at: &DocumentLocation| Origin {
        symbol: at.to_string(),
        tokens: Hash::of(document.value(at).map(canonical).unwrap_or_default().as_bytes()),
        file: at.file.clone(),
        line: if at.file == document.path { line_of(&text, at) } else { 1 },
    };
    let mut found: Vec<GeneratedSource> = models(document, style)
        .into_iter()
        .map(|one| GeneratedSource {
            path: path(&style.model_package, &one.class),
            text: one.text,
            origin: origin(&one.at),
        })
        .collect();
    if style.interfaces {
        let made = apis(document, style).into_iter();
        found.extend(made.map(|one| GeneratedSource {
            path: path(&style.api_package, &one.name),
            text: one.text,
            origin: origin(&one.at),
        }));
    }
    found
}

/// The line of the last key of a pointer, searched key by key; 1 if one is not found.
fn line_of(text: &str, at: &DocumentLocation) -> u32 {
    let keys = at.pointer.split('/').skip(1).map(mastor_openapi::unescape);
    let mut lines = (1..).zip(text.lines());
    let mut found = 1;
    for key in keys {
        let is_key = |line: &str| {
            let line = line.trim_start().trim_start_matches(['"', '\'']);
            line.strip_prefix(key.as_str())
                .is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
        };
        match lines.find(|(_, line)| is_key(line)) {
            Some((number, _)) => found = number,
            None => return found,
        }
    }
    found
}
