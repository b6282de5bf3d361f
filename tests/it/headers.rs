//! Response headers set by handlers, and by servlet filters before they pass the request on: the rule `headers`.

use std::collections::BTreeMap;

use mastor::types::Method;
use mastor::types::suite::assertion::Check;

use crate::loaded::Service;

const CONTROLLER: &str = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController public class C {
  @GetMapping(\"/items\") public ResponseEntity<String> items(@RequestParam(defaultValue = \"3\") int size) {
    String id = java.util.UUID.randomUUID().toString();
    return ResponseEntity.ok().header(\"X-Total-Count\", size > 10 ? \"10\" : \"3\").header(\"X-Request\", id).header(\"Vary\", \"Accept\").body(\"ok\");
  }
  @GetMapping(\"/none\") public ResponseEntity<Void> none() { return ResponseEntity.status(404).header(\"X-Reason\", \"none\").build(); }
}";

const IMPORTS: &str = "package a; import java.io.*; import jakarta.servlet.*; import jakarta.servlet.http.*; import jakarta.servlet.annotation.*;
import org.springframework.stereotype.*; import org.springframework.context.annotation.*; import org.springframework.boot.web.servlet.*; ";

fn filter(marks: &str, before: &str, behind: &str) -> String {
    format!(
        "{IMPORTS} {marks} public class F implements Filter {{
          public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {{
            HttpServletResponse out = (HttpServletResponse) response; {before} chain.doFilter(request, response); {behind} }} }}"
    )
}

const APP: &str = "package a; @org.springframework.boot.autoconfigure.SpringBootApplication public class App { }";

/// The headers that each oracle of an operation asserts.
fn asserted(filter: &str, app: &str, path: &str) -> Vec<BTreeMap<String, String>> {
    let service = Service::of([
        ("src/main/java/a/C.java", CONTROLLER),
        ("src/main/java/a/F.java", filter),
        ("src/main/java/a/App.java", app),
    ]);
    let derived = service.derive(Method::Get, path);
    let headers = |check: &Check| match check {
        Check::Header { name, expected: Some(value), .. } => Some((name.clone(), value.as_str()?.to_owned())),
        _ => None,
    };
    let of = derived.candidates.iter().map(|one| {
        let found: BTreeMap<String, String> =
            one.oracle.assertions.iter().filter_map(|assertion| headers(&assertion.check)).collect();
        let is_cited = one.citations.iter().any(|evidence| evidence.symbol.contains("a.F#"));
        assert_eq!(is_cited, found.contains_key("X-By"), "{found:?}");
        found
    });
    of.collect()
}

fn pairs(all: &[BTreeMap<String, String>]) -> Vec<(&str, &str)> {
    all.iter().flatten().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

const SET: &str = "out.setHeader(\"X-By\", \"before\"); out.setHeader(\"X-By\", \"mastor\"); out.addHeader(\"X-Two\", \"a\"); out.addHeader(\"X-Two\", \"b\");
  out.setHeader(\"X-Origin\", ((HttpServletRequest) request).getHeader(\"Origin\"));";

#[test]
fn texts_that_handlers_and_filters_surely_set_are_asserted_once() {
    let own = [("X-Total-Count", "3"), ("X-Total-Count", "10")];
    let all = asserted(&filter("@Component", SET, ""), APP, "/items");
    let found = pairs(&all);
    assert_eq!(found.iter().filter(|(name, _)| *name == "X-By").collect::<Vec<_>>(), [&("X-By", "mastor")]);
    assert!(own.iter().all(|one| found.contains(one)) && found.len() == 3, "{found:?}");
    // No header is asserted of an error answer.
    assert!(pairs(&asserted(&filter("@Component", SET, ""), APP, "/none")).is_empty());
}

#[test]
fn what_is_set_behind_the_handler_or_by_a_filter_that_may_not_run_is_open() {
    let all = |filter: &str, app: &str| asserted(filter, app, "/items").iter().any(|one| one.contains_key("X-By"));
    assert!(!all(&filter("@Component", "", SET), APP));
    assert!(!all(&filter("", SET, ""), APP));
    let web = filter("@WebFilter(urlPatterns = \"/*\")", SET, "");
    assert!(!all(&web, APP));
    let looking = APP.replace("@org", "@org.springframework.boot.web.servlet.ServletComponentScan @org");
    assert!(all(&web, &looking));
    let apart = filter("@WebFilter(urlPatterns = \"/admin/*\")", SET, "");
    assert!(!all(&apart, &looking));
    let placed = format!(
        "{IMPORTS} @org.springframework.boot.autoconfigure.SpringBootApplication public class App {{
          @Bean public FilterRegistrationBean<F> f(F f) {{ FilterRegistrationBean<F> b = new FilterRegistrationBean<>(f); b.addUrlPatterns(\"/admin/*\"); return b; }} }}"
    );
    assert!(!all(&filter("@Component", SET, ""), &placed));
}
