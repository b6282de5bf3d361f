//! Branches that no test takes: JaCoCo records them while the exported tests run once, without mutants.

use std::path::Path;

use crate::pipeline::repository::workspace::unwritable;
use crate::pipeline::service::java_bench::{Bench, Ran, joined};
use crate::pipeline::strength::places::Named;
use crate::pipeline::strength::work::Work;
use mastor_strength::branches::{Line, counted, read};
use mastor_strength::mutants::Rounds;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::strength::Branches;

/// The tool that counts branches.
const BRANCHES_BY: &str = "JaCoCo 0.8.15";
/// The beginning of its agent's file name.
const AGENT: &str = "org.jacoco.agent-";

/// Branches of the code that the operations reach, with those that no test takes. `own` is the class path of the tests
/// with JaCoCo, `application` that of the application.
pub(in crate::pipeline) async fn branches(
    work: &Work<'_>,
    bench: &Bench<'_>,
    (own, application): (&[String], &[String]),
    rounds: &Rounds,
    named: &Named<'_>,
) -> Result<Branches, Failure> {
    let is_agent =
        |path: &&String| Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with(AGENT));
    let agent = own.iter().find(is_agent).ok_or_else(|| Failure::new(Exit::NotReady, "JaCoCo is not there"))?;
    let classes = work.places.classes();
    let (without, wanted) = (bench.dir.join("branches.without"), bench.dir.join("branches.classes"));
    let result = bench.dir.join("branches.result");
    let lines = |names: &mut dyn Iterator<Item = &String>| names.map(|name| format!("{name}\n")).collect::<String>();
    mastor_store::write(&without, lines(&mut rounds.failed.keys()).as_bytes()).map_err(unwritable)?;
    mastor_store::write(&wanted, lines(&mut classes.iter()).as_bytes()).map_err(unwritable)?;
    let _ = fs_err::remove_file(&result);
    let mut arguments = work.jvm_options();
    arguments.push(format!("-javaagent:{agent}=output=none,includes={}", classes.join(":")));
    arguments.extend(["-cp".to_owned(), joined(own), "mastor.Branches".to_owned()]);
    let files = [&bench.dir.join("tests"), &without, &wanted, &result];
    arguments.extend(files.map(|file| file.display().to_string()));
    arguments.extend(application.iter().filter(|path| Path::new(path).is_dir()).cloned());
    let line = bench.line("java", "branches", arguments)?;
    if bench.run("branches", &line, work.options.within).await? == Ran::Cut {
        return Err(Failure::new(Exit::NotReady, "the tests did not end in time under JaCoCo"));
    }
    let found = read(&fs_err::read_to_string(&result).map_err(unwritable)?);
    let is_wanted = |line: &Line| {
        work.lines
            .is_none_or(|all| all.iter().any(|of| of.file == line.path && (of.first..=of.last).contains(&line.line)))
    };
    let found: Vec<Line> = found.into_iter().filter(is_wanted).collect();
    Ok(Branches { branches_by: BRANCHES_BY.to_owned(), ..counted(&found, named) })
}
