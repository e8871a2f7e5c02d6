; Examples around the application, behind guards and in chains, with options and a logic of SMT-LIB.
; args: synth
; expect: stdout (define-fun f ((x (_ BitVec 8))) (_ BitVec 8)
(set-option :timeout 1000)
(set-logic QF_BV)
(define-fun ordered ((a (_ BitVec 8)) (b (_ BitVec 8)) (c (_ BitVec 8))) Bool (bvule a b c))
(declare-var y (_ BitVec 8))
(synth-fun f ((x (_ BitVec 8))) (_ BitVec 8)
    ((Start (_ BitVec 8)) (B Bool))
    ((Start (_ BitVec 8) (x #x01 #x10 (bvadd Start Start) (ite B Start Start))) (B Bool ((ordered x #x10 #x20)))))
(constraint (= (bvadd #x01 (f #x00)) #x02))
(constraint (=> (= y #x20) (= (f y) #x20)))
(constraint (= #x05 (f #x04) (bvadd #x04 #x01)))
(check-synth)
