//! Information about processes from `/proc`; on systems without it, nothing is known.

use std::collections::BTreeSet;
use std::path::Path;

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Process id.
    pub pid: u32,
    /// Name of the program.
    pub name: String,
}

/// Whether `/proc` exists.
pub fn available() -> bool {
    Path::new("/proc/self/stat").exists()
}

/// The start time of a process, as ticks since boot and the boot's id; `None` if there is no such process.
pub fn started(pid: u32) -> Option<String> {
    let ticks = stat(pid)?.get(19)?.clone();
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Some(format!("{ticks}@{}", boot.trim()))
}

/// The running processes of a group, without zombies; `None` if `/proc` does not exist.
pub fn in_group(group: u32) -> Option<Vec<u32>> {
    if !available() {
        return None;
    }
    let group = group.to_string();
    let runs = |pid: &u32| {
        stat(*pid).is_some_and(|stat| {
            stat.get(2) == Some(&group) && stat.first().is_some_and(|state| state != "Z" && state != "X")
        })
    };
    Some(all().into_iter().filter(runs).collect())
}

/// The processes whose environment contains `name=value`.
pub fn marked(name: &str, value: &str) -> Vec<u32> {
    let wanted = format!("{name}={value}");
    let holds = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    all().into_iter().filter(holds).collect()
}

/// The process that listens on a local port, if it can be determined.
pub fn listener(port: u16) -> Option<Listener> {
    let inodes: BTreeSet<String> =
        listening().into_iter().filter(|(listening, _)| *listening == port).map(|(_, inode)| inode).collect();
    let pid = all().into_iter().find(|pid| !inodes.is_empty() && sockets(*pid).any(|inode| inodes.contains(&inode)))?;
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    Some(Listener { pid, name: name.trim().to_owned() })
}

/// The ports that these processes listen on.
pub fn ports_of(pids: &[u32]) -> BTreeSet<u16> {
    let listening = listening();
    let own: BTreeSet<String> = pids.iter().flat_map(|pid| sockets(*pid)).collect();
    listening.into_iter().filter(|(_, inode)| own.contains(inode)).map(|(port, _)| port).collect()
}

/// Whether this process ignores a signal, because it was started so (for example by `nohup`).
pub fn ignores(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| signal > 0 && mask >> (signal - 1) & 1 == 1)
}

/// Ids of all processes.
fn all() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The fields of `/proc/PID/stat` after the program's name, which may contain any character; the first one is the
/// state.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// Port and inode of every listening socket.
fn listening() -> Vec<(u16, String)> {
    let mut found = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = std::fs::read_to_string(table).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (Some(local), Some(&"0A"), Some(inode)) = (fields.get(1), fields.get(3), fields.get(9)) else {
                continue;
            };
            let port = local.rsplit_once(':').and_then(|(_, port)| u16::from_str_radix(port, 16).ok());
            found.extend(port.map(|port| (port, (*inode).to_owned())));
        }
    }
    found
}

/// Inodes of a process's open sockets.
fn sockets(pid: u32) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let target = std::fs::read_link(entry.path()).ok()?;
        Some(target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn we_find_ourselves() {
        let own = std::process::id();
        assert!(started(own).is_some());
        assert_eq!(started(own), started(own));
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        assert_eq!(listener(port).unwrap().pid, own);
        assert!(ports_of(&[own]).contains(&port));
        assert!(marked("MASTOR_RUN", "nobody").is_empty());
    }
}
