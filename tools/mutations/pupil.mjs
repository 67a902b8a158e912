// Changes of pupils that a test has to notice: file, from, to, tests (tools/mutations.mjs).
export default [
  [
    'src/pupil/tracker/working-size.ts',
    'if (larger > 1) return 1 / Math.min(MOST_ENLARGED, larger);',
    '',
    'test/pupil/tracker/working-size.test.ts',
  ],
  [
    'assembly/pupil/search/judge-shape.ts',
    'if (isBeyond(s, cos * s.ea, sin * s.eb)) beyond++;',
    '',
    'test/pupil/robust/robust.test.ts',
  ],
  ['src/series/blink.ts', 'length >= SHORTEST && length <= LONGEST', 'length <= LONGEST', 'test/series/blink.test.ts'],
  [
    'src/series/blink.ts',
    'const offset = agree ? before.timestamp : first.timestamp;',
    'const offset = first.timestamp;',
    'test/series/blink.test.ts',
  ],
  [
    'src/pupil/calibration.ts',
    'return millimetres / squareMajor',
    'return 2 * millimetres / squareMajor',
    'test/pupil/calibration.test.ts',
  ],
  [
    'src/pupil/series.ts',
    'if (this.#before && gap.length && timestamp',
    'if (this.#before && gap.length > 1 && timestamp',
    'test/pupil/series.test.ts',
  ],
  [
    'src/pupil/search/result.ts',
    'confidence >= values.minConfidence',
    'confidence >= 0',
    'test/pupil/tracker/rendered.test.ts',
  ],
  ['src/pupil/search/result.ts', 'major: 2 * search', 'major: 2.1 * search', 'test/pupil/tracker/rendered.test.ts'],
  [
    'src/pupil/tracker/working-size.ts',
    'const place = (v: number) => (v + 0.5) * factor - 0.5;',
    'const place = (v: number) => v * factor;',
    'test/pupil/tracker/working-size.test.ts',
  ],
  [
    'src/pupil/tracker/working-size.ts',
    'diameterMm === null ? null : diameterMm * factor',
    'diameterMm',
    'test/pupil/tracker/working-size.test.ts',
  ],
  ['assembly/pupil/search/outline.ts', 't *= step;', 't = t * step + 1;', 'test/pupil/tracker/rendered.test.ts'],
  [
    'assembly/pupil/preparation/invert.ts',
    'v128.not(v128.load(from + x))',
    'v128.load(from + x)',
    'parity pupil/invert',
  ],
  [
    'assembly/pupil/search/circle.ts',
    'if (n < 3) return false;',
    'if (n < 4) return false;',
    'test/pupil/search/fits.test.ts',
  ],
  [
    'assembly/pupil/preparation/reflections.ts',
    'const stop = min((end + 15) & ~15, width);',
    'const stop = min(end & ~15, width);',
    'test/pupil/preparation/tiles.test.ts',
    'parity pupil/',
  ],
];
