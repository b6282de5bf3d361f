//! Permalinks: URLs of places in a file of a commit, on the repository's host.

use mastor_types::ci_run::{CiRun, CiSystem};
use mastor_types::results::change::Place;
use mastor_types::suite::request::percent_path;

/// Permalinks for both commits of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Links {
    /// Base URL: `https://github.com/acme/orders`.
    repository: String,
    base: String,
    head: String,
    is_gitlab: bool,
}

impl Links {
    /// Links for these two commits, if the run names its host. On a pull request the head is its own commit, not the
    /// merge commit that is checked out.
    pub fn of(run: &CiRun, base: &str, head: &str) -> Option<Self> {
        let host = run.repository.as_ref()?;
        let head = run.pull.as_ref().map_or(head, |pull| &pull.head_sha);
        let whole = |sha: &str| sha.len() == 40 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c));
        let repository = format!("{}/{}/{}", host.server_url, host.owner, host.name);
        (whole(base) && whole(head) && plain(&repository)).then(|| Self {
            repository,
            base: base.to_owned(),
            head: head.to_owned(),
            is_gitlab: run.system == CiSystem::GitLab,
        })
    }

    /// Link to a place in the base.
    pub fn before(&self, place: &Place) -> String {
        self.at(&self.base, place)
    }

    /// Link to a place in the head.
    pub fn after(&self, place: &Place) -> String {
        self.at(&self.head, place)
    }

    fn at(&self, sha: &str, place: &Place) -> String {
        let path = percent_path(&place.file);
        let (folder, letter) = if self.is_gitlab { ("-/blob", "") } else { ("blob", "L") };
        let end = if place.end_line > place.line { format!("-{letter}{}", place.end_line) } else { String::new() };
        format!("{}/{folder}/{sha}/{path}#L{}{end}", self.repository, place.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::ci_run::{HostedRepository, RunStamp};

    #[test]
    fn a_place_is_linked_in_its_own_commit_and_no_path_leaves_the_link() {
        let repository = HostedRepository {
            server_url: "https://github.com".to_owned(),
            api_url: String::new(),
            graphql_url: None,
            owner: "acme".to_owned(),
            name: "orders".to_owned(),
            id: None,
        };
        let run = CiRun {
            system: CiSystem::GitHub,
            event: String::new(),
            base: None,
            pull: None,
            follows: None,
            repository: Some(repository),
            stamp: RunStamp::default(),
        };
        let (base, head) = ("a".repeat(40), "b".repeat(40));
        let links = Links::of(&run, &base, &head).unwrap();
        let place = Place { file: "src/A (1)].java".to_owned(), line: 3, end_line: 5, symbol: String::new() };
        assert_eq!(
            links.before(&place),
            format!("https://github.com/acme/orders/blob/{base}/src/A%20%281%29%5D.java#L3-L5")
        );
        assert!(links.after(&place).contains(&head));
        assert_eq!(Links::of(&run, "work tree", &head), None);
        let run = CiRun { system: CiSystem::GitLab, ..run };
        let link = Links::of(&run, &base, &head).unwrap().before(&place);
        assert!(link.ends_with(&format!("/acme/orders/-/blob/{base}/src/A%20%281%29%5D.java#L3-5")), "{link}");
    }
}
