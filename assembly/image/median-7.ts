// Written by tools/median-network.mjs, which explains it. Median over 7x7, border replicated.
import { Register } from '../runtime/wasm/registers';

function lo(a: v128, b: v128): v128 {
  return i8x16.min_u(a, b);
}
function hi(a: v128, b: v128): v128 {
  return i8x16.max_u(a, b);
}
function row(source: usize, stride: i32, y: i32, height: i32, scratch: usize): usize {
  return Register.address(source + <usize>(min(max(y, 0), height - 1) * stride), scratch);
}

/** Sorted columns of the 6 rows from y - 2 on, and the two extra rows. */
function columns(source: usize, stride: i32, x0: i32, y: i32, height: i32, p: usize, end: usize, scratch: usize): void {
  const r0 = row(source, stride, y - 2 + 0, height, scratch);
  const r1 = row(source, stride, y - 2 + 1, height, scratch);
  const r2 = row(source, stride, y - 2 + 2, height, scratch);
  const r3 = row(source, stride, y - 2 + 3, height, scratch);
  const r4 = row(source, stride, y - 2 + 4, height, scratch);
  const r5 = row(source, stride, y - 2 + 5, height, scratch);
  const above = row(source, stride, y - 3, height, scratch);
  const below = row(source, stride, y + 4, height, scratch);
  for (let x = x0; p < end; p += 16, x += 16) {
    const t0 = v128.load(r0 + x); const t1 = v128.load(r1 + x); const t6 = lo(t0, t1); const t7 = hi(t0, t1);
    const t2 = v128.load(r2 + x); const t8 = lo(t6, t2); const t9 = hi(t6, t2); const t10 = lo(t7, t9);
    const t11 = hi(t7, t9); const t3 = v128.load(r3 + x); const t4 = v128.load(r4 + x); const t12 = lo(t3, t4);
    const t13 = hi(t3, t4); const t5 = v128.load(r5 + x); const t14 = lo(t12, t5); const t15 = hi(t12, t5);
    const t16 = lo(t13, t15); const t17 = hi(t13, t15); const t18 = lo(t8, t14); const t19 = hi(t8, t14);
    const t20 = lo(t11, t17); const t21 = hi(t11, t17); const t22 = lo(t20, t19); const t23 = hi(t20, t19);
    const t24 = lo(t10, t16); const t25 = hi(t10, t16); const t26 = lo(t24, t22); const t27 = hi(t24, t22);
    const t28 = lo(t25, t23); const t29 = hi(t25, t23); v128.store(p, t18, 64); v128.store(p, t26, 448);
    v128.store(p, t27, 832); v128.store(p, t28, 1216); v128.store(p, t29, 1600); v128.store(p, t21, 1984);
    v128.store(p, v128.load(above + x), 2368);
    v128.store(p, v128.load(below + x), 2752);
  }
}

/** 34 minima and maxima. */
function pairs(p: usize, end: usize): void {
  for (; p < end; p += 16) {
    const t0 = v128.load(p, 64); const t6 = v128.load(p, 65); const t12 = lo(t0, t6); const t13 = hi(t0, t6);
    const t4 = v128.load(p, 1600); const t10 = v128.load(p, 1601); const t14 = lo(t4, t10); const t15 = hi(t4, t10);
    const t16 = lo(t14, t13); const t17 = hi(t14, t13); const t2 = v128.load(p, 832); const t8 = v128.load(p, 833);
    const t18 = lo(t2, t8); const t19 = hi(t2, t8); const t20 = lo(t18, t16); const t21 = hi(t18, t16);
    const t22 = lo(t19, t17); const t23 = hi(t19, t17); const t1 = v128.load(p, 448); const t7 = v128.load(p, 449);
    const t24 = lo(t1, t7); const t25 = hi(t1, t7); const t5 = v128.load(p, 1984); const t11 = v128.load(p, 1985);
    const t26 = lo(t5, t11); const t27 = hi(t5, t11); const t28 = lo(t26, t25); const t29 = hi(t26, t25);
    const t3 = v128.load(p, 1216); const t9 = v128.load(p, 1217); const t30 = lo(t3, t9); const t31 = hi(t3, t9);
    const t32 = lo(t30, t28); const t33 = hi(t30, t28); const t34 = lo(t31, t29); const t35 = hi(t31, t29);
    const t36 = lo(t24, t20); const t37 = hi(t24, t20); const t38 = lo(t32, t21); const t39 = hi(t32, t21);
    const t40 = lo(t33, t22); const t41 = hi(t33, t22); const t42 = lo(t34, t23); const t43 = hi(t34, t23);
    const t44 = lo(t35, t15); const t45 = hi(t35, t15); v128.store(p, t12, 3136); v128.store(p, t36, 3520);
    v128.store(p, t37, 3904); v128.store(p, t38, 4288); v128.store(p, t39, 4672); v128.store(p, t40, 5056);
    v128.store(p, t41, 5440); v128.store(p, t42, 5824); v128.store(p, t43, 6208); v128.store(p, t44, 6592);
    v128.store(p, t45, 6976); v128.store(p, t27, 7360);
  }
}

/** Both medians of 16 columns: 318 minima and maxima. */
function select(p: usize, end: usize, d: usize, e: usize): void {
  for (let x = 0; p < end; p += 16, x += 16) {
    const t36 = v128.load(p, 67); const t24 = v128.load(p, 3137); const t42 = lo(t36, t24); const t43 = hi(t36, t24);
    const t32 = v128.load(p, 6209); const t44 = lo(t32, t43); const t45 = hi(t32, t43);
    const t40 = v128.load(p, 1603); const t28 = v128.load(p, 4673); const t46 = lo(t40, t28);
    const t47 = hi(t40, t28); const t48 = lo(t46, t44); const t49 = hi(t46, t44); const t50 = lo(t47, t45);
    const t51 = hi(t47, t45); const t38 = v128.load(p, 835); const t26 = v128.load(p, 3905);
    const t52 = lo(t38, t26); const t53 = hi(t38, t26); const t34 = v128.load(p, 6977); const t54 = lo(t34, t53);
    const t55 = hi(t34, t53); const t30 = v128.load(p, 5441); const t56 = lo(t30, t54); const t57 = hi(t30, t54);
    const t58 = lo(t52, t48); const t59 = hi(t52, t48); const t60 = lo(t56, t49); const t61 = hi(t56, t49);
    const t62 = lo(t57, t50); const t63 = hi(t57, t50); const t64 = lo(t55, t51); const t65 = hi(t55, t51);
    const t37 = v128.load(p, 451); const t25 = v128.load(p, 3521); const t66 = lo(t37, t25);
    const t67 = hi(t37, t25); const t33 = v128.load(p, 6593); const t68 = lo(t33, t67); const t69 = hi(t33, t67);
    const t41 = v128.load(p, 1987); const t29 = v128.load(p, 5057); const t70 = lo(t41, t29);
    const t71 = hi(t41, t29); const t72 = lo(t70, t68); const t73 = hi(t70, t68); const t74 = lo(t71, t69);
    const t75 = hi(t71, t69); const t39 = v128.load(p, 1219); const t27 = v128.load(p, 4289);
    const t76 = lo(t39, t27); const t77 = hi(t39, t27); const t35 = v128.load(p, 7361); const t78 = lo(t35, t77);
    const t79 = hi(t35, t77); const t31 = v128.load(p, 5825); const t80 = lo(t31, t78); const t81 = hi(t31, t78);
    const t82 = lo(t76, t72); const t83 = hi(t76, t72); const t84 = lo(t80, t73); const t85 = hi(t80, t73);
    const t86 = lo(t81, t74); const t87 = hi(t81, t74); const t88 = lo(t79, t75); const t89 = hi(t79, t75);
    const t90 = lo(t66, t58); const t91 = hi(t66, t58); const t92 = lo(t82, t59); const t93 = hi(t82, t59);
    const t94 = lo(t83, t60); const t95 = hi(t83, t60); const t96 = lo(t84, t61); const t97 = hi(t84, t61);
    const t98 = lo(t85, t62); const t99 = hi(t85, t62); const t100 = lo(t86, t63); const t101 = hi(t86, t63);
    const t102 = lo(t87, t64); const t103 = hi(t87, t64); const t104 = lo(t88, t65); const t105 = hi(t88, t65);
    const t12 = v128.load(p, 3135); const t0 = v128.load(p, 3133); const t106 = lo(t12, t0);
    const t107 = hi(t12, t0); const t20 = v128.load(p, 6207); const t8 = v128.load(p, 6205);
    const t108 = lo(t20, t8); const t109 = hi(t20, t8); const t110 = lo(t108, t107); const t111 = hi(t108, t107);
    const t16 = v128.load(p, 4671); const t4 = v128.load(p, 4669); const t112 = lo(t16, t4);
    const t113 = hi(t16, t4); const t114 = lo(t112, t110); const t115 = hi(t112, t110); const t116 = lo(t113, t111);
    const t117 = hi(t113, t111); const t14 = v128.load(p, 3903); const t2 = v128.load(p, 3901);
    const t118 = lo(t14, t2); const t119 = hi(t14, t2); const t22 = v128.load(p, 6975);
    const t10 = v128.load(p, 6973); const t120 = lo(t22, t10); const t121 = hi(t22, t10);
    const t122 = lo(t120, t119); const t123 = hi(t120, t119); const t18 = v128.load(p, 5439);
    const t6 = v128.load(p, 5437); const t124 = lo(t18, t6); const t125 = hi(t18, t6); const t126 = lo(t124, t122);
    const t127 = hi(t124, t122); const t128 = lo(t125, t123); const t129 = hi(t125, t123);
    const t130 = lo(t118, t114); const t131 = hi(t118, t114); const t132 = lo(t126, t115);
    const t133 = hi(t126, t115); const t134 = lo(t127, t116); const t135 = hi(t127, t116);
    const t136 = lo(t128, t117); const t137 = hi(t128, t117); const t138 = lo(t129, t109);
    const t139 = hi(t129, t109); const t13 = v128.load(p, 3519); const t1 = v128.load(p, 3517);
    const t140 = lo(t13, t1); const t141 = hi(t13, t1); const t21 = v128.load(p, 6591);
    const t9 = v128.load(p, 6589); const t142 = lo(t21, t9); const t143 = hi(t21, t9); const t144 = lo(t142, t141);
    const t145 = hi(t142, t141); const t17 = v128.load(p, 5055); const t5 = v128.load(p, 5053);
    const t146 = lo(t17, t5); const t147 = hi(t17, t5); const t148 = lo(t146, t144); const t149 = hi(t146, t144);
    const t150 = lo(t147, t145); const t151 = hi(t147, t145); const t15 = v128.load(p, 4287);
    const t3 = v128.load(p, 4285); const t152 = lo(t15, t3); const t153 = hi(t15, t3);
    const t23 = v128.load(p, 7359); const t11 = v128.load(p, 7357); const t154 = lo(t23, t11);
    const t155 = hi(t23, t11); const t156 = lo(t154, t153); const t157 = hi(t154, t153);
    const t19 = v128.load(p, 5823); const t7 = v128.load(p, 5821); const t158 = lo(t19, t7);
    const t159 = hi(t19, t7); const t160 = lo(t158, t156); const t161 = hi(t158, t156); const t162 = lo(t159, t157);
    const t163 = hi(t159, t157); const t164 = lo(t152, t148); const t165 = hi(t152, t148);
    const t166 = lo(t160, t149); const t167 = hi(t160, t149); const t168 = lo(t161, t150);
    const t169 = hi(t161, t150); const t170 = lo(t162, t151); const t171 = hi(t162, t151);
    const t172 = lo(t163, t143); const t173 = hi(t163, t143); const t174 = lo(t140, t130);
    const t175 = hi(t140, t130); const t176 = lo(t164, t131); const t177 = hi(t164, t131);
    const t178 = lo(t165, t132); const t179 = hi(t165, t132); const t180 = lo(t166, t133);
    const t181 = hi(t166, t133); const t182 = lo(t167, t134); const t183 = hi(t167, t134);
    const t184 = lo(t168, t135); const t185 = hi(t168, t135); const t186 = lo(t169, t136);
    const t187 = hi(t169, t136); const t188 = lo(t170, t137); const t189 = hi(t170, t137);
    const t190 = lo(t171, t138); const t191 = hi(t171, t138); const t192 = lo(t172, t139);
    const t193 = hi(t172, t139); const t194 = lo(t173, t121); const t195 = hi(t173, t121);
    const t197 = hi(t42, t106); const t198 = lo(t105, t189); const t201 = hi(t198, t197); const t203 = hi(t97, t181);
    const t206 = lo(t203, t201); const t209 = hi(t93, t177); const t210 = lo(t193, t209);
    const t212 = lo(t101, t185); const t215 = hi(t212, t210); const t222 = lo(t215, t206);
    const t223 = hi(t215, t206); const t229 = hi(t91, t175); const t230 = lo(t191, t229);
    const t231 = hi(t191, t229); const t232 = lo(t99, t183); const t233 = hi(t99, t183); const t235 = hi(t232, t230);
    const t236 = lo(t233, t231); const t239 = hi(t95, t179); const t240 = lo(t195, t239);
    const t242 = lo(t103, t187); const t244 = lo(t242, t240); const t245 = hi(t242, t240);
    const t251 = hi(t244, t235); const t252 = lo(t245, t236); const t264 = lo(t251, t222);
    const t265 = hi(t251, t222); const t266 = lo(t252, t223); const t267 = hi(t252, t223);
    const t277 = hi(t90, t174); const t278 = lo(t89, t190); const t280 = lo(t278, t277); const t281 = hi(t278, t277);
    const t282 = lo(t98, t182); const t283 = hi(t98, t182); const t285 = hi(t282, t280); const t286 = lo(t283, t281);
    const t289 = hi(t94, t178); const t290 = lo(t194, t289); const t292 = lo(t102, t186);
    const t294 = lo(t292, t290); const t295 = hi(t292, t290); const t301 = hi(t294, t285);
    const t302 = lo(t295, t286); const t303 = hi(t295, t286); const t309 = hi(t92, t176);
    const t310 = lo(t192, t309); const t311 = hi(t192, t309); const t312 = lo(t100, t184);
    const t313 = hi(t100, t184); const t315 = hi(t312, t310); const t316 = lo(t313, t311);
    const t319 = hi(t96, t180); const t320 = lo(t155, t319); const t322 = lo(t104, t188);
    const t324 = lo(t322, t320); const t325 = hi(t322, t320); const t330 = lo(t324, t315);
    const t331 = hi(t324, t315); const t332 = lo(t325, t316); const t343 = hi(t330, t301);
    const t344 = lo(t331, t302); const t345 = hi(t331, t302); const t346 = lo(t332, t303);
    const t372 = lo(t343, t264); const t373 = hi(t343, t264); const t374 = lo(t344, t265);
    const t375 = hi(t344, t265); const t376 = lo(t345, t266); const t377 = hi(t345, t266);
    const t378 = lo(t346, t267); const t379 = hi(t346, t267); const t396 = v128.load(p, 2365);
    const t397 = v128.load(p, 2366); const t403 = lo(t396, t397); const t404 = hi(t396, t397);
    const t398 = v128.load(p, 2367); const t399 = v128.load(p, 2368); const t405 = lo(t398, t399);
    const t406 = hi(t398, t399); const t407 = lo(t403, t405); const t408 = hi(t403, t405);
    const t409 = lo(t404, t406); const t410 = hi(t404, t406); const t411 = lo(t409, t408);
    const t412 = hi(t409, t408); const t400 = v128.load(p, 2369); const t401 = v128.load(p, 2370);
    const t413 = lo(t400, t401); const t414 = hi(t400, t401); const t402 = v128.load(p, 2371);
    const t415 = lo(t413, t402); const t416 = hi(t413, t402); const t417 = lo(t414, t416);
    const t418 = hi(t414, t416); const t419 = lo(t407, t415); const t420 = hi(t407, t415);
    const t421 = lo(t412, t418); const t422 = hi(t412, t418); const t423 = lo(t421, t420);
    const t424 = hi(t421, t420); const t425 = lo(t411, t417); const t426 = hi(t411, t417);
    const t427 = lo(t410, t426); const t428 = hi(t410, t426); const t429 = lo(t425, t423);
    const t430 = hi(t425, t423); const t431 = lo(t427, t424); const t432 = hi(t427, t424);
    const t433 = lo(t428, t422); const t434 = hi(t428, t422); const t435 = hi(t372, t434);
    const t436 = hi(t373, t433); const t437 = hi(t374, t432); const t438 = hi(t375, t431);
    const t439 = hi(t376, t430); const t440 = hi(t377, t429); const t441 = hi(t378, t419);
    const t442 = lo(t435, t436); const t443 = lo(t442, t437); const t444 = lo(t443, t438);
    const t445 = lo(t444, t439); const t446 = lo(t445, t440); const t447 = lo(t446, t441);
    const t448 = lo(t447, t379); const t449 = v128.load(p, 2749); const t450 = v128.load(p, 2750);
    const t456 = lo(t449, t450); const t457 = hi(t449, t450); const t451 = v128.load(p, 2751);
    const t452 = v128.load(p, 2752); const t458 = lo(t451, t452); const t459 = hi(t451, t452);
    const t460 = lo(t456, t458); const t461 = hi(t456, t458); const t462 = lo(t457, t459);
    const t463 = hi(t457, t459); const t464 = lo(t462, t461); const t465 = hi(t462, t461);
    const t453 = v128.load(p, 2753); const t454 = v128.load(p, 2754); const t466 = lo(t453, t454);
    const t467 = hi(t453, t454); const t455 = v128.load(p, 2755); const t468 = lo(t466, t455);
    const t469 = hi(t466, t455); const t470 = lo(t467, t469); const t471 = hi(t467, t469);
    const t472 = lo(t460, t468); const t473 = hi(t460, t468); const t474 = lo(t465, t471);
    const t475 = hi(t465, t471); const t476 = lo(t474, t473); const t477 = hi(t474, t473);
    const t478 = lo(t464, t470); const t479 = hi(t464, t470); const t480 = lo(t463, t479);
    const t481 = hi(t463, t479); const t482 = lo(t478, t476); const t483 = hi(t478, t476);
    const t484 = lo(t480, t477); const t485 = hi(t480, t477); const t486 = lo(t481, t475);
    const t487 = hi(t481, t475); const t488 = hi(t372, t487); const t489 = hi(t373, t486);
    const t490 = hi(t374, t485); const t491 = hi(t375, t484); const t492 = hi(t376, t483);
    const t493 = hi(t377, t482); const t494 = hi(t378, t472); const t495 = lo(t488, t489);
    const t496 = lo(t495, t490); const t497 = lo(t496, t491); const t498 = lo(t497, t492);
    const t499 = lo(t498, t493); const t500 = lo(t499, t494); const t501 = lo(t500, t379); v128.store(d + x, t448);
    v128.store(e + x, t501);
  }
}

/**
 * What the arrays of a tile have beyond the image's left and right border; the right one may lie behind the tile. A function
 * of its own: one more value in the loop over tiles costs medians a third of their speed in registers.
 */
function replicate(p: usize, bytes: usize, x: i32, width: i32): void {
  const left = <usize>(width - x);
  for (const stop = p + bytes; p < stop; p += 384) {
    if (x == 0) v128.store(p - 16, v128.load8_splat(p));
    if (left < 272) v128.store(p + left, v128.load8_splat(p + left - 1));
  }
}

/** Rows y0..y1-1. */
export function median7(
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
  for (let y = y0; y < y1; y += 2)
    for (let x = 0; x < width; x += 256) {
      const end = tile + min(256, width - x);
      columns(source, sourceStride, x - 16, y, height, tile - 16, end + 16, scratch);
      replicate(tile + 64, 3072, x, width);
      pairs(tile - 16, end + 16);
      const d = target + <usize>(y * targetStride + x);
      select(tile, end, d, y + 1 < y1 ? d + targetStride : tile + 7680);
    }
  return 0;
}

export function median7Scratch(): i32 {
  return 8000;
}
