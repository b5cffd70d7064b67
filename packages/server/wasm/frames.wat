;; Finds perceptual hashes that differ little from a probe (see src/matching/frames/packed-hashes.ts).
;; A hash has 1,024 bits: the head, 32 bytes, and the tail, 96 bytes. Heads and tails of a block are apart, so that the
;; heads, which reject most rows, are read in address order.
(module
  (import "host" "memory" (memory 1 65536 shared))

  ;; Set bits of the differing, compared bits at $row and $probe: sixteen sums of bytes. The mask is 128 bytes behind
  ;; the bits of the probe.
  (func $differing (param $row i32) (param $probe i32) (result v128)
    (i8x16.popcnt
      (v128.and
        (v128.xor (v128.load (local.get $row)) (v128.load (local.get $probe)))
        (v128.load offset=128 (local.get $probe)))))

  ;; Sum of sixteen bytes.
  (func $sum (param $bytes v128) (result i32)
    (local $four v128)
    (local.set $four
      (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
      (i32.add (i32x4.extract_lane 2 (local.get $four)) (i32x4.extract_lane 3 (local.get $four)))))

  ;; Writes the number of each row whose head differs in at most $headLimit bits and whose whole hash in at most $limit,
  ;; and that number of bits, as two i32 from $out on. Returns how many; at most $room.
  (func (export "search")
    (param $head i32) (param $tail i32) (param $rows i32) (param $probe i32)
    (param $headLimit i32) (param $limit i32) (param $out i32) (param $room i32)
    (result i32)
    (local $row i32) (local $found i32) (local $bytes v128) (local $bits i32)
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $row) (local.get $rows)))
        (br_if $end (i32.ge_u (local.get $found) (local.get $room)))
        (local.set $bytes
          (i8x16.add
            (call $differing (local.get $head) (local.get $probe))
            (call $differing
              (i32.add (local.get $head) (i32.const 16))
              (i32.add (local.get $probe) (i32.const 16)))))
        (if (i32.le_u (call $sum (local.get $bytes)) (local.get $headLimit))
          (then
            (local.set $bits (i32.const 0))
            (loop $more
              (local.set $bytes
                (i8x16.add
                  (local.get $bytes)
                  (call $differing
                    (i32.add (local.get $tail) (local.get $bits))
                    (i32.add (i32.add (local.get $probe) (i32.const 32)) (local.get $bits)))))
              (local.set $bits (i32.add (local.get $bits) (i32.const 16)))
              (br_if $more (i32.lt_u (local.get $bits) (i32.const 96))))
            (local.set $bits (call $sum (local.get $bytes)))
            (if (i32.le_u (local.get $bits) (local.get $limit))
              (then
                (i32.store (local.get $out) (local.get $row))
                (i32.store offset=4 (local.get $out) (local.get $bits))
                (local.set $out (i32.add (local.get $out) (i32.const 8)))
                (local.set $found (i32.add (local.get $found) (i32.const 1)))))))
        (local.set $head (i32.add (local.get $head) (i32.const 32)))
        (local.set $tail (i32.add (local.get $tail) (i32.const 96)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (local.get $found))
)
