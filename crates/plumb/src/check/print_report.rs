//! The answer for the user: a report as text, or as one JSON document.

use crate::report::{Exit, Output};
use plumb_evidence::Report;
use plumb_evidence::report::{Finding, View};

/// In which form a report is printed.
#[derive(Clone, Copy)]
pub enum Form {
    Text(View),
    Json,
}

pub fn print_report(report: &Report, form: Form, out: &mut Output) -> Exit {
    match form {
        Form::Text(view) => out.text(&report.text(view)),
        Form::Json => out.json(report),
    }
    match report.finding {
        Finding::Holds(_) => Exit::Done,
        Finding::Violated(_) => Exit::Violated,
        Finding::Unknown(_) => Exit::Open,
    }
}
