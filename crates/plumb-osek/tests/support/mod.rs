//! Random systems as OIL text.

#![allow(dead_code, reason = "each test uses a part")]

/// A small generator; the same seed gives the same systems.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// What a random description says, in the simplest terms.
#[derive(Debug, Default)]
pub struct Model {
    pub modes: usize,
    pub tasks: Vec<TaskModel>,
    /// Given masks.
    pub events: Vec<Option<u32>>,
    pub resources: Vec<ResourceModel>,
    pub alarms: Vec<AlarmModel>,
    /// Category, priority and resources.
    pub isrs: Vec<(u8, u32, Vec<usize>)>,
}

#[derive(Debug)]
pub struct TaskModel {
    pub priority: u32,
    pub full: bool,
    pub activation: u8,
    pub autostart: Vec<usize>,
    pub events: Vec<usize>,
    pub resources: Vec<usize>,
}

#[derive(Debug, PartialEq)]
pub enum ResourceModel {
    Standard,
    Linked(usize),
    Internal,
}

#[derive(Debug)]
pub struct AlarmModel {
    /// With an event: it is set. Without: the task is activated.
    pub task: usize,
    pub event: Option<usize>,
    /// Time, cycle and modes.
    pub start: Option<(u32, u32, Vec<usize>)>,
}

pub const COUNTER_MAX: u32 = 1000;

impl Model {
    pub fn random(r: &mut Random) -> Model {
        let modes = 1 + r.below(3);
        let some_modes = |r: &mut Random| {
            let mut list: Vec<usize> = (0..modes).filter(|_| r.chance(50)).collect();
            if list.is_empty() {
                list.push(r.below(modes));
            }
            list
        };
        let events: Vec<Option<u32>> = (0..r.below(6)).map(|_| None).collect();
        let mut resources = Vec::new();
        for i in 0..r.below(6) {
            resources.push(match r.below(3) {
                0 => ResourceModel::Internal,
                // Only earlier ones, and none of the internal kind: no circles.
                1 => match (0..i).rev().find(|&j| resources[j] != ResourceModel::Internal) {
                    Some(j) => ResourceModel::Linked(j),
                    None => ResourceModel::Standard,
                },
                _ => ResourceModel::Standard,
            });
        }
        let usable: Vec<usize> = (0..resources.len()).filter(|&i| resources[i] != ResourceModel::Internal).collect();
        let internal: Vec<usize> = (0..resources.len()).filter(|&i| resources[i] == ResourceModel::Internal).collect();
        let mut tasks = Vec::new();
        for _ in 0..1 + r.below(5) {
            let own: Vec<usize> = (0..events.len()).filter(|_| r.chance(40)).collect();
            let mut used: Vec<usize> = usable.iter().copied().filter(|_| r.chance(40)).collect();
            if !internal.is_empty() && r.chance(30) {
                used.push(r.pick(&internal));
            }
            tasks.push(TaskModel {
                priority: r.below(6) as u32 * 3,
                full: r.chance(70),
                activation: if own.is_empty() { 1 + r.below(4) as u8 } else { 1 },
                autostart: if r.chance(50) { some_modes(r) } else { Vec::new() },
                events: own,
                resources: used,
            });
        }
        let mut alarms = Vec::new();
        for _ in 0..r.below(4) {
            let task = r.below(tasks.len());
            let own = &tasks[task].events;
            let event = if own.is_empty() || r.chance(40) { None } else { Some(r.pick(own)) };
            let cycle = if r.chance(30) { 0 } else { 2 + r.below(900) as u32 };
            let start = r.chance(60).then(|| (1 + r.below(900) as u32, cycle, some_modes(r)));
            alarms.push(AlarmModel { task, event, start });
        }
        let mut isrs = Vec::new();
        for _ in 0..r.below(4) {
            let used = usable.iter().copied().filter(|_| r.chance(30)).collect();
            isrs.push(if r.chance(70) { (2, 1 + r.below(3) as u32, used) } else { (1, 9, Vec::new()) });
        }
        Model { modes, tasks, events, resources, alarms, isrs }
    }

    /// The description, its objects in a random order, with white space and comments at random.
    pub fn text(&self, r: &mut Random) -> String {
        let mut objects = vec!["OS os { STATUS = STANDARD ; USERESSCHEDULER = FALSE ; }".to_string()];
        objects.extend((0..self.modes).map(|i| format!("APPMODE m{i} {{ }}")));
        for (i, task) in self.tasks.iter().enumerate() {
            let schedule = if task.full { "FULL" } else { "NON" };
            let mut text = format!(
                "TASK t{i} {{ PRIORITY = {} ; SCHEDULE = {schedule} ; ACTIVATION = {} ;",
                number(task.priority, r),
                task.activation
            );
            text += &match &task.autostart[..] {
                [] => " AUTOSTART = FALSE ;".to_string(),
                modes => format!(" AUTOSTART = TRUE {{ {} }} ;", list("APPMODE", "m", modes)),
            };
            objects.push(text + &list("EVENT", "e", &task.events) + &list("RESOURCE", "r", &task.resources) + " }");
        }
        objects.extend((0..self.events.len()).map(|i| format!("EVENT e{i} {{ MASK = AUTO ; }}")));
        for (i, resource) in self.resources.iter().enumerate() {
            let property = match resource {
                ResourceModel::Standard => "STANDARD".to_string(),
                ResourceModel::Linked(j) => format!("LINKED {{ LINKEDRESOURCE = r{j} ; }}"),
                ResourceModel::Internal => "INTERNAL".to_string(),
            };
            objects.push(format!("RESOURCE r{i} {{ RESOURCEPROPERTY = {property} ; }}"));
        }
        objects.push(format!("COUNTER c {{ MAXALLOWEDVALUE = {COUNTER_MAX} ; TICKSPERBASE = 1 ; MINCYCLE = 2 ; }}"));
        for (i, alarm) in self.alarms.iter().enumerate() {
            let action = match alarm.event {
                Some(event) => format!("SETEVENT {{ TASK = t{} ; EVENT = e{event} ; }}", alarm.task),
                None => format!("ACTIVATETASK {{ TASK = t{} ; }}", alarm.task),
            };
            let start = match &alarm.start {
                None => "FALSE".to_string(),
                Some((time, cycle, modes)) => {
                    let (time, cycle) = (number(*time, r), number(*cycle, r));
                    format!("TRUE {{ ALARMTIME = {time} ; CYCLETIME = {cycle} ; {} }}", list("APPMODE", "m", modes))
                }
            };
            objects.push(format!("ALARM a{i} {{ COUNTER = c ; ACTION = {action} ; AUTOSTART = {start} ; }}"));
        }
        for (i, (category, priority, resources)) in self.isrs.iter().enumerate() {
            let resources = list("RESOURCE", "r", resources);
            objects.push(format!("ISR i{i} {{ CATEGORY = {category} ; PRIORITY = {priority} ;{resources} }}"));
        }
        for i in (1..objects.len()).rev() {
            objects.swap(i, r.below(i + 1));
        }
        let words = objects.iter().flat_map(|object| object.split(' ').chain([";"]));
        let mut text = "OIL_VERSION = \"2.5\";\nCPU system {".to_string();
        for word in words {
            text.push_str(match r.below(12) {
                0 => "\n",
                1 => " /* between } words */ ",
                2 => " // to the end { \n",
                3 => "\t",
                _ => " ",
            });
            text.push_str(word);
        }
        text + "};\n"
    }
}

fn number(value: u32, r: &mut Random) -> String {
    if r.chance(30) { format!("{value:#X}").replace("0X", "0x") } else { value.to_string() }
}

fn list(attribute: &str, prefix: &str, numbers: &[usize]) -> String {
    numbers.iter().map(|i| format!(" {attribute} = {prefix}{i} ;")).collect()
}
