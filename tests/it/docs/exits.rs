//! Exit codes: the reference lists all of the program's, and the README the most common ones.

use mastor::types::error::Exit;

use super::text;

/// The rows of a page's table of exit codes, as code and name.
fn rows(page: &str) -> Vec<(String, String)> {
    let text = text(page);
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with("| ")).map(cells);
    rows.filter(|cells| cells[1].parse::<u8>().is_ok()).map(|cells| (cells[1].clone(), cells[2].clone())).collect()
}

#[test]
fn every_exit_code_is_in_the_reference_by_its_name() {
    let known = |exit: &Exit| (exit.code().to_string(), exit.name().to_owned());
    let mut all: Vec<Exit> = Exit::ORDER.to_vec();
    all.sort_by_key(|exit| exit.code());
    let page = "docs/reference/exit-codes.md";
    assert_eq!(rows(page), all.iter().map(known).collect::<Vec<_>>());
    for row in rows("README.md") {
        assert!(all.iter().any(|exit| known(exit) == row), "README.md: {row:?}");
    }
    let order: Vec<String> = Exit::ORDER[..9].iter().map(|exit| exit.code().to_string()).collect();
    assert!(text(page).contains(&format!("the first of {} counts", order.join(", "))), "{order:?}");
}
