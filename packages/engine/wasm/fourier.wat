;; Radix-2 Fourier transform of 128 columns at once (see src/pad/fourier.ts): neighbouring values share their factors. Two
;; columns at a time, with the operations and the order of plain loops, so that values are the same; before it the window,
;; after it the power.
(module
  (memory (export "memory") 6)

  ;; Writes 128 × 128 f32 less their mean under a window to $out: f64, transposed, rows and columns in bit-reversed order.
  ;; $order: that of each index, bytes. $window: weight of each index, f64.
  (func (export "window")
    (param $patch i32) (param $out i32) (param $order i32) (param $window i32)
    (local $at i32) (local $end i32) (local $column i32) (local $row i32) (local $upper i32) (local $lower i32)
    (local $mean v128) (local $weights v128) (local $values v128)
    (local.set $at (local.get $patch))
    (local.set $end (i32.add (local.get $patch) (i32.const 0x10000)))
    (loop $sum
      (local.set $mean
        (f64x2.add (local.get $mean) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $sum (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $mean
      (f64x2.splat
        (f64.mul
          (f64.add (f64x2.extract_lane 0 (local.get $mean)) (f64x2.extract_lane 1 (local.get $mean)))
          (f64.const 0x1p-14))))
    (loop $columns
      (local.set $weights (v128.load (i32.add (local.get $window) (i32.shl (local.get $column) (i32.const 3)))))
      (local.set $at (i32.add (local.get $order) (local.get $column)))
      (local.set $upper
        (i32.add (local.get $out) (i32.shl (i32.load8_u (local.get $at)) (i32.const 10))))
      (local.set $lower
        (i32.add (local.get $out) (i32.shl (i32.load8_u offset=1 (local.get $at)) (i32.const 10))))
      (local.set $at (i32.add (local.get $patch) (i32.shl (local.get $column) (i32.const 2))))
      (local.set $row (i32.const 0))
      (loop $rows
        (local.set $values
          (f64x2.mul
            (f64x2.mul
              (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $at))) (local.get $mean))
              (v128.load64_splat (i32.add (local.get $window) (i32.shl (local.get $row) (i32.const 3)))))
            (local.get $weights)))
        (local.set $end
          (i32.shl (i32.load8_u (i32.add (local.get $order) (local.get $row))) (i32.const 3)))
        (v128.store64_lane 0 (i32.add (local.get $upper) (local.get $end)) (local.get $values))
        (v128.store64_lane 1 (i32.add (local.get $lower) (local.get $end)) (local.get $values))
        (local.set $at (i32.add (local.get $at) (i32.const 512)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $rows (i32.lt_u (local.get $row) (i32.const 128))))
      (local.set $column (i32.add (local.get $column) (i32.const 2)))
      (br_if $columns (i32.lt_u (local.get $column) (i32.const 128)))))

  ;; Squared absolute values over their number, in place of $real.
  (func (export "power")
    (param $real i32) (param $imaginary i32)
    (local $end i32) (local $re v128) (local $im v128)
    (local.set $end (i32.add (local.get $real) (i32.const 0x20000)))
    (loop $values
      (local.set $re (v128.load (local.get $real)))
      (local.set $im (v128.load (local.get $imaginary)))
      (v128.store
        (local.get $real)
        (f64x2.mul
          (f64x2.add
            (f64x2.mul (local.get $re) (local.get $re))
            (f64x2.mul (local.get $im) (local.get $im)))
          (f64x2.splat (f64.const 0x1p-14))))
      (local.set $real (i32.add (local.get $real) (i32.const 16)))
      (local.set $imaginary (i32.add (local.get $imaginary) (i32.const 16)))
      (br_if $values (i32.lt_u (local.get $real) (local.get $end)))))

  ;; $real and $imaginary: 128 × 128 f64, rows in bit-reversed order, transformed in place. $turns: cosine and sine of
  ;; 2π k ÷ 128 for each k below 64, two f64.
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
              (i32.shl (i32.mul (local.get $k) (i32.div_u (i32.const 64) (local.get $half))) (i32.const 4))))
          (local.set $c (v128.load64_splat (local.get $turn)))
          (local.set $s (v128.load64_splat offset=8 (local.get $turn)))
          (local.set $a
            (i32.add
              (local.get $real)
              (i32.shl (i32.add (local.get $block) (local.get $k)) (i32.const 10))))
          (local.set $b (i32.add (local.get $a) (i32.shl (local.get $half) (i32.const 10))))
          (local.set $end (i32.add (local.get $a) (i32.const 1024)))
          (loop $columns
            (local.set $x (v128.load (local.get $b)))
            (local.set $y (v128.load (i32.add (local.get $b) (local.get $apart))))
            (local.set $re
              (f64x2.add
                (f64x2.mul (local.get $x) (local.get $c))
                (f64x2.mul (local.get $y) (local.get $s))))
            (local.set $im
              (f64x2.sub
                (f64x2.mul (local.get $y) (local.get $c))
                (f64x2.mul (local.get $x) (local.get $s))))
            (local.set $x (v128.load (local.get $a)))
            (local.set $y (v128.load (i32.add (local.get $a) (local.get $apart))))
            (v128.store (local.get $b) (f64x2.sub (local.get $x) (local.get $re)))
            (v128.store
              (i32.add (local.get $b) (local.get $apart))
              (f64x2.sub (local.get $y) (local.get $im)))
            (v128.store (local.get $a) (f64x2.add (local.get $x) (local.get $re)))
            (v128.store
              (i32.add (local.get $a) (local.get $apart))
              (f64x2.add (local.get $y) (local.get $im)))
            (local.set $a (i32.add (local.get $a) (i32.const 16)))
            (local.set $b (i32.add (local.get $b) (i32.const 16)))
            (br_if $columns (i32.lt_u (local.get $a) (local.get $end))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $turns (i32.lt_u (local.get $k) (local.get $half))))
        (local.set $block (i32.add (local.get $block) (i32.shl (local.get $half) (i32.const 1))))
        (br_if $blocks (i32.lt_u (local.get $block) (i32.const 128))))
      (local.set $half (i32.shl (local.get $half) (i32.const 1)))
      (br_if $stages (i32.lt_u (local.get $half) (i32.const 128)))))

  ;; Transposes 128 × 128 f64 in place, 2 × 2 at a time.
  (func (export "transpose")
    (param $square i32)
    (local $row i32) (local $column i32) (local $p i32) (local $q i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $rows
      (local.set $column (local.get $row))
      (loop $columns
        (local.set $p
          (i32.add
            (local.get $square)
            (i32.add (i32.shl (local.get $row) (i32.const 10)) (i32.shl (local.get $column) (i32.const 3)))))
        (local.set $q
          (i32.add
            (local.get $square)
            (i32.add (i32.shl (local.get $column) (i32.const 10)) (i32.shl (local.get $row) (i32.const 3)))))
        (local.set $a (v128.load (local.get $p)))
        (local.set $b (v128.load offset=1024 (local.get $p)))
        (local.set $c (v128.load (local.get $q)))
        (local.set $d (v128.load offset=1024 (local.get $q)))
        (v128.store
          (local.get $p)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $c) (local.get $d)))
        (v128.store offset=1024
          (local.get $p)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $c) (local.get $d)))
        (v128.store
          (local.get $q)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b)))
        (v128.store offset=1024
          (local.get $q)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))
        (local.set $column (i32.add (local.get $column) (i32.const 2)))
        (br_if $columns (i32.lt_u (local.get $column) (i32.const 128))))
      (local.set $row (i32.add (local.get $row) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 128))))))
