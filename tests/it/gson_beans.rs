//! A `Gson` bean from a configuration: exclusion strategies, `@Expose`, names and nulls.

use mastor::types::Method;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
    <dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId></dependency></dependencies></project>";

const ITEM: &str = "package a; import com.google.gson.annotations.*; public class Item {
  @Expose String ownName = \"pen\"; @Hidden @Expose(serialize = false) String secret = \"x\"; @SerializedName(\"n\") @Expose Integer count; Item() {}
}";

const CONTROLLER: &str =
    "package a; import com.google.gson.*; import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.bind.annotation.*; @RestController public class ItemController {
  @Autowired private Gson gson;
  @GetMapping(\"/text\") public String text() { return gson.toJson(new Item()); }
  @GetMapping(\"/whole\") public Answer whole() { return new Answer(); }
  public static class Answer { public boolean ok = true; }
}";

const STRATEGY: &str = "package a; import com.google.gson.*; public class Strategy implements ExclusionStrategy {
  @Override public boolean shouldSkipField(FieldAttributes f) { return f.getAnnotation(Hidden.class) != null; }
  @Override public boolean shouldSkipClass(Class<?> type) { return false; }
}";

fn told(making: &str, path: &str, more: &[(&str, &str)]) -> Vec<(String, serde_json::Value)> {
    let config = format!(
        "package a; import com.google.gson.*; import org.springframework.context.annotation.*; @Configuration public class Config {{ @Bean public Gson gson() {{ return {making}; }} }}"
    );
    let hidden = "package a; public @interface Hidden {}";
    let mut files = vec![("pom.xml".to_owned(), POM.to_owned())];
    let all = [
        ("Item", ITEM),
        ("ItemController", CONTROLLER),
        ("Strategy", STRATEGY),
        ("Hidden", hidden),
        ("Config", &config),
    ];
    files.extend(all.iter().map(|(name, text)| (format!("src/main/java/a/{name}.java"), (*text).to_owned())));
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    let answers = answers(&Service::of(files).derive(Method::Get, path));
    answers.into_iter().next().map(|(_, _, fields)| fields).unwrap_or_default()
}

#[test]
fn what_a_builder_says_is_what_is_written() {
    let strategy = "new GsonBuilder().setExclusionStrategies(new Strategy()).create()";
    let one = |value: serde_json::Value| vec![(String::new(), value)];
    assert_eq!(told(strategy, "/text", &[]), one(json!({"ownName": "pen"})));
    let exposed = "new GsonBuilder().excludeFieldsWithoutExposeAnnotation().serializeNulls().create()";
    assert_eq!(told(exposed, "/text", &[]), one(json!({"ownName": "pen", "n": null})));
    let named = "new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create()";
    assert_eq!(told(named, "/text", &[]), one(json!({"own_name": "pen", "secret": "x"})));
    // An unknown builder setting leaves the written JSON unknown.
    assert!(told("new GsonBuilder().setDateFormat(\"yyyy\").create()", "/text", &[]).is_empty());
}

#[test]
fn bodies_are_jackson_s_unless_a_property_says_otherwise() {
    let plain = "new Gson()";
    assert_eq!(told(plain, "/whole", &[]), [("ok".to_owned(), json!(true))]);
    let preferred =
        ("src/main/resources/application.properties", "spring.http.converters.preferred-json-mapper=gson\n");
    assert!(told(plain, "/whole", &[preferred]).is_empty());
}
