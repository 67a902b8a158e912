/** Each value of what reports are made of, in turn of every wrong kind: what is refused is refused by its rule. */
import { expect } from 'chai';
import { toBids, type BidsInput } from '../../src/reports/bids.ts';
import { createReport, type ReportInput } from '../../src/reports/create-report.ts';
import { toDicomSeg } from '../../src/reports/dicom-seg.ts';
import { toDicomSr } from '../../src/reports/dicom-sr.ts';
import { toFhir } from '../../src/reports/fhir.ts';
import { toHtml } from '../../src/reports/html.ts';
import { PortalChannel } from '../../src/reports/portal-messages.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { full } from '../support/full.ts';
import { pupilInput, retinaInput, vessels } from '../support/report-samples.ts';

const wrong: Record<string, unknown> = {
  ...{ symbol: Symbol('odd'), bare: Object.create(null), big: 10n ** 30n, nothing: null, function: () => {} },
  ...{ number: 5, negative: -1, none: NaN, word: 'x', yes: true, list: [5], symbols: [Symbol('odd')], empty: {} },
};
type Way = readonly (string | number)[];

/** Ways to all values but those of long lists, of which the first does. */
const waysIn = (value: unknown, way: Way = []): Way[] => {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [way];
  const names = ArrayBuffer.isView(value)
    ? []
    : Array.isArray(value)
      ? [...value.keys()].slice(0, 2)
      : Object.keys(value);
  return [way, ...names.flatMap((name) => waysIn((value as Record<string, unknown>)[name], [...way, name]))];
};
const changed = (value: unknown, [name, ...rest]: Way, to: unknown): unknown => {
  if (name === undefined) return to;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = changed(copy[name], rest, to);
  return copy;
};

describe('wrong values in reports', () => {
  const faults: string[] = [];
  const attempt = (where: string, work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof FoveolaError)) faults.push(`${where}: ${String(error)}`);
      else if (error.code !== 'invalid-argument') faults.push(`${where}: ${error.code}: ${error.message}`);
    }
  };
  const each = (call: string, good: unknown, work: (given: never) => unknown) => {
    work(good as never);
    const ways = waysIn(good).filter((one) => one.length || call !== 'send');
    // Thousands of reports: without --full each value has a third of the kinds, and each kind a third of the values.
    for (const [i, way] of ways.entries())
      for (const [kind, value] of Object.entries(wrong).filter((_, k) => full || ways.length < 30 || (i + k) % 3 === 0))
        attempt(`${call} ${way.join('.')} = ${kind}`, () => work(changed(good, way, value) as never));
    expect(faults.splice(0).join('\n')).to.equal('');
  };
  const whole = (input: ReportInput) => {
    const report = createReport(input);
    toFhir(report);
    toDicomSr(report);
    toHtml(report);
  };

  it('of a report of pupils, and in what is made of it', () => {
    const samples = { timestamp: [0, 25, 50, 75], diameter: [6, 5.5, NaN, 5], valid: [1, 1, 0, 1], rate: 40 };
    const series = { ...samples, blinks: [{ onset: 40, offset: 60 }] };
    const [left, right] = pupilInput().eyes!;
    each(
      'createReport',
      {
        ...pupilInput(),
        eyes: [
          { ...left, series },
          { ...right, series },
        ],
      },
      whole,
    );
  });

  it('of a report of a retina', () => each('createReport', retinaInput(), whole));

  it('of files for BIDS', () => {
    const input: BidsInput = {
      ...{ name: 'sub-01_task-light', recordedEye: 'left', timestamp: [0, 10.5, 20], x: [1, NaN, 3], y: [4, NaN, 6] },
      ...{ coordinateSystem: 'eye-in-head', coordinateUnit: 'pixel', pupil: [5, NaN, 5.5], pupilUnit: 'mm' },
      ...{ blinks: [{ onset: 10.5, offset: 20 }], parameters: { method: 'robust' }, camera: 'EC-1', startTime: 0 },
      steps: [{ type: 'flash', label: 'red', eye: 'left', onset: 1, offset: 2 }],
      markers: [{ label: 'go', timestamp: 3 }],
      screen: { width: 640, height: 480, millimetresPerPixel: 0.3, distance: 600, refreshRate: 60 },
    };
    each('toBids', input, toBids);
  });

  it('of options', () => {
    const report = createReport(pupilInput());
    const retina = createReport(retinaInput());
    const code = { system: 'https://portal.example', code: 'x', display: 'X' };
    const fhir = {
      type: 'collection',
      status: 'final',
      codings: { 'baseline-diameter': [code] },
      html: '<p>',
      codeSystem: true,
    };
    each('toFhir', fhir, (options) => toFhir(report, options));
    each('toHtml', { language: 'en' }, (options) => toHtml(report, options));
    each('toDicomSeg', { report: retina }, (options) => toDicomSeg(vessels(), options));
  });

  it('of a channel to a portal', () => {
    const window = { postMessage: () => {}, addEventListener: () => {}, removeEventListener: () => {} };
    const options = { target: window, receiver: window, allowedOrigins: ['https://portal.example'], timeout: 5 };
    each('PortalChannel', options, (given) => new PortalChannel(given).dispose());
    const channel = new PortalChannel(options);
    each('on', 'start', (type) => channel.on(type, () => {}));
    const payload = { state: 'ready' };
    each('send', { type: 'state', payload, replyTo: 'x' }, ({ type, payload, replyTo }) =>
      channel.send(type, payload, replyTo),
    );
    channel.dispose();
  });
});
