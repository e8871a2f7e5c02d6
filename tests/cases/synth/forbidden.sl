; args: synth
; expect: stdout (define-fun f ((x Int)) Int
; expect: no-stdout Int x)
; Outputs that a function must not have.
(set-logic LIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x 1 (+ S S)))))
(constraint (distinct (f 3) 3))
(constraint (not (= (f 5) 5)))
(constraint (= (f 1) 1))
(check-synth)
