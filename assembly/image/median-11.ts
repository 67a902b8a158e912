// Written by tools/median-network.mjs, which explains it. Median over 11x11, border replicated.
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

/** Sorted columns of the 10 rows from y - 4 on, and the two extra rows. */
function columns(source: usize, stride: i32, x0: i32, y: i32, height: i32, p: usize, end: usize, scratch: usize): void {
  const r0 = row(source, stride, y - 4 + 0, height, scratch);
  const r1 = row(source, stride, y - 4 + 1, height, scratch);
  const r2 = row(source, stride, y - 4 + 2, height, scratch);
  const r3 = row(source, stride, y - 4 + 3, height, scratch);
  const r4 = row(source, stride, y - 4 + 4, height, scratch);
  const r5 = row(source, stride, y - 4 + 5, height, scratch);
  const r6 = row(source, stride, y - 4 + 6, height, scratch);
  const r7 = row(source, stride, y - 4 + 7, height, scratch);
  const r8 = row(source, stride, y - 4 + 8, height, scratch);
  const r9 = row(source, stride, y - 4 + 9, height, scratch);
  const above = row(source, stride, y - 5, height, scratch);
  const below = row(source, stride, y + 6, height, scratch);
  for (let x = x0; p < end; p += 16, x += 16) {
    const t0 = v128.load(r0 + x); const t1 = v128.load(r1 + x); const t10 = lo(t0, t1); const t11 = hi(t0, t1);
    const t2 = v128.load(r2 + x); const t12 = lo(t10, t2); const t13 = hi(t10, t2); const t14 = lo(t11, t13);
    const t15 = hi(t11, t13); const t3 = v128.load(r3 + x); const t4 = v128.load(r4 + x); const t16 = lo(t3, t4);
    const t17 = hi(t3, t4); const t18 = lo(t12, t16); const t19 = hi(t12, t16); const t20 = lo(t15, t19);
    const t21 = hi(t15, t19); const t22 = lo(t14, t17); const t23 = hi(t14, t17); const t24 = lo(t22, t20);
    const t25 = hi(t22, t20); const t26 = lo(t23, t21); const t27 = hi(t23, t21); const t5 = v128.load(r5 + x);
    const t6 = v128.load(r6 + x); const t28 = lo(t5, t6); const t29 = hi(t5, t6); const t7 = v128.load(r7 + x);
    const t30 = lo(t28, t7); const t31 = hi(t28, t7); const t32 = lo(t29, t31); const t33 = hi(t29, t31);
    const t8 = v128.load(r8 + x); const t9 = v128.load(r9 + x); const t34 = lo(t8, t9); const t35 = hi(t8, t9);
    const t36 = lo(t30, t34); const t37 = hi(t30, t34); const t38 = lo(t33, t37); const t39 = hi(t33, t37);
    const t40 = lo(t32, t35); const t41 = hi(t32, t35); const t42 = lo(t40, t38); const t43 = hi(t40, t38);
    const t44 = lo(t41, t39); const t45 = hi(t41, t39); const t46 = lo(t18, t36); const t47 = hi(t18, t36);
    const t48 = lo(t27, t45); const t49 = hi(t27, t45); const t50 = lo(t48, t47); const t51 = hi(t48, t47);
    const t52 = lo(t25, t43); const t53 = hi(t25, t43); const t54 = lo(t52, t50); const t55 = hi(t52, t50);
    const t56 = lo(t53, t51); const t57 = hi(t53, t51); const t58 = lo(t24, t42); const t59 = hi(t24, t42);
    const t60 = lo(t26, t44); const t61 = hi(t26, t44); const t62 = lo(t60, t59); const t63 = hi(t60, t59);
    const t64 = lo(t58, t54); const t65 = hi(t58, t54); const t66 = lo(t62, t55); const t67 = hi(t62, t55);
    const t68 = lo(t63, t56); const t69 = hi(t63, t56); const t70 = lo(t61, t57); const t71 = hi(t61, t57);
    v128.store(p, t46, 64); v128.store(p, t64, 448); v128.store(p, t65, 832); v128.store(p, t66, 1216);
    v128.store(p, t67, 1600); v128.store(p, t68, 1984); v128.store(p, t69, 2368); v128.store(p, t70, 2752);
    v128.store(p, t71, 3136); v128.store(p, t49, 3520);
    v128.store(p, v128.load(above + x), 3904);
    v128.store(p, v128.load(below + x), 4288);
  }
}

/** 70 minima and maxima. */
function pairs(p: usize, end: usize): void {
  for (; p < end; p += 16) {
    const t0 = v128.load(p, 64); const t10 = v128.load(p, 65); const t20 = lo(t0, t10); const t21 = hi(t0, t10);
    const t8 = v128.load(p, 3136); const t18 = v128.load(p, 3137); const t22 = lo(t8, t18); const t23 = hi(t8, t18);
    const t24 = lo(t22, t21); const t25 = hi(t22, t21); const t4 = v128.load(p, 1600);
    const t14 = v128.load(p, 1601); const t26 = lo(t4, t14); const t27 = hi(t4, t14); const t28 = lo(t26, t24);
    const t29 = hi(t26, t24); const t30 = lo(t27, t25); const t31 = hi(t27, t25); const t2 = v128.load(p, 832);
    const t12 = v128.load(p, 833); const t32 = lo(t2, t12); const t33 = hi(t2, t12); const t6 = v128.load(p, 2368);
    const t16 = v128.load(p, 2369); const t34 = lo(t6, t16); const t35 = hi(t6, t16); const t36 = lo(t34, t33);
    const t37 = hi(t34, t33); const t38 = lo(t32, t28); const t39 = hi(t32, t28); const t40 = lo(t36, t29);
    const t41 = hi(t36, t29); const t42 = lo(t37, t30); const t43 = hi(t37, t30); const t44 = lo(t35, t31);
    const t45 = hi(t35, t31); const t1 = v128.load(p, 448); const t11 = v128.load(p, 449); const t46 = lo(t1, t11);
    const t47 = hi(t1, t11); const t9 = v128.load(p, 3520); const t19 = v128.load(p, 3521); const t48 = lo(t9, t19);
    const t49 = hi(t9, t19); const t50 = lo(t48, t47); const t51 = hi(t48, t47); const t5 = v128.load(p, 1984);
    const t15 = v128.load(p, 1985); const t52 = lo(t5, t15); const t53 = hi(t5, t15); const t54 = lo(t52, t50);
    const t55 = hi(t52, t50); const t56 = lo(t53, t51); const t57 = hi(t53, t51); const t3 = v128.load(p, 1216);
    const t13 = v128.load(p, 1217); const t58 = lo(t3, t13); const t59 = hi(t3, t13); const t7 = v128.load(p, 2752);
    const t17 = v128.load(p, 2753); const t60 = lo(t7, t17); const t61 = hi(t7, t17); const t62 = lo(t60, t59);
    const t63 = hi(t60, t59); const t64 = lo(t58, t54); const t65 = hi(t58, t54); const t66 = lo(t62, t55);
    const t67 = hi(t62, t55); const t68 = lo(t63, t56); const t69 = hi(t63, t56); const t70 = lo(t61, t57);
    const t71 = hi(t61, t57); const t72 = lo(t46, t38); const t73 = hi(t46, t38); const t74 = lo(t64, t39);
    const t75 = hi(t64, t39); const t76 = lo(t65, t40); const t77 = hi(t65, t40); const t78 = lo(t66, t41);
    const t79 = hi(t66, t41); const t80 = lo(t67, t42); const t81 = hi(t67, t42); const t82 = lo(t68, t43);
    const t83 = hi(t68, t43); const t84 = lo(t69, t44); const t85 = hi(t69, t44); const t86 = lo(t70, t45);
    const t87 = hi(t70, t45); const t88 = lo(t71, t23); const t89 = hi(t71, t23); v128.store(p, t20, 4672);
    v128.store(p, t72, 5056); v128.store(p, t73, 5440); v128.store(p, t74, 5824); v128.store(p, t75, 6208);
    v128.store(p, t76, 6592); v128.store(p, t77, 6976); v128.store(p, t78, 7360); v128.store(p, t79, 7744);
    v128.store(p, t80, 8128); v128.store(p, t81, 8512); v128.store(p, t82, 8896); v128.store(p, t83, 9280);
    v128.store(p, t84, 9664); v128.store(p, t85, 10048); v128.store(p, t86, 10432); v128.store(p, t87, 10816);
    v128.store(p, t88, 11200); v128.store(p, t89, 11584); v128.store(p, t49, 11968);
  }
}

/** 178 minima and maxima. */
function quads(p: usize, end: usize): void {
  for (; p < end; p += 16) {
    const t0 = v128.load(p, 4672); const t20 = v128.load(p, 4674); const t40 = lo(t0, t20); const t41 = hi(t0, t20);
    const t16 = v128.load(p, 10816); const t36 = v128.load(p, 10818); const t42 = lo(t16, t36);
    const t43 = hi(t16, t36); const t44 = lo(t42, t41); const t45 = hi(t42, t41); const t8 = v128.load(p, 7744);
    const t28 = v128.load(p, 7746); const t46 = lo(t8, t28); const t47 = hi(t8, t28); const t48 = lo(t46, t44);
    const t49 = hi(t46, t44); const t50 = lo(t47, t45); const t51 = hi(t47, t45); const t4 = v128.load(p, 6208);
    const t24 = v128.load(p, 6210); const t52 = lo(t4, t24); const t53 = hi(t4, t24); const t12 = v128.load(p, 9280);
    const t32 = v128.load(p, 9282); const t54 = lo(t12, t32); const t55 = hi(t12, t32); const t56 = lo(t54, t53);
    const t57 = hi(t54, t53); const t58 = lo(t52, t48); const t59 = hi(t52, t48); const t60 = lo(t56, t49);
    const t61 = hi(t56, t49); const t62 = lo(t57, t50); const t63 = hi(t57, t50); const t64 = lo(t55, t51);
    const t65 = hi(t55, t51); const t2 = v128.load(p, 5440); const t22 = v128.load(p, 5442); const t66 = lo(t2, t22);
    const t67 = hi(t2, t22); const t18 = v128.load(p, 11584); const t38 = v128.load(p, 11586);
    const t68 = lo(t18, t38); const t69 = hi(t18, t38); const t70 = lo(t68, t67); const t71 = hi(t68, t67);
    const t10 = v128.load(p, 8512); const t30 = v128.load(p, 8514); const t72 = lo(t10, t30);
    const t73 = hi(t10, t30); const t74 = lo(t72, t70); const t75 = hi(t72, t70); const t76 = lo(t73, t71);
    const t77 = hi(t73, t71); const t6 = v128.load(p, 6976); const t26 = v128.load(p, 6978); const t78 = lo(t6, t26);
    const t79 = hi(t6, t26); const t14 = v128.load(p, 10048); const t34 = v128.load(p, 10050);
    const t80 = lo(t14, t34); const t81 = hi(t14, t34); const t82 = lo(t80, t79); const t83 = hi(t80, t79);
    const t84 = lo(t78, t74); const t85 = hi(t78, t74); const t86 = lo(t82, t75); const t87 = hi(t82, t75);
    const t88 = lo(t83, t76); const t89 = hi(t83, t76); const t90 = lo(t81, t77); const t91 = hi(t81, t77);
    const t92 = lo(t66, t58); const t93 = hi(t66, t58); const t94 = lo(t84, t59); const t95 = hi(t84, t59);
    const t96 = lo(t85, t60); const t97 = hi(t85, t60); const t98 = lo(t86, t61); const t99 = hi(t86, t61);
    const t100 = lo(t87, t62); const t101 = hi(t87, t62); const t102 = lo(t88, t63); const t103 = hi(t88, t63);
    const t104 = lo(t89, t64); const t105 = hi(t89, t64); const t106 = lo(t90, t65); const t107 = hi(t90, t65);
    const t108 = lo(t91, t43); const t109 = hi(t91, t43); const t1 = v128.load(p, 5056);
    const t21 = v128.load(p, 5058); const t110 = lo(t1, t21); const t111 = hi(t1, t21);
    const t17 = v128.load(p, 11200); const t37 = v128.load(p, 11202); const t112 = lo(t17, t37);
    const t113 = hi(t17, t37); const t114 = lo(t112, t111); const t115 = hi(t112, t111);
    const t9 = v128.load(p, 8128); const t29 = v128.load(p, 8130); const t116 = lo(t9, t29);
    const t117 = hi(t9, t29); const t118 = lo(t116, t114); const t119 = hi(t116, t114); const t120 = lo(t117, t115);
    const t121 = hi(t117, t115); const t5 = v128.load(p, 6592); const t25 = v128.load(p, 6594);
    const t122 = lo(t5, t25); const t123 = hi(t5, t25); const t13 = v128.load(p, 9664);
    const t33 = v128.load(p, 9666); const t124 = lo(t13, t33); const t125 = hi(t13, t33);
    const t126 = lo(t124, t123); const t127 = hi(t124, t123); const t128 = lo(t122, t118);
    const t129 = hi(t122, t118); const t130 = lo(t126, t119); const t131 = hi(t126, t119);
    const t132 = lo(t127, t120); const t133 = hi(t127, t120); const t134 = lo(t125, t121);
    const t135 = hi(t125, t121); const t3 = v128.load(p, 5824); const t23 = v128.load(p, 5826);
    const t136 = lo(t3, t23); const t137 = hi(t3, t23); const t19 = v128.load(p, 11968);
    const t39 = v128.load(p, 11970); const t138 = lo(t19, t39); const t139 = hi(t19, t39);
    const t140 = lo(t138, t137); const t141 = hi(t138, t137); const t11 = v128.load(p, 8896);
    const t31 = v128.load(p, 8898); const t142 = lo(t11, t31); const t143 = hi(t11, t31);
    const t144 = lo(t142, t140); const t145 = hi(t142, t140); const t146 = lo(t143, t141);
    const t147 = hi(t143, t141); const t7 = v128.load(p, 7360); const t27 = v128.load(p, 7362);
    const t148 = lo(t7, t27); const t149 = hi(t7, t27); const t15 = v128.load(p, 10432);
    const t35 = v128.load(p, 10434); const t150 = lo(t15, t35); const t151 = hi(t15, t35);
    const t152 = lo(t150, t149); const t153 = hi(t150, t149); const t154 = lo(t148, t144);
    const t155 = hi(t148, t144); const t156 = lo(t152, t145); const t157 = hi(t152, t145);
    const t158 = lo(t153, t146); const t159 = hi(t153, t146); const t160 = lo(t151, t147);
    const t161 = hi(t151, t147); const t162 = lo(t136, t128); const t163 = hi(t136, t128);
    const t164 = lo(t154, t129); const t165 = hi(t154, t129); const t166 = lo(t155, t130);
    const t167 = hi(t155, t130); const t168 = lo(t156, t131); const t169 = hi(t156, t131);
    const t170 = lo(t157, t132); const t171 = hi(t157, t132); const t172 = lo(t158, t133);
    const t173 = hi(t158, t133); const t174 = lo(t159, t134); const t175 = hi(t159, t134);
    const t176 = lo(t160, t135); const t177 = hi(t160, t135); const t178 = lo(t161, t113);
    const t179 = hi(t161, t113); const t180 = lo(t110, t92); const t181 = hi(t110, t92); const t182 = lo(t162, t93);
    const t183 = hi(t162, t93); const t184 = lo(t163, t94); const t185 = hi(t163, t94); const t186 = lo(t164, t95);
    const t187 = hi(t164, t95); const t188 = lo(t165, t96); const t189 = hi(t165, t96); const t190 = lo(t166, t97);
    const t191 = hi(t166, t97); const t192 = lo(t167, t98); const t193 = hi(t167, t98); const t194 = lo(t168, t99);
    const t195 = hi(t168, t99); const t196 = lo(t169, t100); const t197 = hi(t169, t100);
    const t198 = lo(t170, t101); const t199 = hi(t170, t101); const t200 = lo(t171, t102);
    const t201 = hi(t171, t102); const t202 = lo(t172, t103); const t203 = hi(t172, t103);
    const t204 = lo(t173, t104); const t205 = hi(t173, t104); const t206 = lo(t174, t105);
    const t207 = hi(t174, t105); const t208 = lo(t175, t106); const t209 = hi(t175, t106);
    const t210 = lo(t176, t107); const t211 = hi(t176, t107); const t212 = lo(t177, t108);
    const t213 = hi(t177, t108); const t214 = lo(t178, t109); const t215 = hi(t178, t109);
    const t216 = lo(t179, t69); const t217 = hi(t179, t69); v128.store(p, t40, 12352); v128.store(p, t180, 12736);
    v128.store(p, t181, 13120); v128.store(p, t182, 13504); v128.store(p, t183, 13888); v128.store(p, t184, 14272);
    v128.store(p, t185, 14656); v128.store(p, t186, 15040); v128.store(p, t187, 15424); v128.store(p, t188, 15808);
    v128.store(p, t189, 16192); v128.store(p, t190, 16576); v128.store(p, t191, 16960); v128.store(p, t192, 17344);
    v128.store(p, t193, 17728); v128.store(p, t194, 18112); v128.store(p, t195, 18496); v128.store(p, t196, 18880);
    v128.store(p, t197, 19264); v128.store(p, t198, 19648); v128.store(p, t199, 20032); v128.store(p, t200, 20416);
    v128.store(p, t201, 20800); v128.store(p, t202, 21184); v128.store(p, t203, 21568); v128.store(p, t204, 21952);
    v128.store(p, t205, 22336); v128.store(p, t206, 22720); v128.store(p, t207, 23104); v128.store(p, t208, 23488);
    v128.store(p, t209, 23872); v128.store(p, t210, 24256); v128.store(p, t211, 24640); v128.store(p, t212, 25024);
    v128.store(p, t213, 25408); v128.store(p, t214, 25792); v128.store(p, t215, 26176); v128.store(p, t216, 26560);
    v128.store(p, t217, 26944); v128.store(p, t139, 27328);
  }
}

/** Both medians of 16 columns: 870 minima and maxima. */
function select(p: usize, end: usize, d: usize, e: usize): void {
  for (let x = 0; p < end; p += 16, x += 16) {
    const t100 = v128.load(p, 69); const t80 = v128.load(p, 4675); const t110 = lo(t100, t80);
    const t111 = hi(t100, t80); const t96 = v128.load(p, 10819); const t112 = lo(t96, t111);
    const t113 = hi(t96, t111); const t108 = v128.load(p, 3141); const t88 = v128.load(p, 7747);
    const t114 = lo(t108, t88); const t115 = hi(t108, t88); const t116 = lo(t114, t112); const t117 = hi(t114, t112);
    const t118 = lo(t115, t113); const t119 = hi(t115, t113); const t104 = v128.load(p, 1605);
    const t84 = v128.load(p, 6211); const t120 = lo(t104, t84); const t121 = hi(t104, t84);
    const t92 = v128.load(p, 9283); const t122 = lo(t92, t121); const t123 = hi(t92, t121);
    const t124 = lo(t120, t116); const t125 = hi(t120, t116); const t126 = lo(t122, t117);
    const t127 = hi(t122, t117); const t128 = lo(t123, t118); const t129 = hi(t123, t118);
    const t102 = v128.load(p, 837); const t82 = v128.load(p, 5443); const t130 = lo(t102, t82);
    const t131 = hi(t102, t82); const t98 = v128.load(p, 11587); const t132 = lo(t98, t131);
    const t133 = hi(t98, t131); const t90 = v128.load(p, 8515); const t134 = lo(t90, t132);
    const t135 = hi(t90, t132); const t106 = v128.load(p, 2373); const t86 = v128.load(p, 6979);
    const t136 = lo(t106, t86); const t137 = hi(t106, t86); const t94 = v128.load(p, 10051);
    const t138 = lo(t94, t137); const t139 = hi(t94, t137); const t140 = lo(t136, t134); const t141 = hi(t136, t134);
    const t142 = lo(t138, t135); const t143 = hi(t138, t135); const t144 = lo(t139, t133);
    const t145 = hi(t139, t133); const t146 = lo(t130, t124); const t147 = hi(t130, t124);
    const t148 = lo(t140, t125); const t149 = hi(t140, t125); const t150 = lo(t141, t126);
    const t151 = hi(t141, t126); const t152 = lo(t142, t127); const t153 = hi(t142, t127);
    const t154 = lo(t143, t128); const t155 = hi(t143, t128); const t156 = lo(t144, t129);
    const t157 = hi(t144, t129); const t158 = lo(t145, t119); const t159 = hi(t145, t119);
    const t101 = v128.load(p, 453); const t81 = v128.load(p, 5059); const t160 = lo(t101, t81);
    const t161 = hi(t101, t81); const t97 = v128.load(p, 11203); const t162 = lo(t97, t161);
    const t163 = hi(t97, t161); const t109 = v128.load(p, 3525); const t89 = v128.load(p, 8131);
    const t164 = lo(t109, t89); const t165 = hi(t109, t89); const t166 = lo(t164, t162); const t167 = hi(t164, t162);
    const t168 = lo(t165, t163); const t169 = hi(t165, t163); const t105 = v128.load(p, 1989);
    const t85 = v128.load(p, 6595); const t170 = lo(t105, t85); const t171 = hi(t105, t85);
    const t93 = v128.load(p, 9667); const t172 = lo(t93, t171); const t173 = hi(t93, t171);
    const t174 = lo(t170, t166); const t175 = hi(t170, t166); const t176 = lo(t172, t167);
    const t177 = hi(t172, t167); const t178 = lo(t173, t168); const t179 = hi(t173, t168);
    const t103 = v128.load(p, 1221); const t83 = v128.load(p, 5827); const t180 = lo(t103, t83);
    const t181 = hi(t103, t83); const t99 = v128.load(p, 11971); const t182 = lo(t99, t181);
    const t183 = hi(t99, t181); const t91 = v128.load(p, 8899); const t184 = lo(t91, t182);
    const t185 = hi(t91, t182); const t107 = v128.load(p, 2757); const t87 = v128.load(p, 7363);
    const t186 = lo(t107, t87); const t187 = hi(t107, t87); const t95 = v128.load(p, 10435);
    const t188 = lo(t95, t187); const t189 = hi(t95, t187); const t190 = lo(t186, t184); const t191 = hi(t186, t184);
    const t192 = lo(t188, t185); const t193 = hi(t188, t185); const t194 = lo(t189, t183);
    const t195 = hi(t189, t183); const t196 = lo(t180, t174); const t197 = hi(t180, t174);
    const t198 = lo(t190, t175); const t199 = hi(t190, t175); const t200 = lo(t191, t176);
    const t201 = hi(t191, t176); const t202 = lo(t192, t177); const t203 = hi(t192, t177);
    const t204 = lo(t193, t178); const t205 = hi(t193, t178); const t206 = lo(t194, t179);
    const t207 = hi(t194, t179); const t208 = lo(t195, t169); const t209 = hi(t195, t169);
    const t210 = lo(t160, t146); const t211 = hi(t160, t146); const t212 = lo(t196, t147);
    const t213 = hi(t196, t147); const t214 = lo(t197, t148); const t215 = hi(t197, t148);
    const t216 = lo(t198, t149); const t217 = hi(t198, t149); const t218 = lo(t199, t150);
    const t219 = hi(t199, t150); const t220 = lo(t200, t151); const t221 = hi(t200, t151);
    const t222 = lo(t201, t152); const t223 = hi(t201, t152); const t224 = lo(t202, t153);
    const t225 = hi(t202, t153); const t226 = lo(t203, t154); const t227 = hi(t203, t154);
    const t228 = lo(t204, t155); const t229 = hi(t204, t155); const t230 = lo(t205, t156);
    const t231 = hi(t205, t156); const t232 = lo(t206, t157); const t233 = hi(t206, t157);
    const t234 = lo(t207, t158); const t235 = hi(t207, t158); const t236 = lo(t208, t159);
    const t237 = hi(t208, t159); const t40 = v128.load(p, 12351); const t238 = lo(t110, t40);
    const t239 = hi(t110, t40); const t72 = v128.load(p, 24639); const t240 = lo(t72, t239);
    const t241 = hi(t72, t239); const t56 = v128.load(p, 18495); const t242 = lo(t225, t56);
    const t243 = hi(t225, t56); const t244 = lo(t242, t240); const t245 = hi(t242, t240);
    const t246 = lo(t243, t241); const t247 = hi(t243, t241); const t48 = v128.load(p, 15423);
    const t248 = lo(t217, t48); const t249 = hi(t217, t48); const t64 = v128.load(p, 21567);
    const t250 = lo(t233, t64); const t251 = hi(t233, t64); const t252 = lo(t250, t249); const t253 = hi(t250, t249);
    const t254 = lo(t248, t244); const t255 = hi(t248, t244); const t256 = lo(t252, t245);
    const t257 = hi(t252, t245); const t258 = lo(t253, t246); const t259 = hi(t253, t246);
    const t260 = lo(t251, t247); const t261 = hi(t251, t247); const t44 = v128.load(p, 13887);
    const t262 = lo(t213, t44); const t263 = hi(t213, t44); const t76 = v128.load(p, 26175);
    const t264 = lo(t76, t263); const t265 = hi(t76, t263); const t60 = v128.load(p, 20031);
    const t266 = lo(t229, t60); const t267 = hi(t229, t60); const t268 = lo(t266, t264); const t269 = hi(t266, t264);
    const t270 = lo(t267, t265); const t271 = hi(t267, t265); const t52 = v128.load(p, 16959);
    const t272 = lo(t221, t52); const t273 = hi(t221, t52); const t68 = v128.load(p, 23103);
    const t274 = lo(t237, t68); const t275 = hi(t237, t68); const t276 = lo(t274, t273); const t277 = hi(t274, t273);
    const t278 = lo(t272, t268); const t279 = hi(t272, t268); const t280 = lo(t276, t269);
    const t281 = hi(t276, t269); const t282 = lo(t277, t270); const t283 = hi(t277, t270);
    const t284 = lo(t275, t271); const t285 = hi(t275, t271); const t286 = lo(t262, t254);
    const t287 = hi(t262, t254); const t288 = lo(t278, t255); const t289 = hi(t278, t255);
    const t290 = lo(t279, t256); const t291 = hi(t279, t256); const t292 = lo(t280, t257);
    const t293 = hi(t280, t257); const t294 = lo(t281, t258); const t295 = hi(t281, t258);
    const t296 = lo(t282, t259); const t297 = hi(t282, t259); const t298 = lo(t283, t260);
    const t299 = hi(t283, t260); const t300 = lo(t284, t261); const t301 = hi(t284, t261);
    const t42 = v128.load(p, 13119); const t302 = lo(t211, t42); const t303 = hi(t211, t42);
    const t74 = v128.load(p, 25407); const t304 = lo(t74, t303); const t305 = hi(t74, t303);
    const t58 = v128.load(p, 19263); const t306 = lo(t227, t58); const t307 = hi(t227, t58);
    const t308 = lo(t306, t304); const t309 = hi(t306, t304); const t310 = lo(t307, t305);
    const t311 = hi(t307, t305); const t50 = v128.load(p, 16191); const t312 = lo(t219, t50);
    const t313 = hi(t219, t50); const t66 = v128.load(p, 22335); const t314 = lo(t235, t66);
    const t315 = hi(t235, t66); const t316 = lo(t314, t313); const t317 = hi(t314, t313);
    const t318 = lo(t312, t308); const t319 = hi(t312, t308); const t320 = lo(t316, t309);
    const t321 = hi(t316, t309); const t322 = lo(t317, t310); const t323 = hi(t317, t310);
    const t324 = lo(t315, t311); const t325 = hi(t315, t311); const t46 = v128.load(p, 14655);
    const t326 = lo(t215, t46); const t327 = hi(t215, t46); const t78 = v128.load(p, 26943);
    const t328 = lo(t78, t327); const t329 = hi(t78, t327); const t62 = v128.load(p, 20799);
    const t330 = lo(t231, t62); const t331 = hi(t231, t62); const t332 = lo(t330, t328); const t333 = hi(t330, t328);
    const t334 = lo(t331, t329); const t335 = hi(t331, t329); const t54 = v128.load(p, 17727);
    const t336 = lo(t223, t54); const t337 = hi(t223, t54); const t70 = v128.load(p, 23871);
    const t338 = lo(t70, t337); const t339 = hi(t70, t337); const t340 = lo(t336, t332); const t341 = hi(t336, t332);
    const t342 = lo(t338, t333); const t343 = hi(t338, t333); const t344 = lo(t339, t334);
    const t345 = hi(t339, t334); const t346 = lo(t326, t318); const t347 = hi(t326, t318);
    const t348 = lo(t340, t319); const t349 = hi(t340, t319); const t350 = lo(t341, t320);
    const t351 = hi(t341, t320); const t352 = lo(t342, t321); const t353 = hi(t342, t321);
    const t354 = lo(t343, t322); const t355 = hi(t343, t322); const t356 = lo(t344, t323);
    const t357 = hi(t344, t323); const t358 = lo(t345, t324); const t359 = hi(t345, t324);
    const t360 = lo(t335, t325); const t361 = hi(t335, t325); const t362 = lo(t302, t286);
    const t363 = hi(t302, t286); const t364 = lo(t346, t287); const t365 = hi(t346, t287);
    const t366 = lo(t347, t288); const t367 = hi(t347, t288); const t368 = lo(t348, t289);
    const t369 = hi(t348, t289); const t370 = lo(t349, t290); const t371 = hi(t349, t290);
    const t372 = lo(t350, t291); const t373 = hi(t350, t291); const t374 = lo(t351, t292);
    const t375 = hi(t351, t292); const t376 = lo(t352, t293); const t377 = hi(t352, t293);
    const t378 = lo(t353, t294); const t379 = hi(t353, t294); const t380 = lo(t354, t295);
    const t381 = hi(t354, t295); const t382 = lo(t355, t296); const t383 = hi(t355, t296);
    const t384 = lo(t356, t297); const t385 = hi(t356, t297); const t386 = lo(t357, t298);
    const t387 = hi(t357, t298); const t388 = lo(t358, t299); const t389 = hi(t358, t299);
    const t390 = lo(t359, t300); const t391 = hi(t359, t300); const t392 = lo(t360, t301);
    const t393 = hi(t360, t301); const t394 = lo(t361, t285); const t395 = hi(t361, t285);
    const t41 = v128.load(p, 12735); const t396 = lo(t210, t41); const t397 = hi(t210, t41);
    const t73 = v128.load(p, 25023); const t398 = lo(t73, t397); const t399 = hi(t73, t397);
    const t57 = v128.load(p, 18879); const t400 = lo(t226, t57); const t401 = hi(t226, t57);
    const t402 = lo(t400, t398); const t403 = hi(t400, t398); const t404 = lo(t401, t399);
    const t405 = hi(t401, t399); const t49 = v128.load(p, 15807); const t406 = lo(t218, t49);
    const t407 = hi(t218, t49); const t65 = v128.load(p, 21951); const t408 = lo(t234, t65);
    const t409 = hi(t234, t65); const t410 = lo(t408, t407); const t411 = hi(t408, t407);
    const t412 = lo(t406, t402); const t413 = hi(t406, t402); const t414 = lo(t410, t403);
    const t415 = hi(t410, t403); const t416 = lo(t411, t404); const t417 = hi(t411, t404);
    const t418 = lo(t409, t405); const t419 = hi(t409, t405); const t45 = v128.load(p, 14271);
    const t420 = lo(t214, t45); const t421 = hi(t214, t45); const t77 = v128.load(p, 26559);
    const t422 = lo(t77, t421); const t423 = hi(t77, t421); const t61 = v128.load(p, 20415);
    const t424 = lo(t230, t61); const t425 = hi(t230, t61); const t426 = lo(t424, t422); const t427 = hi(t424, t422);
    const t428 = lo(t425, t423); const t429 = hi(t425, t423); const t53 = v128.load(p, 17343);
    const t430 = lo(t222, t53); const t431 = hi(t222, t53); const t69 = v128.load(p, 23487);
    const t432 = lo(t209, t69); const t433 = hi(t209, t69); const t434 = lo(t432, t431); const t435 = hi(t432, t431);
    const t436 = lo(t430, t426); const t437 = hi(t430, t426); const t438 = lo(t434, t427);
    const t439 = hi(t434, t427); const t440 = lo(t435, t428); const t441 = hi(t435, t428);
    const t442 = lo(t433, t429); const t443 = hi(t433, t429); const t444 = lo(t420, t412);
    const t445 = hi(t420, t412); const t446 = lo(t436, t413); const t447 = hi(t436, t413);
    const t448 = lo(t437, t414); const t449 = hi(t437, t414); const t450 = lo(t438, t415);
    const t451 = hi(t438, t415); const t452 = lo(t439, t416); const t453 = hi(t439, t416);
    const t454 = lo(t440, t417); const t455 = hi(t440, t417); const t456 = lo(t441, t418);
    const t457 = hi(t441, t418); const t458 = lo(t442, t419); const t459 = hi(t442, t419);
    const t43 = v128.load(p, 13503); const t460 = lo(t212, t43); const t461 = hi(t212, t43);
    const t75 = v128.load(p, 25791); const t462 = lo(t75, t461); const t463 = hi(t75, t461);
    const t59 = v128.load(p, 19647); const t464 = lo(t228, t59); const t465 = hi(t228, t59);
    const t466 = lo(t464, t462); const t467 = hi(t464, t462); const t468 = lo(t465, t463);
    const t469 = hi(t465, t463); const t51 = v128.load(p, 16575); const t470 = lo(t220, t51);
    const t471 = hi(t220, t51); const t67 = v128.load(p, 22719); const t472 = lo(t236, t67);
    const t473 = hi(t236, t67); const t474 = lo(t472, t471); const t475 = hi(t472, t471);
    const t476 = lo(t470, t466); const t477 = hi(t470, t466); const t478 = lo(t474, t467);
    const t479 = hi(t474, t467); const t480 = lo(t475, t468); const t481 = hi(t475, t468);
    const t482 = lo(t473, t469); const t483 = hi(t473, t469); const t47 = v128.load(p, 15039);
    const t484 = lo(t216, t47); const t485 = hi(t216, t47); const t79 = v128.load(p, 27327);
    const t486 = lo(t79, t485); const t487 = hi(t79, t485); const t63 = v128.load(p, 21183);
    const t488 = lo(t232, t63); const t489 = hi(t232, t63); const t490 = lo(t488, t486); const t491 = hi(t488, t486);
    const t492 = lo(t489, t487); const t493 = hi(t489, t487); const t55 = v128.load(p, 18111);
    const t494 = lo(t224, t55); const t495 = hi(t224, t55); const t71 = v128.load(p, 24255);
    const t496 = lo(t71, t495); const t497 = hi(t71, t495); const t498 = lo(t494, t490); const t499 = hi(t494, t490);
    const t500 = lo(t496, t491); const t501 = hi(t496, t491); const t502 = lo(t497, t492);
    const t503 = hi(t497, t492); const t504 = lo(t484, t476); const t505 = hi(t484, t476);
    const t506 = lo(t498, t477); const t507 = hi(t498, t477); const t508 = lo(t499, t478);
    const t509 = hi(t499, t478); const t510 = lo(t500, t479); const t511 = hi(t500, t479);
    const t512 = lo(t501, t480); const t513 = hi(t501, t480); const t514 = lo(t502, t481);
    const t515 = hi(t502, t481); const t516 = lo(t503, t482); const t517 = hi(t503, t482);
    const t518 = lo(t493, t483); const t519 = hi(t493, t483); const t520 = lo(t460, t444);
    const t521 = hi(t460, t444); const t522 = lo(t504, t445); const t523 = hi(t504, t445);
    const t524 = lo(t505, t446); const t525 = hi(t505, t446); const t526 = lo(t506, t447);
    const t527 = hi(t506, t447); const t528 = lo(t507, t448); const t529 = hi(t507, t448);
    const t530 = lo(t508, t449); const t531 = hi(t508, t449); const t532 = lo(t509, t450);
    const t533 = hi(t509, t450); const t534 = lo(t510, t451); const t535 = hi(t510, t451);
    const t536 = lo(t511, t452); const t537 = hi(t511, t452); const t538 = lo(t512, t453);
    const t539 = hi(t512, t453); const t540 = lo(t513, t454); const t541 = hi(t513, t454);
    const t542 = lo(t514, t455); const t543 = hi(t514, t455); const t544 = lo(t515, t456);
    const t545 = hi(t515, t456); const t546 = lo(t516, t457); const t547 = hi(t516, t457);
    const t548 = lo(t517, t458); const t549 = hi(t517, t458); const t550 = lo(t518, t459);
    const t551 = hi(t518, t459); const t552 = lo(t519, t443); const t553 = hi(t519, t443);
    const t554 = lo(t396, t362); const t555 = hi(t396, t362); const t556 = lo(t520, t363);
    const t557 = hi(t520, t363); const t558 = lo(t521, t364); const t559 = hi(t521, t364);
    const t560 = lo(t522, t365); const t561 = hi(t522, t365); const t562 = lo(t523, t366);
    const t563 = hi(t523, t366); const t564 = lo(t524, t367); const t565 = hi(t524, t367);
    const t566 = lo(t525, t368); const t567 = hi(t525, t368); const t568 = lo(t526, t369);
    const t569 = hi(t526, t369); const t570 = lo(t527, t370); const t571 = hi(t527, t370);
    const t572 = lo(t528, t371); const t573 = hi(t528, t371); const t574 = lo(t529, t372);
    const t575 = hi(t529, t372); const t576 = lo(t530, t373); const t577 = hi(t530, t373);
    const t578 = lo(t531, t374); const t579 = hi(t531, t374); const t580 = lo(t532, t375);
    const t581 = hi(t532, t375); const t582 = lo(t533, t376); const t583 = hi(t533, t376);
    const t584 = lo(t534, t377); const t585 = hi(t534, t377); const t586 = lo(t535, t378);
    const t587 = hi(t535, t378); const t588 = lo(t536, t379); const t589 = hi(t536, t379);
    const t590 = lo(t537, t380); const t591 = hi(t537, t380); const t592 = lo(t538, t381);
    const t593 = hi(t538, t381); const t594 = lo(t539, t382); const t595 = hi(t539, t382);
    const t596 = lo(t540, t383); const t597 = hi(t540, t383); const t598 = lo(t541, t384);
    const t599 = hi(t541, t384); const t600 = lo(t542, t385); const t601 = hi(t542, t385);
    const t602 = lo(t543, t386); const t603 = hi(t543, t386); const t604 = lo(t544, t387);
    const t605 = hi(t544, t387); const t606 = lo(t545, t388); const t607 = hi(t545, t388);
    const t608 = lo(t546, t389); const t609 = hi(t546, t389); const t610 = lo(t547, t390);
    const t611 = hi(t547, t390); const t612 = lo(t548, t391); const t613 = hi(t548, t391);
    const t614 = lo(t549, t392); const t617 = hi(t550, t393); const t618 = lo(t551, t394);
    const t619 = hi(t551, t394); const t620 = lo(t552, t395); const t621 = hi(t552, t395);
    const t0 = v128.load(p, 12347); const t623 = hi(t0, t238); const t624 = lo(t617, t623);
    const t32 = v128.load(p, 24635); const t626 = lo(t32, t585); const t629 = hi(t626, t624);
    const t16 = v128.load(p, 18491); const t633 = hi(t16, t569); const t634 = lo(t601, t633);
    const t639 = hi(t634, t629); const t8 = v128.load(p, 15419); const t643 = hi(t8, t561);
    const t645 = hi(t593, t643); const t24 = v128.load(p, 21563); const t647 = hi(t24, t577);
    const t648 = lo(t609, t647); const t652 = lo(t648, t645); const t660 = lo(t652, t639);
    const t661 = hi(t652, t639); const t4 = v128.load(p, 13883); const t667 = hi(t4, t557);
    const t668 = lo(t621, t667); const t36 = v128.load(p, 26171); const t670 = lo(t36, t589);
    const t673 = hi(t670, t668); const t20 = v128.load(p, 20027); const t677 = hi(t20, t573);
    const t678 = lo(t605, t677); const t682 = lo(t678, t673); const t683 = hi(t678, t673);
    const t12 = v128.load(p, 16955); const t687 = hi(t12, t565); const t688 = lo(t597, t687);
    const t689 = hi(t597, t687); const t28 = v128.load(p, 23099); const t690 = lo(t28, t581);
    const t691 = hi(t28, t581); const t692 = lo(t613, t691); const t695 = hi(t690, t688);
    const t696 = lo(t692, t689); const t703 = hi(t695, t682); const t704 = lo(t696, t683);
    const t722 = lo(t703, t660); const t723 = hi(t703, t660); const t724 = lo(t704, t661);
    const t2 = v128.load(p, 13115); const t737 = hi(t2, t555); const t738 = lo(t619, t737);
    const t34 = v128.load(p, 25403); const t740 = lo(t34, t587); const t743 = hi(t740, t738);
    const t18 = v128.load(p, 19259); const t747 = hi(t18, t571); const t748 = lo(t603, t747);
    const t752 = lo(t748, t743); const t753 = hi(t748, t743); const t10 = v128.load(p, 16187);
    const t757 = hi(t10, t563); const t758 = lo(t595, t757); const t759 = hi(t595, t757);
    const t26 = v128.load(p, 22331); const t760 = lo(t26, t579); const t761 = hi(t26, t579);
    const t762 = lo(t611, t761); const t765 = hi(t760, t758); const t766 = lo(t762, t759);
    const t773 = hi(t765, t752); const t774 = lo(t766, t753); const t6 = v128.load(p, 14651);
    const t781 = hi(t6, t559); const t38 = v128.load(p, 26939); const t782 = lo(t38, t591);
    const t785 = hi(t782, t781); const t22 = v128.load(p, 20795); const t787 = hi(t22, t575);
    const t788 = lo(t607, t787); const t792 = lo(t788, t785); const t14 = v128.load(p, 17723);
    const t797 = hi(t14, t567); const t798 = lo(t599, t797); const t30 = v128.load(p, 23867);
    const t800 = lo(t30, t583); const t805 = hi(t800, t798); const t812 = lo(t805, t792);
    const t813 = hi(t805, t792); const t831 = hi(t812, t773); const t832 = lo(t813, t774);
    const t833 = hi(t813, t774); const t870 = lo(t831, t722); const t871 = hi(t831, t722);
    const t872 = lo(t832, t723); const t873 = hi(t832, t723); const t874 = lo(t833, t724);
    const t875 = hi(t833, t724); const t1 = v128.load(p, 12731); const t901 = hi(t1, t554);
    const t902 = lo(t618, t901); const t33 = v128.load(p, 25019); const t904 = lo(t33, t586);
    const t907 = hi(t904, t902); const t17 = v128.load(p, 18875); const t911 = hi(t17, t570);
    const t912 = lo(t602, t911); const t916 = lo(t912, t907); const t917 = hi(t912, t907);
    const t9 = v128.load(p, 15803); const t921 = hi(t9, t562); const t922 = lo(t594, t921);
    const t923 = hi(t594, t921); const t25 = v128.load(p, 21947); const t924 = lo(t25, t578);
    const t925 = hi(t25, t578); const t926 = lo(t610, t925); const t929 = hi(t924, t922);
    const t930 = lo(t926, t923); const t937 = hi(t929, t916); const t938 = lo(t930, t917);
    const t939 = hi(t930, t917); const t5 = v128.load(p, 14267); const t945 = hi(t5, t558);
    const t946 = lo(t553, t945); const t37 = v128.load(p, 26555); const t948 = lo(t37, t590);
    const t951 = hi(t948, t946); const t21 = v128.load(p, 20411); const t955 = hi(t21, t574);
    const t956 = lo(t606, t955); const t960 = lo(t956, t951); const t961 = hi(t956, t951);
    const t13 = v128.load(p, 17339); const t965 = hi(t13, t566); const t966 = lo(t598, t965);
    const t967 = hi(t598, t965); const t29 = v128.load(p, 23483); const t968 = lo(t29, t582);
    const t969 = hi(t29, t582); const t970 = lo(t614, t969); const t973 = hi(t968, t966);
    const t974 = lo(t970, t967); const t980 = lo(t973, t960); const t981 = hi(t973, t960);
    const t982 = lo(t974, t961); const t999 = hi(t980, t937); const t1000 = lo(t981, t938);
    const t1001 = hi(t981, t938); const t1002 = lo(t982, t939); const t3 = v128.load(p, 13499);
    const t1015 = hi(t3, t556); const t1016 = lo(t620, t1015); const t35 = v128.load(p, 25787);
    const t1018 = lo(t35, t588); const t1021 = hi(t1018, t1016); const t19 = v128.load(p, 19643);
    const t1025 = hi(t19, t572); const t1026 = lo(t604, t1025); const t1030 = lo(t1026, t1021);
    const t1031 = hi(t1026, t1021); const t11 = v128.load(p, 16571); const t1035 = hi(t11, t564);
    const t1036 = lo(t596, t1035); const t1037 = hi(t596, t1035); const t27 = v128.load(p, 22715);
    const t1038 = lo(t27, t580); const t1039 = hi(t27, t580); const t1040 = lo(t612, t1039);
    const t1043 = hi(t1038, t1036); const t1044 = lo(t1040, t1037); const t1051 = hi(t1043, t1030);
    const t1052 = lo(t1044, t1031); const t7 = v128.load(p, 15035); const t1059 = hi(t7, t560);
    const t39 = v128.load(p, 27323); const t1060 = lo(t39, t592); const t1063 = hi(t1060, t1059);
    const t23 = v128.load(p, 21179); const t1065 = hi(t23, t576); const t1066 = lo(t608, t1065);
    const t1070 = lo(t1066, t1063); const t15 = v128.load(p, 18107); const t1075 = hi(t15, t568);
    const t1076 = lo(t600, t1075); const t31 = v128.load(p, 24251); const t1078 = lo(t31, t584);
    const t1083 = hi(t1078, t1076); const t1090 = lo(t1083, t1070); const t1091 = hi(t1083, t1070);
    const t1108 = lo(t1090, t1051); const t1109 = hi(t1090, t1051); const t1110 = lo(t1091, t1052);
    const t1111 = hi(t1091, t1052); const t1147 = hi(t1108, t999); const t1148 = lo(t1109, t1000);
    const t1149 = hi(t1109, t1000); const t1150 = lo(t1110, t1001); const t1151 = hi(t1110, t1001);
    const t1152 = lo(t1111, t1002); const t1226 = lo(t1147, t870); const t1227 = hi(t1147, t870);
    const t1228 = lo(t1148, t871); const t1229 = hi(t1148, t871); const t1230 = lo(t1149, t872);
    const t1231 = hi(t1149, t872); const t1232 = lo(t1150, t873); const t1233 = hi(t1150, t873);
    const t1234 = lo(t1151, t874); const t1235 = hi(t1151, t874); const t1236 = lo(t1152, t875);
    const t1237 = hi(t1152, t875); const t1286 = v128.load(p, 3899); const t1287 = v128.load(p, 3900);
    const t1297 = lo(t1286, t1287); const t1298 = hi(t1286, t1287); const t1288 = v128.load(p, 3901);
    const t1299 = lo(t1297, t1288); const t1300 = hi(t1297, t1288); const t1301 = lo(t1298, t1300);
    const t1302 = hi(t1298, t1300); const t1289 = v128.load(p, 3902); const t1290 = v128.load(p, 3903);
    const t1303 = lo(t1289, t1290); const t1304 = hi(t1289, t1290); const t1291 = v128.load(p, 3904);
    const t1305 = lo(t1303, t1291); const t1306 = hi(t1303, t1291); const t1307 = lo(t1304, t1306);
    const t1308 = hi(t1304, t1306); const t1309 = lo(t1299, t1305); const t1310 = hi(t1299, t1305);
    const t1311 = lo(t1302, t1308); const t1312 = hi(t1302, t1308); const t1313 = lo(t1311, t1310);
    const t1314 = hi(t1311, t1310); const t1315 = lo(t1301, t1307); const t1316 = hi(t1301, t1307);
    const t1317 = lo(t1315, t1313); const t1318 = hi(t1315, t1313); const t1319 = lo(t1316, t1314);
    const t1320 = hi(t1316, t1314); const t1292 = v128.load(p, 3905); const t1293 = v128.load(p, 3906);
    const t1321 = lo(t1292, t1293); const t1322 = hi(t1292, t1293); const t1294 = v128.load(p, 3907);
    const t1323 = lo(t1321, t1294); const t1324 = hi(t1321, t1294); const t1325 = lo(t1322, t1324);
    const t1326 = hi(t1322, t1324); const t1295 = v128.load(p, 3908); const t1296 = v128.load(p, 3909);
    const t1327 = lo(t1295, t1296); const t1328 = hi(t1295, t1296); const t1329 = lo(t1323, t1327);
    const t1330 = hi(t1323, t1327); const t1331 = lo(t1326, t1330); const t1332 = hi(t1326, t1330);
    const t1333 = lo(t1325, t1328); const t1334 = hi(t1325, t1328); const t1335 = lo(t1333, t1331);
    const t1336 = hi(t1333, t1331); const t1337 = lo(t1334, t1332); const t1338 = hi(t1334, t1332);
    const t1339 = lo(t1309, t1329); const t1340 = hi(t1309, t1329); const t1341 = lo(t1320, t1338);
    const t1342 = hi(t1320, t1338); const t1343 = lo(t1341, t1340); const t1344 = hi(t1341, t1340);
    const t1345 = lo(t1318, t1336); const t1346 = hi(t1318, t1336); const t1347 = lo(t1345, t1343);
    const t1348 = hi(t1345, t1343); const t1349 = lo(t1346, t1344); const t1350 = hi(t1346, t1344);
    const t1351 = lo(t1317, t1335); const t1352 = hi(t1317, t1335); const t1353 = lo(t1312, t1352);
    const t1354 = hi(t1312, t1352); const t1355 = lo(t1319, t1337); const t1356 = hi(t1319, t1337);
    const t1357 = lo(t1355, t1353); const t1358 = hi(t1355, t1353); const t1359 = lo(t1356, t1354);
    const t1360 = hi(t1356, t1354); const t1361 = lo(t1351, t1347); const t1362 = hi(t1351, t1347);
    const t1363 = lo(t1357, t1348); const t1364 = hi(t1357, t1348); const t1365 = lo(t1358, t1349);
    const t1366 = hi(t1358, t1349); const t1367 = lo(t1359, t1350); const t1368 = hi(t1359, t1350);
    const t1369 = lo(t1360, t1342); const t1370 = hi(t1360, t1342); const t1371 = hi(t1226, t1370);
    const t1372 = hi(t1227, t1369); const t1373 = hi(t1228, t1368); const t1374 = hi(t1229, t1367);
    const t1375 = hi(t1230, t1366); const t1376 = hi(t1231, t1365); const t1377 = hi(t1232, t1364);
    const t1378 = hi(t1233, t1363); const t1379 = hi(t1234, t1362); const t1380 = hi(t1235, t1361);
    const t1381 = hi(t1236, t1339); const t1382 = lo(t1371, t1372); const t1383 = lo(t1382, t1373);
    const t1384 = lo(t1383, t1374); const t1385 = lo(t1384, t1375); const t1386 = lo(t1385, t1376);
    const t1387 = lo(t1386, t1377); const t1388 = lo(t1387, t1378); const t1389 = lo(t1388, t1379);
    const t1390 = lo(t1389, t1380); const t1391 = lo(t1390, t1381); const t1392 = lo(t1391, t1237);
    const t1393 = v128.load(p, 4283); const t1394 = v128.load(p, 4284); const t1404 = lo(t1393, t1394);
    const t1405 = hi(t1393, t1394); const t1395 = v128.load(p, 4285); const t1406 = lo(t1404, t1395);
    const t1407 = hi(t1404, t1395); const t1408 = lo(t1405, t1407); const t1409 = hi(t1405, t1407);
    const t1396 = v128.load(p, 4286); const t1397 = v128.load(p, 4287); const t1410 = lo(t1396, t1397);
    const t1411 = hi(t1396, t1397); const t1398 = v128.load(p, 4288); const t1412 = lo(t1410, t1398);
    const t1413 = hi(t1410, t1398); const t1414 = lo(t1411, t1413); const t1415 = hi(t1411, t1413);
    const t1416 = lo(t1406, t1412); const t1417 = hi(t1406, t1412); const t1418 = lo(t1409, t1415);
    const t1419 = hi(t1409, t1415); const t1420 = lo(t1418, t1417); const t1421 = hi(t1418, t1417);
    const t1422 = lo(t1408, t1414); const t1423 = hi(t1408, t1414); const t1424 = lo(t1422, t1420);
    const t1425 = hi(t1422, t1420); const t1426 = lo(t1423, t1421); const t1427 = hi(t1423, t1421);
    const t1399 = v128.load(p, 4289); const t1400 = v128.load(p, 4290); const t1428 = lo(t1399, t1400);
    const t1429 = hi(t1399, t1400); const t1401 = v128.load(p, 4291); const t1430 = lo(t1428, t1401);
    const t1431 = hi(t1428, t1401); const t1432 = lo(t1429, t1431); const t1433 = hi(t1429, t1431);
    const t1402 = v128.load(p, 4292); const t1403 = v128.load(p, 4293); const t1434 = lo(t1402, t1403);
    const t1435 = hi(t1402, t1403); const t1436 = lo(t1430, t1434); const t1437 = hi(t1430, t1434);
    const t1438 = lo(t1433, t1437); const t1439 = hi(t1433, t1437); const t1440 = lo(t1432, t1435);
    const t1441 = hi(t1432, t1435); const t1442 = lo(t1440, t1438); const t1443 = hi(t1440, t1438);
    const t1444 = lo(t1441, t1439); const t1445 = hi(t1441, t1439); const t1446 = lo(t1416, t1436);
    const t1447 = hi(t1416, t1436); const t1448 = lo(t1427, t1445); const t1449 = hi(t1427, t1445);
    const t1450 = lo(t1448, t1447); const t1451 = hi(t1448, t1447); const t1452 = lo(t1425, t1443);
    const t1453 = hi(t1425, t1443); const t1454 = lo(t1452, t1450); const t1455 = hi(t1452, t1450);
    const t1456 = lo(t1453, t1451); const t1457 = hi(t1453, t1451); const t1458 = lo(t1424, t1442);
    const t1459 = hi(t1424, t1442); const t1460 = lo(t1419, t1459); const t1461 = hi(t1419, t1459);
    const t1462 = lo(t1426, t1444); const t1463 = hi(t1426, t1444); const t1464 = lo(t1462, t1460);
    const t1465 = hi(t1462, t1460); const t1466 = lo(t1463, t1461); const t1467 = hi(t1463, t1461);
    const t1468 = lo(t1458, t1454); const t1469 = hi(t1458, t1454); const t1470 = lo(t1464, t1455);
    const t1471 = hi(t1464, t1455); const t1472 = lo(t1465, t1456); const t1473 = hi(t1465, t1456);
    const t1474 = lo(t1466, t1457); const t1475 = hi(t1466, t1457); const t1476 = lo(t1467, t1449);
    const t1477 = hi(t1467, t1449); const t1478 = hi(t1226, t1477); const t1479 = hi(t1227, t1476);
    const t1480 = hi(t1228, t1475); const t1481 = hi(t1229, t1474); const t1482 = hi(t1230, t1473);
    const t1483 = hi(t1231, t1472); const t1484 = hi(t1232, t1471); const t1485 = hi(t1233, t1470);
    const t1486 = hi(t1234, t1469); const t1487 = hi(t1235, t1468); const t1488 = hi(t1236, t1446);
    const t1489 = lo(t1478, t1479); const t1490 = lo(t1489, t1480); const t1491 = lo(t1490, t1481);
    const t1492 = lo(t1491, t1482); const t1493 = lo(t1492, t1483); const t1494 = lo(t1493, t1484);
    const t1495 = lo(t1494, t1485); const t1496 = lo(t1495, t1486); const t1497 = lo(t1496, t1487);
    const t1498 = lo(t1497, t1488); const t1499 = lo(t1498, t1237); v128.store(d + x, t1392);
    v128.store(e + x, t1499);
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
export function median11(
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
      replicate(tile + 64, 4608, x, width);
      pairs(tile - 16, end + 16);
      quads(tile - 16, end + 16);
      const d = target + <usize>(y * targetStride + x);
      select(tile, end, d, y + 1 < y1 ? d + targetStride : tile + 27648);
    }
  return 0;
}

export function median11Scratch(): i32 {
  return 27968;
}
