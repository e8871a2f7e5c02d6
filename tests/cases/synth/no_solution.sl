; args: synth
; expect: exit 2
; expect: stdout fail
; expect: last ; (define-fun f ((x (_ BitVec 4))) (_ BitVec 4) x)
; expect: stdout the grammar has no term that satisfies the examples
; All functions that the grammar has are enumerated: bits only move up.
(set-logic BV)
(synth-fun f ((x (_ BitVec 4))) (_ BitVec 4)
    ((S (_ BitVec 4))) ((S (_ BitVec 4) (x (bvshl S #x1) (bvor S S)))))
(constraint (= (f #x1) #x1))
(constraint (= (f #x8) #x4))
(check-synth)
