//! Facts about variables that have nothing to do with each other, which are not reported (Yeolekar and Unadkat, section 4.1):
//! at a function's entry those that compare only variables which the function sets, since their values there do not matter to it;
//! at its exit those about inputs only, since they belong to the entry.

use crate::fact::Fact;
use crate::point::{Point, Role, VarId};

pub fn is_unrelated(point: &Point, fact: &Fact) -> bool {
    let is_exit = point.variables.iter().any(|v| matches!(v.role, Role::Old | Role::Exit | Role::Result));
    // Under a condition it is the fact that has to be about something.
    let about = match fact {
        Fact::Implies(_, fact) => fact.variables(),
        _ => fact.variables(),
    };
    let every = |test: &dyn Fn(VarId) -> bool| about.iter().all(|var| test(*var));
    if is_exit {
        return every(&|var| match point.variable(var).role {
            Role::Old | Role::Entry => true,
            Role::Exit => !point.variable(var).updated,
            Role::State | Role::Result => false,
        });
    }
    about.len() > 1 && every(&|var| point.variable(var).role == Role::Entry && point.variable(var).updated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Term;
    use crate::point::{Scalar, Sort, Variable};

    fn variable(role: Role, updated: bool) -> Variable {
        let sort = Sort::Scalar(Scalar::Int { bits: 32, signed: true });
        Variable { updated, ..Variable::new("v", sort, role) }
    }

    fn equal(a: u32, b: u32) -> Fact {
        Fact::equal(Term::Var(VarId(a)), Term::Var(VarId(b)))
    }

    #[test]
    fn preconditions_compare_more_than_what_is_updated() {
        let entry = |updated: bool| variable(Role::Entry, updated);
        let point = Point::new(vec![entry(true), entry(true), entry(false)]);
        assert!(is_unrelated(&point, &equal(0, 1)));
        assert!(!is_unrelated(&point, &equal(0, 2)));
        assert!(!is_unrelated(&point, &Fact::AtLeast(Term::Var(VarId(0)), 1)));
    }

    #[test]
    fn postconditions_are_about_outputs() {
        let point = Point::new(vec![
            variable(Role::Exit, true),
            variable(Role::Exit, false),
            variable(Role::Old, true),
            variable(Role::Result, true),
        ]);
        assert!(is_unrelated(&point, &equal(1, 2)));
        assert!(!is_unrelated(&point, &equal(0, 2)));
        assert!(!is_unrelated(&point, &equal(1, 3)));
        assert!(is_unrelated(&point, &Fact::AtLeast(Term::Var(VarId(2)), 1)));
        let inputs = Point::new(vec![variable(Role::Old, false)]);
        assert!(is_unrelated(&inputs, &Fact::AtLeast(Term::Var(VarId(0)), 1)));
        let implied = |fact: Fact| Fact::Implies(Box::new(equal(0, 3)), Box::new(fact));
        assert!(is_unrelated(&point, &implied(equal(1, 2))));
    }
}
