//! The child process: written to and read from by threads of its own, so that limits are obeyed while it thinks.

use super::reply::{self, Reply};
use crate::limits::{Limits, Why};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long to wait between looks at the limits.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

pub struct Child {
    process: std::process::Child,
    input: Sender<String>,
    lines: Receiver<String>,
    limits: Limits,
    /// Text that is no whole reply yet.
    pending: String,
}

impl Child {
    pub fn start(path: &Path, arguments: &[&str], limits: &Limits) -> Result<Child, Why> {
        let mut process = Command::new(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| Why::Process("it could not be started"))?;
        let (input, texts) = channel::<String>();
        let (sender, lines) = channel::<String>();
        if let (Some(mut stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) {
            std::thread::spawn(move || {
                // Ends when the sender is dropped or the process has gone.
                while let Ok(text) = texts.recv() {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines() {
                    let Ok(line) = line else { return };
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Child { process, input, lines, limits: limits.clone(), pending: String::new() })
    }

    pub fn send(&mut self, text: String) {
        // A process that has gone is noticed when its reply is missing.
        let _ = self.input.send(text);
    }

    /// The next reply.
    pub fn receive(&mut self) -> Result<Reply, Why> {
        loop {
            match reply::parse(&self.pending) {
                Ok(Some((Reply::List(items), _))) if items.first() == Some(&Reply::Atom("error".to_owned())) => {
                    return Err(Why::Process("it reports an error"));
                }
                Ok(Some((reply, rest))) => {
                    self.pending = rest.to_owned();
                    return Ok(reply);
                }
                Ok(None) => {}
                Err(()) => return Err(Why::Process("its answer is not understood")),
            }
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => {
                    self.pending.push_str(&line);
                    self.pending.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Why::Process("it ended without an answer")),
            }
            if let Some(why) = self.limits.exhausted() {
                return Err(why);
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
