;; Cuts a crop out of a picture for a network (see src/imaging/crop-kernel.ts): bilinear, four pixels at a time, scaled
;; to the values that the network takes. Places are fixed-point numbers with 32 bits behind the point: conversions of
;; floating-point numbers would take most of the time.
(module
  (memory (export "memory") 1)

  (func $fixed (param $value f64) (result i64)
    (i64.trunc_sat_f64_s (f64.nearest (f64.mul (local.get $value) (f64.const 0x1p32)))))

  ;; $pixels: RGB bytes, $stride bytes a row; $lastX and $lastY: the largest coordinates of pixels.
  ;; ($startX, $startY): place of the crop's first pixel; it moves by ($acrossX, $acrossY) from column to column and by
  ;; ($downX, $downY) from row to row. $factors: two vectors, factor and summand of each channel. $edge: 1 repeats the
  ;; edge of the picture beyond it, 0 is black there. $out: three planes of $width × $height f32; one plane, their sum,
  ;; where $sum is 1.
  (func (export "crop")
    (param $pixels i32) (param $stride i32) (param $lastX i32) (param $lastY i32)
    (param $startX f64) (param $startY f64) (param $acrossX f64) (param $acrossY f64)
    (param $downX f64) (param $downY f64)
    (param $factors i32) (param $edge i32) (param $sum i32) (param $width i32) (param $height i32) (param $out i32)
    (local $row i32) (local $end i32) (local $plane i32) (local $x i64) (local $y i64) (local $cx i64) (local $cy i64)
    (local $stepX i64) (local $stepY i64) (local $endX i64) (local $endY i64)
    (local $p i32) (local $right i32) (local $below i32) (local $partX v128) (local $partY v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $factor v128) (local $summand v128) (local $value v128)
    (local $stepsX v128) (local $stepsY v128) (local $weights v128) (local $weights1 v128) (local $weights2 v128)
    (local $beyond i32) (local $whole v128) (local $wholeR v128) (local $wholeG v128) (local $wholeB v128)
    (local $summandR v128) (local $summandG v128) (local $summandB v128)
    (local $redUp v128) (local $greenUp v128) (local $blueUp v128)
    (local $redLow v128) (local $greenLow v128) (local $blueLow v128)
    (local.set $factor (v128.load (local.get $factors)))
    (local.set $summand (v128.load offset=16 (local.get $factors)))
    ;; For sums that have 14 bits behind the point.
    (local.set $whole (f32x4.mul (local.get $factor) (f32x4.splat (f32.const 0x1p-14))))
    (local.set $wholeR (f32x4.splat (f32x4.extract_lane 0 (local.get $whole))))
    (local.set $summandR (f32x4.splat (f32x4.extract_lane 0 (local.get $summand))))
    (local.set $wholeG (f32x4.splat (f32x4.extract_lane 1 (local.get $whole))))
    (local.set $summandG (f32x4.splat (f32x4.extract_lane 1 (local.get $summand))))
    (local.set $wholeB (f32x4.splat (f32x4.extract_lane 2 (local.get $whole))))
    (local.set $summandB (f32x4.splat (f32x4.extract_lane 2 (local.get $summand))))
    (local.set $plane (i32.shl (i32.mul (local.get $width) (local.get $height)) (i32.const 2)))
    (local.set $stepX (call $fixed (local.get $acrossX)))
    (local.set $stepY (call $fixed (local.get $acrossY)))
    (local.set $stepsX
      (i32x4.mul (i32x4.splat (i32.wrap_i64 (local.get $stepX))) (v128.const i32x4 0 1 2 3)))
    (local.set $stepsY
      (i32x4.mul (i32x4.splat (i32.wrap_i64 (local.get $stepY))) (v128.const i32x4 0 1 2 3)))
    (local.set $endX (i64.shl (i64.extend_i32_s (local.get $lastX)) (i64.const 32)))
    (local.set $endY (i64.shl (i64.extend_i32_s (local.get $lastY)) (i64.const 32)))
    (loop $rows
      (local.set $x
        (call $fixed
          (f64.add (local.get $startX) (f64.mul (f64.convert_i32_u (local.get $row)) (local.get $downX)))))
      (local.set $y
        (call $fixed
          (f64.add (local.get $startY) (f64.mul (f64.convert_i32_u (local.get $row)) (local.get $downY)))))
      (local.set $end (i32.add (local.get $out) (i32.shl (local.get $width) (i32.const 2))))
      ;; Places lie on a line: where the first and the last one are inside of the picture, all of the row are.
      (local.set $cx
        (i64.add
          (local.get $x)
          (i64.mul (local.get $stepX) (i64.extend_i32_s (i32.sub (local.get $width) (i32.const 1))))))
      (local.set $cy
        (i64.add
          (local.get $y)
          (i64.mul (local.get $stepY) (i64.extend_i32_s (i32.sub (local.get $width) (i32.const 1))))))
      (if
        (i32.and
          (i32.and
            (i32.and
              (i64.lt_u (local.get $x) (local.get $endX))
              (i64.lt_u (local.get $y) (local.get $endY)))
            (i32.and
              (i64.lt_u (local.get $cx) (local.get $endX))
              (i64.lt_u (local.get $cy) (local.get $endY))))
          (i32.ge_u (local.get $width) (i32.const 4)))
        (then
          (loop $inside
            ;; Four pixels at a time; the last four may begin among those before.
            (local.set $beyond
              (i32.shr_s (i32.sub (i32.add (local.get $out) (i32.const 16)) (local.get $end)) (i32.const 2)))
            (if
              (i32.gt_s (local.get $beyond) (i32.const 0))
              (then
                (local.set $x
                  (i64.sub
                    (local.get $x)
                    (i64.mul (local.get $stepX) (i64.extend_i32_s (local.get $beyond)))))
                (local.set $y
                  (i64.sub
                    (local.get $y)
                    (i64.mul (local.get $stepY) (i64.extend_i32_s (local.get $beyond)))))
                (local.set $out (i32.sub (local.get $out) (i32.shl (local.get $beyond) (i32.const 2))))))
            ;; Weights of a pixel and of the one to its right, 14 bits behind the point.
            (local.set $partX
              (i32x4.shr_u
                (i32x4.add
                  (i32x4.shr_u
                    (i32x4.add (i32x4.splat (i32.wrap_i64 (local.get $x))) (local.get $stepsX))
                    (i32.const 17))
                  (i32x4.splat (i32.const 1)))
                (i32.const 1)))
            (local.set $weights
              (v128.or
                (i32x4.shl (local.get $partX) (i32.const 16))
                (i32x4.sub (i32x4.splat (i32.const 0x4000)) (local.get $partX))))
            (local.set $weights1
              (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $weights) (local.get $weights)))
            (local.set $weights2
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $weights) (local.get $weights)))
            (local.set $partY
              (f32x4.mul
                (f32x4.convert_i32x4_u
                  (i32x4.add (i32x4.splat (i32.wrap_i64 (local.get $y))) (local.get $stepsY)))
                (f32x4.splat (f32.const 0x1p-32))))
            ;; Of each place the six bytes of its pixel and of the one to the right, in both rows.
            (local.set $p
              (i32.add
                (local.get $pixels)
                (i32.add
                  (i32.mul
                    (i32.wrap_i64 (i64.shr_u (local.get $y) (i64.const 32)))
                    (local.get $stride))
                  (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 32))) (i32.const 3)))))
            (local.set $a (v128.load64_zero (local.get $p)))
            (local.set $c (v128.load64_zero (i32.add (local.get $p) (local.get $stride))))
            (local.set $x (i64.add (local.get $x) (local.get $stepX)))
            (local.set $y (i64.add (local.get $y) (local.get $stepY)))
            (local.set $p
              (i32.add
                (local.get $pixels)
                (i32.add
                  (i32.mul
                    (i32.wrap_i64 (i64.shr_u (local.get $y) (i64.const 32)))
                    (local.get $stride))
                  (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 32))) (i32.const 3)))))
            (local.set $a (v128.load64_lane 1 (local.get $p) (local.get $a)))
            (local.set $c (v128.load64_lane 1 (i32.add (local.get $p) (local.get $stride)) (local.get $c)))
            (local.set $x (i64.add (local.get $x) (local.get $stepX)))
            (local.set $y (i64.add (local.get $y) (local.get $stepY)))
            (local.set $p
              (i32.add
                (local.get $pixels)
                (i32.add
                  (i32.mul
                    (i32.wrap_i64 (i64.shr_u (local.get $y) (i64.const 32)))
                    (local.get $stride))
                  (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 32))) (i32.const 3)))))
            (local.set $b (v128.load64_zero (local.get $p)))
            (local.set $d (v128.load64_zero (i32.add (local.get $p) (local.get $stride))))
            (local.set $x (i64.add (local.get $x) (local.get $stepX)))
            (local.set $y (i64.add (local.get $y) (local.get $stepY)))
            (local.set $p
              (i32.add
                (local.get $pixels)
                (i32.add
                  (i32.mul
                    (i32.wrap_i64 (i64.shr_u (local.get $y) (i64.const 32)))
                    (local.get $stride))
                  (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 32))) (i32.const 3)))))
            (local.set $b (v128.load64_lane 1 (local.get $p) (local.get $b)))
            (local.set $d (v128.load64_lane 1 (i32.add (local.get $p) (local.get $stride)) (local.get $d)))
            (local.set $x (i64.add (local.get $x) (local.get $stepX)))
            (local.set $y (i64.add (local.get $y) (local.get $stepY)))
            ;; As numbers of 16 bits, channel by channel.
            (local.set $blueUp
              (i32x4.dot_i16x8_s
                (v128.or
                  (i8x16.swizzle (local.get $a) (v128.const i8x16 2 -1 5 -1 10 -1 13 -1 -1 -1 -1 -1 -1 -1 -1 -1))
                  (i8x16.swizzle (local.get $b) (v128.const i8x16 -1 -1 -1 -1 -1 -1 -1 -1 2 -1 5 -1 10 -1 13 -1)))
                (local.get $weights)))
            (local.set $a
              (i32x4.dot_i16x8_s
                (i8x16.swizzle (local.get $a) (v128.const i8x16 0 -1 3 -1 8 -1 11 -1 1 -1 4 -1 9 -1 12 -1))
                (local.get $weights1)))
            (local.set $b
              (i32x4.dot_i16x8_s
                (i8x16.swizzle (local.get $b) (v128.const i8x16 0 -1 3 -1 8 -1 11 -1 1 -1 4 -1 9 -1 12 -1))
                (local.get $weights2)))
            (local.set $redUp
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b)))
            (local.set $greenUp
              (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))
            (local.set $blueLow
              (i32x4.dot_i16x8_s
                (v128.or
                  (i8x16.swizzle (local.get $c) (v128.const i8x16 2 -1 5 -1 10 -1 13 -1 -1 -1 -1 -1 -1 -1 -1 -1))
                  (i8x16.swizzle (local.get $d) (v128.const i8x16 -1 -1 -1 -1 -1 -1 -1 -1 2 -1 5 -1 10 -1 13 -1)))
                (local.get $weights)))
            (local.set $c
              (i32x4.dot_i16x8_s
                (i8x16.swizzle (local.get $c) (v128.const i8x16 0 -1 3 -1 8 -1 11 -1 1 -1 4 -1 9 -1 12 -1))
                (local.get $weights1)))
            (local.set $d
              (i32x4.dot_i16x8_s
                (i8x16.swizzle (local.get $d) (v128.const i8x16 0 -1 3 -1 8 -1 11 -1 1 -1 4 -1 9 -1 12 -1))
                (local.get $weights2)))
            (local.set $redLow
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $c) (local.get $d)))
            (local.set $greenLow
              (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $c) (local.get $d)))
            (local.set $redUp
              (f32x4.add
                (f32x4.mul
                  (f32x4.add
                    (local.tee $value (f32x4.convert_i32x4_s (local.get $redUp)))
                    (f32x4.mul
                      (f32x4.sub (f32x4.convert_i32x4_s (local.get $redLow)) (local.get $value))
                      (local.get $partY)))
                  (local.get $wholeR))
                (local.get $summandR)))
            (local.set $greenUp
              (f32x4.add
                (f32x4.mul
                  (f32x4.add
                    (local.tee $value (f32x4.convert_i32x4_s (local.get $greenUp)))
                    (f32x4.mul
                      (f32x4.sub (f32x4.convert_i32x4_s (local.get $greenLow)) (local.get $value))
                      (local.get $partY)))
                  (local.get $wholeG))
                (local.get $summandG)))
            (local.set $blueUp
              (f32x4.add
                (f32x4.mul
                  (f32x4.add
                    (local.tee $value (f32x4.convert_i32x4_s (local.get $blueUp)))
                    (f32x4.mul
                      (f32x4.sub (f32x4.convert_i32x4_s (local.get $blueLow)) (local.get $value))
                      (local.get $partY)))
                  (local.get $wholeB))
                (local.get $summandB)))
            (if
              (local.get $sum)
              (then
                (v128.store
                  (local.get $out)
                  (f32x4.add (f32x4.add (local.get $redUp) (local.get $greenUp)) (local.get $blueUp))))
              (else
                (v128.store (local.get $out) (local.get $redUp))
                (v128.store (i32.add (local.get $out) (local.get $plane)) (local.get $greenUp))
                (v128.store
                  (i32.add (local.get $out) (i32.shl (local.get $plane) (i32.const 1)))
                  (local.get $blueUp))))
            (local.set $out (i32.add (local.get $out) (i32.const 16)))
            (br_if $inside (i32.lt_u (local.get $out) (local.get $end)))))
        (else
      (loop $columns
        (local.set $value (local.get $summand))
        (block $black
          (local.set $cx (local.get $x))
          (local.set $cy (local.get $y))
          (local.set $right (i32.const 3))
          (local.set $below (local.get $stride))
          (if
            (i32.or
              (i64.ge_u (local.get $x) (local.get $endX))
              (i64.ge_u (local.get $y) (local.get $endY)))
            (then
              ;; Half a pixel beyond the last centre still belongs to the picture.
              (br_if $black
                (i32.and
                  (i32.eqz (local.get $edge))
                  (i32.or
                    (i32.or
                      (i64.lt_s (local.get $x) (i64.const -0x80000000))
                      (i64.lt_s (local.get $y) (i64.const -0x80000000)))
                    (i32.or
                      (i64.gt_s (local.get $x) (i64.add (local.get $endX) (i64.const 0x80000000)))
                      (i64.gt_s (local.get $y) (i64.add (local.get $endY) (i64.const 0x80000000)))))))
              (if (i64.lt_s (local.get $x) (i64.const 0)) (then (local.set $cx (i64.const 0))))
              (if (i64.lt_s (local.get $y) (i64.const 0)) (then (local.set $cy (i64.const 0))))
              (if (i64.ge_s (local.get $cx) (local.get $endX))
                (then (local.set $cx (local.get $endX)) (local.set $right (i32.const 0))))
              (if (i64.ge_s (local.get $cy) (local.get $endY))
                (then (local.set $cy (local.get $endY)) (local.set $below (i32.const 0))))))
          (local.set $p
            (i32.add
              (local.get $pixels)
              (i32.add
                (i32.mul
                  (i32.wrap_i64 (i64.shr_u (local.get $cy) (i64.const 32)))
                  (local.get $stride))
                (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $cx) (i64.const 32))) (i32.const 3)))))
          ;; Three bytes of each of four pixels; the fourth lane has the byte behind them. Written out, as functions are
          ;; not inlined.
          (local.set $a
            (f32x4.convert_i32x4_u
              (i32x4.extend_low_i16x8_u
                (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $p))))))
          (local.set $b
            (f32x4.convert_i32x4_u
              (i32x4.extend_low_i16x8_u
                (i16x8.extend_low_i8x16_u (v128.load32_zero (i32.add (local.get $p) (local.get $right)))))))
          (local.set $p (i32.add (local.get $p) (local.get $below)))
          (local.set $c
            (f32x4.convert_i32x4_u
              (i32x4.extend_low_i16x8_u
                (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $p))))))
          (local.set $d
            (f32x4.convert_i32x4_u
              (i32x4.extend_low_i16x8_u
                (i16x8.extend_low_i8x16_u (v128.load32_zero (i32.add (local.get $p) (local.get $right)))))))
          (local.set $partX
            (f32x4.splat
              (f32.mul
                (f32.convert_i32_u (i32.wrap_i64 (local.get $cx)))
                (f32.const 0x1p-32))))
          (local.set $partY
            (f32x4.splat
              (f32.mul
                (f32.convert_i32_u (i32.wrap_i64 (local.get $cy)))
                (f32.const 0x1p-32))))
          (local.set $a
            (f32x4.add
              (local.get $a)
              (f32x4.mul (f32x4.sub (local.get $b) (local.get $a)) (local.get $partX))))
          (local.set $c
            (f32x4.add
              (local.get $c)
              (f32x4.mul (f32x4.sub (local.get $d) (local.get $c)) (local.get $partX))))
          (local.set $value
            (f32x4.add
              (f32x4.mul
                (f32x4.add
                  (local.get $a)
                  (f32x4.mul (f32x4.sub (local.get $c) (local.get $a)) (local.get $partY)))
                (local.get $factor))
              (local.get $summand))))
        (if
          (local.get $sum)
          (then
            (f32.store
              (local.get $out)
              (f32.add
                (f32.add
                  (f32x4.extract_lane 0 (local.get $value))
                  (f32x4.extract_lane 1 (local.get $value)))
                (f32x4.extract_lane 2 (local.get $value)))))
          (else
            (v128.store32_lane 0 (local.get $out) (local.get $value))
            (v128.store32_lane 1 (i32.add (local.get $out) (local.get $plane)) (local.get $value))
            (v128.store32_lane 2
              (i32.add (local.get $out) (i32.shl (local.get $plane) (i32.const 1)))
              (local.get $value))))
        (local.set $x (i64.add (local.get $x) (local.get $stepX)))
        (local.set $y (i64.add (local.get $y) (local.get $stepY)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $columns (i32.lt_u (local.get $out) (local.get $end))))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $height)))))

  ;; Halves a picture of RGB bytes: rounded means of 2 × 2 pixels, two of them at a time. $width and $height: those of the
  ;; result, without an odd last column or row of $stride bytes. Up to 10 bytes behind the result are overwritten, and up
  ;; to 16 behind the picture are read.
  (func (export "halve")
    (param $from i32) (param $stride i32) (param $width i32) (param $height i32) (param $out i32)
    (local $at i32) (local $to i32) (local $end i32) (local $sums v128)
    (loop $rows
      (local.set $at (local.get $from))
      (local.set $to (local.get $out))
      (local.set $end (i32.add (local.get $out) (i32.mul (local.get $width) (i32.const 3))))
      (loop $columns
        (v128.store64_lane 0
          (local.get $to)
          (i8x16.narrow_i16x8_u
            (local.tee $sums
              (i16x8.shr_u
                (i16x8.add
                  (i16x8.add
                    (i16x8.extadd_pairwise_i8x16_u
                      (i8x16.swizzle
                        (v128.load (local.get $at))
                        (v128.const i8x16 0 3 1 4 2 5 6 9 7 10 8 11 -1 -1 -1 -1)))
                    (i16x8.extadd_pairwise_i8x16_u
                      (i8x16.swizzle
                        (v128.load (i32.add (local.get $at) (local.get $stride)))
                        (v128.const i8x16 0 3 1 4 2 5 6 9 7 10 8 11 -1 -1 -1 -1))))
                  (i16x8.splat (i32.const 2)))
                (i32.const 2)))
            (local.get $sums)))
        (local.set $at (i32.add (local.get $at) (i32.const 12)))
        (local.set $to (i32.add (local.get $to) (i32.const 6)))
        (br_if $columns (i32.lt_u (local.get $to) (local.get $end))))
      (local.set $from (i32.add (local.get $from) (i32.shl (local.get $stride) (i32.const 1))))
      (local.set $out (local.get $end))
      (local.set $height (i32.sub (local.get $height) (i32.const 1)))
      (br_if $rows (local.get $height)))))
