//! Knobs of the portfolio.

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// The first slice of an engine that then waits for the others: what is easy for it is decided within.
    first_slice: Duration = Duration::from_millis(1_200),
    /// The longest wait before it goes on.
    longest_wait: Duration = Duration::from_secs(10),
    /// The same where tasks run under a kernel.
    longest_wait_with_tasks: Duration = Duration::from_secs(60),
    /// How often a request to stop is looked for.
    poll: Duration = Duration::from_millis(20),
    /// Stack of an engine's thread: symbolic engines build deep terms, and walk some of them by recursion of a bounded
    /// depth.
    stack: u64 = 256 << 20,
    /// Where address space is limited, a stack takes no more than one in so many parts of it.
    stack_share: u64 = 32,
    /// How long a cancelled engine is waited for when the time is over. One that does not stop in time is abandoned.
    stop_wait: Duration = Duration::from_millis(400),
    /// The others may go on after the first answer, to contradict it, for one in so many parts of the time that it took
    /// ...
    grace_share: u32 = 10,
    /// ... up to this.
    longest_grace: Duration = Duration::from_millis(200),
    /// How long they have to stop after that.
    cancel_wait: Duration = Duration::from_millis(20),
    /// How long the replay of a violation may take when the time is over.
    replay_time: Duration = Duration::from_millis(800),
    /// How often memory and processor time are measured.
    memory_poll: Duration = Duration::from_millis(200),
    /// Processor time reserved for the report.
    reporting_time: Duration = Duration::from_secs(2),
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
