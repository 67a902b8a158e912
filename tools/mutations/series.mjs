// Series of a pupil and of gaze, and scripts of tests.
export default [
  [
    'src/series/interpolation.ts',
    'Math.tan((Math.PI * cutoff) / rate) / (Math.SQRT2 - 1) ** 0.25',
    'Math.tan((Math.PI * cutoff) / rate)',
    'test/series/low-pass.test.ts',
  ],
  [
    'src/series/artifacts.ts',
    'return Math.max(middle + factor * median(values.map((value) => Math.abs(value - middle))), floor);',
    'return middle + factor * median(values.map((value) => Math.abs(value - middle)));',
    'test/series/clean.test.ts',
  ],
  ['src/series/onset.ts', 'const TAIL = 0.025;', 'const TAIL = 0.25;', 'test/series/light-reflex.test.ts'],
  ['src/series/saccades.ts', 'LEADS_SOMEWHERE * noise, stretch / 2)', '0)', 'test/series/saccades.test.ts'],
  ['src/protocols/flash-rate.ts', '> SECOND) first++', '>= SECOND) first++', 'test/protocols/protocol.test.ts'],
  ['src/protocols/protocol-run.ts', 'at < this.due', 'at <= this.due', 'test/protocols/protocol-run.test.ts'],
  [
    'src/protocols/protocol-run.ts',
    '    this.#seen = null;\n  }\n\n  abort',
    '  }\n\n  abort',
    'test/protocols/protocol-run.test.ts',
  ],
  [
    'src/protocols/recording-quality.ts',
    'const open = seen.filter(({ blink }) => !blink);',
    'const open = seen;',
    'test/protocols/recording-quality.test.ts',
  ],
  [
    'src/protocols/evaluate-test.ts',
    'steps.find((step) => step.label === label && step.offset !== null)',
    'undefined as StepSpan | undefined',
    'test/protocols/evaluate-test.test.ts',
  ],
  [
    'src/protocols/protocol-schema.ts',
    'Object.hasOwn(properties, name)',
    'name in properties',
    'test/protocols/protocol.test.ts',
  ],
  ['src/series/artifacts.ts', 'if (to - from < 2 || timestamp', 'if (timestamp', 'test/series/clean.test.ts'],
  ['src/series/artifacts.ts', 'speed[k - 1] = Math.max(speed[k - 1]!, change);', '', 'test/series/clean.test.ts'],
  [
    'src/series/artifacts.ts',
    'const whole = first === 0 && k === kept.length;',
    'const whole = false;',
    'test/series/clean.test.ts',
  ],
  ['src/series/artifacts.ts', 'pass < PASSES', 'pass < 1', 'test/series/clean.test.ts'],
  ['src/series/artifacts.ts', 'const floor = least * median', 'const floor = 0 * median', 'test/series/clean.test.ts'],
];
