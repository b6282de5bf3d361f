//! Templates: an operation that renders a page also depends on the templates that it includes.

use crate::states::{between, states};

const HANDLERS: &str =
    "@GetMapping(\"/orders\") public org.springframework.web.servlet.ModelAndView orders() { return new org.springframework.web.servlet.ModelAndView(\"orders/list\"); }
  @GetMapping(\"/about\") public org.springframework.web.servlet.ModelAndView about() { return new org.springframework.web.servlet.ModelAndView(\"about\"); }";

const LIST: &str =
    "<html><body><nav th:replace=\"~{parts/frame :: nav}\"></nav><a href=\"/about\">about</a></body></html>";
const FRAME: &str = "<html><nav th:fragment=\"nav\"><b th:insert=\"parts/name\"></b></nav></html>";
const NAME: &str = "<b>Shop</b>";
const ABOUT: &str = "<html><body>about <a th:href=\"@{/orders/list}\">orders</a></body></html>";

/// The affected operations after one of the templates was changed.
fn affected_by(template: &str, text: &str) -> Vec<(String, String)> {
    let mut repo = between(HANDLERS, HANDLERS, &[]);
    let templates = [("orders/list", LIST), ("parts/frame", FRAME), ("parts/name", NAME), ("about", ABOUT)];
    for (name, text) in templates {
        repo = repo.file(&format!("src/main/resources/templates/{name}.html"), text);
    }
    let repo = repo.commit("Pages").branch("other");
    let repo = repo.file(&format!("src/main/resources/templates/{template}.html"), text).commit("Another page");
    states(&repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json())
}

#[test]
fn a_page_is_affected_by_the_templates_that_it_includes_however_deep() {
    for (template, text) in [("parts/name", "<b>Store</b>"), ("parts/frame", "<nav th:fragment=\"nav\"></nav>")] {
        let found = affected_by(template, text);
        let [(op, state)] = found.as_slice() else { panic!("{template}: {found:?}") };
        assert!(op == "GET /orders" && state != "same", "{template}: {found:?}");
    }
    // A page that is only linked to is not part of it.
    let found = affected_by("orders/list", "<html>none</html>");
    assert!(found.len() == 1 && found[0].0 == "GET /orders", "{found:?}");
}
