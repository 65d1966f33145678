;; How many of the 2-D float32 points [start, end) lie within eps of the point at `position`, as `rangeCount(2)`: two points at a time, each
;; of them a vector of x and y in float64, so that every bit is the same. Memory: the points, from its beginning on.
(module
  (memory (export "memory") 128)
  (func (export "count")
    (param $position i32) (param $start i32) (param $end i32) (param $eps2 f64) (result i32)
    (local $p v128) (local $limit v128) (local $two v128) (local $a v128) (local $b v128) (local $counts v128)
    (local $count i32) (local $dx f64) (local $dy f64)
    (local.set $p (f64x2.promote_low_f32x4 (v128.load64_zero (i32.shl (local.get $position) (i32.const 3)))))
    (local.set $limit (f64x2.splat (local.get $eps2)))
    (local.set $start (i32.shl (local.get $start) (i32.const 3)))
    (local.set $end (i32.shl (local.get $end) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.gt_u (i32.add (local.get $start) (i32.const 16)) (local.get $end)))
        (local.set $two (v128.load (local.get $start)))
        (local.set $a (f64x2.sub (f64x2.promote_low_f32x4 (local.get $two)) (local.get $p)))
        (local.set $b
          (f64x2.sub
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $two) (local.get $two)))
            (local.get $p)))
        (local.set $a (f64x2.mul (local.get $a) (local.get $a)))
        (local.set $b (f64x2.mul (local.get $b) (local.get $b)))
        (local.set $counts
          (i64x2.sub
            (local.get $counts)
            (f64x2.le
              (f64x2.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))
              (local.get $limit))))
        (local.set $start (i32.add (local.get $start) (i32.const 16)))
        (br $next)))
    (local.set $count
      (i32.wrap_i64 (i64.add (i64x2.extract_lane 0 (local.get $counts)) (i64x2.extract_lane 1 (local.get $counts)))))
    (if (i32.lt_u (local.get $start) (local.get $end))
      (then
        (local.set $dx (f64.sub (f64.promote_f32 (f32.load (local.get $start))) (f64x2.extract_lane 0 (local.get $p))))
        (local.set $dy
          (f64.sub (f64.promote_f32 (f32.load offset=4 (local.get $start))) (f64x2.extract_lane 1 (local.get $p))))
        (local.set $count
          (i32.add
            (local.get $count)
            (f64.le
              (f64.add (f64.mul (local.get $dx) (local.get $dx)) (f64.mul (local.get $dy) (local.get $dy)))
              (local.get $eps2))))))
    (local.get $count)))
