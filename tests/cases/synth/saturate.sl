; args: synth --c
; expect: stdout unsigned char saturate(unsigned char x, unsigned char y) {
; expect: stdout if (
; expect: no-stdout best effort
; Addition that stops at the largest number, as C.
(set-logic BV)
(define-fun top () (_ BitVec 8) #xff)
(synth-fun saturate ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8)
    ((E (_ BitVec 8)) (B Bool))
    ((E (_ BitVec 8) (x y top (bvadd E E) (ite B E E)))
     (B Bool ((bvult E E)))))
(constraint (= (saturate #x01 #x02) #x03))
(constraint (= (saturate #xf0 #x20) #xff))
(constraint (= (saturate #x80 #x80) #xff))
(constraint (= (saturate #x80 #x7f) #xff))
(constraint (= (saturate #x40 #x33) #x73))
(constraint (= (saturate #xfe #x03) #xff))
(constraint (= (saturate #x00 #xc5) #xc5))
(check-synth)
