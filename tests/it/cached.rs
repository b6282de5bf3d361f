//! The cache changes no result: after any sequence of edits, an analysis with the cache equals the one without.

use std::sync::Arc;

use mastor::config::{Overrides, services};
use mastor::extract::manifests::kept;
use mastor::extract::{self, Fingerprints};
use mastor::revision::SourceTree;
use mastor::store::Cache;
use mastor::types::event::Events;
use proptest::prelude::*;

/// Files of a small service, each with its possible texts; an empty text means that the file does not exist.
const FILES: &[(&str, &[&str])] = &[
    (
        "src/main/java/a/Things.java",
        &[
            "package a; import b.*; @RestController class Things { final Store store; Things(Store store) { this.store = store; }
            @GetMapping(\"/t/{id}\") Object get(String id) { return store.find(id); }
            @GetMapping(\"/n\") Object name() { Base base = new Leaf(); base.run(); return Names.of(Leaf.class); } }",
            "package a; import b.*; @RestController class Things { final Store store; Things(Store store) { this.store = store; }

            @GetMapping(\"/t/{id}\") Object get(String id) { if (id.isEmpty()) { return null; } return store.find(id); }
            @GetMapping(\"/n\") Object name() { Base base = new Leaf(); base.run(); return Names.of(Leaf.class); } }",
            "package a; import b.*; @RestController class Things { final Store store; Things(Store store) { this.store = store; }
            @GetMapping(\"/t/{id}\") Object get(String id) { return store.find(id, 1); }
            @PostMapping(\"/n\") Object name() { Base base = new Base(); base.run(); return Names.of(Leaf.class); } }",
        ],
    ),
    (
        "src/main/java/b/Store.java",
        &[
            "package b; public interface Store { Object find(String id); default Object find(String id, int n) { return find(id); } }",
            "package b; public interface Store { Object find(CharSequence id); Object find(String id, long n); }",
        ],
    ),
    (
        "src/main/java/b/First.java",
        &[
            "package b; @Service public class First implements Store { public Object find(String id) { return new Helper().help(id); } }",
            "package b; @Service public class First implements Store { public Object find(String id) { return new Helper().help(1); } }",
            "package b; @Service @Primary public class First implements Store { public Object find(CharSequence id) { return id; }
            public Object find(String id, long n) { return Helper.LIMIT; } }",
        ],
    ),
    (
        "src/main/java/b/Second.java",
        &[
            "",
            "package b; @Service public class Second implements Store { public Object find(String id) { return Helper.NAME; } }",
            "package b; @Service public class Second extends First { public Object find(String id) { return toString(); }
            public String toString() { return \"second\"; } }",
        ],
    ),
    (
        "src/main/java/b/Helper.java",
        &[
            "package b; class Helper { static final int LIMIT = 1; static String NAME = name(); static String name() { return \"${a.key}\"; }
            Object help(Object o) { return o; } }",
            "package b; class Helper { static final int LIMIT = 2; static String NAME = \"n\";
            Object help(Object o) { return other(o); } Object help(int i) { return i; } Object other(Object o) { return o.hashCode(); } }",
        ],
    ),
    ("src/main/java/b/Base.java", &["package b; public class Base { public void run() { one(); } void one() { } }"]),
    (
        "src/main/java/b/Leaf.java",
        &[
            "package b; public class Leaf extends Base { public Leaf() { } }",
            "package b; public class Leaf extends Base { public void run() { super.run(); } void one() { two(); } void two() { } }",
        ],
    ),
    ("src/main/java/a/Leaf.java", &["", "package a; class Leaf extends b.Base { Leaf() { three(); } void three() { } }"]),
    (
        "src/main/java/b/Names.java",
        &[
            "package b; public class Names { public static String of(Class<?> c) { return Inner.of(c); } }",
            "package b; public class Names { public static String of(Class<?> c) { return Inner.of(c) + c.getName(); } }",
            "package b; public class Names { public static Object of(Class<?> c) throws Exception { return c.newInstance(); } }",
        ],
    ),
    (
        "src/main/java/b/Inner.java",
        &[
            "package b; class Inner { static String of(Class<?> c) { return c.getSimpleName(); } }",
            "package b; class Inner { static String of(Class<?> c) { Object o = c; return o.toString(); } }",
            "",
        ],
    ),
    ("src/main/resources/application.properties", &["a.key=1\n", "a.key=2\n", ""]),
    ("pom.xml", &["<project><artifactId>a</artifactId></project>"]),
];

/// The result of an analysis as text: manifests, and how each member was reached.
fn analysed(tree: &SourceTree, cache: Option<&Arc<Cache>>) -> String {
    let settings = services(tree, &Overrides::default()).unwrap().remove(0);
    let surface = extract::surface(tree, &settings, cache, &Events::silent()).unwrap();
    let analysis = extract::analyse(surface, &Events::silent());
    let mut said = String::new();
    for operation in &analysis.operations {
        said.push_str(&format!("{}\n{}\n", operation.op_id, operation.manifest.to_lines()));
        let Some(closure) = analysis.closures.get(&operation.op_id) else { continue };
        for (member, edge) in closure.members.iter() {
            said.push_str(&format!("{} {edge:?}\n", analysis.surface.project.symbol(*member)));
        }
        said.push_str(&format!("{:?} {:?} {:?}\n", closure.widenings, closure.library, closure.missing));
    }
    said
}

/// Checks that the analysis stored for plans equals the computed one.
fn kept_as_analysed(tree: &SourceTree, cache: &Arc<Cache>) {
    let settings = services(tree, &Overrides::default()).unwrap().remove(0);
    let surface = extract::surface(tree, &settings, Some(cache), &Events::silent()).unwrap();
    let analysis = extract::analyse(surface, &Events::silent());
    let files = tree.files().map(|file| file.blob.as_bytes().as_slice());
    let key = kept::key(files);
    assert!(Fingerprints::load(cache, key).is_none());
    Fingerprints::keep(&analysis, cache, key);
    let kept = Fingerprints::load(cache, key).unwrap();
    assert_eq!(kept.operations.len(), analysis.operations.len());
    for (kept_one, one) in kept.operations.iter().zip(&analysis.operations) {
        assert_eq!((&kept_one.op_id, &kept_one.entry), (&one.op_id, &one.entry));
        assert_eq!((&kept_one.manifest, kept_one.says_names), (&one.manifest, one.says_names));
        for (input, ..) in one.manifest.iter() {
            assert_eq!(kept.place(input), analysis.place(input), "{input}");
        }
    }
}

fn tree(state: &[usize]) -> SourceTree {
    let imports = ["web.bind.annotation", "stereotype", "context.annotation"];
    let imports: String = imports.iter().map(|package| format!("; import org.springframework.{package}.*")).collect();
    let texts = FILES.iter().zip(state).map(|((path, texts), at)| (*path, texts[at % texts.len()]));
    let texts = texts.filter(|(_, text)| !text.is_empty());
    SourceTree::from_memory(texts.map(|(path, text)| (path, text.replacen(';', &format!("{imports};"), 1))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_edits_gives_what_no_cache_gives(edits in prop::collection::vec((0..FILES.len(), 0..3_usize), 1..10)) {
        let dir = tempfile::tempdir().unwrap();
        let mut state = vec![0; FILES.len()];
        for (file, text) in [(0, 0)].into_iter().chain(edits) {
            state[file] = text;
            let tree = tree(&state);
            // Reopened, as the next run does.
            let cache = Arc::new(Cache::open(dir.path()));
            prop_assert_eq!(analysed(&tree, Some(&cache)), analysed(&tree, None));
        }
    }
}

#[test]
fn every_single_edit_gives_what_no_cache_gives_and_most_change_something() {
    let dir = tempfile::tempdir().unwrap();
    let first = vec![0; FILES.len()];
    let before = analysed(&tree(&first), Some(&Arc::new(Cache::open(dir.path()))));
    assert!(before.contains("b.First#find(String)") && before.contains("b.Helper#help(Object)"), "{before}");
    let mut changed = 0;
    for (file, (path, texts)) in FILES.iter().enumerate() {
        for text in 1..texts.len() {
            let mut state = first.clone();
            state[file] = text;
            let cache = Arc::new(Cache::open(dir.path()));
            let warm = analysed(&tree(&state), Some(&cache));
            assert_eq!(warm, analysed(&tree(&state), None), "{path}, text {text}");
            changed += usize::from(warm != before);
            kept_as_analysed(&tree(&state), &cache);
        }
    }
    assert!(changed >= 12, "only {changed} edits changed anything");
}
