;; Radix-2 Fourier transform of 128 columns at once (see src/pad/fourier.ts): neighbouring values share their factors. Two
;; columns at a time, with the operations and the order of plain loops, so that values are the same.
(module
  (memory (export "memory") 6)

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
