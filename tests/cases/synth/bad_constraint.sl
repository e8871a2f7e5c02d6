; args: synth
; expect: exit 3
; expect: stderr error: the constraint is neither an example nor a reference implementation
; expect: stderr bad_constraint.sl:10:13
; expect: stderr help: constraints have the form
; A universally quantified property is refused, never guessed.
(set-logic LIA)
(synth-fun max2 ((x Int) (y Int)) Int)
(declare-var x Int) (declare-var y Int)
(constraint (>= (max2 x y) x))
(check-synth)
