//! Build files: dependencies and code generators, read from Maven and Gradle files without running them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::applications::Applications;
use super::properties::module_of;
use super::resources::{Resources, file_name, folder};
use super::xml::{self, Element};

/// One build file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Folder of the build file; empty for the root.
    pub dir: String,
    /// Path of the build file.
    pub path: String,
    /// `group:artifact` of its dependencies, plugins and parent; an unknown group is empty.
    pub uses: BTreeSet<String>,
    /// `group:artifact` of its dependencies except those of tests; entries that only manage versions are left out.
    pub needs: BTreeSet<String>,
    /// Generators that create code from a document.
    pub generators: Vec<Generator>,
    /// Its own artifact id; empty if not declared.
    pub artifact: String,
    /// Its own version as written; empty if not declared.
    pub version: String,
    /// Versions of the artifacts that it uses, by `group:artifact`, as written.
    pub versions: BTreeMap<String, String>,
    /// Properties that versions may refer to.
    pub values: BTreeMap<String, String>,
    /// Whether it builds a web archive.
    pub is_war: bool,
    /// `group:artifact` of its Maven parent.
    pub parent: Option<String>,
    /// Whether it configures that compiled classes keep parameter names.
    pub names_parameters: bool,
}

/// A generator of interfaces and models, as the build file configures it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generator {
    /// Path of the build file.
    pub build_file: String,
    /// Path of the document from the repository's root.
    pub document: String,
    /// `spring`, `jaxrs-spec` …
    pub generator: String,
    /// Package of the interfaces; empty if not set.
    pub api_package: String,
    /// Package of the models; empty if not set.
    pub model_package: String,
    /// Prefix of model names.
    pub model_prefix: String,
    /// Suffix of model names.
    pub model_suffix: String,
    /// Suffix of interface names, after the tag (`Api`).
    pub api_suffix: String,
    /// All other options by name.
    pub options: BTreeMap<String, String>,
}

impl Generator {
    /// Whether an option is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.options.get(name).is_some_and(|value| value == "true")
    }
}

/// All build files of a revision.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// All modules, sorted by folder.
    pub modules: Vec<Module>,
    /// Which modules can be in one application.
    pub applications: Arc<Applications>,
    /// For each module, the modules near it; computed on first use.
    pub(crate) near: OnceLock<Vec<OnceLock<Vec<usize>>>>,
}

impl Build {
    /// Reads every `pom.xml` and Gradle file.
    pub fn load(resources: &Resources) -> Self {
        let mut modules = Vec::new();
        for (path, text) in resources.iter() {
            match file_name(path) {
                "pom.xml" => modules.extend(xml::parse(text).map(|root| maven(path, &root))),
                name if name.ends_with(".gradle") || name.ends_with(".gradle.kts") => modules.push(gradle(path, text)),
                _ => {}
            }
        }
        modules.sort_by(|a, b| (&a.dir, &a.path).cmp(&(&b.dir, &b.path)));
        Self { modules, ..Self::default() }
    }

    /// The path of the first build file that uses an artifact whose `group:artifact` contains this text.
    pub fn uses(&self, text: &str) -> Option<&str> {
        self.modules
            .iter()
            .find(|module| module.uses.iter().any(|name| name.contains(text)))
            .map(|module| module.path.as_str())
    }

    /// Whether any build file was found.
    pub fn is_known(&self) -> bool {
        !self.modules.is_empty()
    }

    /// All generators.
    pub fn generators(&self) -> impl Iterator<Item = &Generator> {
        self.modules.iter().flat_map(|module| &module.generators)
    }

    /// The module of a file: the nearest enclosing folder with a build file.
    pub fn module_of(&self, path: &str) -> Option<&Module> {
        let dir = module_of(path);
        self.modules
            .iter()
            .filter(|module| module.dir.is_empty() || dir == module.dir || dir.starts_with(&format!("{}/", module.dir)))
            .max_by_key(|module| module.dir.len())
    }
}

fn maven(path: &str, root: &Element) -> Module {
    let dir = folder(path).to_owned();
    let properties: BTreeMap<&str, &str> = root
        .child("properties")
        .map(|all| all.children.iter().map(|child| (child.name.as_str(), child.text.as_str())).collect())
        .unwrap_or_default();
    let mut module = Module { dir: dir.clone(), path: path.to_owned(), ..Module::default() };
    module.artifact = root.child_text("artifactId").unwrap_or_default().to_owned();
    module.version = root.child_text("version").unwrap_or_default().to_owned();
    module.values = properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    module.is_war = root.child_text("packaging") == Some("war");
    module.parent = root.child("parent").map(|parent| {
        let of = |name: &str| parent.child_text(name).unwrap_or_default();
        format!("{}:{}", of("groupId"), of("artifactId"))
    });
    module.names_parameters = root.walk().iter().any(|element| {
        matches!(element.name.as_str(), "parameters" | "maven.compiler.parameters")
            || element.text.contains("-parameters")
    });
    let profiles = root.child("profiles").into_iter().flat_map(|all| all.all("profile"));
    for dependencies in std::iter::once(root).chain(profiles).filter_map(|within| within.child("dependencies")) {
        let main = dependencies.all("dependency").filter(|one| one.child_text("scope") != Some("test"));
        module.needs.extend(main.filter_map(|one| {
            Some(format!("{}:{}", one.child_text("groupId").unwrap_or_default(), one.child_text("artifactId")?))
        }));
    }
    for element in root.walk() {
        if matches!(element.name.as_str(), "dependency" | "plugin" | "parent")
            && let Some(artifact) = element.child_text("artifactId")
            && element.child_text("scope") != Some("test")
        {
            let name = format!("{}:{artifact}", element.child_text("groupId").unwrap_or_default());
            if let Some(version) = element.child_text("version") {
                module.versions.insert(name.clone(), version.to_owned());
            }
            module.uses.insert(name);
        }
        if element.name == "plugin" && element.child_text("artifactId").is_some_and(is_generator) {
            let shared = element.child("configuration");
            let own = element.child("executions").into_iter().flat_map(|all| all.all("execution"));
            let mut configurations: Vec<Vec<&Element>> = own
                .filter_map(|execution| execution.child("configuration"))
                .map(|own| shared.into_iter().chain([own]).collect())
                .collect();
            if configurations.is_empty() {
                configurations.extend(shared.map(|shared| vec![shared]));
            }
            for configuration in configurations {
                let mut options = BTreeMap::new();
                for part in configuration {
                    for child in &part.children {
                        if child.name == "configOptions" || child.name == "additionalProperties" {
                            for option in &child.children {
                                options.insert(option.name.clone(), substitute(&option.text, &properties, &dir));
                            }
                        } else if child.name.ends_with("Mappings") {
                            let pairs: Vec<&str> = child.children.iter().map(|one| one.text.trim()).collect();
                            options.insert(child.name.clone(), format!("{}{}", child.text.trim(), pairs.join(",")));
                        } else if child.children.is_empty() {
                            options.insert(child.name.clone(), substitute(&child.text, &properties, &dir));
                        }
                    }
                }
                module.generators.extend(generator(path, &dir, options));
            }
        }
    }
    module
}

fn is_generator(artifact: &str) -> bool {
    matches!(artifact, "openapi-generator-maven-plugin" | "swagger-codegen-maven-plugin")
}

/// Replaces Maven's and Gradle's variables for folders, and the file's own properties.
fn substitute(text: &str, properties: &BTreeMap<&str, &str>, dir: &str) -> String {
    let mut out = text.trim().to_owned();
    for (key, value) in properties {
        out = out.replace(&format!("${{{key}}}"), value);
    }
    for name in ["${project.basedir}", "${basedir}", "$projectDir", "${projectDir}", "${project.projectDir}"] {
        out = out.replace(name, if dir.is_empty() { "." } else { dir });
    }
    for name in [
        "$rootDir",
        "${rootDir}",
        "${maven.multiModuleProjectDirectory}",
        "${project.rootDir}",
        "${session.executionRootDirectory}",
    ] {
        out = out.replace(name, "/");
    }
    out
}

/// Builds a generator, if its options name a document.
fn generator(build_file: &str, dir: &str, mut options: BTreeMap<String, String>) -> Option<Generator> {
    let document = options.remove("inputSpec")?;
    let document = normal_path(dir, &document);
    let mut take = |name: &str| options.remove(name).unwrap_or_default();
    let generator = match take("generatorName") {
        name if name.is_empty() => take("language"),
        name => name,
    };
    let (api_package, model_package) = (take("apiPackage"), take("modelPackage"));
    let (model_prefix, model_suffix) = (take("modelNamePrefix"), take("modelNameSuffix"));
    let api_suffix = match take("apiNameSuffix") {
        name if name.is_empty() => "Api".to_owned(),
        name => name,
    };
    Some(Generator {
        build_file: build_file.to_owned(),
        document,
        generator,
        api_package,
        model_package,
        model_prefix,
        model_suffix,
        api_suffix,
        options,
    })
}

/// A path as written in the build, relative to the repository's root; `dir` is the folder of the build file.
fn normal_path(dir: &str, text: &str) -> String {
    let text = text.replace('\\', "/");
    let absolute = text.starts_with('/');
    let within = text == dir || (!dir.is_empty() && text.starts_with(&format!("{dir}/")));
    let joined = if absolute || within || dir.is_empty() { text.clone() } else { format!("{dir}/{text}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn gradle(path: &str, text: &str) -> Module {
    let dir = folder(path).to_owned();
    let text = without_comments(text);
    let mut module = Module { dir: dir.clone(), path: path.to_owned(), ..Module::default() };
    for quoted in quoted(&text) {
        let mut parts = quoted.split(':');
        if let (Some(group), Some(artifact)) = (parts.next(), parts.next())
            && !artifact.is_empty()
            && group.contains('.')
        {
            let name = format!("{group}:{artifact}");
            if let Some(version) = parts.next() {
                module.versions.insert(name.clone(), version.to_owned());
            }
            module.needs.insert(name.clone());
            module.uses.insert(name);
        }
    }
    for line in text.lines().filter(|line| line.contains("version")) {
        // `id 'org.springframework.boot' version '2.1.3'`
        if let [plugin, version, ..] = quoted(line).as_slice()
            && plugin.contains('.')
            && version.starts_with(|c: char| c.is_ascii_digit())
        {
            module.versions.insert(format!("{plugin}:plugin"), (*version).to_owned());
        }
    }
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '(' | ')')) {
        if word == "org.springframework.boot"
            || word == "org.openapi.generator"
            || word == "org.hidetake.swagger.generator"
        {
            module.uses.insert(format!("{word}:plugin"));
        }
    }
    for block in blocks(&text) {
        let options = assignments(&block, &dir);
        module.generators.extend(generator(path, &dir, options));
    }
    module
}

/// Text between single or double quotes, line by line.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(open) = rest.find(['\'', '"']) {
            let quote = &rest[open..=open];
            let Some(length) = rest[open + 1..].find(quote) else { break };
            found.push(&rest[open + 1..open + 1 + length]);
            rest = &rest[open + 2 + length..];
        }
    }
    found
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.trim_start().starts_with('*'));
    lines.fold(String::new(), |mut all, line| {
        all.push_str(line);
        all.push('\n');
        all
    })
}

/// The innermost blocks in braces that set `inputSpec`, each with the blocks nested in it.
fn blocks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut taken_until = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' if !text[..at].ends_with('$') => open.push(at),
            '{' => open.push(usize::MAX),
            '}' => {
                let Some(start) = open.pop().filter(|start| *start != usize::MAX) else { continue };
                let block = &text[start + 1..at];
                if start >= taken_until && block.contains("inputSpec") {
                    found.push(block.to_owned());
                    taken_until = at;
                }
            }
            _ => {}
        }
    }
    found
}

/// The assignments of a block: `key = "value"`, `key.set("value")`, `key: "value"` and `"key" to "value"`.
fn assignments(block: &str, dir: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in block.split(['\n', ';', ',', '[']) {
        let line = line.trim();
        let end = line.trim_start_matches(['"', '\'']).find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        let lead = line.len() - line.trim_start_matches(['"', '\'']).len();
        let key = &line[lead..lead + end];
        let rest = line[lead + end..].trim_start_matches(['"', '\'']).trim_start();
        let rest = ["=", ".set(", ":", "to "].iter().find_map(|mark| rest.strip_prefix(mark));
        let Some(value) = rest.filter(|_| !key.is_empty()) else { continue };
        let value = value.trim().trim_end_matches([')', ']', '}']).trim();
        let value = value.trim_start_matches("file(").trim_start_matches(['"', '\'']);
        // Text after the closing quote, such as `.toString()`, is not part of the value.
        let value = value.split(['"', '\'']).next().unwrap_or(value);
        found.entry(key.to_owned()).or_insert_with(|| substitute(value, &BTreeMap::new(), dir));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maven_generator_is_read_with_its_options() {
        let pom = "<project><properties><p>com.acme</p></properties><build><plugins><plugin><artifactId>openapi-generator-maven-plugin</artifactId>\
            <executions><execution><configuration><inputSpec>${project.basedir}/src/main/resources/api.yml</inputSpec><generatorName>spring</generatorName>\
            <apiPackage>${p}.api</apiPackage><modelNameSuffix>Dto</modelNameSuffix><configOptions><useTags>true</useTags></configOptions>\
            </configuration></execution></executions></plugin></plugins></build></project>";
        let build = Build::load(&Resources::from_texts(&[("svc/pom.xml", pom)]));
        let generator = build.generators().next().unwrap();
        assert_eq!(generator.document, "svc/src/main/resources/api.yml");
        assert_eq!((generator.api_package.as_str(), generator.model_suffix.as_str()), ("com.acme.api", "Dto"));
        assert!(generator.flag("useTags"));
        assert!(build.uses("openapi-generator-maven-plugin").is_some());
    }

    #[test]
    fn a_gradle_generator_is_read_in_both_languages() {
        let groovy = "dependencies {\n implementation 'org.springframework.boot:spring-boot-starter-actuator:3'\n}\nopenApiGenerate {\n generatorName = 'spring'\n inputSpec = \"$rootDir/specs/api.yaml\".toString()\n apiPackage = 'com.acme.api'\n configOptions = [\n  useTags: 'true',\n  interfaceOnly: \"true\"\n ]\n}\n";
        let kotlin = "openApiGenerate {\n generatorName.set(\"spring\")\n inputSpec.set(\"$projectDir/api.yaml\")\n configOptions.set(mapOf(\"useTags\" to \"true\"))\n}\n";
        let build = Build::load(&Resources::from_texts(&[("a/build.gradle", groovy), ("b/build.gradle.kts", kotlin)]));
        let found: Vec<_> = build.generators().collect();
        assert_eq!(found[0].document, "specs/api.yaml");
        assert_eq!(found[0].api_package, "com.acme.api");
        assert!(found[0].flag("useTags") && found[0].flag("interfaceOnly"));
        assert_eq!(found[1].document, "b/api.yaml");
        assert!(build.uses("spring-boot-starter-actuator").is_some());
    }
}
