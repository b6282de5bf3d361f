//! Files other than Java, properties and SQL as inputs of operations.
//!
//! A file belongs to the operations whose code names it. Descriptors that frameworks read belong to all operations. All
//! other files and the build files are environment.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::includes::{Templates, is_template};
use super::input::{GlobalInput, ReachedCode};
use super::mapper_inputs::is_mapper;
use crate::files::resources::{file_name, is_aside};
use crate::routing::Inputs;
use mastor_types::Hash;
use mastor_types::manifest::InputClass;

/// Largest template in which includes are searched, in bytes.
const LARGEST: u64 = 1 << 20;

/// One file.
struct File {
    input: GlobalInput,
    /// The names that code may use for it: file name, path below the resource root, and both without extension.
    names: Vec<String>,
    /// Whether it is a descriptor that frameworks read to decide how requests are answered.
    descriptor: bool,
    /// Whether it is served unchanged: it counts only if code names it.
    front_end: bool,
    /// Indices of the literals that name it.
    named_by: Vec<u32>,
    /// The numbers of the templates that it includes.
    includes: BTreeSet<usize>,
}

/// All files of a revision that are neither Java, properties nor SQL.
pub(super) struct ResourceInputs {
    files: Vec<File>,
}

impl ResourceInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let mut files = Vec::new();
        for entry in inputs.tree.files() {
            let path = entry.path.as_str();
            let build = is_build_file(path);
            let Some(below) = below_resources(path).or(build.then_some(path)) else { continue };
            if is_aside(path) || is_read_elsewhere(path) {
                continue;
            }
            // Text is hashed independently of line ends, any other file by its blob id.
            let hash = match inputs.resources.text(path) {
                Some(text) if path.ends_with(".xml") && is_mapper(text) => continue,
                Some(text) => Hash::of(text.replace("\r\n", "\n").as_bytes()),
                None => Hash::of(entry.blob.to_string().as_bytes()),
            };
            let name = file_name(path);
            let stem = |text: &str| text.rsplit_once('.').map_or(text, |(stem, _)| stem).to_owned();
            let mut names = vec![name.to_owned(), below.to_owned(), format!("/{below}"), stem(below)];
            if let Some(view) = below.strip_prefix("templates/") {
                names.extend([stem(view), view.to_owned()]);
            }
            let input = GlobalInput {
                id: format!("global:{path}").into(),
                file: path.into(),
                class: InputClass::Environment,
                hash,
            };
            let (descriptor, front_end) = (is_descriptor(below), is_front_end(below));
            files.push(File { input, names, descriptor, front_end, named_by: Vec::new(), includes: BTreeSet::new() });
        }
        let mut templates = Templates::default();
        let all = || files.iter().enumerate().filter(|(_, file)| is_template(&file.input.file));
        all().for_each(|(number, file)| templates.add(number, &file.names));
        // A template that cannot be read may include any other.
        let included = |(number, file): (usize, &File)| {
            let text = inputs.tree.text_within(&file.input.file, LARGEST);
            (number, text.map_or_else(|_| templates.all(), |text| templates.included(&text.text)))
        };
        let included: Vec<(usize, BTreeSet<usize>)> = all().map(included).collect();
        included.into_iter().for_each(|(number, included)| files[number].includes = included);
        Self { files }
    }

    /// Records which literals of a project name which file.
    pub(super) fn index(&mut self, literals: &[&str]) {
        // Sorted by their reversed bytes, literals with a common suffix are adjacent.
        let backwards = |text: &str| text.bytes().rev().collect::<Vec<u8>>();
        let read = |(literal, at): (&&str, u32)| (backwards(literal.strip_prefix("classpath:").unwrap_or(literal)), at);
        let mut read: Vec<(Vec<u8>, u32)> = literals.par_iter().zip(0..literals.len() as u32).map(read).collect();
        read.par_sort_unstable();
        self.files.par_iter_mut().for_each(|file| {
            for (at, name) in file.names.iter().enumerate() {
                let name = backwards(name);
                let first = read.partition_point(|(plain, _)| *plain < name);
                let ending = read[first..].iter().take_while(|(plain, _)| plain.starts_with(&name));
                let naming = ending.filter(|(plain, _)| *plain == name || (at == 0 && plain.len() > 3));
                file.named_by.extend(naming.map(|(_, literal)| *literal));
            }
        });
        self.pass_on();
    }

    /// A literal that names a template also names the templates that it includes.
    fn pass_on(&mut self) {
        let mut passed: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for (first, file) in self.files.iter().enumerate().filter(|(_, file)| !file.includes.is_empty()) {
            let (mut seen, mut open) = (BTreeSet::from([first]), Vec::from_iter(file.includes.iter().copied()));
            while let Some(number) = open.pop() {
                if seen.insert(number) {
                    passed.entry(number).or_default().extend(&file.named_by);
                    open.extend(&self.files[number].includes);
                }
            }
        }
        for (number, literals) in passed {
            let named_by = &mut self.files[number].named_by;
            let more: Vec<u32> = literals.into_iter().filter(|literal| !named_by.contains(literal)).collect();
            named_by.extend(more);
        }
    }

    pub(super) fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let one = |file: &File| {
            let code = touched.has_any(&file.named_by) || file.descriptor;
            let class = if code { InputClass::Code } else { InputClass::Environment };
            (code || !file.front_end).then(|| GlobalInput { class, ..file.input.clone() })
        };
        self.files.iter().filter_map(one).collect()
    }
}

fn below_resources(path: &str) -> Option<&str> {
    ["src/main/resources/", "src/main/webapp/", "src/main/conf/", "conf/"].iter().find_map(|root| {
        path.find(root).filter(|at| *at == 0 || path[..*at].ends_with('/')).map(|at| &path[at + root.len()..])
    })
}

fn is_build_file(path: &str) -> bool {
    matches!(
        file_name(path),
        "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
            | "settings.gradle"
            | "settings.gradle.kts"
            | "gradle.properties"
            | "libs.versions.toml"
    )
}

/// Whether a file is served unchanged, so that it affects no operation unless code names it.
fn is_front_end(below: &str) -> bool {
    let first = below.split('/').next().unwrap_or(below);
    let ending = below.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    matches!(first, "static" | "public" | "swagger" | "swagger-ui")
        || matches!(
            ending.as_str(),
            "css"
                | "js"
                | "map"
                | "png"
                | "jpg"
                | "jpeg"
                | "gif"
                | "svg"
                | "ico"
                | "woff"
                | "woff2"
                | "ttf"
                | "eot"
                | "md"
        )
}

/// Whether the file has inputs of another kind: properties, SQL, documents, Java.
fn is_read_elsewhere(path: &str) -> bool {
    let name = file_name(path);
    let properties =
        name.ends_with(".properties") && !crate::files::properties::is_messages(name) && name != "gradle.properties";
    let yaml = (name.starts_with("application") || name.starts_with("bootstrap"))
        && (name.ends_with(".yml") || name.ends_with(".yaml"));
    properties
        || yaml
        || name.ends_with(".sql")
        || name.ends_with(".java")
        || name.contains("openapi")
        || name.contains("swagger")
}

/// Whether a file is a descriptor that frameworks read by convention.
fn is_descriptor(below: &str) -> bool {
    let name = file_name(below);
    below.starts_with("META-INF/services/")
        || matches!(
            name,
            "web.xml"
                | "orm.xml"
                | "persistence.xml"
                | "beans.xml"
                | "validation.xml"
                | "faces-config.xml"
                | "spring.factories"
        )
        || (name.ends_with(".xml")
            && ["context", "beans", "servlet", "security"].iter().any(|part| name.to_ascii_lowercase().contains(part)))
        || below.starts_with("META-INF/spring/")
        || name.starts_with("ValidationMessages")
}
