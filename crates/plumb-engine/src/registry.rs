//! The engines that there are. The command line, its help and the portfolio know engines from here only.

use crate::bmc::Bmc;
use crate::div::Div;
use crate::engine::{About, Answers, Engine, Order};
use crate::explicit::Explicit;
use crate::kind::KInduction;
use crate::oscegar::OsCegar;
use crate::pbe::Pbe;
use crate::reach::{BlockAbstraction, La};
use crate::simulate::Simulate;
use crate::symex::{Symex, Symexia};

/// The option that chooses a search order.
pub const ORDER: &str = "--order";

#[derive(Clone)]
pub struct Registry {
    engines: Vec<&'static dyn Engine>,
}

impl Registry {
    /// All engines of Plumb. The default run starts them in this order.
    pub fn standard() -> Registry {
        Registry {
            engines: vec![
                &Simulate,
                &Explicit,
                &KInduction,
                &Bmc,
                &Symexia,
                &Symex,
                &La,
                &BlockAbstraction,
                &Pbe,
                &Div,
                &OsCegar,
            ],
        }
    }

    /// With one more.
    pub fn with(mut self, engine: &'static dyn Engine) -> Registry {
        self.engines.push(engine);
        self
    }

    pub fn find(&self, name: &str) -> Option<&'static dyn Engine> {
        self.engines.iter().copied().find(|engine| engine.about().name == name)
    }

    pub fn all(&self) -> &[&'static dyn Engine] {
        &self.engines
    }

    /// The engines that run together unless the user names one.
    pub fn default_run(&self) -> Vec<&'static dyn Engine> {
        self.engines.iter().copied().filter(|engine| engine.about().schedule.in_default_run).collect()
    }

    /// How an engine is asked for.
    fn usage(About { name, parameter, .. }: About) -> String {
        parameter.map_or(name.to_string(), |_| format!("{name}[:NUMBER]"))
    }

    /// Names, for messages.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.engines.iter().map(|engine| Registry::usage(engine.about())).collect();
        names.join(", ")
    }

    /// A paragraph of help: an engine a line.
    pub fn describe(&self) -> String {
        let together: Vec<&str> = self.default_run().iter().map(|engine| engine.about().name).collect();
        let mut text = format!("auto: {} at once; the first with evidence wins.\n", together.join(", "));
        for engine in &self.engines {
            let about = engine.about();
            let finds = match about.answers {
                Answers::Violations => "finds violations",
                Answers::Proofs => "proves",
                Answers::Both => "proves and finds violations",
            };
            text += &format!("{}: {} ({finds})", Registry::usage(about), about.help);
            if let Some(parameter) = about.parameter {
                text += &format!("; NUMBER: {parameter}");
            }
            for (option, default) in engine.options() {
                text += &format!("; {option} [default: {default}]");
                let refused = Order::ALL.iter().filter(|(_, order)| *option == ORDER && !engine.takes_order(*order));
                let refused: Vec<&str> = refused.map(|(name, _)| *name).collect();
                if !refused.is_empty() {
                    text += &format!(" (not {})", refused.join(", "));
                }
            }
            text += ".\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_found_by_their_names_and_described() {
        let registry = Registry::standard();
        for about in registry.engines.iter().map(|engine| engine.about()) {
            let found = registry.find(about.name).map(Engine::about);
            assert_eq!(found, Some(about), "names are different");
            assert!(registry.describe().contains(about.help));
            assert!(registry.names().contains(about.name));
        }
        assert!(registry.find("magic").is_none());
        assert!(registry.default_run().len() >= 2);
    }

    /// The table of the README: an engine a row, in the order of the registry, which begins with what the engine says of itself.
    #[test]
    fn the_readme_has_the_engines_of_the_registry() {
        let readme = include_str!("../../../README.md");
        let (_, table) = readme.split_once("| engine | what it does |\n| --- | --- |\n").unwrap();
        let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        let registry = Registry::standard();
        assert_eq!(rows.len(), registry.engines.len());
        for (row, about) in rows.iter().zip(registry.engines.iter().map(|engine| engine.about())) {
            let begin = format!("| `{}` | {}", Registry::usage(about), about.help);
            assert!(row.starts_with(&begin), "`{row}` does not begin with `{begin}`");
            let alone = format!("only by itself (`--engine {}`)", about.name);
            assert_eq!(row.contains(&alone), !about.schedule.in_default_run, "{row}");
        }
    }
}
