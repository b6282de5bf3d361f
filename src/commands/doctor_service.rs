//! The part of `mastor doctor` about the service's settings and the programs that they use; nothing is run.

use std::path::Path;

use super::findings::Findings;
use super::tools::{java_here, on_path, version};
use crate::pipeline::{Head, Workspace};
use mastor_config::{ServiceSettings, Settings};
use mastor_extract::Surface;
use mastor_types::error::{Exit, Failure};

/// Checks that the files and programs named in the settings exist.
pub(super) fn look(
    workspace: &Workspace,
    settings: &Settings,
    head: &Head,
    surface: &Surface,
    findings: &mut Findings,
) {
    let name = &settings.name;
    let Some(spec) = &settings.service else {
        return findings.note(&match &settings.switched_off {
            Some(_) => format!(
                "{name}: the service is switched off; `mastor doctor --service` tries it, `enabled = true` in `[service]` of {} turns it on",
                settings.path
            ),
            None => format!(
                "{name}: no service is configured; changes are derived, not seen (`mastor init` proposes `[service]`)"
            ),
        });
    };
    let dir = workspace.root.join(&spec.dir);
    if spec.start.is_none() {
        findings.good(&format!("{name}: the service is reached at {}", spec.base_url));
    } else if dir.is_dir() {
        tools(name, spec, &dir, findings);
        let wanted = crate::pipeline::launches(surface, &settings.dir, "").first().and_then(|launch| launch.java);
        if let (Some(wanted), Some(here)) = (wanted, java_here())
            && wanted > here
        {
            findings.note(&format!(
                "{name}: the build is for Java {wanted}, `java` here is {here}: name another in the commands, or JAVA_HOME in `[service] env`"
            ));
        }
    } else {
        let failure = Failure::new(Exit::Usage, format!("{name}: `{}` is no folder", dir.display()));
        findings.bad(&failure.hint("`[service] dir` is taken from the folder of mastor.toml"));
    }
    if let Some(auth) = spec.auth.as_ref().filter(|auth| head.tree.get(&auth.path).is_none()) {
        let failure = Failure::new(Exit::Usage, format!("{name}: there is no auth file {}", auth.path));
        findings.bad(&failure.hint("`[service] auth` is taken from the folder of mastor.toml"));
    }
    let unset: Vec<&str> =
        spec.inherit.iter().map(String::as_str).filter(|name| mastor_env::var(name).is_none()).collect();
    if !unset.is_empty() {
        findings.note(&format!("{name}: `inherit` names variables that are not set: {}", unset.join(", ")));
    }
}

/// Checks for the programs that the commands start with.
fn tools(name: &str, spec: &ServiceSettings, dir: &Path, findings: &mut Findings) {
    let mut seen = Vec::new();
    for (key, line) in [("build", &spec.build), ("start", &spec.start)] {
        let Some(program) = line.as_deref().and_then(program) else { continue };
        if seen.contains(&program) {
            continue;
        }
        seen.push(program);
        let there = match program.contains('/') {
            true => dir.join(program).is_file(),
            false => on_path(program),
        };
        if !there {
            let failure = Failure::new(Exit::Usage, format!("{name}: `{program}` is not there, which `{key}` runs"));
            findings.bad(&failure.hint(hint(program)));
        } else if let Some(version) = version(program) {
            findings.good(&format!("{name}: `{key}` runs {program}: {version}"));
        } else {
            findings.good(&format!("{name}: `{key}` runs {program}"));
        }
    }
}

/// The first program of a shell command; `None` where only a shell could tell.
fn program(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| {
        *word == "exec"
            || word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
    });
    words.next().filter(|word| word.chars().all(|c| c.is_alphanumeric() || "./_-+".contains(c)) && *word != "cd")
}

fn hint(program: &str) -> &'static str {
    match program {
        "java" | "javac" => "install a JDK, or set JAVA_HOME and write `$JAVA_HOME/bin/java`",
        "mvn" => "install Maven, or use the project's `./mvnw`",
        "gradle" => "install Gradle, or use the project's `./gradlew`",
        _ => "install it, or change the command in `[service]`",
    }
}
