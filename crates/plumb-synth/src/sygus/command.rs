//! The commands of a file, one after the other.

use super::isolate::{isolate, mentions, substitute};
use super::script::{Script, Task};
use super::sexpr::{Diagnostic, Kind, Sexpr, Span};
use super::term::{Globals, Result, Scope};
use crate::Problem;
use crate::cegis::Reference;
use crate::examples::Examples;
use crate::expr::{Expr, Function};
use crate::grammar::Grammar;
use crate::oracle::Oracle;
use crate::sort::{Sort, Value};
use std::sync::Arc;

/// `ALL` and the quantifier-free ones of SMT-LIB say nothing that operators do not say again.
const LOGICS: [&str; 7] = ["BV", "LIA", "NIA", "ALL", "QF_BV", "QF_LIA", "QF_NIA"];

/// Carries out all commands. `end` is where the text ends.
pub fn run(commands: &[Sexpr], end: Span) -> Result<Script> {
    let mut state = State { globals: Globals::default(), variables: Vec::new(), tasks: Vec::new(), is_checked: false };
    for command in commands {
        state.command(command)?;
    }
    if !state.is_checked {
        let span = if commands.is_empty() { Span::default() } else { end };
        return Err(
            Diagnostic::new(span, "the file has no `check-synth`: nothing is asked").help("add `(check-synth)`")
        );
    }
    Ok(Script { tasks: state.tasks })
}

/// The function that a `define-fun` defines.
pub fn definition(command: &Sexpr) -> Result<Arc<Function>> {
    let mut state = State { globals: Globals::default(), variables: Vec::new(), tasks: Vec::new(), is_checked: false };
    state.command(command)?;
    let wrong = || Diagnostic::new(command.span, "a definition is expected");
    state.globals.functions.into_values().next().ok_or_else(wrong)
}

struct State {
    globals: Globals,
    /// Universally quantified, in constraints.
    variables: Vec<(String, Sort)>,
    tasks: Vec<Task>,
    is_checked: bool,
}

impl State {
    fn command(&mut self, command: &Sexpr) -> Result<()> {
        let Some((head, rest)) = command.list().and_then(<[Sexpr]>::split_first) else {
            return Err(Diagnostic::new(command.span, format!("a command is expected, not {command}")));
        };
        if self.is_checked && matches!(head.symbol(), Some("synth-fun" | "constraint" | "check-synth")) {
            let message = format!("{head} behind `check-synth` is not supported: a file has one question");
            return Err(Diagnostic::new(command.span, message));
        }
        let shape = |usage: &str| Diagnostic::new(command.span, format!("the command has the form `{usage}`"));
        match (head.symbol().unwrap_or_default(), rest) {
            ("set-logic", [name]) => match name.symbol() {
                Some(name) if LOGICS.contains(&name) => Ok(()),
                _ => {
                    let message = format!("the logic {name} is not supported; there are {}", LOGICS.join(", "));
                    Err(Diagnostic::new(name.span, message))
                }
            },
            ("set-logic", _) => Err(shape("(set-logic NAME)")),
            // Options are for solvers: none changes what is asked.
            ("set-info" | "set-option", _) => Ok(()),
            ("set-feature", [feature, value]) => match (&feature.kind, value.symbol()) {
                (Kind::Keyword(name), Some("true")) if name == ":grammars" => Ok(()),
                (_, Some("false")) => Ok(()),
                _ => Err(Diagnostic::new(feature.span, format!("the feature {feature} is not supported"))),
            },
            ("define-sort", [name, parameters, sort]) => {
                let (Some(name), Some([])) = (name.symbol(), parameters.list()) else {
                    return Err(Diagnostic::new(command.span, "sorts with parameters are not supported"));
                };
                let sort = self.globals.sort(sort)?;
                self.globals.sorts.insert(name.to_string(), sort);
                Ok(())
            }
            ("define-fun", [name, parameters, sort, body]) => self.define(name, parameters, sort, body),
            ("define-fun", _) => Err(shape("(define-fun NAME ((NAME SORT) ...) SORT TERM)")),
            ("declare-var", [name, sort]) => {
                let sort = self.globals.sort(sort)?;
                let name = self.new_name(name)?;
                self.variables.push((name, sort));
                Ok(())
            }
            ("declare-var", _) => Err(shape("(declare-var NAME SORT)")),
            ("synth-fun", [name, parameters, sort, grammar @ ..]) if grammar.len() <= 2 => {
                self.synth(name, parameters, sort, grammar)
            }
            ("synth-fun", _) => Err(shape("(synth-fun NAME ((NAME SORT) ...) SORT GRAMMAR)")),
            ("constraint", [term]) => self.constraint(term),
            ("constraint", _) => Err(shape("(constraint TERM)")),
            ("check-synth", []) => {
                self.is_checked = true;
                match self.tasks.is_empty() {
                    true => Err(Diagnostic::new(head.span, "no function is to be synthesised")),
                    false => Ok(()),
                }
            }
            (
                name @ ("synth-inv" | "inv-constraint" | "declare-primed-var" | "declare-fun" | "assume"
                | "chc-constraint" | "define-fun-rec" | "define-funs-rec" | "declare-datatype"
                | "declare-datatypes" | "declare-sort" | "optimize-synth" | "oracle-assume"
                | "oracle-constraint" | "declare-oracle-fun"),
                _,
            ) => Err(Diagnostic::new(head.span, format!("`{name}` is not supported"))),
            _ => Err(Diagnostic::new(head.span, format!("unknown command {head}"))),
        }
    }

    fn new_name(&self, name: &Sexpr) -> Result<String> {
        let text =
            name.symbol().ok_or_else(|| Diagnostic::new(name.span, format!("a name is expected, not {name}")))?;
        let is_taken = self.globals.functions.contains_key(text)
            || self.globals.unknowns.iter().any(|known| known == text)
            || self.variables.iter().any(|(known, _)| known == text);
        match is_taken {
            true => Err(Diagnostic::new(name.span, format!("`{text}` is declared already"))),
            false => Ok(text.to_string()),
        }
    }

    fn parameters(&self, list: &Sexpr) -> Result<Vec<(String, Sort)>> {
        let wrong = |span: Span| Diagnostic::new(span, "parameters have the form `((NAME SORT) ...)`");
        let mut parameters: Vec<(String, Sort)> = Vec::new();
        for parameter in list.list().ok_or_else(|| wrong(list.span))? {
            let Some([name, sort]) = parameter.list() else { return Err(wrong(parameter.span)) };
            let text = name.symbol().ok_or_else(|| wrong(parameter.span))?;
            if parameters.iter().any(|(known, _)| known == text) {
                return Err(Diagnostic::new(name.span, format!("there are two parameters `{text}`")));
            }
            parameters.push((text.to_string(), self.globals.sort(sort)?));
        }
        Ok(parameters)
    }

    fn define(&mut self, name: &Sexpr, parameters: &Sexpr, sort: &Sexpr, body: &Sexpr) -> Result<()> {
        let (text, parameters) = (self.new_name(name)?, self.parameters(parameters)?);
        let result = self.globals.sort(sort)?;
        let (expr, given) = self.globals.term(body, &mut Scope::of(&parameters))?;
        if given != result {
            return Err(Diagnostic::new(body.span, format!("the term has sort {given}, not {result}")));
        }
        let function = Function { name: text.clone(), parameters, result, body: expr };
        self.globals.functions.insert(text, Arc::new(function));
        Ok(())
    }

    fn synth(&mut self, name: &Sexpr, parameters: &Sexpr, sort: &Sexpr, grammar: &[Sexpr]) -> Result<()> {
        let (text, inputs) = (self.new_name(name)?, self.parameters(parameters)?);
        let output = self.globals.sort(sort)?;
        let sorts: Vec<Sort> = inputs.iter().map(|(_, sort)| *sort).collect();
        let grammar = match grammar {
            [] => Grammar::full(output, &sorts),
            [rules] => self.grammar(None, rules, &inputs, output)?,
            [declarations, rules, ..] => self.grammar(Some(declarations), rules, &inputs, output)?,
        };
        self.globals.unknowns.push(text.clone());
        let problem = Problem { name: text, inputs, output, grammar, examples: Examples::new(&sorts, output) };
        self.tasks.push(Task { problem, span: name.span, examples: Vec::new(), reference: None });
        Ok(())
    }

    /// Productions in groups, one for each nonterminal; version 2 declares the nonterminals before.
    fn grammar(
        &self,
        declarations: Option<&Sexpr>,
        rules: &Sexpr,
        inputs: &[(String, Sort)],
        output: Sort,
    ) -> Result<Grammar> {
        let wrong = |span: Span| Diagnostic::new(span, "a grammar has groups of the form `(NAME SORT (TERM ...))`");
        let groups = rules.list().filter(|groups| !groups.is_empty()).ok_or_else(|| wrong(rules.span))?;
        let declared: Option<Vec<(&str, Sort)>> = declarations.map(|list| self.declarations(list)).transpose()?;
        let mut scope = Scope::of(inputs);
        let mut grammar: Option<Grammar> = None;
        let mut bodies = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let Some([name, sort, terms]) = group.list() else { return Err(wrong(group.span)) };
            let (text, sort) = (name.symbol().ok_or_else(|| wrong(group.span))?, self.globals.sort(sort)?);
            if let Some(declared) = &declared
                && declared.get(at) != Some(&(text, sort))
            {
                let message = format!("`{text}` is not declared as a nonterminal of sort {sort} in this place");
                let help =
                    "version 2 lists the nonterminals with their sorts, in the same order, before the productions";
                return Err(Diagnostic::new(name.span, message).help(help));
            }
            if scope.nonterminals.iter().any(|(known, ..)| known == text) {
                return Err(Diagnostic::new(name.span, format!("there are two nonterminals `{text}`")));
            }
            let id = match &mut grammar {
                None if sort != output => {
                    let message = format!("the start symbol has sort {sort}, but the function {output}");
                    return Err(Diagnostic::new(name.span, message));
                }
                None => grammar.insert(Grammar::new(text, sort)).start(),
                Some(grammar) => grammar.add_nonterminal(text, sort),
            };
            scope.nonterminals.push((text.to_string(), sort, id));
            bodies.push((id, sort, terms));
        }
        let mut grammar = grammar.ok_or_else(|| wrong(rules.span))?;
        if let Some(declared) = declared
            && declared.len() != groups.len()
        {
            return Err(Diagnostic::new(rules.span, "not every nonterminal that is declared has productions"));
        }
        for (id, sort, terms) in bodies {
            for term in terms.list().filter(|terms| !terms.is_empty()).ok_or_else(|| wrong(terms.span))? {
                self.production(&mut grammar, (id, sort), term, &mut scope)?;
            }
        }
        Ok(grammar)
    }

    fn declarations<'a>(&self, list: &'a Sexpr) -> Result<Vec<(&'a str, Sort)>> {
        let wrong = |span: Span| Diagnostic::new(span, "nonterminals are declared as `((NAME SORT) ...)`");
        let declaration = |one: &'a Sexpr| match one.list() {
            Some([name, sort]) => Ok((name.symbol().ok_or_else(|| wrong(one.span))?, self.globals.sort(sort)?)),
            _ => Err(wrong(one.span)),
        };
        list.list().ok_or_else(|| wrong(list.span))?.iter().map(declaration).collect()
    }

    fn production(
        &self,
        grammar: &mut Grammar,
        (id, sort): (crate::NonterminalId, Sort),
        term: &Sexpr,
        scope: &mut Scope,
    ) -> Result<()> {
        let sorts: Vec<Sort> = scope.inputs.iter().map(|(_, sort)| *sort).collect();
        let wrong = |error: crate::GrammarError| Diagnostic::new(term.span, error.to_string());
        if let (Some(kind @ ("Constant" | "Variable")), Some([_, of])) = (term.head(), term.list()) {
            let of_sort = self.globals.sort(of)?;
            if of_sort != sort {
                return Err(Diagnostic::new(of.span, format!("the nonterminal has sort {sort}, not {of_sort}")));
            }
            if kind == "Constant" {
                grammar.add_any_constant(id);
                return Ok(());
            }
            for (at, _) in sorts.iter().enumerate().filter(|(_, input)| **input == sort) {
                grammar.add(id, Expr::Input(at as u32), &[], &sorts).map_err(wrong)?;
            }
            return Ok(());
        }
        scope.holes.clear();
        let (template, _) = self.globals.term(term, scope)?;
        grammar.add(id, template, &scope.holes, &sorts).map_err(wrong)
    }

    /// Conjunctions of examples and references.
    fn constraint(&mut self, term: &Sexpr) -> Result<()> {
        match (term.head(), term.list()) {
            (Some("and"), Some([_, parts @ ..])) => parts.iter().try_for_each(|part| self.constraint(part)),
            (Some("="), Some([_, a, b])) => match (self.unknown(a), self.unknown(b)) {
                (Some(task), _) => self.equation(term, task, a, b),
                (None, Some(task)) => self.equation(term, task, b, a),
                (None, None) => self.equation_around(term, a, b),
            },
            // All are equal to the first that has to do with a function.
            (Some("="), Some([_, chain @ ..])) if chain.len() > 2 => {
                let is_unknown = |part: &&Sexpr| mentions(part, &self.globals.unknowns);
                let Some(first) = chain.iter().position(|part| is_unknown(&part)) else {
                    return Err(self.refusal(term));
                };
                let others = chain.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, other)| other);
                others.into_iter().try_for_each(|other| {
                    let pair = vec![term.list().unwrap_or_default()[0].clone(), chain[first].clone(), other.clone()];
                    self.constraint(&Sexpr { kind: Kind::List(pair), span: term.span })
                })
            }
            (Some("=>"), Some([_, guard, then])) => self.guarded(term, guard, then),
            (Some("not"), Some([_, inner])) if self.unknown(inner).is_some() => {
                self.truth(term, inner, Value::bool(false))
            }
            (Some("not"), Some([_, inner])) if inner.head() == Some("=") => match inner.list() {
                Some([_, a, b]) => self.inequation(term, a, b),
                _ => Err(self.refusal(term)),
            },
            (Some("distinct" | "!="), Some([_, a, b])) => self.inequation(term, a, b),
            _ if self.unknown(term).is_some() => self.truth(term, term, Value::bool(true)),
            _ => Err(self.refusal(term)),
        }
    }

    /// An equation of constants and a term with one application of a function inside.
    fn equation_around(&mut self, whole: &Sexpr, a: &Sexpr, b: &Sexpr) -> Result<()> {
        let (around, other) = if mentions(a, &self.globals.unknowns) { (a, b) } else { (b, a) };
        if mentions(other, &self.globals.unknowns) {
            return Err(self.refusal(whole));
        }
        let Ok((expr, _)) = self.globals.term(other, &mut Scope::default()) else { return Err(self.refusal(whole)) };
        let output = ground(&expr, other.span)?;
        let Some((application, output)) = isolate(&self.globals, around, output)? else {
            return Err(self.refusal(whole));
        };
        let Some(task) = self.unknown(application) else { return Err(self.refusal(whole)) };
        match self.inputs(task, application)? {
            Some(inputs) => self.example(whole, task, &inputs, output, other.span),
            None => Err(self.refusal(whole)),
        }
    }

    /// A constraint for variables with the values that the guard gives them.
    fn guarded(&mut self, whole: &Sexpr, guard: &Sexpr, then: &Sexpr) -> Result<()> {
        let mut values: Vec<(&str, &Sexpr)> = Vec::new();
        let mut waiting = vec![guard];
        while let Some(part) = waiting.pop() {
            let name = |side: &Sexpr| {
                let known = self.variables.iter().find(|(name, _)| Some(name.as_str()) == side.symbol());
                known.map(|(name, _)| name.as_str())
            };
            match (part.head(), part.list()) {
                (Some("and"), Some([_, parts @ ..])) => waiting.extend(parts),
                (Some("="), Some([_, a, b])) => match (name(a), name(b)) {
                    (Some(variable), None) => values.push((variable, b)),
                    (None, Some(variable)) => values.push((variable, a)),
                    _ => return Err(self.refusal(whole)),
                },
                _ => return Err(self.refusal(whole)),
            }
        }
        for (variable, value) in &values {
            let (expr, sort) = self.globals.term(value, &mut Scope::default())?;
            ground(&expr, value.span)?;
            let wanted = self.variables.iter().find(|(name, _)| name == variable).map(|(_, sort)| *sort);
            if wanted != Some(sort) {
                return Err(Diagnostic::new(value.span, format!("`{variable}` is not of sort {sort}")));
            }
            // Two different values: the guard never holds, or says it twice.
            if values.iter().filter(|(other, _)| other == variable).count() > 1 {
                return Err(self.refusal(whole));
            }
        }
        let values: Vec<(String, Sexpr)> =
            values.iter().map(|(name, value)| (name.to_string(), (*value).clone())).collect();
        match substitute(then, &values) {
            Some(then) => self.constraint(&then),
            None => Err(self.refusal(whole)),
        }
    }

    /// The task whose function the term applies.
    fn unknown(&self, term: &Sexpr) -> Option<usize> {
        let name = term.head().or_else(|| term.symbol())?;
        self.tasks.iter().position(|task| task.problem.name == name)
    }

    fn refusal(&self, term: &Sexpr) -> Diagnostic {
        let message = match self.tasks.is_empty() {
            true => "there is no function yet that a constraint could be about",
            false => "the constraint is neither an example nor a reference implementation",
        };
        Diagnostic::new(term.span, message).label("not supported").help(
            "constraints have the form `(= (f CONSTANT ...) CONSTANT)` or `(distinct (f CONSTANT ...) CONSTANT)`, also behind a guard `(=> (= VARIABLE CONSTANT) ...)`, or `(= (f VARIABLE ...) TERM)` with different variables",
        )
    }

    /// A constraint that is an application of a function with truth values as results.
    fn truth(&mut self, term: &Sexpr, application: &Sexpr, output: Value) -> Result<()> {
        let Some(task) = self.unknown(application) else { return Err(self.refusal(term)) };
        match self.inputs(task, application)? {
            Some(inputs) => self.example(term, task, &inputs, output, application.span),
            None => Err(self.refusal(term)),
        }
    }

    fn equation(&mut self, whole: &Sexpr, task: usize, application: &Sexpr, other: &Sexpr) -> Result<()> {
        if let Some(inputs) = self.inputs(task, application)? {
            let (expr, _) = self.globals.term(other, &mut Scope::default())?;
            let output = ground(&expr, other.span)?;
            return self.example(whole, task, &inputs, output, other.span);
        }
        self.reference(whole, task, application, other)
    }

    /// An output that the function must not have.
    fn inequation(&mut self, whole: &Sexpr, a: &Sexpr, b: &Sexpr) -> Result<()> {
        let (task, application, other) = match (self.unknown(a), self.unknown(b)) {
            (Some(task), _) => (task, a, b),
            (None, Some(task)) => (task, b, a),
            (None, None) => return Err(self.refusal(whole)),
        };
        let Some(inputs) = self.inputs(task, application)? else { return Err(self.refusal(whole)) };
        let (expr, _) = self.globals.term(other, &mut Scope::default())?;
        let output = ground(&expr, other.span)?;
        let task = &mut self.tasks[task];
        task.examples.push(whole.span);
        let pushed = task.problem.examples.push_forbidden(&inputs, output);
        pushed.map_err(|_| Diagnostic::new(other.span, format!("the output has sort {}", output.sort())))
    }

    /// The values that a function is applied to, if they are constants.
    fn inputs(&self, task: usize, application: &Sexpr) -> Result<Option<Vec<Value>>> {
        let operands = application.list().map_or(&[][..], |list| &list[1..]);
        let wanted = &self.tasks[task].problem.inputs;
        if operands.len() != wanted.len() {
            let name = &self.tasks[task].problem.name;
            let message = format!("`{name}` takes {} operands, not {}", wanted.len(), operands.len());
            return Err(Diagnostic::new(application.span, message));
        }
        let mut scope = Scope::of(&self.variables);
        let mut values = Vec::new();
        for (operand, (_, sort)) in operands.iter().zip(wanted) {
            let (expr, given) = self.globals.term(operand, &mut scope)?;
            if given != *sort {
                return Err(Diagnostic::new(operand.span, format!("the operand has sort {given}, not {sort}")));
            }
            if has_inputs(&expr) {
                return Ok(None);
            }
            values.push(ground(&expr, operand.span)?);
        }
        Ok(Some(values))
    }

    fn example(&mut self, whole: &Sexpr, task: usize, inputs: &[Value], output: Value, span: Span) -> Result<()> {
        let task = &mut self.tasks[task];
        if output.sort() != task.problem.output {
            let message = format!("the output has sort {}, not {}", output.sort(), task.problem.output);
            return Err(Diagnostic::new(span, message));
        }
        task.examples.push(whole.span);
        task.problem.examples.push(inputs, output).map_err(|_| Diagnostic::new(span, "the example has the wrong sorts"))
    }

    fn reference(&mut self, whole: &Sexpr, task: usize, application: &Sexpr, other: &Sexpr) -> Result<()> {
        let operands = application.list().map_or(&[][..], |list| &list[1..]);
        let place =
            |operand: &Sexpr| self.variables.iter().position(|(name, _)| Some(name.as_str()) == operand.symbol());
        let Some(places) = operands.iter().map(place).collect::<Option<Vec<usize>>>() else {
            return Err(self.refusal(whole));
        };
        if places.iter().enumerate().any(|(at, one)| places[..at].contains(one)) {
            return Err(self.refusal(whole));
        }
        let inputs: Vec<(String, Sort)> = places.iter().map(|at| self.variables[*at].clone()).collect();
        let (expr, sort) = self.globals.term(other, &mut Scope::of(&inputs))?;
        let task = &mut self.tasks[task];
        if sort != task.problem.output {
            let message = format!("the term has sort {sort}, not {}", task.problem.output);
            return Err(Diagnostic::new(other.span, message));
        }
        if task.reference.is_some() {
            return Err(Diagnostic::new(whole.span, "a function has at most one reference implementation"));
        }
        if sort == Sort::Int || inputs.iter().any(|(_, sort)| *sort == Sort::Int) {
            let message = "reference implementations over integers are not supported, only over bit-vectors";
            let help = "give input/output examples";
            return Err(Diagnostic::new(whole.span, message).label("universally quantified").help(help));
        }
        task.reference = Some((Reference { expr }, whole.span));
        Ok(())
    }
}

/// The value of a term without inputs.
pub fn ground(expr: &Expr, span: Span) -> Result<Value> {
    Oracle::new(expr, &[], 1)
        .and_then(|oracle| oracle.value(&[]))
        .ok_or_else(|| Diagnostic::new(span, "the term has no value of 64 bits"))
}

fn has_inputs(expr: &Expr) -> bool {
    match expr {
        Expr::Input(_) => true,
        Expr::Hole(_) | Expr::Const(_) => false,
        Expr::Apply(_, operands) | Expr::Call(_, operands) => operands.iter().any(has_inputs),
    }
}
