; args: synth --json
; expect: stdout "outcome":"solved"
; expect: stdout "satisfied":4
; Without a grammar any term of the theory will do; constants come from the examples.
(set-logic LIA)
(synth-fun f ((x Int) (y Int)) Int)
(constraint (= (f 1 2) 103))
(constraint (= (f 5 5) 110))
(constraint (= (f 0 0) 100))
(constraint (= (f 10 (- 30)) 80))
(check-synth)
