//! Statements of MyBatis XML files as inputs: for the operations that reach the method of the mapper interface, or name
//! the statement.

use std::collections::{BTreeSet, HashMap};

use super::input::{GlobalInput, ReachedCode};
use crate::files::resources::is_aside;
use crate::files::xml;
use crate::routing::Inputs;
use mastor_java::ir::ids::MemberId;
use mastor_java::project::index::Project;
use mastor_types::Hash;
use mastor_types::manifest::InputClass;

/// Elements that are executable statements.
const STATEMENTS: [&str; 4] = ["select", "insert", "update", "delete"];

/// One statement.
struct Statement {
    input: GlobalInput,
    /// Its namespace and its id.
    id: String,
    /// Methods of the mapper interface that run it.
    methods: Vec<MemberId>,
    /// Indices of the literals that name it.
    named_by: Vec<u32>,
}

/// All statements of a revision.
#[derive(Default)]
pub(super) struct MapperInputs {
    statements: Vec<Statement>,
}

/// An element of a mapper file, as written.
struct MapperElement {
    kind: String,
    namespace: String,
    id: Option<String>,
    text: String,
}

impl MapperInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let paths = inputs.tree.files().map(|entry| entry.path.as_str());
        let files = paths.filter(|path| path.ends_with(".xml") && !is_aside(path));
        Self::of_files(inputs.project, files.filter_map(|path| Some((path, inputs.resources.text(path)?.to_string()))))
    }

    fn of_files<'a>(project: &Project, files: impl Iterator<Item = (&'a str, String)>) -> Self {
        let files: Vec<(&str, Vec<MapperElement>)> =
            files.filter_map(|(path, text)| Some((path, pieces(&text)?))).collect();
        // Other statements can fill results, so a statement's hash covers them.
        let used = ElementReferences::of(files.iter().flat_map(|(_, pieces)| pieces).collect());
        let mut statements = Vec::new();
        let all = files.iter().flat_map(|(path, pieces)| pieces.iter().map(move |piece| (path, piece)));
        for (at, (path, piece)) in all.enumerate() {
            if piece.is_statement() {
                let id = format!("{}.{}", piece.namespace, piece.id.as_deref().unwrap_or_default());
                // Several statements can have one name, one for each database.
                let before = statements.iter().filter(|other: &&Statement| other.id == id).count();
                let variant = if before == 0 { String::new() } else { format!(" {}", before + 1) };
                let hash = Hash::of(used.text(at).as_bytes());
                let input = GlobalInput {
                    id: format!("global:{path} statement {id}{variant}").into(),
                    file: (*path).into(),
                    class: InputClass::Environment,
                    hash,
                };
                statements.push(Statement { input, id, methods: methods(project, piece), named_by: Vec::new() });
            }
        }
        Self { statements }
    }

    /// Records which literals name which statement.
    pub(super) fn index(&mut self, literals: &[&str]) {
        for statement in &mut self.statements {
            let name = statement.id.rsplit('.').next().unwrap_or_default();
            // Code can build the name from a namespace and a suffix.
            let names = |text: &str| text == statement.id || text.rsplit('.').next() == Some(name);
            let naming = literals.iter().zip(0..).filter(|(text, _)| names(text)).map(|(_, at)| at);
            statement.named_by = naming.collect();
        }
    }

    pub(super) fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let one = |statement: &Statement| {
            let runs = statement.methods.iter().any(|method| touched.has_member(*method));
            let code = runs || touched.has_any(&statement.named_by);
            let class = if code { InputClass::Code } else { InputClass::Environment };
            // Unknown code may run a statement without a method by its name.
            (code || statement.methods.is_empty()).then(|| GlobalInput { class, ..statement.input.clone() })
        };
        self.statements.iter().filter_map(one).collect()
    }
}

/// Whether a file is a mapper file, whose statements are inputs of their own.
pub(super) fn is_mapper(text: &str) -> bool {
    pieces(text).is_some()
}

/// The elements of a mapper file; `None` for other files.
fn pieces(text: &str) -> Option<Vec<MapperElement>> {
    if !text.contains("<mapper") {
        return None;
    }
    let root = xml::parse(text).filter(|root| root.name == "mapper")?;
    let namespace = root.attribute("namespace")?.to_owned();
    let mut found = Vec::new();
    for child in &root.children {
        let inner = text.get(child.offset..).unwrap_or_default();
        let inner = inner.split_once(&format!("</{}>", child.name)).map_or("", |(inner, _)| inner);
        let closed = text.get(..child.offset).is_some_and(|before| before.ends_with("/>"));
        let inner = if closed { "" } else { inner };
        let attributes: Vec<String> =
            child.attributes.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
        let words: Vec<&str> = inner.split_whitespace().collect();
        found.push(MapperElement {
            kind: child.name.clone(),
            namespace: namespace.clone(),
            id: child.attribute("id").map(str::to_owned),
            text: format!("<{} {}>{}", child.name, attributes.join(" "), words.join(" ")),
        });
    }
    // If a syntax error or a comment hides statements, the file counts as a whole.
    let written = |kind: &str| {
        let mark = format!("<{kind}");
        text.split(&mark).skip(1).filter(|rest| rest.starts_with(char::is_whitespace)).count()
    };
    let read = |kind: &str| found.iter().filter(|piece| piece.kind == kind && piece.id.is_some()).count();
    STATEMENTS.iter().all(|kind| written(kind) == read(kind)).then_some(found)
}

impl MapperElement {
    fn is_statement(&self) -> bool {
        self.id.is_some() && STATEMENTS.contains(&self.kind.as_str())
    }

    /// Whether it refers to another element by a name with a placeholder, which may be any element.
    fn includes_any(&self) -> bool {
        let quoted = ['"', '\''].into_iter().flat_map(|quote| self.text.split(quote).skip(1).step_by(2));
        quoted.into_iter().any(|text| text.contains("${"))
    }

    /// The names of elements that it may refer to: all quoted texts, and if it contains a list (`a, b`) all words.
    fn names(&self) -> impl Iterator<Item = &str> {
        let quoted = ['"', '\''].into_iter().flat_map(|quote| self.text.split(quote).skip(1));
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
        let words = self.text.contains(',').then(|| self.text.split(move |c| !is_of_word(c)));
        quoted.chain(words.into_iter().flatten())
    }
}

/// Which elements of mapper files refer to which others, by an include or as a result map.
struct ElementReferences<'p> {
    pieces: Vec<&'p MapperElement>,
    /// For each element, the indices of those that it refers to directly, ascending.
    by: Vec<Vec<usize>>,
}

impl<'p> ElementReferences<'p> {
    fn of(pieces: Vec<&'p MapperElement>) -> Self {
        let mut of_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut of_file: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut named = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            match &piece.id {
                Some(id) => {
                    of_name.entry(format!("{}.{id}", piece.namespace)).or_default().push(at);
                    named.push(at);
                }
                // Caches and other elements without an id apply to the whole file.
                None => of_file.entry(&piece.namespace).or_default().push(at),
            }
        }
        let by = pieces.iter().map(|piece| {
            let mut used: BTreeSet<usize> =
                of_file.get(piece.namespace.as_str()).into_iter().flatten().copied().collect();
            match piece.includes_any() {
                true => used.extend(&named),
                false => {
                    for name in piece.names() {
                        let near = of_name.get(&format!("{}.{name}", piece.namespace));
                        used.extend(near.into_iter().chain(of_name.get(name)).flatten());
                    }
                }
            }
            used.into_iter().collect()
        });
        let by = by.collect();
        Self { pieces, by }
    }

    /// The text of an element, followed by the texts of all elements that it refers to, directly or indirectly.
    fn text(&self, at: usize) -> String {
        let (mut seen, mut order) = (BTreeSet::from([at]), vec![at]);
        let mut next = 0;
        while let Some(one) = order.get(next).copied() {
            order.extend(self.by[one].iter().filter(|used| seen.insert(**used)));
            next += 1;
        }
        order.iter().map(|at| self.pieces[*at].text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// The methods of the mapper interface or its supertypes that run a statement.
fn methods(project: &Project, piece: &MapperElement) -> Vec<MemberId> {
    let Some(ty) = project.by_fqn(&piece.namespace) else { return Vec::new() };
    let all = std::iter::once(ty).chain(project.all_supers(ty)).flat_map(|ty| project.members(ty));
    all.filter(|member| Some(&project.member(*member).name) == piece.id.as_ref()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = r#"<mapper namespace="a.Users">
        <sql id="columns">id, name</sql>
        <resultMap id="user" type="a.User"><result property="name" column="name"/></resultMap>
        <select id="all" resultMap="user">select <include refid="columns"/> from users order by id</select>
        <select id="one" resultType="int">select 1 from users</select>
    </mapper>"#;

    #[test]
    fn a_file_of_any_name_is_read_where_it_holds_statements() {
        let text = format!("<?xml version=\"1.0\"?>\n<!DOCTYPE mapper PUBLIC \"a\" \"b\">\n{XML}");
        let texts = [
            ("src/main/resources/sql/Users.xml", text.as_str()),
            ("src/main/resources/sql/Data.xml", "<rows/>"),
            ("src/test/resources/sql/Users.xml", text.as_str()),
        ];
        let resources = crate::files::resources::Resources::from_texts(&texts);
        let read: Vec<&str> = resources.iter().map(|(path, _)| path).collect();
        assert_eq!(read, ["src/main/resources/sql/Users.xml"]);
        assert!(is_mapper(resources.text(read[0]).unwrap()));
    }

    #[test]
    fn a_statement_belongs_to_the_operations_that_reach_its_method() {
        let project =
            Project::from_sources(&[("a/Users.java", "package a; interface Users { User all(); int one(); }")]);
        let ty = project.by_fqn("a.Users").unwrap();
        let of = |xml: &str, name: &str| {
            let inputs = MapperInputs::of_files(&project, [("users.xml", xml.to_owned())].into_iter());
            let members: Vec<_> = project.members(ty).filter(|m| project.member(*m).name == name).collect();
            inputs.inputs_for(&ReachedCode { home: "", members: &members, types: &[], used: &[], said: &[] })
        };
        let (all, one) = (of(XML, "all"), of(XML, "one"));
        assert_eq!((all.len(), one.len()), (1, 1));
        assert_eq!(&*all[0].id, "global:users.xml statement a.Users.all");
        assert_eq!(all[0].class, InputClass::Code);
        for (from, to) in [("order by id", "order by name"), ("id, name", "id"), ("column=\"name\"", "column=\"id\"")] {
            let edited = XML.replace(from, to);
            assert_ne!(of(&edited, "all"), all, "{to}");
            assert_eq!(of(&edited, "one"), one, "{to}");
        }
        assert!(
            is_mapper(XML) && !is_mapper(&XML.replace("</select>\n        <select id=\"one\"", "<select id=\"one\""))
        );
    }
}
