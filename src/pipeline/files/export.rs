//! Files of a run: the report, the proposals and the exports, all below `.mastor/out` unless the user names another
//! folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::pipeline::accept::proposals::write_proposals;
use crate::pipeline::ci::part::{RunContext, ShardFindings};
use crate::pipeline::document::described;
use crate::pipeline::files::page::{beside, last_check};
use crate::pipeline::files::templates;
use crate::pipeline::repository::comparison::surface;
use crate::pipeline::repository::workspace::{Head, Workspace, out_folder, unwritable};
use crate::pipeline::service::launches::in_jvm;
use crate::pipeline::service::live::accounts;
use crate::pipeline::slices::as_tests;
use crate::pipeline::strength::measure::last_measured;
use mastor_config::{ExportKind, Settings, join};
use mastor_extract::Surface;
use mastor_publish::checks::junit_report::junit_report;
use mastor_publish::exports::html::{self, PageContext};
use mastor_publish::exports::{junit, postman, readable};
use mastor_publish::github::outputs;
use mastor_publish::gitlab::code_quality::code_quality;
use mastor_publish::report::{comment, report_md, sarif};
use mastor_publish::terminal::audit;
use mastor_publish::{Export, Exported, json};
use mastor_revision::SourceTree;
use mastor_suite::OUT_DIR;
use mastor_suite::load::{OperationSuite, Suite};
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::audit::Audited;
use mastor_types::results::check::CheckFields;
use mastor_types::results::report::Report;
use mastor_types::results::strength::Strength;
use mastor_types::suite::sequence::Sequence;

/// Name of the patch of the proposed suite, below the repository's `.mastor/out`.
pub const PATCH: &str = "proposed.patch";

/// Writes these kinds of exports of the suite in `tree`, each to its own folder below `to`; files of an earlier export
/// that this one lacks are removed. Gives the paths of all files below `to`, sorted.
///
/// # Errors
/// Exit 2 for a wrong template of the user, exit 70 where writing fails. For slices: exit 2 where there is no JDK, no
/// build or no main class, exit 4 where the project does not build or start, exit 3 where no oracle became a test (all
/// other kinds are written then).
pub fn write_all(
    workspace: &Workspace,
    settings: &Settings,
    (tree, suite): (&SourceTree, &Suite),
    kinds: &[ExportKind],
    to: &Path,
) -> Result<Vec<String>, Failure> {
    let templates = templates::templates(settings, &templates::own(tree, settings)?)?;
    let known = reads_code(kinds).then(|| surface(workspace, settings, tree)).transpose()?;
    let in_jvm = known.as_ref().map(|known| in_jvm(known, settings));
    let base_path = in_jvm.as_ref().map_or("", |known| known.base_path.as_str());
    let accounts = accounts(workspace, settings);
    let export = Export::of(&settings.name, base_path, suite).with(&templates);
    let export = Export { in_jvm: in_jvm.as_ref(), accounts: &accounts, ..export };
    let beside = match &known {
        Some(known) if kinds.contains(&ExportKind::Html) => PageContext {
            strength: last_measured(workspace, &settings.name),
            ..beside(known, &export, last_check(workspace, settings))
        },
        _ => PageContext::default(),
    };
    let mut rendered = rendered(&export, &beside, kinds)?;
    let mut is_empty = false;
    if kinds.contains(&ExportKind::Slices) {
        let exported = as_tests::slice_tests(workspace, settings, (tree, suite))?;
        for line in as_tests::told(&exported) {
            workspace.events.said(line);
        }
        is_empty = exported.tests.is_empty();
        rendered.push((ExportKind::Slices, exported));
    }
    if kinds.contains(&ExportKind::Openapi) {
        rendered.push((ExportKind::Openapi, described::exported(workspace, settings, (tree, suite))?));
    }
    let written = write_kinds(rendered, to)?;
    match is_empty {
        true => Err(Failure::new(Exit::Nothing, "no oracle of the suite became a test")
            .hint("the reasons stand above; `mastor slice` shows each oracle's")),
        false => Ok(written),
    }
}

/// Whether one of these kinds needs the code besides the suite: the page cites it, and tests that run need the
/// service's address and reset.
fn reads_code(kinds: &[ExportKind]) -> bool {
    kinds.iter().any(|kind| !matches!(kind, ExportKind::Readable | ExportKind::Sarif | ExportKind::Openapi))
}

/// Renders these kinds, except slices, SARIF and OpenAPI. All are rendered before any is written: a wrong template leaves the files as they were.
fn rendered(
    export: &Export<'_>,
    beside: &PageContext,
    kinds: &[ExportKind],
) -> Result<Vec<(ExportKind, Exported)>, Failure> {
    kinds.iter().filter_map(|kind| Some(render(export, beside, *kind)?.map(|exported| (*kind, exported)))).collect()
}

/// Writes a report as SARIF below `to`; gives the path of the file.
///
/// # Errors
/// Exit 70 where it cannot be written.
pub fn write_sarif(report: &Report, to: &Path) -> Result<PathBuf, Failure> {
    let path = to.join(ExportKind::Sarif.as_str()).join("report.sarif");
    mastor_store::write_if_changed(&path, json::to_text(&sarif::sarif(report)).as_bytes()).map_err(unwritable)?;
    Ok(path)
}

fn write_kinds(rendered: Vec<(ExportKind, Exported)>, to: &Path) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    for (kind, exported) in rendered {
        let folder = to.join(kind.as_str());
        for (path, bytes) in &exported.files {
            let relative = format!("{}/{path}", kind.as_str());
            mastor_store::write_if_changed(&to.join(&relative), bytes).map_err(unwritable)?;
            written.push(relative);
        }
        remove_others(&folder, &folder, &exported)?;
    }
    written.sort();
    Ok(written)
}

fn render(export: &Export<'_>, beside: &PageContext, kind: ExportKind) -> Option<Result<Exported, Failure>> {
    let exported = match kind {
        ExportKind::Slices | ExportKind::Sarif | ExportKind::Openapi => return None,
        ExportKind::Junit => junit::junit(export),
        ExportKind::Postman => postman::postman(export),
        ExportKind::Readable => readable::readable(export),
        ExportKind::Html => html::html(export, beside),
    };
    Some(exported.map_err(|error| templates::failure(&error)))
}

/// Removes files of an earlier export: only those with endings that exports use, and never in a folder of build output.
fn remove_others(root: &Path, folder: &Path, exported: &Exported) -> Result<(), Failure> {
    let Ok(entries) = fs_err::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if path.file_name().is_some_and(|name| name != "target" && name != "node_modules") {
                remove_others(root, &path, exported)?;
            }
            continue;
        }
        let Ok(relative) = path.strip_prefix(root) else { continue };
        let relative = relative.to_string_lossy().replace('\\', "/");
        let ours =
            [".java", ".md", ".json", ".html", ".properties", ".yaml"].iter().any(|ending| relative.ends_with(ending));
        if ours && !exported.files.contains_key(&relative) {
            mastor_store::remove(&path).map_err(unwritable)?;
        }
    }
    Ok(())
}

/// Writes the proposals and exports of a `ci` run. Gives the paths from the repository's root, sorted. `known` is the
/// surface of the head if it was read already.
///
/// # Errors
/// Exit 2 for a wrong template of the user, exit 70 where writing fails.
pub fn write_ci(
    workspace: &Workspace,
    settings: &Settings,
    (head, known): (&Head, Option<&Surface>),
    frame: &RunContext,
    found: &ShardFindings,
) -> Result<Vec<String>, Failure> {
    let out = workspace.service_dir(settings).join(OUT_DIR);
    out_folder(&out)?;
    let mut artifacts: Vec<String> =
        write_proposals(workspace, settings, frame.head, &found.proposals)?.into_iter().collect();
    let operations: BTreeMap<OpId, OperationSuite> =
        found.suites.iter().filter(|(_, s)| !s.oracles.is_empty()).cloned().collect();
    let mut sequences: BTreeMap<OpId, Vec<Sequence>> = BTreeMap::new();
    for sequence in &found.sequences {
        if let Some(first) = sequence.steps.first().filter(|first| operations.contains_key(&first.op_id)) {
            sequences.entry(first.op_id.clone()).or_default().push(sequence.clone());
        }
    }
    let folder = out.join("export");
    if operations.is_empty() {
        // Exports of an earlier run must not be taken for those of this run.
        if folder.is_dir() {
            fs_err::remove_dir_all(&folder).map_err(unwritable)?;
        }
    } else {
        let kinds = &settings.export_kinds;
        let read = (known.is_none() && reads_code(kinds)).then(|| surface(workspace, settings, &head.tree));
        let read = read.transpose()?;
        let known = known.or(read.as_ref());
        let in_jvm = known.filter(|_| reads_code(kinds)).map(|known| in_jvm(known, settings));
        let templates = templates::templates(settings, &frame.templates)?;
        let accounts = accounts(workspace, settings);
        let export = Export {
            service: &settings.name,
            base_path: &frame.base_path,
            operations: &operations,
            sequences: &sequences,
            templates: &templates,
            in_jvm: in_jvm.as_ref(),
            accounts: &accounts,
        };
        let beside = match known {
            Some(known) if kinds.contains(&ExportKind::Html) => {
                let of_head = |one: &Strength| one.head.is_some() && one.head == head.whole_id();
                PageContext {
                    strength: last_measured(workspace, &settings.name).filter(of_head),
                    ..beside(known, &export, found.check.as_ref().map(CheckFields::without_times))
                }
            }
            _ => PageContext::default(),
        };
        let written = write_kinds(rendered(&export, &beside, kinds)?, &folder)?;
        artifacts.extend(written.into_iter().map(|path| join(&settings.dir, &format!("{OUT_DIR}/export/{path}"))));
    }
    artifacts.sort();
    Ok(artifacts)
}

/// Writes the report in all its formats, and the `patch` of the proposed suite if it is not empty, to the repository's
/// `.mastor/out`, and lists these files in the report. Appends to the outputs and the summary of the CI job if it has
/// them.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn write_report(workspace: &Workspace, report: &mut Report, patch: &[u8]) -> Result<(), Failure> {
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    write_patch(&out, patch)?;
    for service in report.services.iter_mut().take(1) {
        service.artifacts.extend([
            format!("{OUT_DIR}/report.json"),
            format!("{OUT_DIR}/report.md"),
            format!("{OUT_DIR}/report.sarif"),
            format!("{OUT_DIR}/code-quality.json"),
        ]);
        service.artifacts.extend((!patch.is_empty()).then(|| format!("{OUT_DIR}/{PATCH}")));
        service.artifacts.sort();
    }
    let run = mastor_env::ci_run();
    let markdown = comment::text(report, run.as_ref(), mastor_env::artifact().as_deref())
        .map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    let text = json::to_text(&json::report(report, json::Times::LeftOut));
    mastor_store::write(&out.join("report.json"), text.as_bytes()).map_err(unwritable)?;
    mastor_store::write(&out.join("report.md"), markdown.as_bytes()).map_err(unwritable)?;
    write_results(&out, report)?;
    let log = json::to_text(&sarif::sarif(report));
    mastor_store::write(&out.join("report.sarif"), log.as_bytes()).map_err(unwritable)?;
    let log = json::to_text(&code_quality(report));
    mastor_store::write(&out.join("code-quality.json"), log.as_bytes()).map_err(unwritable)?;
    if let Some(file) = mastor_env::step_output() {
        let text = outputs::file_text(&outputs::outputs(report, &paths(workspace, report)));
        append(&file, &text).map_err(|e| {
            Failure::new(Exit::Internal, e.to_string()).hint("GITHUB_OUTPUT names a file that cannot be written")
        })?;
    }
    summarise(&markdown)
}

/// Writes `audit.json` and `audit.md` to the repository's `.mastor/out`, and appends the audit to the summary of the CI
/// job if it has one.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn write_audit(workspace: &Workspace, services: &[(String, Audited)]) -> Result<(), Failure> {
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let markdown = audit::markdown(services).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    let text = json::to_text(&json::Envelope::new("audit", services.to_vec()));
    mastor_store::write(&out.join("audit.json"), text.as_bytes()).map_err(unwritable)?;
    mastor_store::write(&out.join("audit.md"), markdown.as_bytes()).map_err(unwritable)?;
    summarise(&markdown)
}

fn summarise(markdown: &str) -> Result<(), Failure> {
    let Some(summary) = mastor_env::step_summary() else { return Ok(()) };
    append(&summary, markdown).map_err(|e| {
        Failure::new(Exit::Internal, e.to_string()).hint("GITHUB_STEP_SUMMARY names a file that cannot be written")
    })
}

/// Writes the name of the exit to the outputs of a GitHub Actions step, if the run is in one.
///
/// # Errors
/// Where the file that the runner names cannot be written.
pub fn write_exit(exit: Exit) -> std::io::Result<()> {
    match mastor_env::step_output() {
        Some(file) => append(&file, &format!("exit-name={}\n", exit.name())),
        None => Ok(()),
    }
}

/// Writes the name of the exit to the step's outputs, and the failure to the job's summary, for a run that has no
/// report.
///
/// # Errors
/// Where a file that the runner names cannot be written.
pub fn write_failure(failure: &Failure) -> std::io::Result<()> {
    write_exit(failure.exit)?;
    if let Some(summary) = mastor_env::step_summary() {
        append(&summary, &report_md::failure(failure).map_err(std::io::Error::other)?)?;
    }
    Ok(())
}

/// Writes the patch of the proposed suite; without one, removes that of an earlier run.
fn write_patch(out: &Path, patch: &[u8]) -> Result<(), Failure> {
    mastor_store::write_or_remove(&out.join(PATCH), (!patch.is_empty()).then_some(patch)).map_err(unwritable)
}

/// Writes the results of the committed suite as JUnit XML; without any, removes those of an earlier run.
fn write_results(out: &Path, report: &Report) -> Result<(), Failure> {
    let path = out.join("junit-results.xml");
    let checked: Vec<(String, CheckFields)> = report
        .services
        .iter()
        .filter_map(|service| Some((service.name.clone(), service.check.as_ref()?.without_times())))
        .collect();
    let xml = match checked.is_empty() {
        true => None,
        false => Some(junit_report(&checked).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?),
    };
    mastor_store::write_or_remove(&path, xml.as_deref().map(str::as_bytes)).map_err(unwritable)
}

/// The paths of what the run wrote, for later steps.
fn paths(workspace: &Workspace, report: &Report) -> outputs::Paths {
    let written = || report.services.iter().flat_map(|service| &service.artifacts);
    let folder = |ending: &str| {
        let found = written().find_map(|path| path.find(ending).map(|at| path[..at + ending.len()].to_owned()));
        found.map(|path| path.trim_end_matches('/').to_owned()).unwrap_or_default()
    };
    let there = |path: String| if workspace.root.join(&path).is_file() { path } else { String::new() };
    outputs::Paths {
        report: format!("{OUT_DIR}/report.json"),
        summary: format!("{OUT_DIR}/report.md"),
        junit_results: there(format!("{OUT_DIR}/junit-results.xml")),
        junit: folder("/export/junit/"),
        postman: folder("/export/postman/"),
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = fs_err::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}
