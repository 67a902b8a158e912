// Changes of vessels that a test has to notice: file, from, to, tests (tools/mutations.mjs).
export default [
  // The reflex held as while the blur is known: in blurred pictures all vessels would seem sharper and wider.
  [
    'assembly/vessels/segment/profile-fit.ts',
    'const spring = free ? LOOSE : SPRING;',
    'const spring = 10 * SPRING;',
    'parity vessels/profile-widths',
  ],
  [
    'src/vessels/segment/measures.ts',
    'const wide = usual > NARROW * sigma && median(fitted) > NARROW * sigma;',
    'const wide = true;',
    'test/vessels/vessels-widths.test.ts',
  ],
  [
    'src/vessels/segment/profile-lines.ts',
    'found[i + 1]! : NaN;',
    'found[i + 1]! + 1 : NaN;',
    'test/vessels/vessels-widths.test.ts',
  ],
  ['src/vessels/segment/profile-lines.ts', '(high - low);', '(high - low) - 1;', 'test/vessels/vessels-widths.test.ts'],
  ['assembly/vessels/segment/closing.ts', 'const MOST: i32 = 13;', 'const MOST: i32 = 12;', 'parity vessels/closing'],
  // The field counted where only the mask is: the share of it that vessels cover would be 1.
  [
    'assembly/vessels/segment/full-size.ts',
    'store<i32>(to, second, 4);',
    'store<i32>(to, both, 4);',
    'parity vessels/full-size',
  ],
  [
    'src/vessels/segment/confidence.ts',
    'ramp(total ? trees / total : 0, 0.2, 0.5)',
    'ramp(1, 0.2, 0.5)',
    'test/vessels/segment/confidence.test.ts',
    'test/vessels/vessels-photographs.test.ts',
    'test/vessels/vessels.test.ts',
  ],
  [
    'src/vessels/segment/find-vessels.ts',
    'const FILL = 0.5;',
    'const FILL = 0.05;',
    'test/vessels/vessels.test.ts',
    'test/vessels/vessels-photographs.test.ts',
  ],
  [
    'src/vessels/segment/find-vessels.ts',
    'const STRONG = 1.5;',
    'const STRONG = 15;',
    'test/vessels/vessels.test.ts',
    'test/vessels/vessels-photographs.test.ts',
  ],
  [
    'src/vessels/segment/find-vessels.ts',
    'Math.min(32, Math.max(0.3, s * factor * unit))',
    'Math.min(32, Math.max(0.3, 2 * s * factor * unit))',
    'test/vessels/vessels.test.ts',
    'test/vessels/vessels-photographs.test.ts',
  ],
  [
    'assembly/vessels/segment/blocks.ts',
    '<f32>1 / <f32>(block * block)',
    '<f32>1 / <f32>(block * block + 1)',
    'parity vessels/',
  ],
  [
    'assembly/vessels/segment/blocks.ts',
    'let sum = four(top, step, x);',
    'let sum = i32x4.splat(0);',
    'parity vessels/',
  ],
  [
    'src/results/export-vessels.ts',
    'widthMicrometres: widthMicrometres ?? null',
    'widthMicrometres: lengthMicrometres ?? null',
    'test/results/export-vessels.test.ts',
  ],
  [
    'src/results/export-vessels.ts',
    'out.data[4 * i + 3] = 255;',
    'out.data[4 * i + 3] = 254;',
    'test/results/export-vessels.test.ts',
    'test/widget/vessels.test.ts',
  ],
  [
    'glsl/vessels/hessian/line-or-blob.frag',
    'max(0.0, blob == 1 ?',
    'max(0.0, blob == 0 ?',
    'parity vessels/',
    'test/vessels/hessian/features.test.ts',
  ],
];
