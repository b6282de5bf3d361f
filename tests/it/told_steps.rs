//! Values that a library keeps, compared by what they are made of: the steps of a publisher, the links of a chain, the
//! conditions of a query.

use crate::states::first;

fn of_shelf(handler: &str) -> String {
    format!(
        "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows/{{id}}\") public Object one(@PathVariable(\"id\") String id) {{ {handler} }}"
    )
}

const MONO: &str = "reactor.core.publisher.Mono";
const FLUX: &str = "reactor.core.publisher.Flux";

#[test]
fn another_step_of_a_publisher_is_another_publisher() {
    let told = |was: &str, is: &str| first(&of_shelf(was), &of_shelf(is), &[]);
    let taken = |step: &str| format!("return shelf.of({FLUX}.just(\"a\", \"b\").{step}(shelf.many(id)));");
    // The elements and the argument are the same.
    let skipped = told(&taken("take"), &taken("skip"));
    assert_eq!(skipped, "calls `Shelf.of` with `shelf.many(id)` for `skip` where it was `null`");
    let other = |maker: &str| format!("return shelf.of({MONO}.{maker}(new IllegalStateException(id)));");
    let failing = told(&other("error"), &other("just"));
    assert_eq!(failing, "calls `Shelf.of` with `IllegalStateException` for `element` where it was `null`");
}

#[test]
fn a_link_that_a_chain_has_lost_is_told() {
    let handler = |link: &str| {
        of_shelf(&format!(
            "org.vendor.Query query = new org.vendor.Query(); query.where(\"name\", id); {link} query.where(\"brand\", id);
    query.where(\"shop\", id); return shelf.all(query); "
        ))
    };
    let told = first(&handler("query.where(\"category\", id);"), &handler(""), &[]);
    assert!(told.contains("where(\"category\""), "{told}");
}

#[test]
fn a_query_of_documents_is_compared_by_its_fields() {
    let handler = |field: &str, test: &str| {
        let mongo = "org.springframework.data.mongodb.core";
        format!(
            "private final {mongo}.MongoTemplate template; public C({mongo}.MongoTemplate template) {{ this.template = template; }}
  @GetMapping(\"/rows/{{id}}\") public Object one(@PathVariable(\"id\") String id) {{
    {mongo}.query.Query query = new {mongo}.query.Query(); query.addCriteria({mongo}.query.Criteria.where(\"{field}\").{test}(id));
    return org.vendor.Shelf.run(template, query); }}"
        )
    };
    let told = |is: (&str, &str)| first(&handler("owner", "is"), &handler(is.0, is.1), &[]);
    let (field, test) = (told(("name", "is")), told(("owner", "ne")));
    assert!(field.contains("owner is") || field.contains("name is"), "{field}");
    assert!(test.contains("owner is"), "{test}");
}
