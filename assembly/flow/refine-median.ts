// Written by tools/flow/median-network.mjs, which explains it. Median of floats over 5x5, border replicated.
import { Register } from '../runtime/wasm/registers';

function lo(a: v128, b: v128): v128 {
  return f32x4.pmin(a, b);
}
function hi(a: v128, b: v128): v128 {
  return f32x4.pmax(a, b);
}
function row(source: usize, stride: i32, y: i32, height: i32, scratch: usize): usize {
  return Register.address(source + <usize>(min(max(y, 0), height - 1) * stride), scratch);
}

/** Sorted columns of the 4 rows from y - 1 on, and the two extra rows. */
function columns(source: usize, stride: i32, x0: i32, y: i32, height: i32, p: usize, end: usize, scratch: usize): void {
  const r0 = row(source, stride, y - 1 + 0, height, scratch);
  const r1 = row(source, stride, y - 1 + 1, height, scratch);
  const r2 = row(source, stride, y - 1 + 2, height, scratch);
  const r3 = row(source, stride, y - 1 + 3, height, scratch);
  const above = row(source, stride, y - 2, height, scratch);
  const below = row(source, stride, y + 3, height, scratch);
  for (let x = x0; p < end; p += 16, x += 16) {
    const t0 = v128.load(r0 + x); const t1 = v128.load(r1 + x); const t4 = lo(t0, t1); const t5 = hi(t0, t1);
    const t2 = v128.load(r2 + x); const t3 = v128.load(r3 + x); const t6 = lo(t2, t3); const t7 = hi(t2, t3);
    const t8 = lo(t4, t6); const t9 = hi(t4, t6); const t10 = lo(t5, t7); const t11 = hi(t5, t7);
    const t12 = lo(t10, t9); const t13 = hi(t10, t9); v128.store(p, t8, 64); v128.store(p, t12, 448);
    v128.store(p, t13, 832); v128.store(p, t11, 1216);
    v128.store(p, v128.load(above + x), 1600);
    v128.store(p, v128.load(below + x), 1984);
  }
}

/** 18 minima and maxima. */
function pairs(p: usize, end: usize): void {
  for (; p < end; p += 16) {
    const t0 = v128.load(p, 64); const t4 = v128.load(p, 68); const t8 = lo(t0, t4); const t9 = hi(t0, t4);
    const t2 = v128.load(p, 832); const t6 = v128.load(p, 836); const t10 = lo(t2, t6); const t11 = hi(t2, t6);
    const t12 = lo(t10, t9); const t13 = hi(t10, t9); const t1 = v128.load(p, 448); const t5 = v128.load(p, 452);
    const t14 = lo(t1, t5); const t15 = hi(t1, t5); const t3 = v128.load(p, 1216); const t7 = v128.load(p, 1220);
    const t16 = lo(t3, t7); const t17 = hi(t3, t7); const t18 = lo(t16, t15); const t19 = hi(t16, t15);
    const t20 = lo(t14, t12); const t21 = hi(t14, t12); const t22 = lo(t18, t13); const t23 = hi(t18, t13);
    const t24 = lo(t19, t11); const t25 = hi(t19, t11); v128.store(p, t8, 2368); v128.store(p, t20, 2752);
    v128.store(p, t21, 3136); v128.store(p, t22, 3520); v128.store(p, t23, 3904); v128.store(p, t24, 4288);
    v128.store(p, t25, 4672); v128.store(p, t17, 5056);
  }
}

/** Both medians of 4 columns: 126 minima and maxima. */
function select(p: usize, end: usize, d: usize, e: usize): void {
  for (let x = 0; p < end; p += 16, x += 16) {
    const t16 = v128.load(p, 72); const t8 = v128.load(p, 2368); const t20 = lo(t16, t8); const t21 = hi(t16, t8);
    const t12 = v128.load(p, 3904); const t22 = lo(t12, t21); const t23 = hi(t12, t21);
    const t18 = v128.load(p, 840); const t10 = v128.load(p, 3136); const t24 = lo(t18, t10);
    const t25 = hi(t18, t10); const t14 = v128.load(p, 4672); const t26 = lo(t14, t25); const t27 = hi(t14, t25);
    const t28 = lo(t24, t22); const t29 = hi(t24, t22); const t30 = lo(t26, t23); const t31 = hi(t26, t23);
    const t17 = v128.load(p, 456); const t9 = v128.load(p, 2752); const t32 = lo(t17, t9); const t33 = hi(t17, t9);
    const t13 = v128.load(p, 4288); const t34 = lo(t13, t33); const t35 = hi(t13, t33);
    const t19 = v128.load(p, 1224); const t11 = v128.load(p, 3520); const t36 = lo(t19, t11);
    const t37 = hi(t19, t11); const t15 = v128.load(p, 5056); const t38 = lo(t15, t37); const t39 = hi(t15, t37);
    const t40 = lo(t36, t34); const t41 = hi(t36, t34); const t42 = lo(t38, t35); const t43 = hi(t38, t35);
    const t44 = lo(t32, t28); const t45 = hi(t32, t28); const t46 = lo(t40, t29); const t47 = hi(t40, t29);
    const t48 = lo(t41, t30); const t49 = hi(t41, t30); const t50 = lo(t42, t31); const t51 = hi(t42, t31);
    const t52 = lo(t43, t27); const t53 = hi(t43, t27); const t0 = v128.load(p, 2360); const t55 = hi(t0, t20);
    const t56 = lo(t51, t55); const t57 = hi(t51, t55); const t4 = v128.load(p, 3896); const t58 = lo(t4, t47);
    const t59 = hi(t4, t47); const t61 = hi(t58, t56); const t62 = lo(t59, t57); const t2 = v128.load(p, 3128);
    const t65 = hi(t2, t45); const t66 = lo(t53, t65); const t6 = v128.load(p, 4664); const t68 = lo(t6, t49);
    const t70 = lo(t68, t66); const t71 = hi(t68, t66); const t77 = hi(t70, t61); const t78 = lo(t71, t62);
    const t79 = hi(t71, t62); const t1 = v128.load(p, 2744); const t83 = hi(t1, t44); const t84 = lo(t52, t83);
    const t85 = hi(t52, t83); const t5 = v128.load(p, 4280); const t86 = lo(t5, t48); const t87 = hi(t5, t48);
    const t89 = hi(t86, t84); const t90 = lo(t87, t85); const t3 = v128.load(p, 3512); const t93 = hi(t3, t46);
    const t94 = lo(t39, t93); const t7 = v128.load(p, 5048); const t96 = lo(t7, t50); const t98 = lo(t96, t94);
    const t99 = hi(t96, t94); const t104 = lo(t98, t89); const t105 = hi(t98, t89); const t106 = lo(t99, t90);
    const t116 = lo(t104, t77); const t117 = hi(t104, t77); const t118 = lo(t105, t78); const t119 = hi(t105, t78);
    const t120 = lo(t106, t79); const t121 = hi(t106, t79); const t128 = v128.load(p, 1592);
    const t129 = v128.load(p, 1596); const t133 = lo(t128, t129); const t134 = hi(t128, t129);
    const t130 = v128.load(p, 1600); const t135 = lo(t133, t130); const t136 = hi(t133, t130);
    const t137 = lo(t134, t136); const t138 = hi(t134, t136); const t131 = v128.load(p, 1604);
    const t132 = v128.load(p, 1608); const t139 = lo(t131, t132); const t140 = hi(t131, t132);
    const t141 = lo(t135, t139); const t142 = hi(t135, t139); const t143 = lo(t138, t142);
    const t144 = hi(t138, t142); const t145 = lo(t137, t140); const t146 = hi(t137, t140);
    const t147 = lo(t145, t143); const t148 = hi(t145, t143); const t149 = lo(t146, t144);
    const t150 = hi(t146, t144); const t151 = hi(t116, t150); const t152 = hi(t117, t149);
    const t153 = hi(t118, t148); const t154 = hi(t119, t147); const t155 = hi(t120, t141);
    const t156 = lo(t151, t152); const t157 = lo(t156, t153); const t158 = lo(t157, t154);
    const t159 = lo(t158, t155); const t160 = lo(t159, t121); const t161 = v128.load(p, 1976);
    const t162 = v128.load(p, 1980); const t166 = lo(t161, t162); const t167 = hi(t161, t162);
    const t163 = v128.load(p, 1984); const t168 = lo(t166, t163); const t169 = hi(t166, t163);
    const t170 = lo(t167, t169); const t171 = hi(t167, t169); const t164 = v128.load(p, 1988);
    const t165 = v128.load(p, 1992); const t172 = lo(t164, t165); const t173 = hi(t164, t165);
    const t174 = lo(t168, t172); const t175 = hi(t168, t172); const t176 = lo(t171, t175);
    const t177 = hi(t171, t175); const t178 = lo(t170, t173); const t179 = hi(t170, t173);
    const t180 = lo(t178, t176); const t181 = hi(t178, t176); const t182 = lo(t179, t177);
    const t183 = hi(t179, t177); const t184 = hi(t116, t183); const t185 = hi(t117, t182);
    const t186 = hi(t118, t181); const t187 = hi(t119, t180); const t188 = hi(t120, t174);
    const t189 = lo(t184, t185); const t190 = lo(t189, t186); const t191 = lo(t190, t187);
    const t192 = lo(t191, t188); const t193 = lo(t192, t121); v128.store(d + x, t160); v128.store(e + x, t193);
  }
}

/**
 * What the arrays of a tile have beyond the image's left and right border; the right one may lie behind the tile. A function
 * of its own: one more value in the loop over tiles costs medians a third of their speed in registers.
 */
function replicate(p: usize, bytes: usize, x: i32, width: i32): void {
  const left = <usize>(width - x);
  for (const stop = p + bytes; p < stop; p += 384) {
    if (x == 0) v128.store(p - 16, v128.load32_splat(p));
    if (left < 272) v128.store(p + left, v128.load32_splat(p + left - 4));
  }
}

/** Rows y0..y1-1. */
export function flowMedian(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const tile = scratch + 16;
  const bytes = width << 2;
  for (let y = y0; y < y1; y += 2)
    for (let x = 0; x < bytes; x += 256) {
      const end = tile + min(256, bytes - x);
      columns(source, sourceStride, x - 16, y, height, tile - 16, end + 16, scratch);
      replicate(tile + 64, 2304, x, bytes);
      pairs(tile - 16, end + 16);
      const d = target + <usize>(y * targetStride + x);
      select(tile, end, d, y + 1 < y1 ? d + targetStride : tile + 5376);
    }
  return 0;
}

export function flowMedianScratch(): i32 {
  return 5696;
}
