; args: synth
; expect: stdout (define-fun median ((a Int) (b Int) (c Int)) Int
; expect: no-stdout fail
; The examples are answered by a decision tree of comparisons.
(set-logic LIA)
(synth-fun median ((a Int) (b Int) (c Int)) Int
    ((Start Int) (Cond Bool))
    ((Start Int (a b c (ite Cond Start Start)))
     (Cond Bool ((<= Start Start) (and Cond Cond)))))
(constraint (= (median 1 2 3) 2))
(constraint (= (median 3 2 1) 2))
(constraint (= (median 2 1 3) 2))
(constraint (= (median 9 5 7) 7))
(constraint (= (median 5 9 7) 7))
(constraint (= (median (- 4) 8 0) 0))
(constraint (= (median 8 0 (- 4)) 0))
(constraint (= (median 6 1 9) 6))
(check-synth)
