//! The corpus as cases: a comment such as `// in: 1, 2 | 3, 4` before a method gives its inputs, and each list of arguments becomes a case.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Imports of every generated class.
const IMPORTS: &str = "import java.math.*;\nimport java.time.*;\nimport java.time.format.*;\nimport java.time.temporal.*;\nimport java.util.*;\nimport java.util.regex.*;\nimport java.util.stream.*;\n\n";

/// An argument for both the JVM and the interpreter.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `double`.
    Double(f64),
    /// `String`.
    Text(String),
}

impl Arg {
    /// The argument as sent to the JVM.
    pub fn sent(&self) -> String {
        match self {
            Self::Int(x) => format!("I{x}"),
            Self::Long(x) => format!("J{x}"),
            Self::Double(x) => format!("D{:x}", x.to_bits()),
            Self::Text(text) => text.encode_utf16().fold("S".to_owned(), |mut out, unit| {
                let _ = write!(out, "{unit:04x}");
                out
            }),
        }
    }
}

/// One case: a method on one list of arguments.
pub struct Case {
    /// The method that is tested, for counting.
    pub tests: String,
    /// The method that is called.
    pub calls: String,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// The case in words, for failure messages.
    pub said: String,
}

/// One family: classes, and the cases made of them.
pub struct Family {
    /// Name.
    pub name: String,
    /// Its files by name.
    pub sources: Vec<(String, String)>,
    /// The class with the called methods.
    pub class: String,
    /// Cases in order.
    pub cases: Vec<Case>,
    /// Maximum percentage of cases with the answer *unknown*.
    pub unknown: usize,
}

impl Family {
    /// Reads a family's file.
    pub fn read(name: &str, source: String) -> Self {
        let mut unknown = 0;
        let mut open: Vec<String> = Vec::new();
        let (mut cases, mut bodies) = (Vec::new(), Vec::new());
        for line in source.lines() {
            let line = line.trim();
            if let Some(share) = line.strip_prefix("// unknown at most: ") {
                unknown = share.trim_end_matches('%').trim().parse().unwrap();
            } else if let Some(inputs) = line.strip_prefix("// in:") {
                open.extend(inputs.split(" | ").map(|input| input.trim().to_owned()));
            } else if !open.is_empty() && !line.starts_with("//") && !line.starts_with('@') {
                let before = line.split('(').next().unwrap();
                let method = before.rsplit(' ').next().unwrap().to_owned();
                assert!(line.contains("static"), "{name}: inputs stand before no method: {line}");
                for input in open.drain(..) {
                    let said = format!("{name}.{method}({input})");
                    let calls = format!("c{}", cases.len());
                    bodies.push(format!("static Object {calls}() throws Throwable {{ return {said}; }}"));
                    cases.push(Case { tests: method.clone(), calls, args: Vec::new(), said });
                }
            }
        }
        assert!(open.is_empty(), "{name}: inputs at the end of the file");
        let class = format!("Cases{name}");
        let sources = vec![(format!("{name}.java"), source), class_of(&class, &bodies)];
        Self { name: name.to_owned(), sources, class, cases, unknown }
    }

    /// Number of methods.
    pub fn methods(&self) -> usize {
        self.cases.iter().map(|case| case.tests.as_str()).collect::<BTreeSet<_>>().len()
    }
}

/// The file of a class with these methods.
pub fn class_of(name: &str, methods: &[String]) -> (String, String) {
    (format!("{name}.java"), format!("{IMPORTS}final class {name} {{\n    {}\n}}\n", methods.join("\n    ")))
}

/// All families of a directory, by name.
pub fn families(dir: &std::path::Path) -> Vec<Family> {
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "java"))
        .map(|path| Family::read(path.file_stem().unwrap().to_str().unwrap(), std::fs::read_to_string(path).unwrap()))
        .collect()
}
