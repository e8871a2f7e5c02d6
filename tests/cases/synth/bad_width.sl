; args: synth
; expect: exit 3
; expect: stderr error: bit-vectors of 128 bits are not supported, only of 1 to 64
; expect: stderr bad_width.sl:6:18
(set-logic BV)
(synth-fun f ((x (_ BitVec 128))) (_ BitVec 128))
(check-synth)
