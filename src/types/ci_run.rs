//! The CI run that mastor runs in: its system, its event, and the base, pull request and repository that they name.

use serde::{Deserialize, Serialize};

/// CI systems whose variables are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CiSystem {
    /// GitHub Actions, including GitHub Enterprise Server.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Jenkins.
    Jenkins,
}

/// The base that the CI event names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventBase {
    /// A branch or a commit id.
    pub spec: String,
    /// The source of the value: `GITHUB_BASE_REF`, `the push event`.
    pub said_by: String,
}

/// The pull request that a run belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequest {
    /// Its number on the host.
    pub number: u64,
    /// The head commit of the pull request's own branch, not the merge commit that is checked out.
    pub head_sha: String,
    /// The branch that the pull request comes from.
    pub head_ref: String,
    /// Whether it comes from another repository.
    pub from_fork: bool,
}

/// The head of another workflow's run, from a `workflow_run` event, which does not always name the pull request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHead {
    /// The head commit.
    pub sha: String,
    /// Its branch.
    pub branch: String,
    /// Owner and name of the repository that holds the branch.
    pub repository: String,
}

/// The repository on its host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedRepository {
    /// Base URL of its web pages: `https://github.com`.
    pub server_url: String,
    /// Base URL of its REST API: `https://api.github.com`.
    pub api_url: String,
    /// URL of its GraphQL API, where it has one.
    pub graphql_url: Option<String>,
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The repository's numeric id on the host, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl HostedRepository {
    /// A repository on github.com without owner and name.
    pub fn github() -> Self {
        Self {
            server_url: "https://github.com".to_owned(),
            api_url: "https://api.github.com".to_owned(),
            graphql_url: Some("https://api.github.com/graphql".to_owned()),
            owner: String::new(),
            name: String::new(),
            id: None,
        }
    }
}

/// Orders runs by age: run ids grow, and so do the attempts of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct RunStamp {
    /// Id of the run.
    pub run: u64,
    /// Attempt, counted from 1.
    pub attempt: u64,
}

/// A CI run as its variables and its event describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CiRun {
    /// CI system.
    pub system: CiSystem,
    /// Event name as the system writes it: `pull_request`, `merge_request_event`.
    pub event: String,
    /// The base to compare with.
    pub base: Option<EventBase>,
    /// The pull request.
    pub pull: Option<PullRequest>,
    /// The head of the workflow run that triggered a `workflow_run` event.
    pub follows: Option<RunHead>,
    /// The repository on its host.
    pub repository: Option<HostedRepository>,
    /// Orders this run among others.
    pub stamp: RunStamp,
}

/// Whether the id is all zeros, which stands for no commit (a new branch has no commit before it).
fn is_nothing(sha: &str) -> bool {
    sha.bytes().all(|byte| byte == b'0')
}

impl CiRun {
    /// Detects the CI run from environment variables; `read` returns the content of the event file. `None` outside the
    /// known CI systems.
    pub fn of(var: &dyn Fn(&str) -> Option<String>, read: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        if var("GITHUB_ACTIONS").is_some() || var("GITHUB_EVENT_NAME").is_some() || var("GITHUB_BASE_REF").is_some() {
            return Some(github(var, read));
        }
        if var("GITLAB_CI").is_some() {
            return Some(gitlab(var));
        }
        (var("JENKINS_URL").is_some() || var("CHANGE_ID").is_some()).then(|| jenkins(var))
    }

    /// Whether a merge commit with this second parent is the one that GitHub makes for the pull request.
    pub fn is_merge_into(&self, second_parent: &str) -> bool {
        let of_pull = matches!(self.event.as_str(), "pull_request" | "pull_request_target");
        of_pull && self.pull.as_ref().is_some_and(|pull| pull.head_sha == second_parent)
    }
}

fn github(var: &dyn Fn(&str) -> Option<String>, read: &dyn Fn(&str) -> Option<String>) -> CiRun {
    let event: serde_json::Value = var("GITHUB_EVENT_PATH")
        .and_then(|path| read(&path))
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let text = |pointer: &str| event.pointer(pointer).and_then(serde_json::Value::as_str).map(str::to_owned);
    let name = var("GITHUB_EVENT_NAME").unwrap_or_default();
    let base = |spec: Option<String>, said_by: &str| spec.map(|spec| EventBase { spec, said_by: said_by.to_owned() });
    let default = || text("/repository/default_branch");
    let on_default = || default().is_some() && var("GITHUB_REF_NAME") == default();
    let branch = |by: &str| if on_default() { None } else { base(default(), by) };
    let found = match name.as_str() {
        "merge_group" => base(text("/merge_group/base_sha"), "the merge group's base"),
        "push" => base(text("/before").filter(|sha| !is_nothing(sha)), "the push event (before)")
            .or_else(|| branch("the default branch, since the push made a new branch")),
        "schedule" | "workflow_dispatch" => branch("the default branch of the repository"),
        _ => None,
    };
    let pull = pull_request(&event);
    let (owner, repo) = var("GITHUB_REPOSITORY")
        .and_then(|full| full.split_once('/').map(|(owner, name)| (owner.to_owned(), name.to_owned())))
        .unzip();
    let url = |name: &str, usual: &str| var(name).unwrap_or_else(|| usual.to_owned()).trim_end_matches('/').to_owned();
    let number = |name: &str| var(name).and_then(|text| text.parse().ok()).unwrap_or_default();
    let followed = |name: &str| event.pointer(&format!("/workflow_run/{name}"))?.as_u64();
    let stamp = match (followed("id"), followed("run_attempt")) {
        // A `workflow_run` posts on behalf of the run that it follows, so it takes that run's place in the order.
        (Some(run), Some(attempt)) if name == "workflow_run" => RunStamp { run, attempt },
        _ => RunStamp { run: number("GITHUB_RUN_ID"), attempt: number("GITHUB_RUN_ATTEMPT") },
    };
    let follows = || {
        Some(RunHead {
            sha: text("/workflow_run/head_sha")?,
            branch: text("/workflow_run/head_branch")?,
            repository: text("/workflow_run/head_repository/full_name")?,
        })
    };
    CiRun {
        system: CiSystem::GitHub,
        follows: follows().filter(|_| name == "workflow_run"),
        base: base(var("GITHUB_BASE_REF"), "GITHUB_BASE_REF").or(found),
        event: name,
        pull,
        repository: owner.zip(repo).map(|(owner, name)| HostedRepository {
            server_url: url("GITHUB_SERVER_URL", "https://github.com"),
            api_url: url("GITHUB_API_URL", "https://api.github.com"),
            graphql_url: var("GITHUB_GRAPHQL_URL"),
            owner,
            name,
            id: None,
        }),
        stamp,
    }
}

/// The pull request in the event, if it has one.
fn pull_request(event: &serde_json::Value) -> Option<PullRequest> {
    let pull = event.get("pull_request")?;
    let text = |pointer: &str| pull.pointer(pointer).and_then(serde_json::Value::as_str).map(str::to_owned);
    let (head, base) = (text("/head/repo/full_name"), text("/base/repo/full_name"));
    Some(PullRequest {
        number: pull.get("number").or_else(|| event.get("number"))?.as_u64()?,
        head_sha: text("/head/sha")?,
        head_ref: text("/head/ref").unwrap_or_default(),
        // The name of a deleted fork is missing from the event.
        from_fork: head.is_none() || head != base,
    })
}

fn gitlab(var: &dyn Fn(&str) -> Option<String>) -> CiRun {
    let variable = |name: &str| {
        let spec = var(name).filter(|value| !is_nothing(value))?;
        Some(EventBase { spec, said_by: name.to_owned() })
    };
    let default = || {
        let other = var("CI_COMMIT_BRANCH") != var("CI_DEFAULT_BRANCH");
        variable("CI_DEFAULT_BRANCH").filter(|_| other)
    };
    let number = |name: &str| var(name).and_then(|text| text.parse().ok()).unwrap_or_default();
    CiRun {
        system: CiSystem::GitLab,
        event: var("CI_PIPELINE_SOURCE").unwrap_or_default(),
        base: variable("CI_MERGE_REQUEST_DIFF_BASE_SHA")
            .or_else(|| variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"))
            .or_else(|| variable("CI_COMMIT_BEFORE_SHA"))
            .or_else(default),
        pull: merge_request(var),
        follows: None,
        repository: project(var),
        // A retried job gets a higher job id within the same pipeline.
        stamp: RunStamp { run: number("CI_PIPELINE_ID"), attempt: number("CI_JOB_ID").max(1) },
    }
}

/// The merge request that a GitLab pipeline runs for.
fn merge_request(var: &dyn Fn(&str) -> Option<String>) -> Option<PullRequest> {
    let own = var("CI_MERGE_REQUEST_PROJECT_ID");
    Some(PullRequest {
        number: var("CI_MERGE_REQUEST_IID")?.parse().ok()?,
        // Where GitLab checks out the merge result, `CI_COMMIT_SHA` is not the branch's own commit.
        head_sha: var("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA").or_else(|| var("CI_COMMIT_SHA"))?,
        head_ref: var("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME").unwrap_or_default(),
        from_fork: own.is_some() && own != var("CI_MERGE_REQUEST_SOURCE_PROJECT_ID"),
    })
}

/// The project of a GitLab pipeline; for a merge request, its target project.
fn project(var: &dyn Fn(&str) -> Option<String>) -> Option<HostedRepository> {
    let path = var("CI_MERGE_REQUEST_PROJECT_PATH").or_else(|| var("CI_PROJECT_PATH"))?;
    let (owner, name) = path.rsplit_once('/')?;
    Some(HostedRepository {
        server_url: var("CI_SERVER_URL")?.trim_end_matches('/').to_owned(),
        api_url: var("CI_API_V4_URL")?.trim_end_matches('/').to_owned(),
        graphql_url: None,
        owner: owner.to_owned(),
        name: name.to_owned(),
        id: var("CI_MERGE_REQUEST_PROJECT_ID").or_else(|| var("CI_PROJECT_ID")),
    })
}

fn jenkins(var: &dyn Fn(&str) -> Option<String>) -> CiRun {
    let names = ["CHANGE_TARGET", "GIT_PREVIOUS_SUCCESSFUL_COMMIT", "GIT_PREVIOUS_COMMIT"];
    let base = names.iter().find_map(|name| Some(EventBase { spec: var(name)?, said_by: (*name).to_owned() }));
    CiRun {
        system: CiSystem::Jenkins,
        event: if var("CHANGE_ID").is_some() { "change".to_owned() } else { "build".to_owned() },
        base,
        pull: None,
        follows: None,
        repository: None,
        stamp: RunStamp { run: var("BUILD_NUMBER").and_then(|n| n.parse().ok()).unwrap_or_default(), attempt: 1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(vars: &[(&str, &str)], event: &str) -> Option<CiRun> {
        let var = |name: &str| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        CiRun::of(&var, &|_| Some(event.to_owned()))
    }

    fn base(vars: &[(&str, &str)], event: &str) -> Option<String> {
        run(vars, event)?.base.map(|base| base.spec)
    }

    #[test]
    fn a_merge_request_of_gitlab_is_one_of_the_project_that_it_goes_to() {
        let vars = [
            ("GITLAB_CI", "true"),
            ("CI_PIPELINE_SOURCE", "merge_request_event"),
            ("CI_SERVER_URL", "https://gitlab.example"),
            ("CI_API_V4_URL", "https://gitlab.example/api/v4"),
            ("CI_PROJECT_ID", "7"),
            ("CI_PROJECT_PATH", "someone/orders"),
            ("CI_MERGE_REQUEST_IID", "5"),
            ("CI_MERGE_REQUEST_PROJECT_ID", "3"),
            ("CI_MERGE_REQUEST_PROJECT_PATH", "acme/shop/orders"),
            ("CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "7"),
            ("CI_COMMIT_SHA", "abc"),
            ("CI_PIPELINE_ID", "9"),
            ("CI_JOB_ID", "44"),
        ];
        let found = run(&vars, "").unwrap();
        let (pull, repository) = (found.pull.unwrap(), found.repository.unwrap());
        assert_eq!((pull.number, pull.head_sha.as_str(), pull.from_fork), (5, "abc", true));
        assert_eq!(
            (repository.id.as_deref(), repository.owner.as_str(), repository.name.as_str()),
            (Some("3"), "acme/shop", "orders")
        );
        assert_eq!(found.stamp, RunStamp { run: 9, attempt: 44 });
    }

    #[test]
    fn every_event_of_github_says_what_to_compare_with() {
        let github = |name: &'static str, event: &str| {
            let vars = [
                ("GITHUB_ACTIONS", "true"),
                ("GITHUB_EVENT_NAME", name),
                ("GITHUB_EVENT_PATH", "event.json"),
                ("GITHUB_REF_NAME", "topic"),
            ];
            base(&vars, event)
        };
        let zeros = r#"{"before":"0000000000000000000000000000000000000000","repository":{"default_branch":"main"}}"#;
        assert_eq!(github("push", r#"{"before":"abc1"}"#).as_deref(), Some("abc1"));
        assert_eq!(github("push", zeros).as_deref(), Some("main"));
        assert_eq!(github("merge_group", r#"{"merge_group":{"base_sha":"b1"}}"#).as_deref(), Some("b1"));
        assert_eq!(
            github("schedule", r#"{"repository":{"default_branch":"main"}}"#).as_deref(),
            Some("main"),
            "a schedule on another branch"
        );
        assert_eq!(github("schedule", r#"{"repository":{"default_branch":"topic"}}"#), None);
        assert_eq!(base(&[("GITHUB_BASE_REF", "main")], "").as_deref(), Some("main"));
    }

    #[test]
    fn a_pull_request_knows_its_own_head_and_whether_it_is_from_a_fork() {
        let event = r#"{"number":7,"pull_request":{"number":7,"head":{"sha":"h1","ref":"topic","repo":{"full_name":"a/b"}},
            "base":{"sha":"b1","repo":{"full_name":"a/b"}}}}"#;
        let vars = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", "pull_request"),
            ("GITHUB_EVENT_PATH", "e"),
            ("GITHUB_REPOSITORY", "a/b"),
            ("GITHUB_RUN_ID", "12"),
            ("GITHUB_RUN_ATTEMPT", "2"),
            ("GITHUB_API_URL", "https://ghe.example/api/v3/"),
        ];
        let found = run(&vars, event).unwrap();
        let pull = found.pull.unwrap();
        assert_eq!((pull.number, pull.head_sha.as_str(), pull.from_fork), (7, "h1", false));
        assert_eq!(found.repository.unwrap().api_url, "https://ghe.example/api/v3");
        assert!(found.stamp > RunStamp { run: 12, attempt: 1 } && found.stamp < RunStamp { run: 13, attempt: 1 });
        let fork = event.replacen("\"full_name\":\"a/b\"", "\"full_name\":\"x/b\"", 1);
        assert!(run(&vars, &fork).unwrap().pull.unwrap().from_fork);
        assert_eq!(run(&vars, "no json").unwrap().pull, None);
    }

    #[test]
    fn a_run_that_follows_another_speaks_for_that_one() {
        let event = r#"{"workflow_run":{"id":77,"run_attempt":3,"head_sha":"h1","head_branch":"topic","head_repository":{"full_name":"x/b"}}}"#;
        let vars = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", "workflow_run"),
            ("GITHUB_EVENT_PATH", "e"),
            ("GITHUB_RUN_ID", "99"),
        ];
        let found = run(&vars, event).unwrap();
        assert_eq!(found.stamp, RunStamp { run: 77, attempt: 3 });
        assert_eq!(found.follows.map(|head| head.repository).as_deref(), Some("x/b"));
        assert_eq!((found.base, found.pull), (None, None));
    }

    #[test]
    fn gitlab_and_jenkins_say_it_by_variables() {
        let zeros = "0000000000000000000000000000000000000000";
        let merge = [("GITLAB_CI", "true"), ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "d1"), ("CI_COMMIT_BEFORE_SHA", zeros)];
        assert_eq!(base(&merge, "").as_deref(), Some("d1"));
        let fresh = [
            ("GITLAB_CI", "true"),
            ("CI_COMMIT_BEFORE_SHA", zeros),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_COMMIT_BRANCH", "topic"),
        ];
        assert_eq!(base(&fresh, "").as_deref(), Some("main"));
        assert_eq!(base(&[("JENKINS_URL", "x"), ("CHANGE_TARGET", "main")], "").as_deref(), Some("main"));
        assert_eq!(base(&[("JENKINS_URL", "x"), ("GIT_PREVIOUS_COMMIT", "c0")], "").as_deref(), Some("c0"));
        assert_eq!(run(&[], ""), None);
    }
}
