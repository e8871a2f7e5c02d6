//! Knobs of the portfolio.

use std::time::Duration;

pub struct Tuning {
    /// The first slice of an engine that then waits for the others: what is easy for it is decided within.
    pub first_slice: Duration,
    /// The longest wait before it goes on.
    pub longest_wait: Duration,
    /// How often a request to stop is looked for.
    pub poll: Duration,
    /// Stack of an engine's thread: symbolic engines build deep terms, and walk some of them by recursion of a bounded
    /// depth.
    pub stack: u64,
    /// Where address space is limited, a stack takes no more than one in so many parts of it.
    pub stack_share: u64,
    /// How long a cancelled engine is waited for when the time is over. One that does not stop in time is abandoned.
    pub stop_wait: Duration,
    /// The others may go on after the first answer, to contradict it, for one in so many parts of the time that it took
    /// ...
    pub grace_share: u32,
    /// ... up to this.
    pub longest_grace: Duration,
    /// How long they have to stop after that.
    pub cancel_wait: Duration,
    /// How long the replay of a violation may take when the time is over.
    pub replay_time: Duration,
    /// How often memory and processor time are measured.
    pub memory_poll: Duration,
    /// Processor time reserved for the report.
    pub reporting_time: Duration,
}

pub const TUNING: Tuning = Tuning {
    first_slice: Duration::from_millis(1_200),
    longest_wait: Duration::from_secs(10),
    poll: Duration::from_millis(20),
    stack: 256 << 20,
    stack_share: 32,
    stop_wait: Duration::from_millis(400),
    grace_share: 10,
    longest_grace: Duration::from_millis(200),
    cancel_wait: Duration::from_millis(20),
    replay_time: Duration::from_millis(800),
    memory_poll: Duration::from_millis(200),
    reporting_time: Duration::from_secs(2),
};
