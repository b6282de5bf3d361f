//! The methods of the corpus with their inputs: `// in: 1, 2 | 3, 4` stands before a method, and each list of arguments becomes a case.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One family: a class with methods, and the cases made of them.
pub struct Family {
    /// Name of the class.
    pub name: String,
    /// Its source.
    pub source: String,
    /// Cases in order: name of the method, and the call.
    pub cases: Vec<(String, String)>,
    /// Bodies of the cases, where they are no calls of its methods.
    pub bodies: bool,
    /// Share of cases, in hundredths, of which the interpreter may say that it does not know.
    pub unknown: usize,
}

impl Family {
    /// Reads a family's file.
    pub fn read(name: &str, source: String) -> Self {
        let mut cases = Vec::new();
        let mut unknown = 0;
        let mut open: Vec<String> = Vec::new();
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
                    cases.push((method.clone(), format!("{name}.{method}({input})")));
                }
            }
        }
        assert!(open.is_empty(), "{name}: inputs at the end of the file");
        Self { name: name.to_owned(), source, cases, bodies: false, unknown }
    }

    /// Name of the class that holds the cases.
    pub fn driver(&self) -> String {
        format!("Cases{}", self.name)
    }

    /// A class with one method for each case.
    pub fn driver_source(&self) -> String {
        let mut out = format!(
            "import java.math.*;\nimport java.time.*;\nimport java.time.format.*;\nimport java.time.temporal.*;\nimport java.util.*;\nimport java.util.regex.*;\nimport java.util.stream.*;\n\nfinal class {} {{\n",
            self.driver()
        );
        for (at, (_, call)) in self.cases.iter().enumerate() {
            let body = if self.bodies { call.clone() } else { format!("return {call};") };
            let _ = writeln!(out, "    static Object c{at}() throws Throwable {{ {body} }}");
        }
        out + "}\n"
    }

    /// Number of methods.
    pub fn methods(&self) -> usize {
        let mut names: BTreeMap<&str, ()> = BTreeMap::new();
        for (method, _) in &self.cases {
            names.insert(method, ());
        }
        names.len()
    }
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
