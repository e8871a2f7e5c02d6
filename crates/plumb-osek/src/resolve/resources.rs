//! Resources: which of them can be taken, and what is linked with what. Ceilings are levels and come later.

use super::error;
use super::objects::{Object, Objects};
use crate::config::{InternalResource, Level, Os, Resource, ResourceId, ResourceKind};
use plumb_c::diag::Diagnostics;
use plumb_c::source::Span;

/// The resource that stands for the scheduler (OSEK OS 8.3).
pub const SCHEDULER: &str = "RES_SCHEDULER";

pub struct Resources {
    pub usable: Vec<Resource>,
    pub internal: Vec<InternalResource>,
    /// By number of the RESOURCE object.
    ids: Vec<Found>,
}

#[derive(Clone, Copy)]
enum Found {
    Usable(ResourceId),
    Internal(usize),
    /// Something is wrong with it, which has been reported.
    Broken,
}

/// The resources that a task or handler names.
pub struct Used {
    pub usable: Vec<ResourceId>,
    /// By name, with the places where they are named.
    pub internal: Vec<(String, Span)>,
}

impl Resources {
    pub fn resolve(objects: &Objects, os: &Os, diags: &mut Diagnostics) -> Resources {
        let mut resources = Resources { usable: Vec::new(), internal: Vec::new(), ids: Vec::new() };
        for object in objects.of("RESOURCE") {
            let found = resources.add(object, os, diags);
            resources.ids.push(found);
        }
        if os.use_res_scheduler && !resources.usable.iter().any(|r| r.name == SCHEDULER) {
            let kind = ResourceKind::Scheduler;
            resources.usable.push(Resource { name: SCHEDULER.to_string(), kind, ceiling: Level(0) });
        }
        resources.link(objects, diags);
        resources
    }

    fn add(&mut self, object: &Object, os: &Os, diags: &mut Diagnostics) -> Found {
        if object.required(&object.settings, "RESOURCEPROPERTY", diags).is_none() {
            return Found::Broken;
        }
        let (property, span) = object.settings.word("RESOURCEPROPERTY").unwrap_or(("", object.span));
        if object.name == SCHEDULER {
            if !os.use_res_scheduler || property != "STANDARD" {
                let message = "RES_SCHEDULER is the operating system's: it cannot be described otherwise";
                error(diags, span, message, "set USERESSCHEDULER = TRUE in the OS object, or rename the resource");
                return Found::Broken;
            }
            return self.usable(object, ResourceKind::Scheduler);
        }
        match property {
            "INTERNAL" => {
                self.internal.push(InternalResource { name: object.name.clone(), ceiling: Level(0) });
                Found::Internal(self.internal.len() - 1)
            }
            // What it is linked with is known when all have a number.
            _ => self.usable(object, ResourceKind::Standard),
        }
    }

    fn usable(&mut self, object: &Object, kind: ResourceKind) -> Found {
        self.usable.push(Resource { name: object.name.clone(), kind, ceiling: Level(0) });
        Found::Usable(ResourceId(self.usable.len() - 1))
    }

    fn link(&mut self, objects: &Objects, diags: &mut Diagnostics) {
        let mut places = vec![Span::NONE; self.usable.len()];
        for (index, object) in objects.of("RESOURCE").enumerate() {
            let Some(property) = object.settings.one("RESOURCEPROPERTY") else { continue };
            let Found::Usable(id) = self.ids[index] else { continue };
            if object.settings.word("RESOURCEPROPERTY").is_none_or(|(word, _)| word != "LINKED") {
                continue;
            }
            places[id.0] = property.span;
            let Some(target) = objects.required_reference("RESOURCE", "LINKEDRESOURCE", object, &property.inner, diags)
            else {
                continue;
            };
            match self.ids[target] {
                Found::Usable(target) => self.usable[id.0].kind = ResourceKind::Linked(target),
                Found::Internal(target) => {
                    let message = format!(
                        "{} is linked with an internal resource, `{}`",
                        object.shown(),
                        self.internal[target].name
                    );
                    error(diags, property.span, message, "link standard or linked resources (OSEK OS 8.5)");
                }
                Found::Broken => {}
            }
        }
        for (index, span) in places.iter().enumerate() {
            if self.root(ResourceId(index)).is_none() {
                let message = format!("RESOURCE `{}` is linked in a circle", self.usable[index].name);
                error(diags, *span, message, "one resource of the circle must be STANDARD");
            }
        }
    }

    /// The resource that a chain of links ends at; none where it does not end.
    fn root(&self, id: ResourceId) -> Option<ResourceId> {
        root_of(&self.usable, id)
    }

    pub fn used_by(&self, objects: &Objects, user: &Object, diags: &mut Diagnostics) -> Used {
        let mut used = Used { usable: Vec::new(), internal: Vec::new() };
        for setting in user.settings.all("RESOURCE") {
            let name = setting.kind.to_string();
            let predefined = self.usable.iter().position(|r| r.kind == ResourceKind::Scheduler && r.name == name);
            let found = match predefined {
                Some(index) => Found::Usable(ResourceId(index)),
                None => match objects.refer("RESOURCE", setting, user, diags) {
                    Some(index) => self.ids[index],
                    None => Found::Broken,
                },
            };
            match found {
                Found::Usable(id) if !used.usable.contains(&id) => used.usable.push(id),
                Found::Internal(index) => {
                    let name = self.internal[index].name.clone();
                    if !used.internal.iter().any(|(known, _)| *known == name) {
                        used.internal.push((name, setting.span));
                    }
                }
                Found::Usable(_) | Found::Broken => {}
            }
        }
        used
    }
}

/// The resource that a chain of links ends at; none where it does not end.
pub fn root_of(resources: &[Resource], id: ResourceId) -> Option<ResourceId> {
    let mut at = id;
    for _ in 0..=resources.len() {
        match resources[at.0].kind {
            ResourceKind::Linked(next) => at = next,
            ResourceKind::Standard | ResourceKind::Scheduler => return Some(at),
        }
    }
    None
}
