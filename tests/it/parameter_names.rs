//! Spring parameters whose annotation has no name: bound by the parameter's own name, if compiled classes contain it.

use mastor::types::Method;

use crate::loaded::Service;

const CONTROLLER: &str = "package a; import org.springframework.web.bind.annotation.*;
@RestController class C {
  @GetMapping(\"/plain/{id}\") String plain(@PathVariable String id) { return id; }
  @GetMapping(\"/named/{id}\") String named(@PathVariable(\"id\") String id) { return id; }
}";

const BOOT: &str = "<dependencyManagement><dependencies><dependency><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-dependencies</artifactId><version>VERSION</version></dependency></dependencies></dependencyManagement>";

fn statuses(pom: &str, path: &str) -> Vec<u16> {
    let service = Service::of([("pom.xml", pom), ("src/main/java/a/C.java", CONTROLLER)]);
    let derived = service.derive(Method::Get, path);
    derived.candidates.iter().map(|one| one.oracle.statuses()[0]).collect()
}

fn pom(version: &str, more: &str) -> String {
    let boot = BOOT.replace("VERSION", version);
    format!("<project><modelVersion>4.0.0</modelVersion><artifactId>b</artifactId>{more}{boot}</project>")
}

#[test]
fn a_parameter_without_a_name_is_found_by_none_where_classes_do_not_keep_it() {
    let is_well = |pom: &str, path: &str| {
        let all = statuses(pom, path);
        assert!(!all.is_empty() && all.iter().all(|status| status == &all[0]), "{all:?}");
        all[0] == 200
    };
    let without = pom("3.2.4", "");
    assert!(!is_well(&without, "/plain/{id}") && is_well(&without, "/named/{id}"));
    // Earlier releases read names from the debug information.
    assert!(is_well(&pom("3.1.5", ""), "/plain/{id}"));
    let said = "<properties><maven.compiler.parameters>true</maven.compiler.parameters></properties>";
    assert!(is_well(&pom("3.2.4", said), "/plain/{id}"));
    let parent = "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
        <version>3.2.4</version></parent><artifactId>b</artifactId></project>";
    assert!(is_well(parent, "/plain/{id}"));
}
