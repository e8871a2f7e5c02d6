//! A system as its description configures it: everything resolved, every reference an index, every default in place.

use crate::settings::PassedOver;
use serde::Serialize;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
        pub struct $name(pub usize);)*
    };
}

// The index in the system's list of its kind, which is the identifier that the kernel knows it by.
ids! {
    TaskId,
    EventId,
    ResourceId,
    CounterId,
    MessageId,
    ModeId,
}

/// A priority of the kernel. Tasks have levels from 1 on in the order of their priorities, interrupts lie above them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Level(pub u8);

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct System {
    pub os: Os,
    pub com: Com,
    /// The first one is the default mode.
    pub modes: Vec<Mode>,
    pub tasks: Vec<Task>,
    pub events: Vec<Event>,
    /// Those that can be taken: standard and linked ones, and the scheduler where it is one.
    pub resources: Vec<Resource>,
    pub internal_resources: Vec<InternalResource>,
    pub counters: Vec<Counter>,
    pub alarms: Vec<Alarm>,
    pub isrs: Vec<Isr>,
    pub messages: Vec<Message>,
    /// What of a vendor's plays no role.
    pub passed_over: Vec<PassedOver>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Os {
    pub name: String,
    /// `STATUS = EXTENDED`: services check their arguments and the state they are called in.
    pub extended_status: bool,
    pub hooks: Hooks,
    pub use_get_service_id: bool,
    pub use_parameter_access: bool,
    /// Whether there is a resource `RES_SCHEDULER`.
    pub use_res_scheduler: bool,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Hooks {
    pub startup: bool,
    pub shutdown: bool,
    pub error: bool,
    pub pretask: bool,
    pub posttask: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Com {
    pub extended_status: bool,
    pub error_hook: bool,
    pub modes: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub name: String,
    /// As the description has it; a larger one is more urgent.
    pub priority: u32,
    pub level: Level,
    /// The level it runs at: the ceiling of its internal resource, or its own.
    pub running_level: Level,
    /// `SCHEDULE = FULL`.
    pub preemptable: bool,
    pub activations: u8,
    pub autostart: Vec<ModeId>,
    /// An extended task is one that has events.
    pub events: Vec<EventId>,
    pub resources: Vec<ResourceId>,
    /// The name of its internal resource.
    pub internal_resource: Option<String>,
    pub messages: Vec<MessageId>,
}

impl Task {
    pub fn is_extended(&self) -> bool {
        !self.events.is_empty()
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub name: String,
    /// One bit.
    pub mask: u32,
    /// Whether the description left the bit to us.
    pub auto: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ResourceKind {
    Standard,
    /// Another name for a resource, so that it can be taken while it is held.
    Linked(ResourceId),
    Scheduler,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    pub name: String,
    pub kind: ResourceKind,
    /// The highest level of whoever uses the resource or one that is linked with it; 0 if nobody does.
    pub ceiling: Level,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InternalResource {
    pub name: String,
    pub ceiling: Level,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counter {
    pub name: String,
    pub max_allowed_value: u32,
    pub ticks_per_base: u32,
    pub min_cycle: u32,
    /// The level of the interrupt that advances it; none where only the application does.
    pub level: Option<Level>,
}

/// What the expiry of an alarm or the arrival of a message does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    None,
    ActivateTask(TaskId),
    SetEvent(TaskId, EventId),
    Callback(String),
    /// Messages only.
    Flag(String),
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alarm {
    pub name: String,
    pub counter: CounterId,
    pub action: Action,
    pub autostart: Option<AlarmStart>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AlarmStart {
    pub alarm_time: u32,
    /// 0: it expires once.
    pub cycle_time: u32,
    pub modes: Vec<ModeId>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Isr {
    pub name: String,
    /// 1 or 2.
    pub category: u8,
    /// As the description has it, if it does.
    pub priority: Option<u32>,
    pub level: Level,
    pub resources: Vec<ResourceId>,
    pub messages: Vec<MessageId>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MessageKind {
    /// The C type of the data; none for a zero-length message.
    Send {
        data_type: Option<String>,
    },
    ReceiveZero {
        sender: MessageId,
    },
    ReceiveUnqueued {
        sender: MessageId,
        filter: Filter,
        initial_value: u64,
    },
    ReceiveQueued {
        sender: MessageId,
        filter: Filter,
        queue_size: u8,
    },
}

/// A filter with the values of its algorithm's parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    pub algorithm: &'static FilterAlgorithm,
    pub parameters: Vec<u32>,
}

/// One of the algorithms of OSEK COM 2.2.2.
#[derive(PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterAlgorithm {
    /// In OIL.
    pub name: &'static str,
    /// In the kernel's `config.h`.
    #[serde(skip)]
    pub constant: &'static str,
    /// In the order of the kernel's `a` and `b`.
    pub parameters: &'static [&'static str],
    /// Whether it compares values, which must be integers for that.
    #[serde(skip)]
    pub compares: bool,
}

const fn filter(
    name: &'static str,
    constant: &'static str,
    parameters: &'static [&'static str],
    compares: bool,
) -> FilterAlgorithm {
    FilterAlgorithm { name, constant, parameters, compares }
}

/// All of them; the first one lets everything pass.
pub static FILTERS: [FilterAlgorithm; 15] = [
    filter("ALWAYS", "OSEK_FILTER_ALWAYS", &[], false),
    filter("NEVER", "OSEK_FILTER_NEVER", &[], false),
    filter("MASKEDNEWEQUALSX", "OSEK_FILTER_MASKED_NEW_EQUALS_X", &["MASK", "X"], true),
    filter("MASKEDNEWDIFFERSX", "OSEK_FILTER_MASKED_NEW_DIFFERS_X", &["MASK", "X"], true),
    filter("NEWISEQUAL", "OSEK_FILTER_NEW_IS_EQUAL", &[], true),
    filter("NEWISDIFFERENT", "OSEK_FILTER_NEW_IS_DIFFERENT", &[], true),
    filter("MASKEDNEWEQUALSMASKEDOLD", "OSEK_FILTER_MASKED_NEW_EQUALS_MASKED_OLD", &["MASK"], true),
    filter("MASKEDNEWDIFFERSMASKEDOLD", "OSEK_FILTER_MASKED_NEW_DIFFERS_MASKED_OLD", &["MASK"], true),
    filter("NEWISWITHIN", "OSEK_FILTER_NEW_IS_WITHIN", &["MIN", "MAX"], true),
    filter("NEWISOUTSIDE", "OSEK_FILTER_NEW_IS_OUTSIDE", &["MIN", "MAX"], true),
    filter("NEWISGREATER", "OSEK_FILTER_NEW_IS_GREATER", &[], true),
    filter("NEWISLESSOREQUAL", "OSEK_FILTER_NEW_IS_LESS_OR_EQUAL", &[], true),
    filter("NEWISLESS", "OSEK_FILTER_NEW_IS_LESS", &[], true),
    filter("NEWISGREATEROREQUAL", "OSEK_FILTER_NEW_IS_GREATER_OR_EQUAL", &[], true),
    filter("ONEEVERYN", "OSEK_FILTER_ONE_EVERY_N", &["PERIOD", "OFFSET"], false),
];

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub name: String,
    pub kind: MessageKind,
    pub notification: Action,
}
