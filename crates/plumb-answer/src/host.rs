//! What the machine that Plumb runs on has to give, where the system tells: Linux does, in files.

use std::time::Duration;

/// Memory that the process has now.
pub fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// The most memory that the process has had.
pub fn peak_bytes() -> Option<u64> {
    kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Memory that the process can have: what is built in, or less where it is limited.
pub fn memory_limit() -> Option<u64> {
    let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemTotal:"));
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    // Stacks and reserves of the allocator take address space, too.
    let space = address_space().map(|space| space.saturating_sub(RESERVED).max(space / 4));
    [total, group, space].into_iter().flatten().min()
}

/// Address space that the process may have, where it is limited.
pub fn address_space() -> Option<u64> {
    limit("Max address space")
}

/// Address space that is taken without being used.
const RESERVED: u64 = 1536 << 20;

/// The bytes of a line that gives kibibytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Processor time that the process may use before the system ends it.
pub fn processor_limit() -> Option<Duration> {
    limit("Max cpu time").map(Duration::from_secs)
}

/// A limit of the process, unless it has none.
fn limit(name: &str) -> Option<u64> {
    soft_limit(&std::fs::read_to_string("/proc/self/limits").ok()?, name)
}

fn soft_limit(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Processor time that the process has used, of all its threads.
pub fn processor_time() -> Option<Duration> {
    used_time(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

fn used_time(text: &str) -> Option<Duration> {
    /// The unit of times in these files is the same on every Linux.
    const TICK: Duration = Duration::from_millis(10);
    // The process's name may have any characters in it.
    let behind_name = text.rsplit_once(')')?.1;
    let mut fields = behind_name.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * user.saturating_add(system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_linux_are_read() {
        assert_eq!(kibibytes("MemTotal:       24599988 kB\nMemFree: 1 kB\n", "MemTotal:"), Some(24_599_988 << 10));
        let limits = "Limit   Soft Limit   Hard Limit   Units\nMax cpu time              35      unlimited   seconds\n\
                      Max address space         unlimited            unlimited            bytes\n";
        assert_eq!(soft_limit(limits, "Max cpu time"), Some(35));
        assert_eq!(soft_limit(limits, "Max address space"), None);
        let stat = "4711 (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0\n";
        assert_eq!(used_time(stat), Some(Duration::from_secs(3)));
    }
}
