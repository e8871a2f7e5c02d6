; args: synth
; expect: stdout (define-fun f ((x (_ BitVec 32)) (y (_ BitVec 32))) (_ BitVec 32)
; expect: no-stdout fail
; The floor of the average without overflow, against a reference that says it with more bits: the solver shows the two equal.
(set-logic BV)
(define-fun average ((x (_ BitVec 32)) (y (_ BitVec 32))) (_ BitVec 32)
    ((_ extract 31 0) (bvlshr (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) #b000000000000000000000000000000001)))
(synth-fun f ((x (_ BitVec 32)) (y (_ BitVec 32))) (_ BitVec 32)
    ((S (_ BitVec 32)))
    ((S (_ BitVec 32) (x y #x00000001 (bvand S S) (bvxor S S) (bvlshr S S) (bvadd S S)))))
(declare-var a (_ BitVec 32))
(declare-var b (_ BitVec 32))
(constraint (= (f a b) (average a b)))
(check-synth)
