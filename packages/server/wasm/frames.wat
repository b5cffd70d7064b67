;; Finds perceptual hashes that differ little from a probe (see src/matching/frames/packed-hashes.ts).
;; A block of hashes is held twice: in planes, where a vector has one bit of 128 hashes, and in rows of 1,024 bits. For
;; each probe, 96 planes are compared, bit-sliced: seven vectors count the differing bits of 128 hashes. Rows are read
;; only where that count is small.
(module
  (import "host" "memory" (memory 1 65536 shared))

  ;; The number of differing, compared bits of the row and the probe, 128 bytes each. The mask is behind the probe.
  (func $distance (param $row i32) (param $probe i32) (result i32)
    (local $at i32) (local $bytes v128) (local $four v128)
    (loop $more
      (local.set $bytes
        (i8x16.add
          (local.get $bytes)
          (i8x16.popcnt
            (v128.and
              (v128.xor
                (v128.load (i32.add (local.get $row) (local.get $at)))
                (v128.load (i32.add (local.get $probe) (local.get $at))))
              (v128.load offset=128 (i32.add (local.get $probe) (local.get $at)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $more (i32.lt_u (local.get $at) (i32.const 128))))
    (local.set $four
      (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
      (i32.add (i32x4.extract_lane 2 (local.get $four)) (i32x4.extract_lane 3 (local.get $four)))))

  ;; Compares the rows whose bits are set in $bits, from row $first on; writes the numbers of those that differ in at
  ;; most $limit bits, and how many, as two i32 from $out on. Returns the next $out.
  (func $compare
    (param $bits i64) (param $first i32) (param $rows i32) (param $probe i32) (param $limit i32) (param $out i32)
    (result i32)
    (local $row i32) (local $distance i32)
    (block $end
      (loop $next
        (br_if $end (i64.eqz (local.get $bits)))
        (local.set $row (i32.add (local.get $first) (i32.wrap_i64 (i64.ctz (local.get $bits)))))
        (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
        (local.set $distance
          (call $distance
            (i32.add (local.get $rows) (i32.shl (local.get $row) (i32.const 7)))
            (local.get $probe)))
        (if (i32.le_u (local.get $distance) (local.get $limit))
          (then
            (i32.store (local.get $out) (local.get $row))
            (i32.store offset=4 (local.get $out) (local.get $distance))
            (local.set $out (i32.add (local.get $out) (i32.const 8)))))
        (br $next)))
    (local.get $out))

  ;; $sketch begins with the six vectors that the count starts with: 63 less the most differing bits, so that a row with
  ;; more of them reaches the seventh. Returns the number of rows found.
  (func (export "search")
    (param $planes i32) (param $rows i32) (param $groups i32)
    (param $sketch i32) (param $probe i32) (param $limit i32) (param $out i32)
    (result i32)
    (local $group i32) (local $offset i32) (local $flip i32) (local $from i32)
    (local $a v128) (local $b v128) (local $u v128) (local $x v128) (local $y v128)
    (local $c0 v128) (local $c1 v128) (local $c2 v128) (local $c3 v128) (local $c4 v128) (local $c5 v128)
    (local $c6 v128)
    (local.set $from (local.get $out))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $group) (local.get $groups)))
        (local.set $c0 (v128.load (local.get $sketch)))
        (local.set $c1 (v128.load offset=16 (local.get $sketch)))
        (local.set $c2 (v128.load offset=32 (local.get $sketch)))
        (local.set $c3 (v128.load offset=48 (local.get $sketch)))
        (local.set $c4 (v128.load offset=64 (local.get $sketch)))
        (local.set $c5 (v128.load offset=80 (local.get $sketch)))
        (local.set $c6 (v128.const i64x2 0 0))
        (local.set $offset (local.get $sketch))
        (local.set $flip (local.get $sketch))
        ;; Inputs of the sketch: a vector of all ones where the probe's bit is set (from byte 96 on), and the address of
        ;; the plane in a block (from byte 1,632 on). Four at a time: three adders with carry, then the carry of four through the upper counters.
        (loop $four
          (local.set $a
            (v128.xor
              (v128.load (i32.add (local.get $planes) (i32.load offset=1632 (local.get $offset))))
              (v128.load offset=96 (local.get $flip))))
          (local.set $b
            (v128.xor
              (v128.load (i32.add (local.get $planes) (i32.load offset=1636 (local.get $offset))))
              (v128.load offset=112 (local.get $flip))))
          (local.set $u (v128.xor (local.get $c0) (local.get $a)))
          (local.set $x
            (v128.or (v128.and (local.get $c0) (local.get $a)) (v128.and (local.get $u) (local.get $b))))
          (local.set $c0 (v128.xor (local.get $u) (local.get $b)))
          (local.set $a
            (v128.xor
              (v128.load (i32.add (local.get $planes) (i32.load offset=1640 (local.get $offset))))
              (v128.load offset=128 (local.get $flip))))
          (local.set $b
            (v128.xor
              (v128.load (i32.add (local.get $planes) (i32.load offset=1644 (local.get $offset))))
              (v128.load offset=144 (local.get $flip))))
          (local.set $u (v128.xor (local.get $c0) (local.get $a)))
          (local.set $y
            (v128.or (v128.and (local.get $c0) (local.get $a)) (v128.and (local.get $u) (local.get $b))))
          (local.set $c0 (v128.xor (local.get $u) (local.get $b)))
          (local.set $u (v128.xor (local.get $c1) (local.get $x)))
          (local.set $a
            (v128.or
              (v128.and (local.get $c1) (local.get $x))
              (v128.and (local.get $u) (local.get $y))))
          (local.set $c1 (v128.xor (local.get $u) (local.get $y)))
          (local.set $b (v128.and (local.get $c2) (local.get $a)))
          (local.set $c2 (v128.xor (local.get $c2) (local.get $a)))
          (local.set $a (v128.and (local.get $c3) (local.get $b)))
          (local.set $c3 (v128.xor (local.get $c3) (local.get $b)))
          (local.set $b (v128.and (local.get $c4) (local.get $a)))
          (local.set $c4 (v128.xor (local.get $c4) (local.get $a)))
          (local.set $c6
            (v128.or (local.get $c6) (v128.and (local.get $c5) (local.get $b))))
          (local.set $c5 (v128.xor (local.get $c5) (local.get $b)))
          (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
          (local.set $flip (i32.add (local.get $flip) (i32.const 64)))
          (br_if $four (i32.lt_u (local.get $flip) (i32.add (local.get $sketch) (i32.const 1536)))))
        (local.set $c6 (v128.not (local.get $c6)))
        (if (v128.any_true (local.get $c6))
          (then
            (local.set $out
              (call $compare
                (i64x2.extract_lane 0 (local.get $c6))
                (i32.shl (local.get $group) (i32.const 7))
                (local.get $rows) (local.get $probe) (local.get $limit) (local.get $out)))
            (local.set $out
              (call $compare
                (i64x2.extract_lane 1 (local.get $c6))
                (i32.add (i32.shl (local.get $group) (i32.const 7)) (i32.const 64))
                (local.get $rows) (local.get $probe) (local.get $limit) (local.get $out)))))
        (local.set $planes (i32.add (local.get $planes) (i32.const 16)))
        (local.set $group (i32.add (local.get $group) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 3)))
)
