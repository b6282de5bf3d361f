//! `docs/reference/commands.md`, generated from the definition of the command line.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};
use mastor::cli::Cli;

use super::markdown::{cell, sentence};
use super::{is_as_made, text};

const PAGE: &str = "docs/reference/commands.md";

/// The built command line, with the global options in each command.
pub fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// Every command without subcommands, with its full name (`mastor cache stats`), in the order of the help.
pub fn commands(program: &Command) -> Vec<(String, &Command)> {
    fn below<'c>(words: &str, command: &'c Command, out: &mut Vec<(String, &'c Command)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help" && !inner.is_hide_set()) {
            let words = format!("{words} {}", inner.get_name());
            if inner.has_subcommands() {
                below(&words, inner, out);
            } else {
                out.push((words, inner));
            }
        }
    }
    let mut out = Vec::new();
    below("mastor", program, &mut out);
    out
}

/// The arguments of a command without the global ones.
pub fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let shown = |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(|arg| !arg.is_global_set()).filter(shown)
}

/// The syntax of an argument: `-C, --directory <DIR>`, `[ID]...`.
fn written(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let takes = arg.get_action().takes_values();
    let value =
        arg.get_value_names().filter(|_| takes).map(|names| format!(" <{}>", names.join("> <"))).unwrap_or_default();
    let names = [arg.get_short().map(|c| format!("-{c}")), arg.get_long().map(|long| format!("--{long}"))];
    names.into_iter().flatten().collect::<Vec<_>>().join(", ") + &value
}

/// The description of an argument, with its values, its default and its environment variable.
fn meaning(arg: &Arg) -> String {
    let mut out = cell(&sentence(&arg.get_help().map(ToString::to_string).unwrap_or_default()));
    let takes = arg.get_action().takes_values();
    let values: Vec<String> = arg
        .get_possible_values()
        .into_iter()
        .filter(|value| takes && !value.is_hide_set())
        .map(|value| {
            let help = value.get_help().map(|help| cell(help.to_string().trim_end_matches('.')));
            format!("`{}`{}", value.get_name(), help.map(|help| format!(": {help}")).unwrap_or_default())
        })
        .collect();
    if !values.is_empty() {
        write!(out, "<br>{}.", values.join("<br>")).unwrap();
    }
    let default: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if takes && !default.is_empty() {
        write!(out, " Default: `{}`.", default.join(" ")).unwrap();
    }
    if let Some(name) = arg.get_env() {
        write!(out, " Variable: `{}`.", name.to_string_lossy()).unwrap();
    }
    out
}

/// A table for each help heading, in order of appearance.
fn tables<'a>(arguments: impl Iterator<Item = &'a Arg>, out: &mut String) {
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in arguments {
        let usual = if arg.is_positional() { "Argument" } else { "Option" };
        let heading = arg.get_help_heading().unwrap_or(usual);
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, group)) => group.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    for (heading, group) in groups {
        writeln!(out, "\n| {heading} | |\n|---|---|").unwrap();
        for arg in group {
            writeln!(out, "| `{}` | {} |", written(arg), meaning(arg)).unwrap();
        }
    }
}

fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.trim_start_matches("Usage:").trim().to_owned()
}

/// The page.
fn page(program: &Command) -> String {
    let mut out = String::from(
        "# Commands\n\n\
         <!-- made from the definition of the command line by a test, `MASTOR_BLESS=1 cargo nextest run docs`: do not edit -->\n\n\
         `mastor COMMAND --help` prints the same. A flag goes before its variable, the variable before [`mastor.toml`](settings.md). \
         How a command ends is in [exit codes](exit-codes.md).\n\n\
         | Command | |\n|---|---|\n",
    );
    let about = |command: &Command| sentence(&command.get_about().map(ToString::to_string).unwrap_or_default());
    for (words, command) in commands(program) {
        writeln!(out, "| [`{words}`](#{}) | {} |", words.replace(' ', "-"), cell(&about(command))).unwrap();
    }
    out += "\n## Options of every command\n";
    tables(program.get_arguments().filter(|arg| arg.is_global_set()), &mut out);
    for (words, command) in commands(program) {
        write!(out, "\n## {words}\n\n{}\n\n```text\n{}\n```\n", about(command), usage(command)).unwrap();
        tables(arguments(command), &mut out);
    }
    out
}

#[test]
fn the_reference_of_commands_is_as_the_command_line_is() {
    is_as_made(PAGE, &page(&program()));
}

#[test]
fn every_command_and_option_is_in_the_reference() {
    let (page, program) = (text(PAGE), program());
    let sections: Vec<&str> = page.split("\n## ").collect();
    let all = commands(&program);
    assert!(all.len() > 25, "{}", all.len());
    for (words, command) in &all {
        let section = sections.iter().find(|section| section.starts_with(&format!("{words}\n")));
        let section = section.unwrap_or_else(|| panic!("{words} is not in {PAGE}"));
        for arg in arguments(command) {
            let name = arg.get_long().map_or_else(|| format!("{}", arg), |long| format!("--{long}"));
            assert!(section.contains(&name), "{words} {name} is not in {PAGE}");
        }
    }
    for arg in program.get_arguments().filter_map(Arg::get_long) {
        assert!(matches!(arg, "help" | "version") || page.contains(&format!("--{arg}")), "{arg}");
    }
}

#[test]
fn every_command_is_met_in_a_page_that_a_person_wrote() {
    let prose: String = super::pages().iter().filter(|page| *page != PAGE).map(|page| text(page)).collect();
    let missing: Vec<String> =
        commands(&program()).into_iter().map(|(words, _)| words).filter(|words| !prose.contains(words)).collect();
    assert!(missing.is_empty(), "no page but the reference speaks of {missing:?}");
}
