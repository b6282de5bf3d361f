//! `mastor comment`, and the comment of `mastor ci --comment`.

use std::path::Path;

use super::context::Context;
use crate::cli::CommentTo;
use mastor_publish::github::sticky::Comments;
use mastor_publish::github::{GitHub, Marker, Posted, Trouble, marker, sticky};
use mastor_publish::gitlab::GitLab;
use mastor_publish::json;
use mastor_publish::report::comment;
use mastor_types::ci_run::{CiRun, CiSystem, HostedRepository, PullRequest};
use mastor_types::error::{Exit, Failure};
use mastor_types::results::report::Report;

/// Maximum size of a report, in bytes; it may come from a fork.
const LARGEST: u64 = 64 << 20;

/// Posts the comment of a report, or prints it where the pull request is not known.
///
/// # Errors
/// Exit 2 for a file that is not a report, exit 70 where the host does not answer.
pub fn run(context: &Context, from: &Path, print: bool, to: &CommentTo) -> Result<Exit, Failure> {
    let report = read(from)?;
    let run = mastor_env::ci_run();
    let text = comment::text(&report, run.as_ref(), mastor_env::artifact().as_deref()).map_err(internal)?;
    let target = if print { None } else { target(to, run.as_ref())? };
    let Some((repository, wanted)) = target else {
        context.console.result(&text);
        return Ok(Exit::Clean);
    };
    match send(context, &repository, wanted, run.as_ref(), to, &report, &text) {
        Ok(()) => Ok(Exit::Clean),
        Err(Trouble::Failed(why)) => Err(Failure::new(Exit::Internal, format!("the comment was not written: {why}"))
            .hint("`mastor comment --print` prints it; running it again edits the same comment")),
        Err(trouble) => {
            notice(context, &trouble);
            Ok(Exit::Clean)
        }
    }
}

/// Posts the comment at the end of a run. An error is shown as a notice and changes no exit code.
pub fn after_run(context: &Context, to: &CommentTo, report: &Report) {
    let run = mastor_env::ci_run();
    let done = (|| {
        let text = comment::text(report, run.as_ref(), mastor_env::artifact().as_deref())
            .map_err(|error| Trouble::Failed(error.to_string()))?;
        let target = target(to, run.as_ref()).map_err(|failure| Trouble::Failed(failure.message))?;
        match target {
            Some((repository, wanted)) => send(context, &repository, wanted, run.as_ref(), to, report, &text),
            None => {
                context.events.said("no comment: this run belongs to no pull request, or has no token");
                Ok(())
            }
        }
    })();
    if let Err(trouble) = done {
        notice(context, &trouble);
    }
}

/// How the pull request is identified.
enum PullSelector {
    Number(u64),
    /// By the head of the workflow run that triggered this `workflow_run` event.
    TriggeringRun,
}

/// Repository and pull request, from the options or else the CI run; `None` where they are unknown or there is no
/// token.
fn target(to: &CommentTo, run: Option<&CiRun>) -> Result<Option<(HostedRepository, PullSelector)>, Failure> {
    if !marker::is_word(&to.key) {
        return Err(Failure::new(Exit::Usage, format!("`{}` cannot be the key of a comment", to.key))
            .hint("letters, digits, dots, `_` and single `-` serve"));
    }
    let mut repository = run.and_then(|run| run.repository.clone());
    if let Some(named) = &to.repo {
        let (owner, name) =
            named.rsplit_once('/').filter(|(owner, name)| !owner.is_empty() && !name.is_empty()).ok_or_else(|| {
                Failure::new(Exit::Usage, format!("`{named}` names no repository")).hint("it is written `owner/name`")
            })?;
        let host = repository.unwrap_or_else(HostedRepository::github);
        repository = Some(HostedRepository { owner: owner.to_owned(), name: name.to_owned(), id: None, ..host });
    }
    let wanted = match (to.pr, run) {
        (Some(number), _) => Some(PullSelector::Number(number)),
        (None, Some(CiRun { pull: Some(pull), .. })) => Some(PullSelector::Number(pull.number)),
        (None, Some(CiRun { follows: Some(_), .. })) => Some(PullSelector::TriggeringRun),
        _ => None,
    };
    Ok(repository.zip(wanted).filter(|_| mastor_env::host_token(system(run)).is_some()))
}

/// The host's system; GitHub if unknown.
fn system(run: Option<&CiRun>) -> CiSystem {
    run.map_or(CiSystem::GitHub, |run| run.system)
}

fn send(
    context: &Context,
    repository: &HostedRepository,
    wanted: PullSelector,
    run: Option<&CiRun>,
    to: &CommentTo,
    report: &Report,
    text: &str,
) -> Result<(), Trouble> {
    let token = mastor_env::host_token(system(run)).unwrap_or_default();
    let number = if let PullSelector::Number(number) = wanted { number } else { 0 };
    if system(run) == CiSystem::GitLab {
        return post(context, &GitLab::new(repository, number, &token)?, run, to, report, text);
    }
    let mut host = GitHub::new(repository, number, &token)?;
    if let (PullSelector::TriggeringRun, Some(head)) = (&wanted, run.and_then(|run| run.follows.as_ref())) {
        let Some(PullRequest { number, .. }) = host.pull_of(head)? else {
            context.events.said(format!(
                "no comment: not exactly one open pull request has {} of {} as its head",
                head.branch, head.repository
            ));
            return Ok(());
        };
        host = host.with_number(number);
    }
    post(context, &host, run, to, report, text)
}

/// Creates or updates the comment, with a marker that identifies the run.
fn post(
    context: &Context,
    host: &impl Comments,
    run: Option<&CiRun>,
    to: &CommentTo,
    report: &Report,
    text: &str,
) -> Result<(), Trouble> {
    let sha = run.and_then(|run| {
        let own = run.pull.as_ref().map(|pull| &pull.head_sha);
        own.or(run.follows.as_ref().map(|head| &head.sha)).cloned()
    });
    let since = report.services.iter().find_map(|service| service.plan.since.as_ref());
    let head = sha.or_else(|| since.and_then(|since| since.head_sha.clone())).unwrap_or_else(|| "unknown".to_owned());
    let head = if marker::is_word(&head) { head } else { "unknown".to_owned() };
    let stamp = run.map(|run| run.stamp).unwrap_or_default();
    let marker = Marker { key: to.key.clone(), head, stamp };
    let posted = sticky::post(host, &marker, text, comment::has_news(report))?;
    context.events.said(match posted {
        Posted::Created(id) => format!("comment {id} was written"),
        Posted::Updated(id) => format!("comment {id} was brought up to date"),
        Posted::Same(id) => format!("comment {id} says it already"),
        Posted::NewerThere(id) => format!("comment {id} is of a newer run, and stays"),
        Posted::Silent => "no comment: nothing relevant changed".to_owned(),
    });
    Ok(())
}

/// Shows why no comment was written, as an annotation on GitHub and as a message elsewhere.
fn notice(context: &Context, trouble: &Trouble) {
    let is_gitlab = system(mastor_env::ci_run().as_ref()) == CiSystem::GitLab;
    let hint = match trouble {
        _ if is_gitlab => {
            ". `.mastor/out/report.md` has the same text; a note needs a token with the scope `api` in `MASTOR_GITLAB_TOKEN`"
        }
        Trouble::NoRight { .. } | Trouble::NotThere { .. } => {
            ". The job's summary has the same text; a comment needs `pull-requests: write`, which runs of forks do not get"
        }
        _ => ". The job's summary has the same text",
    };
    context.console.notice(&format!("no comment was written: {trouble}{hint}"));
}

/// Reads a report from an untrusted file.
///
/// # Errors
/// Exit 2 where it is not there, or no report.
pub(super) fn read(path: &Path) -> Result<Report, Failure> {
    let wrong = |why: String| {
        Failure::new(Exit::Usage, format!("`{}` is no report: {why}", path.display()))
            .hint("`mastor ci` writes one to `.mastor/out/report.json`")
    };
    let size = fs_err::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
    if size > LARGEST {
        return Err(wrong(format!("it has {size} bytes, more than {LARGEST}")));
    }
    let text = fs_err::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    json::read_report(&text).map_err(wrong)
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Internal, error.to_string())
}
