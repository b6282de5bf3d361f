//! Main classes: the classes of a repository that start a program, and how the port of each is set.

use regex::Regex;

use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::project::index::Project;

/// A class that starts a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Main {
    /// Its full name.
    pub class: String,
    /// Its file.
    pub file: String,
    /// Kind of program.
    pub kind: Kind,
    /// How its port is set.
    pub port: PortBy,
}

/// The kind of program that a main class starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A Spring Boot application.
    SpringBoot,
    /// Another kind of server, by its imports.
    Server,
    /// No known server.
    Other,
}

/// How the port of a main class is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortBy {
    /// By the command-line arguments that Spring Boot reads.
    BootArguments,
    /// By Spring Boot's system properties, since the class does not pass on its arguments.
    BootProperties,
    /// By its first argument.
    First,
    /// By an option with this name.
    Option(String),
    /// By a system property with this name.
    Property(String),
    /// By an environment variable with this name.
    Variable(String),
    /// Fixed to this port.
    Fixed(u16),
    /// Not known.
    Unknown,
}

/// Substrings of the imports of servers.
const SERVERS: [&str; 9] = [
    "com.sun.net.httpserver",
    "org.apache.catalina.startup",
    "org.eclipse.jetty.server",
    "org.glassfish.jersey",
    "io.undertow",
    "io.javalin",
    "io.dropwizard",
    "io.micronaut.runtime",
    "io.vertx",
];

/// Every class with a main method, sorted by file.
pub fn mains(project: &Project) -> Vec<Main> {
    let mut found = Vec::new();
    for id in project.types() {
        let has_main = project.members(id).any(|member| {
            let member = project.member(member);
            member.kind == MemberKind::Method
                && member.name == "main"
                && member.modifiers.has(Modifiers::STATIC)
                && member.params.len() == 1
                && member.params.iter().all(|param| param.ty.erased().ends_with("String[]") || param.varargs)
        });
        if !has_main {
            continue;
        }
        let file = project.path_of(id).to_owned();
        let text = project.text(project.file_of(id)).unwrap_or_default();
        let boot = text.contains("SpringApplication") || text.contains("SpringBootApplication");
        let kind = match () {
            () if boot => Kind::SpringBoot,
            () if SERVERS.iter().any(|server| text.contains(server)) => Kind::Server,
            () => Kind::Other,
        };
        let port = if boot { of_boot(&text) } else { of_server(&text) };
        found.push(Main { class: project.fqn(id).to_owned(), file, kind, port });
    }
    found.sort_by(|a, b| (&a.file, &a.class).cmp(&(&b.file, &b.class)));
    found
}

fn of_boot(text: &str) -> PortBy {
    let name = capture(text, r"\bvoid\s+main\s*\([^)]*?(\w+)\s*(?:\[\s*\])?\s*\)").unwrap_or_else(|| "args".to_owned());
    let handed_on = capture(text, &format!(r"\.run\s*\([^;]*?\b({name})\b")).is_some();
    if handed_on { PortBy::BootArguments } else { PortBy::BootProperties }
}

fn of_server(text: &str) -> PortBy {
    if capture(text, r"(?:parseInt|valueOf|parseUnsignedInt)\s*\(\s*\w+\[\s*(0)\s*\]").is_some() {
        return PortBy::First;
    }
    if let Some(option) = capture(text, r#""[^"]*?(--?port)\b[^"]*""#) {
        return PortBy::Option(option);
    }
    if let Some(name) = capture(text, r#"getenv\s*\(\s*"(\w*PORT\w*)""#)
        .or_else(|| capture(text, r#"getenv\s*\(\s*\)\s*\.\s*get(?:OrDefault)?\s*\(\s*"(\w*PORT\w*)""#))
    {
        return PortBy::Variable(name);
    }
    if let Some(name) = capture(text, r#"(?:getProperty|getInteger)\s*\(\s*"([\w.-]*[pP]ort)""#) {
        return PortBy::Property(name);
    }
    let fixed = [
        r"InetSocketAddress\s*\([^)]*?\b(\d{2,5})\s*\)",
        r"(?i)\bport\s*=\s*(\d{2,5})\b",
        r"(?i)\b(?:setPort|start|listen|new Server)\s*\(\s*(\d{2,5})\s*\)",
        r"https?://[\w.]+:(\d{2,5})\b",
    ];
    let number = fixed.iter().find_map(|pattern| capture(text, pattern)?.parse().ok());
    number.map_or(PortBy::Unknown, PortBy::Fixed)
}

/// The first group of the first match.
pub(super) fn capture(text: &str, pattern: &str) -> Option<String> {
    let groups = Regex::new(pattern).ok()?;
    groups.captures(text)?.get(1).map(|group| group.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_class_tells_how_it_takes_its_port() {
        for (body, port) in [
            ("int port = 8080; if (args.length > 0) port = Integer.parseInt(args[0]);", PortBy::First),
            ("println(\"Usage: Server [--config FILE] [--port|-p port]\");", PortBy::Option("--port".to_owned())),
            ("int p = Integer.parseInt(System.getenv(\"HTTP_PORT\"));", PortBy::Variable("HTTP_PORT".to_owned())),
            ("Integer.getInteger(\"server.port\", 80)", PortBy::Property("server.port".to_owned())),
            ("HttpServer.create(new InetSocketAddress(\"localhost\", 9000), 0)", PortBy::Fixed(9000)),
            ("new Server(8081).start();", PortBy::Fixed(8081)),
            ("Server.create(config)", PortBy::Unknown),
        ] {
            assert_eq!(of_server(body), port, "{body}");
        }
        let boot = |run: &str| of_boot(&format!("public static void main(final String[] a) {{ {run} }}"));
        assert_eq!(boot("SpringApplication.run(App.class, a);"), PortBy::BootArguments);
        assert_eq!(boot("new SpringApplicationBuilder(App.class).run();"), PortBy::BootProperties);
    }
}
