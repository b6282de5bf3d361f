//! Hashes the sources that decide what is cached: what another program computed is not taken from the cache.

use std::hash::Hasher as _;
use std::path::{Path, PathBuf};

/// Rooms that decide the edges of a file.
const EDGES: [&str; 4] = ["types", "sql", "java", "extract"];
/// Rooms that decide a fingerprint: all that this one uses.
const FINGERPRINTS: [&str; 12] = [
    "types",
    "env",
    "spawn",
    "store",
    "sql",
    "revision",
    "config",
    "suite",
    "openapi",
    "java",
    "frameworks",
    "extract",
];

fn main() {
    let rooms = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let lock = rooms.join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let mut locked = std::hash::DefaultHasher::new();
    locked.write(&std::fs::read(&lock).unwrap_or_default());
    println!("cargo::rustc-env=MASTOR_EDGES={:016x}", sources(&rooms, &EDGES));
    println!("cargo::rustc-env=MASTOR_PROGRAM={:016x} {:016x}", sources(&rooms, &FINGERPRINTS), locked.finish());
}

/// Hash over the sources in these rooms.
fn sources(rooms: &Path, names: &[&str]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    for name in names {
        let dir = rooms.join(name);
        println!("cargo::rerun-if-changed={}", dir.display());
        let mut files = Vec::new();
        collect(&dir, name, &mut files);
        files.sort();
        for (relative, path) in files {
            hasher.write(relative.as_bytes());
            hasher.write(&std::fs::read(&path).expect("sources are readable"));
        }
    }
    hasher.finish()
}

/// Every file below `dir`, with its path from the rooms' folder.
fn collect(dir: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    for entry in entries.flatten() {
        let relative = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &relative, files);
        } else {
            files.push((relative, entry.path()));
        }
    }
}
