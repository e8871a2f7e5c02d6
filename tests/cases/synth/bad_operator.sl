; args: synth
; expect: exit 3
; expect: stderr error: the operator `str.++` is not supported
; expect: stderr bad_operator.sl:8:27
; expect: stderr unknown operator
(set-logic LIA)
(synth-fun f ((x Int)) Int
    ((S Int)) ((S Int (x (str.++ S S)))))
(check-synth)
