//! Suggests why a service does not answer on its port: it listens on another one, according to the operating system or
//! its log.

use regex::Regex;

use super::command::Command;
use super::log::Log;

/// The suspected reason as a sentence, if any.
pub fn of(port: u16, command: Option<&Command>, log: &Log) -> Option<String> {
    let listens = command.map(Command::ports).unwrap_or_default();
    if listens.contains(&port) {
        return None;
    }
    if !listens.is_empty() {
        let listens: Vec<String> = listens.iter().map(u16::to_string).collect();
        return Some(format!(
            "it listens on port {}, not on {port}: does `start` hand on {{port}}?",
            listens.join(" and ")
        ));
    }
    let tail = log.tail(200);
    let (other, line) = named(&tail.lines, port)?;
    Some(format!("its log names port {other}, not {port}: `{}`; does `start` hand on {{port}}?", line.trim()))
}

/// The last log line that names another port, unless a line names the wanted one.
fn named(lines: &[String], wanted: u16) -> Option<(u16, &str)> {
    let naming = Regex::new(r"(?i)\bports?\b\D{0,12}?(\d{2,5})\b|https?://[^\s/:]+:(\d{2,5})\b").ok()?;
    let mut found = None;
    for line in lines.iter().filter(|line| !line.starts_with("[mastor]")) {
        for groups in naming.captures_iter(line) {
            let number = groups.get(1).or_else(|| groups.get(2)).and_then(|text| text.as_str().parse::<u16>().ok());
            match number {
                Some(port) if port == wanted => return None,
                Some(port) => found = Some((port, line.as_str())),
                None => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_names_another_port_is_a_sign() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        for (text, port) in [
            ("Tomcat started on port(s): 9090 (http)", Some(9090)),
            ("Tomcat started on port 9090 (http) with context path '/'", Some(9090)),
            ("Listening on http://0.0.0.0:9090", Some(9090)),
            ("Tomcat initialized with port 8080 (http)\nmanagement on port 9090", None),
            ("12 reports done", None),
            ("[mastor] java -jar x --port=9090", None),
        ] {
            assert_eq!(named(&lines(text), 8080).map(|(port, _)| port), port, "{text}");
        }
    }
}
