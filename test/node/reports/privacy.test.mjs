// Names planted in file name and DICOM header: in SEG and SR they must arrive (they are the record), and nowhere else.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';

const planted = ['Zyxwara^Quillon', 'PID-77Q', '19310717', 'ACC-55X', 'Referrer^Vlk', 'Serial-Q9', 'Zyxwara'];

describe('planted identifiers', () => {
  const forms = {};
  const records = {};
  let notes;
  before(async () => {
    const [{ readImage }, reports, results, samples, writer] = await Promise.all(
      [
        ...['src/node/image.ts', 'src/reports/index.ts', 'src/results/export-vessels.ts'],
        ...['test/support/report-samples.ts', 'test/support/dicom-writer.ts'],
      ].map((file) => importTs(file)),
    );
    const { width, height } = samples.mask;
    const [name, id, birth, accession, referrer, serial] = planted;
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
    const file = await readImage(await writer.dicomFile({ elements, pixels: new Uint8Array(width * height + 1) }));
    assert.equal(file.dicom.patient.name, name);
    notes = file.notes;
    const result = { ...samples.vessels(), dicom: file.dicom };
    const report = reports.createReport({ ...samples.retinaInput(), source: {}, result });
    const header = {
      ...{ version: '1', source: { name: 'image', sha256: null }, parameters: {}, backend: 'wasm' },
      ...{ renderer: null, threads: 1 },
    };
    Object.assign(forms, {
      'FHIR collection': JSON.stringify(reports.toFhir(report)),
      'FHIR transaction': JSON.stringify(
        reports.toFhir(report, { type: 'transaction', html: reports.toHtml(report), codeSystem: true }),
      ),
      HTML: reports.toHtml(report),
      CSV: results.vesselsCsv(result, header),
      JSON: results.vesselsJson(result, header),
    });
    Object.assign(records, { SEG: reports.toDicomSeg(result), SR: reports.toDicomSr(report) });
  });

  it('are in none of the open forms', () => {
    for (const [form, text] of Object.entries(forms)) {
      assert.ok(text.length > 200, form);
      const plain =
        text + [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data]) => Buffer.from(data, 'base64')).join();
      for (const word of planted) assert.ok(!plain.includes(word), `${form} contains ${word}`);
    }
    for (const word of planted) assert.ok(!notes.join().includes(word));
  });

  it('are in the DICOM record, where a PACS files it by them', () => {
    for (const [form, bytes] of Object.entries(records))
      for (const word of planted.slice(0, 5)) assert.ok(Buffer.from(bytes).includes(word), `${form} lacks ${word}`);
  });
});
