;; Radix-2 Fourier transform of 128 columns at once (see src/pad/fourier.ts): neighbouring values share their factors. Four
;; columns at a time, with the operations and the order of plain loops; before it the window,
;; after it the power and its logarithms.
(module
  (memory (export "memory") 6)

  ;; Writes 128 × 128 f32 less their mean under a window to $out, transposed, rows and columns in bit-reversed order.
  ;; $order: that of each index, bytes. $window: weight of each index, f32.
  (func (export "window")
    (param $patch i32) (param $out i32) (param $order i32) (param $window i32)
    (local $at i32) (local $end i32) (local $column i32) (local $row i32)
    (local $first i32) (local $second i32) (local $third i32) (local $fourth i32)
    (local $sum v128) (local $mean v128) (local $weights v128) (local $values v128)
    (local.set $at (local.get $patch))
    (local.set $end (i32.add (local.get $patch) (i32.const 0x10000)))
    (loop $sum
      (local.set $sum
        (f64x2.add (local.get $sum) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $sum (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $mean
      (f32x4.splat
        (f32.demote_f64
          (f64.mul
            (f64.add (f64x2.extract_lane 0 (local.get $sum)) (f64x2.extract_lane 1 (local.get $sum)))
            (f64.const 0x1p-14)))))
    (loop $columns
      (local.set $weights (v128.load (i32.add (local.get $window) (i32.shl (local.get $column) (i32.const 2)))))
      (local.set $at (i32.add (local.get $order) (local.get $column)))
      (local.set $first (i32.add (local.get $out) (i32.shl (i32.load8_u (local.get $at)) (i32.const 9))))
      (local.set $second (i32.add (local.get $out) (i32.shl (i32.load8_u offset=1 (local.get $at)) (i32.const 9))))
      (local.set $third (i32.add (local.get $out) (i32.shl (i32.load8_u offset=2 (local.get $at)) (i32.const 9))))
      (local.set $fourth (i32.add (local.get $out) (i32.shl (i32.load8_u offset=3 (local.get $at)) (i32.const 9))))
      (local.set $at (i32.add (local.get $patch) (i32.shl (local.get $column) (i32.const 2))))
      (local.set $row (i32.const 0))
      (loop $rows
        (local.set $values
          (f32x4.mul
            (f32x4.mul
              (f32x4.sub (v128.load (local.get $at)) (local.get $mean))
              (v128.load32_splat (i32.add (local.get $window) (i32.shl (local.get $row) (i32.const 2)))))
            (local.get $weights)))
        (local.set $end
          (i32.shl (i32.load8_u (i32.add (local.get $order) (local.get $row))) (i32.const 2)))
        (v128.store32_lane 0 (i32.add (local.get $first) (local.get $end)) (local.get $values))
        (v128.store32_lane 1 (i32.add (local.get $second) (local.get $end)) (local.get $values))
        (v128.store32_lane 2 (i32.add (local.get $third) (local.get $end)) (local.get $values))
        (v128.store32_lane 3 (i32.add (local.get $fourth) (local.get $end)) (local.get $values))
        (local.set $at (i32.add (local.get $at) (i32.const 512)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $rows (i32.lt_u (local.get $row) (i32.const 128))))
      (local.set $column (i32.add (local.get $column) (i32.const 4)))
      (br_if $columns (i32.lt_u (local.get $column) (i32.const 128)))))

  ;; Squared absolute values over their number, in place of $real.
  (func (export "power")
    (param $real i32) (param $imaginary i32)
    (local $end i32) (local $re v128) (local $im v128)
    (local.set $end (i32.add (local.get $real) (i32.const 0x10000)))
    (loop $values
      (local.set $re (v128.load (local.get $real)))
      (local.set $im (v128.load (local.get $imaginary)))
      (v128.store
        (local.get $real)
        (f32x4.mul
          (f32x4.add
            (f32x4.mul (local.get $re) (local.get $re))
            (f32x4.mul (local.get $im) (local.get $im)))
          (f32x4.splat (f32.const 0x1p-14))))
      (local.set $real (i32.add (local.get $real) (i32.const 16)))
      (local.set $imaginary (i32.add (local.get $imaginary) (i32.const 16)))
      (br_if $values (i32.lt_u (local.get $real) (local.get $end)))))

  ;; Natural logarithms of 128 × 128 f32 at $values, of 0 or more, after $least, a positive one, is added: of a power of
  ;; two and of a factor m from √½ to √2, by the series of 2 artanh s with s = (m − 1) ÷ (m + 1), s² ≤ 0.03.
  (func (export "logarithms")
    (param $values i32) (param $least f32)
    (local $end i32) (local $x v128) (local $bits v128) (local $s v128) (local $square v128) (local $sum v128)
    (local.set $end (i32.add (local.get $values) (i32.const 0x10000)))
    (loop $fours
      (local.set $x (f32x4.add (v128.load (local.get $values)) (f32x4.splat (local.get $least))))
      ;; What the bits of a value exceed those of √½ by are powers of two in the upper 9 bits, and below what m has more.
      (local.set $bits (i32x4.sub (local.get $x) (i32x4.splat (i32.const 0x3f3504f3))))
      (local.set $x
        (i32x4.add
          (v128.and (local.get $bits) (i32x4.splat (i32.const 0x007fffff)))
          (i32x4.splat (i32.const 0x3f3504f3))))
      (local.set $s
        (f32x4.div
          (f32x4.sub (local.get $x) (f32x4.splat (f32.const 1)))
          (f32x4.add (local.get $x) (f32x4.splat (f32.const 1)))))
      (local.set $square (f32x4.mul (local.get $s) (local.get $s)))
      (local.set $sum (f32x4.splat (f32.const 0.2222222222222222)))
      (local.set $sum
        (f32x4.add (f32x4.mul (local.get $sum) (local.get $square)) (f32x4.splat (f32.const 0.2857142857142857))))
      (local.set $sum
        (f32x4.add (f32x4.mul (local.get $sum) (local.get $square)) (f32x4.splat (f32.const 0.4))))
      (local.set $sum
        (f32x4.add (f32x4.mul (local.get $sum) (local.get $square)) (f32x4.splat (f32.const 0.6666666666666666))))
      (local.set $sum
        (f32x4.add (f32x4.mul (local.get $sum) (local.get $square)) (f32x4.splat (f32.const 2.0))))
      (v128.store
        (local.get $values)
        (f32x4.add
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.shr_s (local.get $bits) (i32.const 23)))
            (f32x4.splat (f32.const 0x1.62e43p-1)))
          (f32x4.mul (local.get $s) (local.get $sum))))
      (local.set $values (i32.add (local.get $values) (i32.const 16)))
      (br_if $fours (i32.lt_u (local.get $values) (local.get $end)))))

  ;; $real and $imaginary: 128 × 128 f32, rows in bit-reversed order, transformed in place. $turns: cosine and sine of
  ;; 2π k ÷ 128 for each k below 64, two f32.
  (func (export "transform")
    (param $real i32) (param $imaginary i32) (param $turns i32)
    (local $half i32) (local $block i32) (local $k i32) (local $turn i32)
    (local $a i32) (local $b i32) (local $end i32) (local $apart i32)
    (local $c v128) (local $s v128) (local $re v128) (local $im v128) (local $x v128) (local $y v128)
    (local.set $apart (i32.sub (local.get $imaginary) (local.get $real)))
    (local.set $half (i32.const 1))
    (loop $stages
      (local.set $block (i32.const 0))
      (loop $blocks
        (local.set $k (i32.const 0))
        (loop $turns
          (local.set $turn
            (i32.add
              (local.get $turns)
              (i32.shl (i32.mul (local.get $k) (i32.div_u (i32.const 64) (local.get $half))) (i32.const 3))))
          (local.set $c (v128.load32_splat (local.get $turn)))
          (local.set $s (v128.load32_splat offset=4 (local.get $turn)))
          (local.set $a
            (i32.add
              (local.get $real)
              (i32.shl (i32.add (local.get $block) (local.get $k)) (i32.const 9))))
          (local.set $b (i32.add (local.get $a) (i32.shl (local.get $half) (i32.const 9))))
          (local.set $end (i32.add (local.get $a) (i32.const 512)))
          (loop $columns
            (local.set $x (v128.load (local.get $b)))
            (local.set $y (v128.load (i32.add (local.get $b) (local.get $apart))))
            (local.set $re
              (f32x4.add
                (f32x4.mul (local.get $x) (local.get $c))
                (f32x4.mul (local.get $y) (local.get $s))))
            (local.set $im
              (f32x4.sub
                (f32x4.mul (local.get $y) (local.get $c))
                (f32x4.mul (local.get $x) (local.get $s))))
            (local.set $x (v128.load (local.get $a)))
            (local.set $y (v128.load (i32.add (local.get $a) (local.get $apart))))
            (v128.store (local.get $b) (f32x4.sub (local.get $x) (local.get $re)))
            (v128.store
              (i32.add (local.get $b) (local.get $apart))
              (f32x4.sub (local.get $y) (local.get $im)))
            (v128.store (local.get $a) (f32x4.add (local.get $x) (local.get $re)))
            (v128.store
              (i32.add (local.get $a) (local.get $apart))
              (f32x4.add (local.get $y) (local.get $im)))
            (local.set $a (i32.add (local.get $a) (i32.const 16)))
            (local.set $b (i32.add (local.get $b) (i32.const 16)))
            (br_if $columns (i32.lt_u (local.get $a) (local.get $end))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $turns (i32.lt_u (local.get $k) (local.get $half))))
        (local.set $block (i32.add (local.get $block) (i32.shl (local.get $half) (i32.const 1))))
        (br_if $blocks (i32.lt_u (local.get $block) (i32.const 128))))
      (local.set $half (i32.shl (local.get $half) (i32.const 1)))
      (br_if $stages (i32.lt_u (local.get $half) (i32.const 128)))))

  ;; Transposes 128 × 128 f32 in place, 2 × 2 at a time.
  (func (export "transpose")
    (param $square i32)
    (local $row i32) (local $column i32) (local $p i32) (local $q i32) (local $upper v128) (local $lower v128)
    (loop $rows
      (local.set $column (local.get $row))
      (loop $columns
        (local.set $p
          (i32.add
            (local.get $square)
            (i32.add (i32.shl (local.get $row) (i32.const 9)) (i32.shl (local.get $column) (i32.const 2)))))
        (local.set $q
          (i32.add
            (local.get $square)
            (i32.add (i32.shl (local.get $column) (i32.const 9)) (i32.shl (local.get $row) (i32.const 2)))))
        (local.set $upper
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
            (v128.load64_zero (local.get $p))
            (v128.load64_zero offset=512 (local.get $p))))
        (local.set $lower
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
            (v128.load64_zero (local.get $q))
            (v128.load64_zero offset=512 (local.get $q))))
        (v128.store64_lane 0 (local.get $p) (local.get $lower))
        (v128.store64_lane offset=512 1 (local.get $p) (local.get $lower))
        (v128.store64_lane 0 (local.get $q) (local.get $upper))
        (v128.store64_lane offset=512 1 (local.get $q) (local.get $upper))
        (local.set $column (i32.add (local.get $column) (i32.const 2)))
        (br_if $columns (i32.lt_u (local.get $column) (i32.const 128))))
      (local.set $row (i32.add (local.get $row) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 128))))))
