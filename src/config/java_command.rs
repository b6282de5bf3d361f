//! Parses a command line that starts a JVM, so that the same application can be run inside an existing JVM.

/// A parsed `java …` command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JavaCommand {
    /// JVM options without system properties and class path.
    pub options: Vec<String>,
    /// System properties in order.
    pub properties: Vec<(String, String)>,
    /// The main class; `None` for `-jar`.
    pub main: Option<String>,
    /// Arguments of the main class.
    pub arguments: Vec<String>,
}

/// A word of a command line, and whether it is free of shell syntax.
struct Word {
    text: String,
    plain: bool,
}

impl JavaCommand {
    /// Parses a command line; `None` where it is not a single `java` command or needs a shell to be understood.
    pub fn of(line: &str) -> Option<Self> {
        let mut words = words(line)?.into_iter().skip_while(|word| is_assignment(&word.text) || word.text == "exec");
        let program = words.next().filter(|word| word.plain)?.text;
        if program != "java" && !program.ends_with("/java") {
            return None;
        }
        let mut command = Self::default();
        let mut target = None;
        while let Some(word) = words.next() {
            match word.text.as_str() {
                // The class path is set by the caller.
                "-cp" | "-classpath" | "--class-path" => drop(words.next()?),
                "-jar" => {
                    words.next()?;
                    target = Some(None);
                }
                "--add-opens" | "--add-exports" | "--add-modules" | "--add-reads" => {
                    command.options.push(format!("{}={}", word.text, words.next().filter(|word| word.plain)?.text));
                }
                _ if !word.plain => return None,
                text => match text.strip_prefix("-D") {
                    Some(property) => {
                        let (name, value) = property.split_once('=').unwrap_or((property, ""));
                        command.properties.push((name.to_owned(), value.to_owned()));
                    }
                    None if text.starts_with('-') => command.options.push(word.text),
                    None => target = Some(Some(word.text)),
                },
            }
            if target.is_some() {
                break;
            }
        }
        command.main = target?;
        for word in words {
            command.arguments.push(Some(word).filter(|word| word.plain)?.text);
        }
        Some(command)
    }
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// The words of a command line, split as a shell would; `None` for several commands or unclosed quotes.
fn words(line: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut chars = line.trim().chars();
    while let Some(c) = chars.next() {
        let current = || Word { text: String::new(), plain: true };
        match (quote, c) {
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, '|' | '&' | ';' | '<' | '>' | '(' | ')' | '\n' | '#') => return None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_with(current);
            }
            (Some(open), _) if open == c => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_with(current).text.push(chars.next()?),
            (None, '*' | '?' | '~' | '$' | '`') | (Some('"'), '$' | '`') => {
                let word = word.get_or_insert_with(current);
                word.plain = false;
                word.text.push(c);
            }
            _ => word.get_or_insert_with(current).text.push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_command_is_taken_apart() {
        let texts = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            JavaCommand::of("java -XX:+UseSerialGC -Da.b='c d' -jar target/o.jar --server.port={port} \"a b\""),
            Some(JavaCommand {
                options: texts(&["-XX:+UseSerialGC"]),
                properties: vec![("a.b".to_owned(), "c d".to_owned())],
                main: None,
                arguments: texts(&["--server.port={port}", "a b"]),
            })
        );
        assert_eq!(
            JavaCommand::of(
                "A=b exec /opt/jdk/bin/java --add-opens java.base/java.lang=ALL-UNNAMED -cp \"x:$(cat y)\" a.Main server conf.yml"
            ),
            Some(JavaCommand {
                options: texts(&["--add-opens=java.base/java.lang=ALL-UNNAMED"]),
                properties: vec![],
                main: Some("a.Main".to_owned()),
                arguments: texts(&["server", "conf.yml"]),
            })
        );
    }

    #[test]
    fn what_needs_a_shell_is_left_alone() {
        for line in [
            "mvn spring-boot:run",
            "cd x && java -jar a.jar",
            "java -jar a.jar $ARGS",
            "java -jar a.jar 'open",
            "java -cp",
            "java -version",
            "",
            "python3 fake.py & exec java -jar a.jar",
        ] {
            assert_eq!(JavaCommand::of(line), None, "{line}");
        }
    }
}
