//! Code around handlers that asks for the path or the method of a request: what it does is told of the operations whose
//! requests have that path.

use serde_json::Value;

use crate::states::{between, report, states};
use crate::support::Repo;

const HANDLERS: &str = "@GetMapping(\"/open/list\") public String open() { return \"open\"; }
  @GetMapping(\"/users/{id}\") public String user(@PathVariable(\"id\") String id) { return id; }
  @PostMapping(\"/users\") public String add() { return \"added\"; }
  @GetMapping(\"/platform/keys\") public String keys() { return \"keys\"; }";

const SETTINGS: &str = "package a; import java.util.*; @org.springframework.stereotype.Component
@org.springframework.boot.context.properties.ConfigurationProperties(prefix = \"guard\")
public class Settings { private List<String> openUrls = new ArrayList<>(); private List<String> platformUrls = new ArrayList<>();
  public List<String> getOpenUrls() { return openUrls; } public void setOpenUrls(List<String> all) { openUrls = all; }
  public List<String> getPlatformUrls() { return platformUrls; } public void setPlatformUrls(List<String> all) { platformUrls = all; } }";

const YAML: &str = "guard:\n  open-urls:\n    - /open/**\n    - /health\n  platform-urls:\n    - /platform/**\n";

const LEVELS: &str =
    "package a; import org.springframework.util.AntPathMatcher; @org.springframework.stereotype.Component
public class Levels { private final Settings settings; private final AntPathMatcher matcher = new AntPathMatcher();
  public Levels(Settings settings) { this.settings = settings; }
  public int level(String path) {
    for (String one : settings.getOpenUrls()) { if (matcher.match(one, path)) { return 0; } }
    for (String one : settings.getPlatformUrls()) { if (matcher.match(one, path)) { return 2; } }
    return 1; } }";

const FILTER: &str = "package a; import jakarta.servlet.*; import jakarta.servlet.http.*; @org.springframework.stereotype.Component
public class Guard extends org.springframework.web.filter.OncePerRequestFilter {
  private final Levels levels; public Guard(Levels levels) { this.levels = levels; }
  @Override protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws java.io.IOException, ServletException {
    int level = levels.level(request.getRequestURI());
    if (level == 0) { chain.doFilter(request, response); return; }
    if (request.getHeader(\"X-Key\") == null) { response.sendError(401); return; }
    if (level == 2 && request.isUserInRole(\"PLATFORM\")) { response.sendError(403); return; }
    chain.doFilter(request, response); } }";

/// A branch that replaces a text of the filter.
fn replaced(filter: &str, from: &str, to: &str) -> Repo {
    assert!(filter.contains(from), "{from}");
    let files = [
        ("Settings.java", SETTINGS),
        ("Levels.java", LEVELS),
        ("Guard.java", filter),
        ("../../resources/application.yml", YAML),
    ];
    let repo = between(HANDLERS, HANDLERS, &files);
    repo.file("src/main/java/a/Guard.java", filter.replace(from, to)).commit("Replaced")
}

fn told_of(report: &Value) -> Vec<String> {
    let all = states(report).into_iter();
    all.filter(|(_, state)| state == "changed").map(|(operation, _)| operation).collect()
}

#[test]
fn a_level_of_some_paths_is_told_of_the_operations_with_these_paths() {
    let found = report(&replaced(FILTER, "sendError(403)", "sendError(404)"));
    assert_eq!(told_of(&found), ["GET /platform/keys"], "{}", found["compared"]);
    let others = states(&found).into_iter().filter(|(operation, _)| operation != "GET /platform/keys");
    assert!(others.into_iter().all(|(_, state)| state == "same"), "{}", found["compared"]);
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("calls `response.sendError(404)`"), "{what}");
    // What each path meets but the open ones.
    let found = report(&replaced(FILTER, "sendError(401)", "sendError(403)"));
    let (mut told, all) = (told_of(&found), ["GET /platform/keys", "GET /users/{id}", "POST /users"]);
    told.sort();
    assert_eq!(told, all, "{}", found["compared"]);
}

#[test]
fn a_filter_that_skips_some_requests_is_told_of_the_others() {
    let skips = "@Override protected boolean shouldNotFilter(HttpServletRequest request) { return skipped(request.getServletPath()); }
  private boolean skipped(String path) { return path.startsWith(\"/platform/\") || path.endsWith(\"/list\"); }
  @Override protected void doFilterInternal(";
    let filter = FILTER.replace("@Override protected void doFilterInternal(", skips);
    let found = report(&replaced(&filter, "getHeader(\"X-Key\")", "getHeader(\"X-Token\")"));
    let mut told = told_of(&found);
    told.sort();
    assert_eq!(told, ["GET /users/{id}", "POST /users"], "{}", found["compared"]);
}

#[test]
fn a_helper_of_a_filter_is_told_where_the_filter_uses_it() {
    let text = LEVELS.replace("return 2;", "return 1;");
    let repo = replaced(FILTER, "sendError(401)", "sendError(401)");
    let repo = repo.file("src/main/java/a/Levels.java", text).commit("Levels");
    let found = report(&repo);
    assert_eq!(told_of(&found), ["GET /platform/keys"], "{}", found["compared"]);
    let others = states(&found).into_iter().filter(|(operation, _)| operation != "GET /platform/keys");
    assert!(others.into_iter().all(|(_, state)| state == "same"), "{}", found["compared"]);
}

#[test]
fn a_path_that_a_variable_may_have_stays_open() {
    let filter = FILTER.replace(
        "int level = levels.level(request.getRequestURI());",
        "int level = request.getRequestURI().equals(\"/users/root\") ? 2 : 1;",
    );
    let found = report(&replaced(&filter, "sendError(403)", "sendError(404)"));
    assert_eq!(told_of(&found), ["GET /users/{id}"], "{}", found["compared"]);
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.contains("equals \"/users/root\""), "{what}");
    let filter = FILTER.replace(
        "int level = levels.level(request.getRequestURI());",
        "int level = request.getMethod().equals(\"POST\") ? 2 : 1;",
    );
    let found = report(&replaced(&filter, "sendError(403)", "sendError(404)"));
    assert_eq!(told_of(&found), ["POST /users"], "{}", found["compared"]);
}

#[test]
fn what_is_empty_does_not_begin_with_anything() {
    let header = "String header = request.getHeader(\"X-Key\"); if (org.springframework.util.ObjectUtils.isEmpty(header) || !header.startsWith(\"k-\")) { response.sendError(401); return; }";
    let filter =
        FILTER.replace("if (request.getHeader(\"X-Key\") == null) { response.sendError(401); return; }", header);
    assert!(filter.contains("isEmpty"));
    let found = report(&replaced(&filter, "isEmpty(header) ||", "isEmpty(header) &&"));
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.contains("does not start with \"k-\"") && what.contains("is not empty"), "{what}");
}

#[test]
fn what_others_call_a_method_is_not_the_method_of_the_request() {
    let handlers = |fee: u32| {
        format!(
            "private final org.vendor.Shop shop; public C(org.vendor.Shop shop) {{ this.shop = shop; }}
  @PostMapping(\"/fees\") public int fee(@RequestParam(\"id\") String id) {{ var payment = shop.payment(id); return fee(payment.getMethod()); }}
  private int fee(Object method) {{ if (method.equals(\"CARD\")) {{ return {fee}; }} return 0; }}"
        )
    };
    let found = report(&between(&handlers(2), &handlers(3), &[]));
    assert_eq!(told_of(&found), ["POST /fees"], "{}", found["compared"]);
}
