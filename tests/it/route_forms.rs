//! Routes in the forms that frameworks allow: mappings without a method, nested router functions, handlers behind interfaces.

use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

fn found(code: &str) -> (Repo, Vec<String>, Vec<String>) {
    let repo = Repo::new().file(PATH, code).commit("first");
    let found = repo.json(["operations", "--format", "json"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let operations = found["operations"].as_array().unwrap().iter().map(|one| text(&one["op_id"])).collect();
    let warnings = found["warnings"].as_array().unwrap().iter().map(|one| text(&one["code"])).collect();
    (repo, operations, warnings)
}

#[test]
fn a_mapping_without_a_method_is_one_operation() {
    let code = "package a; import org.springframework.web.bind.annotation.*; @RestController class C {\n\
        @RequestMapping(\"/any\") String any() { return \"a\"; } @RequestMapping(\"/body\") String body(@RequestBody String s) { return s; }\n\
        @RequestMapping(\"/mixed\") String rest() { return \"a\"; } @GetMapping(\"/mixed\") String get() { return \"b\"; }\n\
        @RequestMapping(path = \"/own\", method = RequestMethod.OPTIONS) String own() { return \"a\"; }\n\
        @RequestMapping(path = \"/own\", method = RequestMethod.HEAD) void head() { } }";
    let (_, operations, _) = found(code);
    assert_eq!(operations, ["GET /any", "GET /mixed", "HEAD /own", "OPTIONS /own", "POST /body", "POST /mixed"]);
}

#[test]
fn a_mapping_without_a_method_serves_what_the_document_says() {
    let code = "package a; import org.springframework.web.bind.annotation.*; @RestController class C { @RequestMapping(\"/any\") String any() { return \"a\"; } }";
    let document = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /any:\n    put: {responses: {'200': {description: ok}}}\n    delete: {responses: {'200': {description: ok}}}\n";
    let repo = Repo::new().file(PATH, code).file("openapi.yaml", document).commit("first");
    let found = repo.json(["operations", "--format", "json"]);
    let of =
        |one: &serde_json::Value| format!("{} {}", one["op_id"].as_str().unwrap(), one["status"].as_str().unwrap());
    let operations: Vec<String> = found["operations"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(operations, ["DELETE /any matched", "PUT /any matched"]);
}

const FUNCTIONAL: &str = "package a; import org.springframework.context.annotation.*; import org.springframework.web.servlet.function.*;\n\
    import static org.springframework.web.servlet.function.RouterFunctions.*; import static org.springframework.web.servlet.function.RequestPredicates.*;\n\
    interface H { ServerResponse a(ServerRequest r); ServerResponse b(ServerRequest r); }\n\
    @org.springframework.stereotype.Component class Only implements H { public ServerResponse a(ServerRequest r) { return one(); }\n\
    public ServerResponse b(ServerRequest r) { return null; } ServerResponse one() { int n = 1; return null; } }\n\
    @Configuration class F { @Bean RouterFunction<ServerResponse> all(H h) { ";

#[test]
fn router_functions_nest_in_every_form_and_a_path_that_is_not_known_is_named() {
    let forms = "return route().GET(\"/a\", h::a).path(\"/p\", b -> b.GET(\"/a\", h::a).nest(path(\"/q\"), c -> { c.POST(\"/b\", h::b); }))\n\
        .add(nest(path(\"/n\"), route(GET(\"/a\"), h::a).andNest(path(\"/o\"), route(HEAD(\"/b\"), h::b)))).build(); } }";
    let (repo, operations, warnings) = found(&format!("{FUNCTIONAL}{forms}"));
    assert_eq!(operations, ["GET /a", "GET /n/a", "GET /p/a", "HEAD /n/o/b", "POST /p/q/b"]);
    assert_eq!(warnings, [""; 0]);
    let repo = repo.edit(PATH, "int n = 1", "int n = 2");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let affected = plan["operations"].as_array().unwrap().iter().filter(|one| one["state"] == "affected");
    let affected: Vec<&str> = affected.map(|one| one["op_id"].as_str().unwrap()).collect();
    assert!(["GET /a", "GET /n/a", "GET /p/a"].iter().all(|one| affected.contains(one)), "{affected:?}");
    let open =
        "return nest(path(prefix()), route(GET(\"/a\"), h::a)); } String prefix() { return System.getenv(\"P\"); } }";
    assert_eq!(found(&format!("{FUNCTIONAL}{open}")).2, ["path-not-constant"]);
    let collected = "return null; } } interface Part { RouterFunction<ServerResponse> part(); }\n\
        class Own implements Part { H h; public RouterFunction<ServerResponse> part() { return route(GET(\"/a\"), h::a); } }";
    assert_eq!(
        found(&format!("{FUNCTIONAL}{collected}")).2,
        ["path-not-constant"],
        "whoever collects the parts nests them"
    );
}

#[test]
fn a_handler_behind_an_interface_is_whatever_implements_it() {
    let second = "@org.springframework.stereotype.Component class Second implements H { public ServerResponse a(ServerRequest r) { int m = 1; return null; }\n\
        public ServerResponse b(ServerRequest r) { return null; } }";
    let code = format!("{FUNCTIONAL}return route(GET(\"/a\"), h::a); }} }}\n{second}");
    let repo = Repo::new().file(PATH, code).commit("first");
    for (from, to) in [("int m = 1", "int m = 2"), ("int n = 1", "int n = 2")] {
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        assert_eq!(plan["counts"]["affected"], 0);
        let text = repo.read(PATH);
        std::fs::write(repo.path().join(PATH), text.replace(from, to)).unwrap();
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        assert_eq!(plan["counts"]["affected"], 1, "{to}");
        std::fs::write(repo.path().join(PATH), text).unwrap();
    }
}
