;; Scans rows of int8 codes against an int16 query and notes every row that may belong to the best k.
;;
;; For a row with codes c, scale s and residual r (see quantise.ts) the true score lies within
;;   approx ± (A·r + B),   approx = (c · query) · s · scale of the query.
;; A row whose upper end is below k lower ends of others cannot be among the best k; all others are noted.
;;
;; Memory is read once, in address order. Four rows lie interleaved, 16 codes of each in turn, so that a part of
;; the query is loaded once for four rows without reading four places at once: two separate rows at a time were
;; three times slower at 512 dimensions. Their four scales and four residuals follow their codes: places of their own at
;; the end of a page made a scan of 100,000 rows a third slower.
;;
;; Sixteen codes are used as eight int16 without unpacking. The lane as it lies is odd · 256 + (even as unsigned
;; byte); the lane shifted left by eight is even · 256. The quantiser knows what the even byte adds to the odd
;; one and rounds the odd code against it, so nothing is lost. Both products carry the same factor 256.
;;
;; State, in bytes (layout.ts names the same places):
;;    0 f32 threshold: rows below it are out     4 i32 number of noted rows
;;    8 i32 k (1 … 16)                          12 f32 scale of the query ÷ 256
;;   16 f32 A                                   20 f32 B
;;   24 i32 how many rows may be noted          28 i32 how many of them leave too little room
;;   32 f32 × 16 best lower ends, descending    96 noted rows: i32 row, f32 upper end
(module
  (import "host" "memory" (memory 1 65536 shared))

  ;; @param $codes   first four rows, at a multiple of 16: 4 · $stride codes, then f32 × 4 scales, f32 × 4 residuals
  ;; @param $rows    read in fours: the last four may be partly beyond
  ;; @param $first   number of the first row, for the notes
  ;; @param $stride  codes of a row, a multiple of 16
  ;; @param $query   for each 16 codes the eight int16 of the odd ones, then of the even ones
  ;; @return how many rows were scanned: fewer than $rows when no more can be noted
  (func (export "scan")
    (param $codes i32) (param $rows i32) (param $first i32)
    (param $stride i32) (param $query i32) (param $state i32) (result i32)
    (local $row i32) (local $end i32) (local $q i32)
    (local $odd v128) (local $even v128) (local $v v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $scale v128) (local $a v128) (local $b v128) (local $threshold v128)
    (local $upper v128) (local $error v128)
    (local.set $threshold (v128.load32_splat (local.get $state)))
    (local.set $scale (v128.load32_splat offset=12 (local.get $state)))
    (local.set $a (v128.load32_splat offset=16 (local.get $state)))
    (local.set $b (v128.load32_splat offset=20 (local.get $state)))
    (block $done
      (br_if $done (i32.eqz (local.get $rows)))
      (loop $each
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $codes) (i32.shl (local.get $stride) (i32.const 2))))
        (loop $by16
          (local.set $odd (v128.load (local.get $q)))
          (local.set $even (v128.load offset=16 (local.get $q)))
          (local.set $v (v128.load (local.get $codes)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (local.get $v) (local.get $odd))))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (i16x8.shl (local.get $v) (i32.const 8)) (local.get $even))))
          (local.set $v (v128.load offset=16 (local.get $codes)))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (local.get $v) (local.get $odd))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (i16x8.shl (local.get $v) (i32.const 8)) (local.get $even))))
          (local.set $v (v128.load offset=32 (local.get $codes)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s (local.get $v) (local.get $odd))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (i16x8.shl (local.get $v) (i32.const 8)) (local.get $even))))
          (local.set $v (v128.load offset=48 (local.get $codes)))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s (local.get $v) (local.get $odd))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (i16x8.shl (local.get $v) (i32.const 8)) (local.get $even))))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $codes (i32.add (local.get $codes) (i32.const 64)))
          (br_if $by16 (i32.ne (local.get $codes) (local.get $end))))
        ;; Four sums of four lanes each become one of four rows.
        (local.set $sum0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum0) (local.get $sum1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum0) (local.get $sum1))))
        (local.set $sum2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum2) (local.get $sum3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum2) (local.get $sum3))))
        (local.set $sum0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum0) (local.get $sum2))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum0) (local.get $sum2))))
        (local.set $error (f32x4.add
          (f32x4.mul (v128.load offset=16 (local.get $codes)) (local.get $a)) (local.get $b)))
        (local.set $upper (f32x4.add (local.get $error) (f32x4.mul
          (f32x4.convert_i32x4_s (local.get $sum0))
          (f32x4.mul (v128.load (local.get $codes)) (local.get $scale)))))
        (if (v128.any_true (f32x4.ge (local.get $upper) (local.get $threshold))) (then
          (local.set $row (i32.add (local.get $first) (local.get $row)))
          (local.set $end (i32.add (local.get $first) (local.get $rows)))
          (call $note (local.get $state) (i32.add (local.get $row) (i32.const 0)) (local.get $end)
            (f32x4.extract_lane 0 (local.get $upper)) (f32x4.extract_lane 0 (local.get $error)))
          (call $note (local.get $state) (i32.add (local.get $row) (i32.const 1)) (local.get $end)
            (f32x4.extract_lane 1 (local.get $upper)) (f32x4.extract_lane 1 (local.get $error)))
          (call $note (local.get $state) (i32.add (local.get $row) (i32.const 2)) (local.get $end)
            (f32x4.extract_lane 2 (local.get $upper)) (f32x4.extract_lane 2 (local.get $error)))
          (call $note (local.get $state) (i32.add (local.get $row) (i32.const 3)) (local.get $end)
            (f32x4.extract_lane 3 (local.get $upper)) (f32x4.extract_lane 3 (local.get $error)))
          (local.set $row (i32.sub (local.get $row) (local.get $first)))
          (local.set $threshold (v128.load32_splat (local.get $state)))
          (if (i32.ge_s (i32.load offset=4 (local.get $state)) (i32.load offset=24 (local.get $state))) (then
            (call $prune (local.get $state))
            (if (i32.ge_s (i32.load offset=4 (local.get $state)) (i32.load offset=28 (local.get $state))) (then
              (local.set $row (i32.add (local.get $row) (i32.const 4)))
              (br $done)))))))
        (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 4)))
        (br_if $each (i32.lt_u (local.get $row) (local.get $rows)))))
    (local.get $row))

  ;; Notes a row before $end that reaches the threshold and raises the threshold to the k-th best lower end.
  ;; At most three rows more than may be noted.
  (func $note (param $state i32) (param $row i32) (param $end i32) (param $upper f32) (param $error f32)
    (local $place i32) (local $first i32) (local $lower f32)
    (if (i32.ge_u (local.get $row) (local.get $end)) (then (return)))
    (if (f32.lt (local.get $upper) (f32.load (local.get $state))) (then (return)))
    (local.set $lower (f32.sub (local.get $upper) (f32.add (local.get $error) (local.get $error))))
    (local.set $first (i32.add (local.get $state) (i32.const 32)))
    ;; Insertion from the end: $place is where the lower end may go.
    (local.set $place (i32.add (local.get $first)
      (i32.shl (i32.sub (i32.load offset=8 (local.get $state)) (i32.const 1)) (i32.const 2))))
    (if (f32.gt (local.get $lower) (f32.load (local.get $place))) (then
      (block $found
        (loop $shift
          (br_if $found (i32.eq (local.get $place) (local.get $first)))
          (br_if $found (f32.le (local.get $lower)
            (f32.load (i32.sub (local.get $place) (i32.const 4)))))
          (f32.store (local.get $place) (f32.load (i32.sub (local.get $place) (i32.const 4))))
          (local.set $place (i32.sub (local.get $place) (i32.const 4)))
          (br $shift)))
      (f32.store (local.get $place) (local.get $lower))
      (f32.store (local.get $state) (f32.max (f32.load (local.get $state))
        (f32.load (i32.add (i32.add (local.get $state) (i32.const 28))
          (i32.shl (i32.load offset=8 (local.get $state)) (i32.const 2))))))))
    (local.set $place (i32.add (local.get $state)
      (i32.shl (i32.load offset=4 (local.get $state)) (i32.const 3))))
    (i32.store offset=96 (local.get $place) (local.get $row))
    (f32.store offset=100 (local.get $place) (local.get $upper))
    (i32.store offset=4 (local.get $state)
      (i32.add (i32.load offset=4 (local.get $state)) (i32.const 1))))

  ;; Forgets the noted rows whose upper end is below the threshold.
  (func $prune (export "prune") (param $state i32)
    (local $from i32) (local $to i32) (local $end i32)
    (local.set $from (i32.add (local.get $state) (i32.const 96)))
    (local.set $to (local.get $from))
    (local.set $end (i32.add (local.get $from)
      (i32.shl (i32.load offset=4 (local.get $state)) (i32.const 3))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (if (f32.ge (f32.load offset=4 (local.get $from)) (f32.load (local.get $state))) (then
          (i64.store align=4 (local.get $to) (i64.load align=4 (local.get $from)))
          (local.set $to (i32.add (local.get $to) (i32.const 8)))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $each)))
    (i32.store offset=4 (local.get $state)
      (i32.shr_u (i32.sub (i32.sub (local.get $to) (local.get $state)) (i32.const 96)) (i32.const 3)))))
