//! OS, COM and application modes.

use super::error;
use super::objects::Objects;
use crate::ast::Description;
use crate::config::{Com, Hooks, Mode, ModeId, Os};
use crate::settings::Settings;
use plumb_c::diag::{Diagnostic, Diagnostics};

/// The kernel's sets of modes have 32 bits.
const MAX_MODES: usize = 32;

pub fn check_version(description: &Description, diags: &mut Diagnostics) {
    let Some(version) = &description.version else { return };
    if !version.text.trim().starts_with("2.") {
        let message = format!("the description is in OIL {}; it is read as OIL 2.5", version.text);
        let help = "objects of AUTOSAR OS beyond OSEK are refused where they are used";
        diags.push(Diagnostic::warning(version.span, message).help(help));
    }
}

pub fn resolve(objects: &Objects, diags: &mut Diagnostics) -> (Os, Com) {
    let com = objects.of("COM").next().map_or_else(Com::default, |object| {
        let settings = &object.settings;
        let modes = settings.all("COMAPPMODE").iter().map(|setting| match &setting.kind {
            crate::ast::ValueKind::Text(text) => text.clone(),
            other => other.to_string(),
        });
        Com {
            extended_status: settings.word("COMSTATUS").is_some_and(|(status, _)| status == "COMEXTENDED"),
            error_hook: is_on(settings, "COMERRORHOOK"),
            modes: modes.collect(),
        }
    });
    if let Some(object) = objects.of("COM").next() {
        if let Some(setting) = object.settings.one("COMSTARTCOMEXTENSION")
            && is_on(&object.settings, "COMSTARTCOMEXTENSION")
        {
            let message =
                "`COMSTARTCOMEXTENSION = TRUE` is not supported: the kernel model does not call StartCOMExtension";
            error(diags, setting.span, message, "set it to FALSE");
        }
        for setting in object.settings.all("COMAPPMODE") {
            require_identifier(&setting.kind, setting.span, "the communication mode", diags);
        }
    }
    let Some(object) = objects.of("OS").next() else {
        let help = "describe the operating system: `OS name { STATUS = EXTENDED; ... };` in a CPU section";
        diags.push(Diagnostic::error(plumb_c::source::Span::NONE, "the description has no OS object").help(help));
        return (Os::default(), com);
    };
    let settings = &object.settings;
    object.required(settings, "STATUS", diags);
    let os = Os {
        name: object.name.clone(),
        extended_status: settings.word("STATUS").is_some_and(|(status, _)| status == "EXTENDED"),
        hooks: Hooks {
            startup: is_on(settings, "STARTUPHOOK"),
            shutdown: is_on(settings, "SHUTDOWNHOOK"),
            error: is_on(settings, "ERRORHOOK"),
            pretask: is_on(settings, "PRETASKHOOK"),
            posttask: is_on(settings, "POSTTASKHOOK"),
        },
        use_get_service_id: is_on(settings, "USEGETSERVICEID"),
        use_parameter_access: is_on(settings, "USEPARAMETERACCESS"),
        use_res_scheduler: is_on(settings, "USERESSCHEDULER"),
    };
    (os, com)
}

/// A name that is put into C as it is.
pub fn require_identifier(
    value: &crate::ast::ValueKind,
    span: plumb_c::source::Span,
    what: &str,
    diags: &mut Diagnostics,
) -> Option<String> {
    let text = match value {
        crate::ast::ValueKind::Text(text) | crate::ast::ValueKind::Name(text) => text.trim(),
        _ => "",
    };
    let is_identifier = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_identifier {
        error(diags, span, format!("{what} `{text}` is no identifier of C"), "give the name as C has it");
        return None;
    }
    Some(text.to_string())
}

fn is_on(settings: &Settings, name: &str) -> bool {
    settings.boolean(name).unwrap_or(false)
}

/// The application modes, the default one first.
pub struct Modes {
    pub list: Vec<Mode>,
    /// By number of the APPMODE object.
    ids: Vec<ModeId>,
}

impl Modes {
    /// The modes that an AUTOSTART attribute names; at least one.
    pub fn of(
        &self,
        objects: &Objects,
        user: &super::objects::Object,
        settings: &Settings,
        diags: &mut Diagnostics,
    ) -> Vec<ModeId> {
        if settings.lacks("APPMODE") {
            let message = format!("{} starts by itself, but in no application mode", user.shown());
            error(diags, user.span, message, "name the modes: `AUTOSTART = TRUE { APPMODE = name; };`");
        }
        let named = objects.refer_all("APPMODE", settings, user, diags);
        named.into_iter().filter_map(|index| self.ids.get(index).copied()).collect()
    }
}

pub fn modes(objects: &Objects, diags: &mut Diagnostics) -> Modes {
    let all: Vec<_> = objects.of("APPMODE").collect();
    let defaults: Vec<usize> = (0..all.len()).filter(|&i| is_on(&all[i].settings, "DEFAULT")).collect();
    if let [_, second, ..] = defaults[..] {
        let message = format!("{} is a second default mode", all[second].shown());
        error(diags, all[second].span, message, "set DEFAULT = TRUE for one mode only");
    }
    if let Some(object) = all.get(MAX_MODES) {
        error(diags, object.span, format!("there are more than {MAX_MODES} application modes"), "remove some");
    }
    if all.is_empty() {
        // Every OSEK system has OSDEFAULTAPPMODE; nothing can start by itself in it, as nothing can name it.
        return Modes { list: vec![Mode { name: "OSDEFAULTAPPMODE".to_string() }], ids: Vec::new() };
    }
    let first = defaults.first().copied().unwrap_or(0);
    let mut order: Vec<usize> = vec![first];
    order.extend((0..all.len()).filter(|&i| i != first));
    let mut ids = vec![ModeId(0); all.len()];
    order.iter().enumerate().for_each(|(id, &object)| ids[object] = ModeId(id));
    Modes { list: order.iter().map(|&i| Mode { name: all[i].name.clone() }).collect(), ids }
}
