// Every kind of result that the library returns for a record, through createReport into every form. The numbers are
// distinct, so a value that is found in a form is that value.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';

const samples = await importTs('test/support/report-samples.ts');
const { createReport, reportCsv, reportJson, toDicomSr, toFhir, toHtml } = await importTs('src/reports/index.ts');
const { groupsOf } = await importTs('src/reports/groups.ts');
const functions = await importTs('src/series/index.ts');
const { anisocoria, averageReflexes, cleanSeries, hippus, lightReflex, relativeAfferentDefect } = functions;
const { darkAdaptation, nearResponse, postIllumination, unrest } = functions;
const { evaluateTest } = await importTs('src/protocols/evaluate-test.ts');
const { protocols } = await importTs('src/protocols/shipped-protocols.ts');
const { retinalMeasures } = await importTs('src/vessels/measures.ts');

const ONSETS = [2000, 8000, 14_000, 20_000, 26_000, 32_000];
const END = 40_000;
/** A pupil that constricts by `amplitude` to each light and otherwise swings slowly. */
const pupil = (eye, rest, amplitudeAt) =>
  Array.from({ length: END / 20 }, (_, i) => {
    const timestamp = 20 * i;
    const since = timestamp - (ONSETS.findLast((onset) => onset <= timestamp) ?? Infinity) - 230;
    const share = since < 0 ? 0 : since < 700 ? Math.sin((since / 700) * (Math.PI / 2)) : 0.5 ** ((since - 700) / 900);
    const swing = 0.08 * Math.sin((2 * Math.PI * timestamp) / 5000);
    return { timestamp, eye, confidence: 0.97, diameter: rest + swing - amplitudeAt(timestamp) * share };
  });
const lit = (time) => (ONSETS.findLastIndex((onset) => onset <= time) % 2 ? 'right' : 'left');
const weaker = (time) => (lit(time) === 'left' ? 1 : 1.6);
const eyes = [pupil('left', 6.2, weaker), pupil('right', 5.4, weaker)];
const steps = ONSETS.map((onset) => ({ type: 'flash', label: 'white', eye: lit(onset), onset, offset: onset + 1000 }));
const quality = { frames: 1999, found: 0.987, confidence: 0.973, rate: 49.7, dropped: 0.013, blinking: 0.021 };
const base = {
  ...{ kind: 'pupil', id: samples.id, created: '2026-05-04T09:32:00Z', started: '2026-05-04T09:30:00Z', unit: 'mm' },
  ...{ calibration: { millimetresPerPixel: 0.05 }, camera: { name: 'Eye camera', serial: '1' } },
};
const protocol = (measure) => ({ ...protocols['light-reflex'], measure });
const tested = (measure, given = steps) => evaluateTest({ protocol: protocol(measure), eyes, steps: given });
const series = eyes.map((one) => cleanSeries(one));
const reflexes = ONSETS.map((onset) => ({ ...lightReflex(series[0], { onset, duration: 1000 }), onset }));
const drawn = () => {
  const size = 400;
  const line = (points, width) => {
    const length = Math.hypot(points[2] - points[0], points[3] - points[1]);
    const count = 60;
    const all = Float32Array.from({ length: 2 * count }, (_, k) => {
      const at = Math.floor(k / 2) / (count - 1);
      return points[k % 2] + at * (points[2 + (k % 2)] - points[k % 2]) + (k % 2 ? 4 * Math.sin(6 * at) : 0);
    });
    const widths = new Float32Array(count).fill(width);
    return { points: all, widths, length, width, lengthMicrometres: 8 * length, widthMicrometres: 8 * width };
  };
  const segments = Array.from({ length: 12 }, (_, k) => {
    const [cos, sin] = [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)];
    return line([200 + 25 * cos, 200 + 25 * sin, 200 + 130 * cos, 200 + 130 * sin], k % 2 ? 5 + k / 4 : 7 + k / 4);
  });
  const plane = (value) => ({ width: size, height: size, data: new Uint8Array(size * size).fill(value) });
  const mask = plane(0);
  for (const { points } of segments)
    for (let k = 0; k < points.length; k += 2)
      for (let d = -3; d <= 3; d++) mask.data[Math.round(points[k + 1]) * size + Math.round(points[k]) + d] = 255;
  return {
    ...{ mask, response: new Float32Array(0), fieldOfView: plane(255), skeleton: plane(0), backend: 'wasm' },
    ...{
      fraction: 0.1234,
      confidence: 0.91,
      warnings: ['Small.'],
      quality: { agreement: 0.83, grade: 'good' },
      segments,
      branchPoints: [{ x: 200, y: 200 }],
    },
    scale: { micrometresPerPixel: 8, from: 'option' },
  };
};
/** A pupil after a red and a blue light, in the dark for two windows of the unrest index. */
const longAfter = (eye) =>
  Array.from({ length: 40 * 200 }, (_, i) => {
    const timestamp = 25 * i;
    const since = [20_000, 80_000].map((onset) => timestamp - onset - 230);
    const left = (time, share) =>
      time < 0 ? 0 : time < 900 ? time / 900 : share + (1 - share) * 0.5 ** ((time - 900) / 1700);
    const swing = 0.05 * Math.sin((2 * Math.PI * timestamp) / 4300);
    const diameter = 6.4 + swing - 2.1 * left(since[0], 0.04) * Number(since[1] < 0) - 2.3 * left(since[1], 0.41);
    return { timestamp, eye, confidence: 0.97, diameter };
  });
const after = [longAfter('left'), longAfter('right')];
const light = (color, luminance) => ({
  ...{ color, wavelength: color === '#0000ff' ? 465 : 620, luminance, illuminance: null },
  ...{ field: { width: 40, height: 24 }, duration: 1000 },
});
const colored = [
  { type: 'flash', label: 'red', eye: 'both', onset: 20_000, offset: 21_000, stimulus: light('#ff0000', 18) },
  { type: 'flash', label: 'blue', eye: 'both', onset: 80_000, offset: 81_000, stimulus: light('#0000ff', 18.1) },
];
const span = (label, onset, offset) => ({ type: 'adapt', label, onset, offset });
const afterSeries = after.map((one) => cleanSeries(one));
const testedAfter = (measure, given) => evaluateTest({ protocol: protocol(measure), eyes: after, steps: given });
const screen = { white: 250, field: { width: 40, height: 24 }, lag: 12, lagFrom: 'measured' };
const vessels = drawn();
const retina = retinalMeasures(vessels, {
  ...{ disc: { x: 200, y: 200, radius: 30, confidence: 0.83 }, fovea: { x: 350, y: 210 } },
  kinds: vessels.segments.map((_, k) => (k % 2 ? 'artery' : 'vein')),
});
const retinaBase = { ...base, kind: 'retina', unit: undefined, calibration: undefined };

/** Kind of result, input, and the panels or measures that it must fill. */
const table = {
  'light reflexes of a test': [{ result: tested('light-reflex') }, ['reflex', 'series', 'blinks', 'anisocoria']],
  'relative afferent defect': [{ result: tested('relative-afferent-defect') }, ['afferentDefect', 'reflex']],
  'hippus of a test': [{ result: tested('rest') }, ['hippus', 'series']],
  'responses to tasks': [
    { result: tested('task-evoked', [{ type: 'ask', label: '7 x 13', onset: 3000, offset: 7000 }]) },
    ['task'],
  ],
  'a test of the element': [
    {
      ...{ unit: undefined, started: undefined },
      result: {
        ...{ software: 'foveola', version: '1', notice: 'n', protocol: protocol('light-reflex'), complete: false },
        ...{ unit: 'mm', started: base.started, eyes, events: [], steps, markers: [], backend: 'wasm', screen },
        about: { subject: 'S07' },
        ...{ quality: { ...quality, faults: [], good: true }, measures: tested('light-reflex') },
      },
    },
    ['reflex', 'recording', 'anisocoria'],
  ],
  'response after red and blue light': [
    { result: testedAfter('post-illumination', colored) },
    ['postIllumination', 'netPostIllumination', 'reflex'],
  ],
  'pupillary unrest': [{ result: testedAfter('unrest', [span('rest', 0, 199_000)]) }, ['unrest']],
  'dark adaptation': [{ result: testedAfter('dark-adaptation', [span('dark', 82_000, 120_000)]) }, ['darkAdaptation']],
  'near response': [{ result: testedAfter('near-response', [span('near', 81_000, 85_000)]) }, ['near']],
  'response after the light, alone': [
    {
      eyes: [
        {
          postIllumination: [{ ...postIllumination(afterSeries[0], { onset: 20_000, duration: 1000 }), onset: 20_000 }],
        },
      ],
    },
    ['postIllumination'],
  ],
  'unrest, dark and near, alone': [
    {
      eyes: [
        {
          unrest: unrest(afterSeries[1]),
          darkAdaptation: darkAdaptation(afterSeries[1], { onset: 82_000, offset: 120_000 }),
          near: [{ ...nearResponse(afterSeries[1], { onset: 81_000, offset: 85_000 }), onset: 81_000 }],
        },
      ],
    },
    ['unrest', 'darkAdaptation', 'near'],
  ],
  'averaged reflexes': [{ eyes: [{ eye: 'left', average: averageReflexes(reflexes) }] }, ['average']],
  'hippus alone': [{ eyes: [{ hippus: hippus(series[1]) }] }, ['hippus']],
  anisocoria: [{ eyes: [{ series: series[0] }], anisocoria: anisocoria(...series) }, ['anisocoria']],
  'afferent defect': [
    { eyes: [{ series: series[0] }], afferentDefect: relativeAfferentDefect(reflexes.slice(0, 3), reflexes.slice(3)) },
    ['afferentDefect'],
  ],
  quality: [{ eyes: [{ series: series[0] }], quality: { ...quality, faults: ['drops'], good: false } }, ['recording']],
  'vessels and their measures': [{ ...retinaBase, result: vessels, retina }, ['retina']],
  corrections: [
    { ...retinaBase, result: vessels, retina, corrections: [{ action: 'disc', x: 1, y: 2, radius: 3 }] },
    ['retina'],
  ],
};

const shownIn = {
  JSON: (report) => reportJson(report),
  CSV: (report) => reportCsv(report, { format: 'comments' }),
  HTML: (report) => toHtml(report).replaceAll('&#39;', "'"),
  FHIR: (report) => JSON.stringify(toFhir(report)),
  SR: (report) => Buffer.from(toDicomSr(report)).toString(),
};
/** How a value is written in each form. JSON has the unrounded number. */
const written = {
  JSON: ({ value }) => String(value),
  CSV: ({ measure, value, unit }) => new RegExp(`,${measure.code},.*,${Number(value.toFixed(unit.digits))},`),
  HTML: ({ value, unit, panel }) =>
    panel === 'recording' ? `${Number(value.toFixed(unit.digits))}` : value.toFixed(unit.digits),
  FHIR: ({ value, unit }) => `"value":${Number(value.toFixed(unit.digits))}`,
  SR: ({ value, unit }) => String(Number(value.toFixed(unit.digits))),
};

describe('every result reaches every form of a report', () => {
  for (const [kind, [input, panels]] of Object.entries(table))
    for (const [form, write] of Object.entries(shownIn))
      it(`${kind}: ${form}`, () => {
        const report = createReport({ ...base, ...input });
        const groups = groupsOf(report);
        for (const panel of panels)
          assert.ok(
            groups.some((group) => group.panel === panel),
            `${panel} is missing`,
          );
        const text = write(report);
        for (const { panel, values, finding, stimulus, warnings } of groups) {
          for (const one of values.filter(({ value }) => value !== null)) {
            const part = written[form]({ ...one, panel });
            const ok = part instanceof RegExp ? part.test(text) : text.includes(part);
            // JSON has a share where a percent is shown, and no derived values.
            const derived = form === 'JSON' && ['retina', 'series', 'blinks'].includes(panel);
            assert.ok(ok || derived, `${form} lacks ${one.measure.display}: ${part}`);
          }
          for (const said of [form === 'JSON' ? null : finding, stimulus, ...warnings].filter(Boolean))
            assert.ok(text.includes(said), `${form} lacks "${said}"`);
        }
        for (const warning of report.warnings) assert.ok(text.includes(warning), `${form} lacks "${warning}"`);
        if (input.corrections) assert.match(text, form === 'HTML' ? /optic disc placed 1/ : /disc/);
      });

  it('keeps the numbers of the functions', () => {
    const { result } = table['relative afferent defect'][0];
    const report = createReport({ ...base, result });
    assert.equal(report.afferentDefect.score, result.afferentDefect.score);
    assert.equal(report.afferentDefect.eye, 'left');
    assert.equal(report.anisocoria.larger, 'left');
    assert.equal(report.eyes[1].reflexes[0].stimulus, 'white, light in the left eye');
    assert.deepEqual(
      report.eyes.map(({ eye }) => eye),
      ['left', 'right'],
    );
    const { vessels: found } = createReport({ ...base, ...table['vessels and their measures'][0] });
    assert.ok(Math.abs(found.curvature - (1000 * retina.tortuosity.curvature) / 8) < 1e-9);
    assert.equal(found.curvature, retina.tortuosity.curvaturePerMillimetre);
    assert.equal(found.arteryTortuosity, retina.tortuosity.kinds.artery.arcOverChord);
    assert.ok(found.veinCurvature > 0 && found.arteryCurvature > 0);
    assert.equal(found.zoneBWidth, retina.zones.B.meanWidthMicrometres);
    assert.ok(found.zoneAWidth > 0 && found.zoneCWidth > 0);
    const printed = toHtml(createReport({ ...base, ...table['vessels and their measures'][0] }));
    assert.match(printed, /Formulas of CRAE and CRVE: Knudtson 2003\./);
    assert.equal(found.craeHubbard, retina.zone.hubbard.crae.micrometres);
    assert.ok(found.avrHubbard > 0.4 && found.avrHubbard < 1 && found.avrHubbard !== found.avr);
    assert.equal(found.discConfidence, 0.83);
    assert.equal(found.crae, retina.zone.crae.micrometres);
    assert.equal(found.discDensitySuperior, 100 * retina.density.disc.superior);
    const { eyes: both } = createReport({ ...base, ...table['response after red and blue light'][0] });
    assert.deepEqual(
      both[0].postIllumination.map(({ stimulus }) => stimulus),
      ['red, 620 nm, 18 cd/m², 40° x 24°, 1 s', 'blue, 465 nm, 18.1 cd/m², 40° x 24°, 1 s'],
    );
    const [red, blue] = both[1].postIllumination;
    assert.ok(Math.abs(both[1].netPostIllumination.plateau - (blue.plateau - red.plateau)) < 1e-9);
    const test = createReport({ ...base, ...table['a test of the element'][0] });
    assert.deepEqual(test.parameters.screen, screen);
    assert.deepEqual(test.about, { subject: 'S07' });
    assert.ok(test.warnings.includes('The test was stopped before its end.'));
    assert.equal(test.backend, 'wasm');
  });

  const refused = {
    'a curve of epochs in an eye': [{ eyes: [{ series: series[0], epochs: {} }] }, /eyes\[0\]\.epochs cannot be part/],
    'saccades in a report': [{ eyes: [{ series: series[0] }], saccades: [] }, /: saccades cannot be part of a report/],
    'a new measure of a test': [{ result: { ...tested('rest'), squint: 1 } }, /result\.squint cannot be part/],
    'faces for vessels': [{ ...retinaBase, result: { ...vessels, faces: [] } }, /result\.faces cannot be part/],
    'a new measure of a retina': [
      { ...retinaBase, result: vessels, retina: { ...retina, cup: 1 } },
      /retina\.cup cannot/,
    ],
    'a new value of a reflex': [
      { eyes: [{ eye: 'left', reflexes: [{ ...reflexes[0], rebound: 3 }] }] },
      /reflexes\[0\]\.rebound cannot be part/,
    ],
    'eyes besides a result': [{ result: tested('rest'), eyes: [] }, /eyes must not be given with result/],
    'a test without a measured eye': [{ result: { series: [null], warnings: [] } }, /contains no measured eye/],
  };
  for (const [what, [input, message]] of Object.entries(refused))
    it(`refuses ${what}, by its name`, () => {
      assert.throws(() => createReport({ ...base, ...input }), { code: 'invalid-argument', message });
    });
});
