//! The headers that come with Plumb itself: what programs include to use its own functions.
//!
//! They are part of the binary. Where the preprocessor misses one of them they are put into a temporary directory, behind all
//! others that the user names, and it is run again; other programs pay nothing.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A header, by the name that programs include.
pub struct OwnHeader {
    pub name: &'static str,
    pub text: &'static str,
}

pub const OWN_HEADERS: [OwnHeader; 1] =
    [OwnHeader { name: "plumb/stack.h", text: include_str!("include/plumb/stack.h") }];

/// Whether a preprocessor's complaint is about one of them.
pub(super) fn is_missed(stderr: &str) -> bool {
    let complains = stderr.contains("No such file or directory") || stderr.contains("file not found");
    complains && OWN_HEADERS.iter().any(|header| stderr.contains(header.name))
}

/// Writes them below a directory.
pub fn write_own_headers(directory: &Path) -> Result<()> {
    for header in OWN_HEADERS {
        let path = directory.join(header.name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, header.text)?;
    }
    Ok(())
}

/// A directory of them that goes away with this.
pub(super) struct HeaderDirectory(PathBuf);

impl HeaderDirectory {
    pub fn new() -> Result<HeaderDirectory> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("plumb-headers-{}-{number}", std::process::id()));
        // One that is there already is somebody else's.
        std::fs::create_dir(&path)?;
        let directory = HeaderDirectory(path);
        write_own_headers(&directory.0)?;
        Ok(directory)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for HeaderDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
