//! The `mastor` command as a process, in a scrubbed environment.

use crate::support::Repo;

#[test]
fn the_command_runs_in_a_repository() {
    Repo::new().commit("first").mastor(["--version"]).assert().success();
}
