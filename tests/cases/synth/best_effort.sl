; args: synth --candidates 3000
; expect: exit 2
; expect: stdout fail
; expect: stdout the bound on terms was reached
; expect: stdout best effort, 3 of 4 examples
; expect: last ; (define-fun f ((x Int)) Int (+ x x))
; The grammar cannot tell the last example from the others before it has very large terms.
(set-logic LIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x 1 (+ S S)))))
(constraint (= (f 3) 6))
(constraint (= (f 5) 10))
(constraint (= (f 9) 18))
(constraint (= (f 10) 9999))
(check-synth)
