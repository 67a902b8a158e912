// Left and right are the person's: every place that names an eye, over a rendered person whose left pupil is larger.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import dcmjs from 'dcmjs';
import { importTs } from '../../tools/import-ts.mjs';
import { folder } from '../command/support.mjs';

const made = await importTs('test/support/laterality.ts');
const { createEngine, toDicomSr } = await importTs('src/index.ts');
const { tiffFile } = await importTs('test/support/tiff-writer.ts');
const { asked, consumers, largest, only, pictureOf, views } = made;
dcmjs.log.setLevel('error');

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const usual = { facing: 'left', mirrored: 'left', unknown: 'unknown' };
const asks = { ...usual, unknown: 'asks' };
let [right, all] = [0, 0];
/** One row of the table. */
const row = (name, view, says, wanted) =>
  it(`${name}, ${view}`, async () => {
    all++;
    assert.equal(await says(), wanted);
    right++;
  });
after(() => console.log(`laterality: ${right} of ${all} exports right`));

/** By the mean diameter of each group of measurements, and the laterality of its finding site. */
function ofDicomSr(report) {
  const { DicomMessage, DicomMetaDictionary } = dcmjs.data;
  const set = DicomMetaDictionary.naturalizeDataset(DicomMessage.readFile(toDicomSr(report).buffer).dict);
  const meaning = (sequence) => list(sequence)[0]?.CodeMeaning;
  const items = (container, name) =>
    list(container.ContentSequence).filter(({ ConceptNameCodeSequence: concept }) => meaning(concept) === name);
  const groups = list(items(set, 'Imaging Measurements')[0].ContentSequence);
  const sizes = groups.map((group) => {
    const [side] = list(items(group, 'Finding Site')[0].ContentSequence);
    const [mean] = items(group, 'Mean diameter');
    return [
      side ? meaning(side.ConceptCodeSequence).toLowerCase() : 'unknown',
      mean && list(mean.MeasuredValueSequence)[0].NumericValue,
    ];
  });
  return largest(sizes);
}

describe("left and right of two eyes are the person's", () => {
  const cases = {};
  before(async () => {
    const engine = await createEngine();
    for (const view of views) {
      const settings = { eyes: 2, view };
      const results = await made.track(engine, settings, pictureOf(view), pictureOf(view, true));
      cases[view] = await made.caseOf(view, settings, results);
    }
    await engine.dispose();
  });
  for (const view of views) {
    for (const [name, { says, wanted = usual }] of Object.entries(consumers))
      row(name, view, () => says(cases[view]), wanted[view]);
    row('report, DICOM SR', view, () => asked(() => ofDicomSr(made.reportOf(cases[view]))), asks[view]);
  }
});

describe("one eye is the person's left or right, if that is said", () => {
  const cases = {};
  before(async () => {
    const engine = await createEngine();
    for (const eye of ['left', 'right', 'unknown']) {
      const results = await made.track(engine, { eye }, made.oneEye(), made.oneEye(true));
      cases[eye] = await made.caseOf('unknown', { eye }, results);
    }
    await engine.dispose();
  });
  const exceptions = { BIDS: 'asks', 'report, what it warns of': 'asks' };
  for (const eye of ['left', 'right', 'unknown']) {
    for (const [name, { says, pair, warns }] of Object.entries(consumers))
      if (!pair)
        row(
          `${name}, one eye`,
          eye,
          () => says(cases[eye]),
          eye === 'unknown' ? (exceptions[name] ?? eye) : warns ? 'left' : eye,
        );
    row('report, DICOM SR, one eye', eye, () => ofDicomSr(made.reportOf(cases[eye])), eye);
  }
});

describe('the command', () => {
  let command;
  let engine;
  let files;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
    engine = await command.createEngine({ threads: 1 }); // threads are started from dist/
    files = folder();
    for (const view of views) writeFileSync(files.at(`${view}.tiff`), await tiffFile([pictureOf(view)]));
  });
  after(async () => {
    files.remove();
    await engine.dispose();
  });

  /** As a worker takes the job from a queue. */
  const jobOf = (view, format) => {
    const out = files.at(`out-${format}`);
    mkdirSync(out, { recursive: true });
    const data = {
      ...{ analysis: 'pupil', input: files.at(`${view}.tiff`), name: view, out, wanted: 'a'.repeat(64) },
      ...{ parameters: { eyes: 2, view }, options: { format, overlay: false }, version: command.version },
    };
    const { wanted: _, ...job } = command.checkedJob(data, command.allowing(['file:']));
    return job;
  };
  const rowsOf = async (view, format) => {
    const { status, outputs, error } = await command.runJob(jobOf(view, format), engine);
    assert.equal(status, 'done', error?.message);
    return command.readRows(files.at(`out-${format}`, outputs[0]));
  };
  /** The larger pupil, by the names of the plots of `foveola report`. */
  const plotted = (rows) =>
    largest(
      command.plotsOf
        .pupil(rows)
        .filter(({ name }) => name.startsWith('diameter'))
        .map(({ name, values }) => [/(left|right) eye/.exec(name)?.[1] ?? 'unknown', values[0]]),
    );
  /** The eye whose annotation is met. */
  const scored = (rows, truth) =>
    asked(() => only(truth.filter((one) => command.scorePupils(rows, [one]).centers[0] < 3).map(({ eye }) => eye)));

  for (const view of views)
    for (const format of ['csv', 'json', 'jsonl', 'parquet']) {
      row(`${format} of the command, plots`, view, async () => plotted(await rowsOf(view, format)), usual[view]);
      row(
        `${format} of the command, scores`,
        view,
        async () => {
          // The larger pupil, annotated as either eye.
          const { x, y } = made.largerOf(view);
          const rows = await rowsOf(view, format);
          return scored(
            rows,
            ['left', 'right'].map((eye) => ({ frame: 0, eye, x, y })),
          );
        },
        asks[view],
      );
    }
});
