; args: synth
; expect: exit 1
; expect: stdout infeasible
; expect: stdout the constraints on lines 10 and 12 contradict each other
; expect: stdout best effort, 2 of 3 examples
; Two examples contradict each other.
(set-logic LIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x 1 (+ S S)))))
(constraint (= (f 3) 4))
(constraint (= (f 5) 6))
(constraint (= (f 3) 7))
(check-synth)
