; args: synth
; expect: stdout (pick
; expect: stdout (define-fun f ((x (_ BitVec 64))) (_ BitVec 64)
; The only choice of the grammar is inside of a defined function, and the answer is written with it.
(set-logic BV)
(define-fun half ((x (_ BitVec 64))) (_ BitVec 64) (bvlshr x #x0000000000000001))
(define-fun pick ((c (_ BitVec 64)) (a (_ BitVec 64)) (b (_ BitVec 64))) (_ BitVec 64)
    (ite (= c #x0000000000000001) a b))
(synth-fun f ((x (_ BitVec 64))) (_ BitVec 64)
    ((Start (_ BitVec 64)))
    ((Start (_ BitVec 64) (#x0000000000000001 x (bvnot Start) (half Start) (bvand Start Start) (bvadd Start Start)
        (pick Start Start Start)))))
(constraint (= (f #x0000000000000006) #x0000000000000003))
(constraint (= (f #x0000000000000007) #x0000000000000016))
(constraint (= (f #x0000000000000001) #x0000000000000004))
(constraint (= (f #x00000000000000a0) #x0000000000000050))
(constraint (= (f #x0000000000000009) #x000000000000001c))
(constraint (= (f #x1000000000000000) #x0800000000000000))
(check-synth)
