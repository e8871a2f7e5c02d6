; args: synth
; expect: exit 3
; expect: stderr error: the list is not closed
; expect: stderr bad_parenthesis.sl:6:1
(set-logic LIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x 1)))
(check-synth)
