//! `StringUtils` of Commons Lang in the rules engine. The expected values are those of its documentation.

use mastor::types::Method;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::answers;

const CONTROLLER: &str = "package a; import org.apache.commons.lang3.StringUtils; import org.springframework.web.bind.annotation.*; import java.util.*;
@RestController public class C {
  @GetMapping(\"/all\") public List<Object> all() {
    Set<String> one = new HashSet<>(); one.add(\"a\"); String none = null; List<Object> all = new ArrayList<>();
    all.add(\"<\" + StringUtils.join(one, \", \") + StringUtils.join(Arrays.asList(\"x\", null, \"y\"), \"-\") + StringUtils.join(new String[] {\"p\", \"q\"}, ';') + \">\");
    all.add(StringUtils.trim(none)); all.add(StringUtils.trimToEmpty(none)); all.add(StringUtils.trimToEmpty(\" t \")); all.add(StringUtils.upperCase(\"up\"));
    all.add(StringUtils.defaultString(none)); all.add(StringUtils.defaultString(none, \"d\")); all.add(StringUtils.defaultIfBlank(\" \", \"b\")); all.add(StringUtils.defaultIfEmpty(\" \", \"e\"));
    all.add(StringUtils.equals(none, null)); all.add(StringUtils.equals(\"a\", none)); all.add(StringUtils.equalsIgnoreCase(\"a\", \"A\"));
    all.add(StringUtils.contains(none, \"a\")); all.add(StringUtils.contains(\"abc\", \"b\")); all.add(StringUtils.startsWith(\"abc\", \"ab\")); all.add(StringUtils.endsWith(none, \"c\"));
    return all;
  }
}";

#[test]
fn null_is_let_through_and_the_rest_is_what_texts_do() {
    let service = Service::of([("src/main/java/a/C.java", CONTROLLER)]);
    let found = answers(&service.derive(Method::Get, "/all"));
    let expected =
        json!(["<ax--yp;q>", null, "", "t", "UP", "", "d", "b", " ", true, false, true, false, true, true, false]);
    assert_eq!(found[0].2, [(String::new(), expected)], "{found:#?}");
}
