//! Lists the bundled example, so that `mastor demo` needs nothing but the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut out = String::new();
    for (name, dir) in [("ORDERS", "examples/orders"), ("ORDERS_CHANGES", "examples/orders-changes")] {
        println!("cargo::rerun-if-changed={dir}");
        let mut files = Vec::new();
        collect(&root.join(dir), "", &mut files);
        files.sort();
        writeln!(
            out,
            "/// Files of `{dir}`: path below it, and bytes.\npub(crate) const {name}: &[(&str, &[u8])] = &["
        )
        .expect("a string grows");
        for (relative, path) in files {
            println!("cargo::rerun-if-changed={}", path.display());
            writeln!(out, "    ({relative:?}, include_bytes!({:?})),", path.display().to_string())
                .expect("a string grows");
        }
        out.push_str("];\n");
    }
    let to = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("example.rs");
    std::fs::write(to, out).expect("OUT_DIR is writable");
}

/// Every file below `dir`, but for what builds leave behind.
fn collect(dir: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let relative = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        if entry.path().is_dir() {
            if !matches!(name.as_str(), "target" | ".mastor" | ".idea" | ".git") {
                collect(&entry.path(), &relative, files);
            }
        } else {
            files.push((relative, entry.path()));
        }
    }
}
