; args: synth
; expect: exit 2
; expect: stdout fail
; expect: no-stdout best effort, 1 of 1
; In 64 bits the square of 4294967296 would be 0; integers do not wrap.
(set-logic NIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x (* S S)))))
(constraint (= (f 4294967296) 0))
(check-synth)
