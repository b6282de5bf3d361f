//! HTTP servers that code starts itself: the rule `jdk-http-server`. The expected answers are those of a server of JDK 17.

use mastor::derive::{Derived, derive};
use mastor::openapi::{MemoryFiles, read};
use mastor::runtime::Subject;
use mastor::types::Method;
use mastor::types::suite::assertion::Check;

use crate::loaded::Service;

const IMPORTS: &str = "package a; import com.sun.net.httpserver.*; import java.io.*; import java.net.*; \
    import java.nio.charset.StandardCharsets; import java.util.*; import java.util.concurrent.Executors; ";

const SEND: &str = "static void send(HttpExchange x, int status, String text) throws IOException { \
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8); x.getResponseHeaders().set(\"Content-Type\", \"text/plain\"); \
    x.sendResponseHeaders(status, bytes.length); try (OutputStream out = x.getResponseBody()) { out.write(bytes); } }";

fn service(contexts: &str, more: &str) -> Service {
    Service::of([(
        "src/main/java/a/Main.java",
        format!(
            "{IMPORTS} public class Main {{ {SEND} public static void main(String[] args) throws Exception {{ \
             int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080; \
             HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0); \
             Map<String, Integer> prices = new HashMap<>(); prices.put(\"tea\", 3); List<String> seen = new ArrayList<>(); \
             {contexts} server.setExecutor(Executors.newFixedThreadPool(4)); server.start(); }} }} {more}"
        ),
    )])
}

fn statuses(derived: &Derived) -> Vec<u16> {
    let mut found: Vec<u16> = derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn told(service: &Service, method: Method, path: &str) -> (Vec<u16>, Vec<String>) {
    let derived = service.derive(method, path);
    let fields = derived.candidates.iter().flat_map(|one| &one.oracle.assertions);
    let texts = fields.filter_map(|assertion| match &assertion.check {
        Check::Field { expected: Some(expected), .. } => Some(expected.to_string()),
        _ => None,
    });
    (statuses(&derived), texts.collect())
}

#[test]
fn a_context_s_handler_answers_what_it_writes() {
    let service = service(
        "server.createContext(\"/hello\", x -> send(x, 200, \"hello\")); \
         server.createContext(\"/hello/deep\", x -> { System.out.println(\"asked: \" + x.getRequestURI()); send(x, 202, \"deep\"); }); \
         server.createContext(\"/tea\", new Price(prices)); \
         server.createContext(\"/gone\", x -> { x.sendResponseHeaders(410, -1); }); \
         server.createContext(\"/empty\", x -> { x.sendResponseHeaders(204, 0); x.close(); });",
        "class Price implements HttpHandler { private final Map<String, Integer> prices; \
         Price(Map<String, Integer> prices) { this.prices = prices; } \
         public void handle(HttpExchange x) throws IOException { \
         if (!\"GET\".equals(x.getRequestMethod())) { x.sendResponseHeaders(405, -1); return; } \
         Main.send(x, 200, \"known\"); } }",
    );
    assert_eq!(told(&service, Method::Get, "/hello"), (vec![200], vec!["\"hello\"".to_owned()]));
    assert_eq!(told(&service, Method::Get, "/hello/deep").0, [202]);
    assert_eq!(told(&service, Method::Get, "/tea").0, [200]);
    assert_eq!(told(&service, Method::Get, "/gone").0, [410]);
    assert_eq!(told(&service, Method::Get, "/empty").0, [204]);
}

#[test]
fn what_a_handler_does_not_bring_to_an_end_is_open() {
    let service = service(
        "server.createContext(\"/throws\", x -> { throw new IllegalStateException(); }); \
         server.createContext(\"/silent\", x -> {}); \
         server.createContext(\"/short\", x -> { x.sendResponseHeaders(200, 5); x.getResponseBody().write(\"ab\".getBytes()); x.close(); }); \
         server.createContext(\"/unclosed\", x -> { x.sendResponseHeaders(200, 0); x.getResponseBody().write(\"ab\".getBytes()); }); \
         server.createContext(\"/guarded\", x -> send(x, 200, \"in\")).setAuthenticator(new BasicAuthenticator(\"r\") { \
         public boolean checkCredentials(String user, String password) { return false; } }); \
         server.createContext(\"/seen\", x -> { seen.add(\"one\"); send(x, 200, \"\" + seen.size()); });",
        "",
    );
    for path in ["/throws", "/silent", "/short", "/unclosed", "/guarded"] {
        assert_eq!(told(&service, Method::Get, path), (vec![], vec![]), "{path}");
    }
    // The number of earlier requests is unknown.
    assert_eq!(told(&service, Method::Get, "/seen").1, Vec::<String>::new());
}

#[test]
fn what_a_handler_reads_by_hand_is_asked_as_the_document_says() {
    let parse = "static Map<String, String> parse(String query) { Map<String, String> found = new LinkedHashMap<>(); \
        if (query == null) { return found; } for (String part : query.split(\"&\")) { String[] pair = part.split(\"=\", 2); \
        found.put(pair[0], pair[1]); } return found; }";
    let service = service(
        "server.createContext(\"/tea\", x -> { String kind = More.parse(x.getRequestURI().getQuery()).get(\"kind\"); \
         if (kind == null) { send(x, 400, \"which?\"); } else if (kind.equals(\"green\")) { send(x, 200, \"3\"); } \
         else { send(x, 404, \"no \" + kind); } }); \
         server.createContext(\"/order\", x -> { \
         String count = More.parse(new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)).get(\"count\"); \
         try { send(x, Integer.parseInt(count) > 12 ? 409 : 201, \"x\"); } \
         catch (NumberFormatException e) { send(x, 422, \"no number\"); } });",
        &format!("class More {{ {parse} }}"),
    );
    let document = r#"{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{
        "/tea":{"get":{"parameters":[{"name":"kind","in":"query","schema":{"type":"string"}}],"responses":{}}},
        "/order":{"get":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":
            {"type":"object","properties":{"count":{"type":"integer"}}}}}},"responses":{}}}}}"#;
    let document = read(&MemoryFiles::default().with("api.json", document), "api.json").unwrap();
    let told = |path: &str| {
        service.with(Method::Get, path, |subject| derive(&Subject { document: Some(&document), ..*subject }))
    };
    let tea = told("/tea");
    assert_eq!(statuses(&tea), [200, 400, 404]);
    let asked = |status: u16| {
        let one = tea.candidates.iter().find(|one| one.oracle.statuses().contains(&status)).unwrap();
        one.oracle.input.query.clone()
    };
    assert_eq!(asked(200), [("kind".to_owned(), "green".to_owned())]);
    assert!(asked(400).is_empty());
    // Numbers around the code's bound, and a text that is not a number. An empty query gives no answer.
    assert_eq!(statuses(&told("/order")), [201, 409, 422]);
}
