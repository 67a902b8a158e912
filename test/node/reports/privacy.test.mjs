// Names planted in the file name, the DICOM header, EXIF, XMP, PNG texts and video metadata, searched in every kind of
// output. In SEG and SR, the names of the DICOM header must arrive (they are the record), and nowhere else.
import assert from 'node:assert/strict';
import { File } from 'node:buffer';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { importTs } from '../../../tools/import-ts.mjs';
import { folder } from '../../command/support.mjs';

const planted = [
  'Zyxwara^Quillon',
  'PID-77Q',
  '19310717',
  'ACC-55X',
  'Referrer^Vlk',
  'Serial-Q9',
  'Zyxwara',
  'Quillon',
];
const [name, id, birth, accession, referrer, serial] = planted;
/** The file of a person, as clinics name it. */
const fileName = 'Zyxwara_Quillon_PID-77Q.png';
const all = (bytes) => {
  const latin = Buffer.from(bytes).toString('latin1');
  const wide = Buffer.from(bytes).toString('utf16le');
  const coded = [...latin.matchAll(/"data":\s?"([^"]+)"/g)].map(([, data]) => Buffer.from(data, 'base64').toString());
  return [latin, wide, ...coded].join();
};
const isClean = (what, output) => {
  const bytes = typeof output === 'string' ? Buffer.from(output) : output;
  assert.ok(bytes.length > 15, `${what} is empty`);
  const text = all(bytes);
  for (const word of planted) assert.ok(!text.includes(word), `${what} contains ${word}`);
};

const results = await importTs('src/results/export-vessels.ts');
const reports = await importTs('src/reports/index.ts');
const samples = await importTs('test/support/report-samples.ts');
const writer = await importTs('test/support/dicom-writer.ts');
const library = await importTs('src/index.ts');
const { readImage } = await importTs('src/node/image.ts');
const { frames } = await importTs('src/node/frames.ts');
const command = await importTs('test/node/command/library.ts');

const { width, height } = samples.mask;
async function dicomFile() {
  const elements = writer.pictureElements(width, height, {}, [
    [0x00080018, 'UI', '1.2.3.1'],
    [0x00080020, 'DA', '20260504'],
    [0x00080030, 'TM', '101500'],
    [0x00080050, 'SH', accession],
    [0x00080090, 'PN', referrer],
    [0x00100010, 'PN', name],
    [0x00100020, 'LO', id],
    [0x00100030, 'DA', birth],
    [0x00181000, 'LO', serial],
    [0x0020000d, 'UI', '1.2.3.2'],
    [0x0020000e, 'UI', '1.2.3.3'],
  ]);
  return writer.dicomFile({ elements, pixels: new Uint8Array(width * height + 1) });
}
const exif = { IFD0: { Artist: name, ImageDescription: id, Copyright: serial, Software: referrer } };
const photograph = () => sharp({ create: { width, height, channels: 3, background: '#804020' } }).withExif(exif);
/** A PNG with a text chunk of a name. */
async function namedPng() {
  const png = await photograph().png().toBuffer();
  assert.ok(all(png).includes(id), 'the names are in the file');
  return png;
}
const vesselHeader = (notes) => ({
  ...{ version: '1', source: { name: 'image', sha256: null, notes }, parameters: {}, backend: 'wasm' },
  ...{ renderer: null, threads: 1 },
});

/** Forms of a retina, from what the reader of the file says. SEG and SR are with the record. */
function retinaForms(file, kind) {
  const result = { ...samples.vessels(), ...(file.dicom && { dicom: file.dicom }) };
  const report = reports.createReport({ ...samples.retinaInput(), source: {}, result, warnings: file.notes });
  const header = vesselHeader(file.notes);
  const html = reports.toHtml(report);
  const forms = {
    'FHIR collection': JSON.stringify(reports.toFhir(report)),
    'FHIR transaction': JSON.stringify(reports.toFhir(report, { type: 'transaction', html, codeSystem: true })),
    'report, HTML': html,
    'report, CSV': reports.reportCsv(report, { format: 'comments' }),
    'report, JSON': reports.reportJson(report),
    'vessels, CSV': results.vesselsCsv(result, header),
    'vessels, JSON': results.vesselsJson(result, header),
    notes: `${JSON.stringify(file.notes)}${' '.repeat(40)}`,
  };
  const records = { SEG: reports.toDicomSeg(result), SR: reports.toDicomSr(report) };
  return { forms: Object.fromEntries(Object.entries(forms).map(([one, text]) => [`${kind}: ${one}`, text])), records };
}

/** Forms of a recording of pupils whose source has the notes of a file with names. */
async function pupilForms(notes) {
  const { pupilColumns, pupilRows, addEvents, Recording, JournalWriter, readJournal, exportParts } = library;
  const source = { name: 'video', kind: 'video', sha256: null, width: 64, height: 48, notes };
  const header = {
    ...{ software: 'foveola', version: '1', notice: 'For research use.', started: null, source, parameters: {} },
    ...{ backend: 'wasm', renderer: null, threads: 1, clock: 'media', frames: 3, dropped: 0 },
  };
  const recording = new Recording(pupilColumns);
  const about = { element: 'foveola-pupil', columns: pupilColumns, header };
  const journal = await JournalWriter.create(about, recording);
  const circle = { x: 30, y: 20, r: 5 };
  for (let frame = 0; frame < 90; frame++) {
    const pupil = {
      ...{ eye: 'left', found: true, confidence: 0.9, outlineConfidence: 0.9, x: 30, y: 20, diameter: 10 },
      ...{ diameterMm: null, ellipse: null, circle, blink: false, votes: 20, points: 20 },
    };
    const timestamp = 25 * frame;
    const result = { timestamp, width: 64, height: 48, pupils: [pupil], events: [], dropped: 0, backend: 'wasm' };
    const timing = { frame, timestamp, clock: 'media', mediaTime: timestamp, dropped: 0, throttled: 0 };
    for (const row of pupilRows(result, timing)) recording.push(row);
    addEvents(recording, result.events);
  }
  const bytes = await journal.take(header, true);
  const kept = await readJournal(() => [bytes]);
  const joined = async (parts) => {
    let text = '';
    for await (const part of parts) text += part;
    return text;
  };
  const report = reports.createReport({ ...samples.pupilInput(), source: {}, warnings: notes });
  const { timestamp, diameter } = samples.series();
  const files = reports.toBids({
    ...{ name: 'sub-01_task-light', recordedEye: 'left', timestamp, pupil: diameter, pupilUnit: 'mm' },
    ...{ blinks: [{ onset: 4000, offset: 4200 }], markers: [{ label: 'go', timestamp: 1 }] },
  });
  const bids = await Promise.all(
    files.map(async (file) => {
      const packed = Buffer.from(await reports.bidsBytes(file));
      return [`BIDS: ${file.name}`, file.name.endsWith('.gz') ? gunzipSync(packed) : packed];
    }),
  );
  return {
    'recording, CSV': library.toCsv(recording, header),
    'recording, JSON': library.toJson(recording, header),
    'pupils, CSV': library.toPupilCsv(recording, header),
    'pupils, series CSV': library.toPupilCsv(recording, header, { series: { unit: 'px' } }),
    'pupils, JSON': library.toPupilJson(recording, header),
    'pupils, PupilEXT': library.toPupilCsv(recording, header, { format: 'pupilext' }),
    'saved recording': bytes,
    'saved recording, CSV': await joined(exportParts(kept, 'csv')),
    'saved recording, JSON': await joined(exportParts(kept, 'json')),
    'pupil report, FHIR': JSON.stringify(reports.toFhir(report)),
    'pupil report, HTML': reports.toHtml(report),
    'pupil report, CSV': reports.reportCsv(report, { format: 'comments' }),
    'pupil report, JSON': reports.reportJson(report),
    'pupil report, SR': reports.toDicomSr(report),
    'visits, HTML': reports.toVisitsHtml([report, reports.createReport({ ...samples.pupilInput(), source: {} })]),
    ...Object.fromEntries(bids),
  };
}

/**
 * Everything that the command writes and prints about a folder with a photograph, a damaged copy of it and a broken link,
 * all with the name of the person. It runs twice, because the second run reads the list of the first.
 */
async function commandForms(png, ...options) {
  const made = folder('privacy');
  const inputs = path.join(made.path, 'Zyxwara');
  mkdirSync(inputs);
  writeFileSync(path.join(inputs, fileName), png);
  writeFileSync(path.join(inputs, `copy ${fileName}`), png);
  writeFileSync(path.join(inputs, `half ${fileName}`), png.subarray(0, png.length >> 1));
  symlinkSync(path.join(inputs, 'nothing'), path.join(inputs, `link ${fileName}`));
  const forms = {};
  for (const format of ['csv', 'json', 'jsonl', 'parquet']) {
    const out = path.join(made.path, format);
    const words = [inputs, path.join(inputs, `none ${fileName}`), '--out', out, '--format', format, ...options];
    for (const run of ['first', 'second']) {
      const { code, text } = await command.lines(words);
      assert.equal(code, 2, text);
      forms[`command, ${format}, printed, ${run} run`] = text + ' '.repeat(40);
    }
    assert.equal(await command.report([out]), 0);
    for (const file of readdirSync(out, { recursive: true, withFileTypes: true })) {
      const name = path.relative(out, path.join(file.parentPath ?? file.path, file.name));
      if (file.isFile()) forms[`command, ${format}, ${name}`] = readFileSync(path.join(out, name));
    }
  }
  made.remove();
  return forms;
}

describe('planted identifiers', () => {
  let forms = {};
  let records;
  before(async () => {
    const dicom = await readImage(await dicomFile());
    assert.equal(dicom.dicom.patient.name, name);
    const png = await namedPng();
    const jpeg = await photograph().jpeg().toBuffer();
    assert.ok(all(jpeg).includes(id));
    const ofDicom = retinaForms(dicom, 'DICOM');
    records = ofDicom.records;
    const photographs = [];
    for (const [kind, bytes] of Object.entries({ PNG: png, JPEG: jpeg })) {
      const file = await readImage(new File([bytes], fileName));
      const { forms: of, records: own } = retinaForms(file, kind);
      photographs.push(of, { [`${kind}: SEG`]: own.SEG, [`${kind}: SR`]: own.SR });
    }
    const notes = (await readImage(new File([png], fileName))).notes;
    forms = Object.assign(
      {},
      ofDicom.forms,
      ...photographs,
      await pupilForms(notes),
      await commandForms(png, '--no-file-names'),
    );
  });

  it('are in none of 30 kinds of output', (t) => {
    assert.ok(Object.keys(forms).length > 30);
    for (const [form, output] of Object.entries(forms)) {
      isClean(form, output);
      assert.doesNotMatch(form, /Zyxwara/);
    }
    t.diagnostic(`0 planted identifiers in ${Object.keys(forms).length} outputs`);
  });

  it('are in results of the command without --no-file-names, which is what it leaves out', async () => {
    const named = await commandForms(await namedPng());
    assert.throws(() => Object.entries(named).forEach(([form, output]) => isClean(form, output)), /contains/);
    const tables = (all) => Object.keys(all).filter((form) => /^command, csv, .*\.csv$/.test(form)).length;
    assert.deepEqual([tables(forms), tables(named)], [1, 2], 'equal bytes are one input');
  });

  it('are in no frame of a video that has them in its metadata', async () => {
    const video = new URL('../../media/named.webm', import.meta.url);
    assert.ok(all(readFileSync(video)).includes('Zyxwara'), 'the names are in the file');
    let count = 0;
    for await (const { frame, ...about } of frames(video.pathname)) {
      count++;
      const plain = Object.fromEntries(Object.entries(frame).filter(([, value]) => typeof value !== 'object'));
      isClean('a frame', `${JSON.stringify([about, plain])}${' '.repeat(40)}`);
    }
    assert.equal(count, 3);
  });

  it('would be found', () => {
    const { source } = samples.pupilInput();
    const report = reports.createReport({ ...samples.pupilInput(), source: { ...source, name: fileName } });
    assert.throws(() => isClean('CSV', reports.reportCsv(report, { format: 'comments' })), /CSV contains PID-77Q/);
    const html = reports.toHtml(report);
    const fhir = JSON.stringify(reports.toFhir(reports.createReport(samples.pupilInput()), { html }));
    assert.throws(() => isClean('FHIR', fhir), /FHIR contains/);
  });

  it('are in the DICOM record, where a PACS files it by them', () => {
    for (const [form, bytes] of Object.entries(records))
      for (const word of planted.slice(0, 5)) assert.ok(Buffer.from(bytes).includes(word), `${form} lacks ${word}`);
  });
});
