//! What `mastor init` writes beside `mastor.toml`: the workflow, and the pre-push hook, which git itself runs here.
#![cfg(unix)]

use crate::support::{Ran, Repo};

const WORKFLOW: &str = ".github/workflows/mastor.yml";
const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

#[test]
fn init_writes_the_workflow_and_never_over_another() {
    let repo = Repo::example();
    repo.run(["init", "--no-service"]).ends(0).says(&[WORKFLOW, "pushes to main"]);
    let text = repo.read(WORKFLOW);
    assert!(text.contains("pull-requests: write") && text.contains("branches: [main]"), "{text}");
    let repo = repo.file(WORKFLOW, "# mine\n");
    repo.run(["init", "--no-service", "--force"]).ends(0).says(&["stays as it is"]);
    assert_eq!(repo.read(WORKFLOW), "# mine\n");
    // The workflow is written although settings exist.
    let repo = repo.remove(WORKFLOW).file("mastor.toml", "# mine\n");
    repo.run(["init", "--no-service"]).ends(0).says(&["stays as it is", WORKFLOW]);
    assert_eq!((repo.read("mastor.toml").as_str(), repo.read(WORKFLOW)), ("# mine\n", text));
    repo.run(["init", "--no-service"]).ends(2).says(&["--force"]);
}

#[test]
fn a_repository_that_is_built_elsewhere_gets_no_workflow() {
    let repo = Repo::example().file(".gitlab-ci.yml", "build: {}\n");
    repo.run(["init", "--no-service"]).ends(0).says(&["GitLab builds this repository", "docs/ci.md"]);
    assert!(!repo.path().join(".github").exists());
    repo.run(["init", "--no-service"]).ends(2);
}

const BOOT: &str = "package com.acme;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.*;
@SpringBootApplication
@RestController
public class App {
    public static void main(String[] args) { SpringApplication.run(App.class, args); }
    @GetMapping(\"/x\") String x() { return \"x\"; }
}
";
const PLAIN: &str = "package com.acme;
import com.sun.net.httpserver.HttpServer;
public class Plain {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new java.net.InetSocketAddress(Integer.parseInt(args[0])), 0);
        server.createContext(\"/x\", exchange -> exchange.sendResponseHeaders(204, -1));
        server.start();
    }
}
";

/// The `[service]` table that `init` writes.
fn service(repo: &Repo) -> toml::Table {
    repo.run(["init", "--no-service"]).ends(0);
    let settings: toml::Table = toml::from_str(&repo.read("mastor.toml")).unwrap();
    repo.run(["config", "show"]).ends(0);
    settings["service"].as_table().unwrap().clone()
}

#[test]
fn the_profile_that_every_controller_is_bound_to_is_proposed_with_the_start() {
    let pom = "<project><groupId>a</groupId><artifactId>web</artifactId><version>1</version><build><plugins><plugin>\
        <groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>";
    let controller = |name: &str, profile: &str| {
        format!(
            "package com.acme; import org.springframework.context.annotation.Profile; import org.springframework.web.bind.annotation.*;\n\
             @RestController {profile} public class {name} {{ @GetMapping(\"/{name}\") public String get() {{ return \"a\"; }} }}"
        )
    };
    let start = |second: &str, settings: &str| {
        let repo = Repo::new()
            .file("pom.xml", pom)
            .file("src/main/resources/application.properties", settings)
            .file("src/main/java/com/acme/App.java", BOOT.replace("@RestController\n", ""))
            .file("src/main/java/com/acme/A.java", controller("A", "@Profile({\"rest\", \"all\"})"))
            .file("src/main/java/com/acme/B.java", controller("B", second))
            .commit("Controllers");
        service(&repo)["start"].as_str().unwrap().to_owned()
    };
    let proposed = start("@Profile(\"rest\")", "");
    assert!(proposed.ends_with(" --spring.profiles.active=rest"), "{proposed}");
    for (second, settings) in
        [("", ""), ("@Profile(\"other\")", ""), ("@Profile(\"rest\")", "spring.profiles.active=x,rest\n")]
    {
        assert!(!start(second, settings).contains("profiles.active"), "{second}");
    }
}

#[test]
fn a_service_is_proposed_for_each_build_and_kind_of_main_class() {
    let boot_plugin = "<build><plugins><plugin><groupId>org.springframework.boot</groupId>\
        <artifactId>spring-boot-maven-plugin</artifactId><executions><execution><goals><goal>repackage</goal></goals>\
        </execution></executions></plugin></plugins></build>";
    let modules = Repo::new()
        .file(
            "pom.xml",
            "<project><groupId>a</groupId><artifactId>all</artifactId><version>1.2</version>\
            <packaging>pom</packaging><modules><module>lib</module><module>web</module></modules></project>",
        )
        .file(
            "lib/pom.xml",
            "<project><parent><groupId>a</groupId><artifactId>all</artifactId><version>1.2</version>\
            </parent><artifactId>lib</artifactId></project>",
        )
        .file("lib/src/main/java/com/acme/Lib.java", "package com.acme; public class Lib {}")
        .file(
            "web/pom.xml",
            format!(
                "<project><parent><groupId>a</groupId><artifactId>all</artifactId><version>1.2</version>\
            </parent><artifactId>web</artifactId>{boot_plugin}</project>"
            ),
        )
        .file("web/src/main/java/com/acme/App.java", BOOT)
        .commit("Two modules");
    let table = service(&modules);
    assert_eq!(table["build"].as_str(), Some("mvn -q -DskipTests -pl web -am package"));
    let start = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar web/target/web-1.2.jar --server.port={port} --server.address=127.0.0.1";
    assert_eq!(table["start"].as_str(), Some(start));
    assert_eq!(table["ready"]["port"].as_bool(), Some(true));

    let gradle = Repo::new()
        .file("settings.gradle", "rootProject.name = 'shop'\n")
        .file("build.gradle", "plugins {\n  id 'org.springframework.boot' version '3.2.0'\n}\nversion = '0.1'\n")
        .file("gradlew", "#!/bin/sh\n")
        .file("src/main/java/com/acme/App.java", BOOT)
        .commit("Gradle");
    let table = service(&gradle);
    assert_eq!(table["build"].as_str(), Some("sh ./gradlew --no-daemon -q bootJar"));
    let start = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar build/libs/shop-0.1.jar --server.port={port} --server.address=127.0.0.1";
    assert_eq!(table["start"].as_str(), Some(start));

    let pom = "<project><groupId>a</groupId><artifactId>plain</artifactId><version>1</version></project>";
    let plain =
        Repo::new().file("pom.xml", pom).file("src/main/java/com/acme/Plain.java", PLAIN).commit("A plain main");
    let table = service(&plain);
    assert_eq!(
        table["start"].as_str(),
        Some(
            "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp \"target/classes:$(cat target/mastor.classpath)\" com.acme.Plain {port}"
        )
    );
}

/// Runs `git push` with this build of `mastor` on the PATH.
fn push(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.command("git");
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_mastor")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = command.env("PATH", path).arg("push").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

#[test]
fn the_hook_stops_a_push_that_speaks_against_the_suite() {
    let remote = Repo::bare_folder();
    remote.git(["init", "-q", "--bare", "-b", "main", "."]);
    let repo = Repo::example();
    repo.git(["remote", "add", "origin", &format!("file://{}", remote.path().display())]);
    repo.run(["init", "--no-service", "--hook"]).ends(0).says(&["pre-push", "--no-verify"]);
    // Without settings, no service is started.
    let repo = repo.remove("mastor.toml");
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("Add the suite");
    push(&repo, &["origin", "main"]).ends(0).says(&["nothing of origin is known"]);
    let repo = repo
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .commit("Answer otherwise");
    // A new branch is compared with the main branch of the remote.
    push(&repo, &["origin", "feature"]).ends(1).says(&["GET /shipping/zones/{country}"]);
    assert!(remote.try_git(["rev-parse", "--verify", "feature"]).is_err(), "it was pushed");
    push(&repo, &["--no-verify", "origin", "feature"]).ends(0);
    // Later pushes are compared with the remote's branch.
    let repo = repo.file("NOTES.md", "Nothing of the service").commit("Take a note");
    push(&repo, &["origin", "feature"]).ends(0).says(&["mastor: "]);
    push(&repo, &["origin", ":feature"]).ends(0);
}

#[test]
fn a_hook_of_someone_else_stays_and_nothing_is_half_done() {
    let repo = Repo::example().file(".git/hooks/pre-push", "#!/bin/sh\n# theirs\n");
    repo.run(["init", "--no-service", "--hook"]).ends(2).says(&["is not mastor's", "mastor -q ci"]);
    assert_eq!(repo.read(".git/hooks/pre-push"), "#!/bin/sh\n# theirs\n");
    assert!(!repo.path().join("mastor.toml").exists() && !repo.path().join(".github").exists());
    // The hook is written where git looks for hooks, and an older one of mastor's is replaced.
    repo.git(["config", "core.hooksPath", "hooks"]);
    repo.run(["init", "--no-service", "--hook"]).ends(0);
    let ours = repo.read("hooks/pre-push");
    let repo = repo.file("hooks/pre-push", format!("{ours}# older\n"));
    repo.run(["init", "--no-service", "--hook"]).ends(0).says(&["stays as it is"]);
    assert_eq!(repo.read("hooks/pre-push"), ours);
}
