// What toDicomSeg and toDicomSr write, read back by dcmjs, whose dictionary has the representation of each attribute.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import dcmjs from 'dcmjs';
import { importTs } from '../../../tools/import-ts.mjs';

const { createReport } = await importTs('src/reports/create-report.ts');
const { toDicomSeg } = await importTs('src/reports/dicom-seg.ts');
const { toDicomSr } = await importTs('src/reports/dicom-sr.ts');
const { decimalString, dicomFile } = await importTs('src/reports/dicom-writer.ts');
const { readImage } = await importTs('src/node/image.ts');
const writer = await importTs('test/support/dicom-writer.ts');
const samples = await importTs('test/support/report-samples.ts');
const { BitArray, DicomMessage, DicomMetaDictionary } = dcmjs.data;
dcmjs.log.setLevel('error');

/** The data set by names, and the elements as they stand, including the elements of items. */
function read(bytes) {
  const file = DicomMessage.readFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const elements = [];
  const collect = (set) => {
    for (const [tag, element] of Object.entries(set)) {
      elements.push([tag, element]);
      if (element.vr === 'SQ') for (const item of element.Value ?? []) collect(item);
    }
  };
  collect(file.dict);
  return { set: DicomMetaDictionary.naturalizeDataset(file.dict), meta: file.meta, dict: file.dict, elements };
}
/** The tags of the data set, as they follow each other in the file. */
function tagsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tags = [];
  for (let at = 132; at < bytes.length;) {
    const hex = (offset) =>
      view
        .getUint16(at + offset, true)
        .toString(16)
        .padStart(4, '0');
    const wide = ['OB', 'SQ', 'UC', 'UT', 'UR'].includes(String.fromCharCode(bytes[at + 4], bytes[at + 5]));
    tags.push(hex(0) + hex(2));
    at += wide ? 12 + view.getUint32(at + 8, true) : 8 + view.getUint16(at + 6, true);
    assert.equal(at % 2, 0);
  }
  return tags;
}
const one = (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value);
const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const meaning = (sequence) => one(sequence)?.CodeMeaning;

const files = {
  'a segmentation': () => toDicomSeg(samples.vessels(), { source: samples.dicom, id: samples.id, laterality: 'left' }),
  'a segmentation without a source': () => toDicomSeg({ mask: samples.mask }),
  'a report of pupils': () => toDicomSr(createReport(samples.pupilInput())),
  'a report in pixels': () => toDicomSr(createReport(samples.pixelInput())),
  'a report of a retina': () => toDicomSr(createReport(samples.retinaInput())),
};

describe('DICOM files', () => {
  for (const [name, make] of Object.entries(files)) {
    it(`has attributes in their representation and order: ${name}`, () => {
      const { dict, elements, meta } = read(make());
      assert.equal(meta['00020010'].Value[0], '1.2.840.10008.1.2.1');
      assert.equal(meta['00020003'].Value[0], dict['00080018'].Value[0]);
      const tags = tagsOf(make());
      assert.ok(tags.length > 20);
      assert.deepEqual(tags, [...tags].sort());
      for (const [tag, { vr }] of elements) {
        const known = DicomMetaDictionary.dictionary[DicomMetaDictionary.punctuateTag(tag)];
        assert.ok(known, `${tag} is no attribute`);
        assert.ok(
          known.vr.split(/ or |\|/).includes(vr) || (known.vr === 'ox' && vr === 'OB'),
          `${known.name}: ${vr}, not ${known.vr}`,
        );
      }
    });

    it(`says that it is for research: ${name}`, () => {
      assert.match(JSON.stringify(read(make()).dict), /For research use, not a medical device\./);
    });
  }

  it('writes decimals in at most 16 characters', () => {
    for (const value of [1 / 3, -1 / 3, 123456789.123456789, 1e-7 / 3, 5e-300, 0.1 + 0.2]) {
      const text = decimalString(value);
      assert.ok(text.length <= 16, text);
      assert.ok(Math.abs(Number(text) - value) <= Math.abs(value) * 1e-9, text);
    }
    assert.equal(decimalString(2), '2');
  });

  it('cuts texts to what an attribute holds, and separates no values by accident', () => {
    const { set } = read(
      dicomFile('1.2', '1.3', [
        [0x00080018, 'UI', '1.3'],
        [0x00081030, 'LO', `C:\\photos\\${'µ'.repeat(80)}`],
        [0x00080005, 'CS', 'ISO_IR 192'],
      ]),
    );
    assert.equal(set.StudyDescription, `C:/photos/${'µ'.repeat(54)}`);
  });
});

describe('toDicomSeg', () => {
  it('gives the mask back, pixel by pixel', () => {
    const { set } = read(files['a segmentation']());
    const { width, height, data } = samples.mask;
    assert.deepEqual([set.Columns, set.Rows, set.NumberOfFrames, set.BitsAllocated], [width, height, 1, 1]);
    assert.equal(set.SegmentationType, 'BINARY');
    const bits = BitArray.unpack(new Uint8Array(set.PixelData[0] ?? set.PixelData));
    assert.deepEqual(
      Array.from(bits.subarray(0, width * height)),
      Array.from(data, (value) => (value ? 255 : 0)),
    );
  });

  it('has one segment of retinal vessels on one side', () => {
    const segment = one(read(files['a segmentation']()).set.SegmentSequence);
    assert.equal(segment.SegmentNumber, 1);
    assert.equal(segment.SegmentAlgorithmType, 'AUTOMATIC');
    assert.equal(meaning(segment.SegmentedPropertyTypeCodeSequence), 'Blood vessel');
    const region = one(segment.AnatomicRegionSequence);
    assert.deepEqual([region.CodeValue, region.CodeMeaning], ['5665001', 'Retina']);
    assert.equal(meaning(region.AnatomicRegionModifierSequence), 'Left');
  });

  it('refers to its source, and stands in the same study', () => {
    const { set } = read(files['a segmentation']());
    assert.equal(set.StudyInstanceUID, samples.dicom.studyInstanceUid);
    assert.notEqual(set.SeriesInstanceUID, samples.dicom.seriesInstanceUid);
    const series = one(set.ReferencedSeriesSequence);
    assert.equal(series.SeriesInstanceUID, samples.dicom.seriesInstanceUid);
    assert.equal(one(series.ReferencedInstanceSequence).ReferencedSOPInstanceUID, samples.dicom.sopInstanceUid);
    const groups = one(set.SharedFunctionalGroupsSequence);
    const image = one(one(groups.DerivationImageSequence).SourceImageSequence);
    assert.equal(image.ReferencedSOPInstanceUID, samples.dicom.sopInstanceUid);
    assert.deepEqual(one(groups.PixelMeasuresSequence).PixelSpacing, [0.008, 0.008]);
  });

  it('stands alone without a source and without a scale', () => {
    const { set } = read(files['a segmentation without a source']());
    assert.match(set.StudyInstanceUID, /^2\.25\.\d+$/);
    assert.equal(set.ReferencedSeriesSequence, undefined);
    assert.equal(one(set.SharedFunctionalGroupsSequence).PixelMeasuresSequence, undefined);
  });

  it('makes its names of the id: the same again, others for another', () => {
    const uid = (id) => read(toDicomSeg(samples.vessels(), { id, created: '2026-05-04T09:32:00Z' })).set.SOPInstanceUID;
    assert.equal(uid(samples.id), uid(samples.id.toUpperCase()));
    assert.notEqual(uid(samples.id), uid(samples.id.replace('3301', '3302')));
    assert.notEqual(uid(samples.id), read(files['a report of a retina']()).set.SOPInstanceUID);
  });

  it('refuses what it cannot write', () => {
    const { mask } = samples;
    for (const [args, message] of [
      [[{ mask: { ...mask, width: 36 } }], /toDicomSeg: result\.mask\.data must have 36 x 23 samples, not 851/],
      [[{ mask: { ...mask, width: 70_000 } }], /result\.mask\.width must be 1 to 65535, not 70000/],
      [[{}], /result\.mask must be an object, not undefined/],
      [[{ mask }, { source: { ...samples.dicom, sopInstanceUid: 'a' } }], /source\.sopInstanceUid must be a DICOM UID/],
      [[{ mask }, { laterality: 'R' }], /laterality must be 'left' or 'right', not 'R'/],
      [[{ mask }, { id: 'x' }], /id must be a UUID/],
    ])
      assert.throws(() => toDicomSeg(...args), { code: 'invalid-argument', message });
  });
});

describe('the identity of a DICOM source', () => {
  const header = [
    [0x00080005, 'CS', 'ISO_IR 192'],
    [0x00080018, 'UI', '1.2.3.1'],
    [0x00080020, 'DA', '20260504'],
    [0x00080022, 'DA', '20260504'],
    [0x00080030, 'TM', '101500'],
    [0x00080032, 'TM', '101730.5'],
    [0x00080050, 'SH', 'A7'],
    [0x00080070, 'LO', 'Maker'],
    [0x00080090, 'PN', 'Arzt^Ödön'],
    [0x00080201, 'SH', '+0230'],
    [0x00081030, 'LO', 'Fundus'],
    [0x00081090, 'LO', 'Camera 3'],
    [0x00100010, 'PN', 'Yamada^Tarou=山田^太郎'],
    [0x00100020, 'LO', '42-ß'],
    [0x00100021, 'LO', 'Clinic'],
    [0x00100030, 'DA', '19800229'],
    [0x00100040, 'CS', 'F'],
    [0x00101010, 'AS', '046Y'],
    [0x00181000, 'LO', 'SN9'],
    [0x0020000d, 'UI', '1.2.3.2'],
    [0x0020000e, 'UI', '1.2.3.3'],
    [0x00200010, 'SH', 'S1'],
    [0x00200011, 'IS', '8001'],
    [0x00200062, 'CS', 'L'],
    [0x00280030, 'DS', '0.008\\0.008'],
  ];
  const photograph = async (further = [], syntax = undefined) => {
    const size = [samples.mask.width, samples.mask.height];
    const utf8 = (text) => {
      const bytes = new TextEncoder().encode(text);
      return Uint8Array.from({ length: bytes.length + (bytes.length % 2) }, (_, i) => bytes[i] ?? 32);
    };
    const encoded = ([tag, vr, value]) => [tag, vr, typeof value === 'string' && vr !== 'UI' ? utf8(value) : value];
    const replaced = new Map([...header, ...further].map((element) => [element[0], encoded(element)]));
    const elements = writer.pictureElements(
      ...size,
      {},
      [...replaced.values()].filter(([, , value]) => value !== null),
    );
    return readImage(await writer.dicomFile({ elements, syntax, pixels: new Uint8Array(size[0] * size[1] + 1) }));
  };
  const result = (dicom) => ({ ...samples.vessels(), dicom });
  const copied = [
    ...['PatientName', 'PatientID', 'IssuerOfPatientID', 'PatientBirthDate', 'PatientSex', 'PatientAge', 'StudyDate'],
    ...['StudyTime', 'StudyID', 'StudyDescription', 'StudyInstanceUID', 'AccessionNumber', 'ReferringPhysicianName'],
    'TimezoneOffsetFromUTC',
  ];
  const both = (dicom) => [
    toDicomSeg(result(dicom), { created: '2026-05-04T23:32:00Z' }),
    toDicomSr(createReport({ ...samples.retinaInput(), laterality: null, source: {}, result: result(dicom) })),
  ];

  it('is read from the header', async () => {
    const { dicom } = await photograph();
    assert.equal(dicom.patient.name, 'Yamada^Tarou=山田^太郎');
    assert.deepEqual(dicom.device, { manufacturer: 'Maker', model: 'Camera 3', serial: 'SN9' });
    assert.deepEqual(dicom.acquired, { date: '20260504', time: '101730.5' });
    assert.deepEqual([dicom.laterality, dicom.seriesNumber, dicom.modality], ['left', 8001, 'OP']);
    assert.equal(dicom.lossy, undefined);
    assert.equal((await photograph([[0x00080018, 'UI', null]])).dicom, undefined);
  });

  for (const syntax of ['explicit', 'implicit', 'bigEndian', 'deflated'])
    it(`is copied whole into SEG and SR: ${syntax}`, async () => {
      const { dicom } = await photograph([], writer.syntaxes[syntax]);
      const wanted = Object.fromEntries(header.map(([tag, , value]) => [tag.toString(16).padStart(8, '0'), value]));
      for (const bytes of both(dicom)) {
        const { set, dict } = read(bytes);
        for (const name of copied) {
          const tag = DicomMetaDictionary.unpunctuateTag(DicomMetaDictionary.nameMap[name].tag);
          const [value] = dict[tag].Value;
          const text = value.Alphabetic ? Object.values(value).join('=') : String(value);
          assert.equal(text, wanted[tag.toLowerCase()], name);
        }
        assert.notEqual(Number(set.SeriesNumber), 8001);
        assert.notEqual(set.SeriesInstanceUID, '1.2.3.3');
      }
      const { set } = read(both(dicom)[0]);
      assert.deepEqual([set.ContentDate, set.ContentTime], ['20260505', '020200.000'], 'in the zone of the source');
      assert.equal(
        meaning(one(one(set.SegmentSequence).AnatomicRegionSequence).AnatomicRegionModifierSequence),
        'Left',
      );
    });

  it('decodes the character set of the header, or refuses to name a patient', async () => {
    const latin = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const of = async (set, name) =>
      photograph([
        [0x00080005, 'CS', set],
        [0x00080090, 'PN', null],
        [0x00100010, 'PN', latin(name)],
        [0x00100020, 'LO', '42'],
      ]);
    assert.equal((await of('ISO_IR 100', 'M\xfcller^\xc4nne ')).dicom.patient.name, 'Müller^Änne');
    assert.equal((await of('ISO_IR 144', '\xbb\xee\xda^')).dicom.patient.name, 'Люк^');
    for (const set of ['ISO 2022 IR 87', 'NONE']) {
      const { dicom, notes } = await of(set, 'M\xfcller');
      assert.equal(dicom, undefined);
      assert.match(notes.join(), /character set that is not supported/);
    }
  });

  it('keeps spaces before an id, and says how names were removed', async () => {
    const of = async (elements) => (await photograph(elements)).dicom.patient;
    const spaced = await of([[0x00100020, 'LO', ' 0007']]);
    assert.equal(spaced.id, ' 0007');
    const { dicom } = await photograph([[0x00100020, 'LO', ' 0007']]);
    assert.ok(Buffer.from(toDicomSeg(result(dicom))).includes('LO\x06\0 0007 '));
    const removed = [0x00120062, 'CS', 'YES'];
    assert.equal((await of([removed, [0x00120063, 'LO', 'By hand']])).removalMethod, 'By hand');
    const codes = [[0x00080100, 'SH', '113100'], [0x00080104, 'LO', 'Basic Profile']]; // prettier-ignore
    assert.equal((await of([removed, [0x00120064, 'SQ', [codes]]])).removalMethod, 'Basic Profile');
    assert.equal((await of([removed])).removalMethod, 'not named by the source');
    assert.equal((await of([])).removalMethod, undefined);
  });

  it('says what compression has cost', async () => {
    const { dicom } = await photograph([
      [0x00282110, 'CS', '01'],
      [0x00282112, 'DS', '12.5'],
      [0x00282114, 'CS', 'ISO_10918_1'],
    ]);
    const { set } = read(both(dicom)[0]);
    assert.deepEqual(
      [set.LossyImageCompression, Number(one(set.LossyImageCompressionRatio)), one(set.LossyImageCompressionMethod)],
      ['01', 12.5, 'ISO_10918_1'],
    );
    assert.equal(read(both((await photograph()).dicom)[0]).set.LossyImageCompression, '00');
  });

  it('is required, and must be the one that the caller names', async () => {
    const { dicom } = await photograph();
    const { patient, ...rest } = dicom;
    assert.ok(patient);
    const report = (more) => createReport({ ...samples.retinaInput(), laterality: 'left', source: { dicom }, ...more });
    for (const [make, message] of [
      [() => toDicomSeg(samples.vessels(), { source: rest }), /source\.patient is missing, so a PACS/],
      [() => toDicomSr(report({ source: { dicom: rest } })), /source\.patient is missing, so a PACS/],
      [() => toDicomSr(report({ dicomPatient: { id: '43' } })), /dicomPatient\.id differs from the header/],
      [() => toDicomSeg(result(dicom), { patient: { name: 'Other' } }), /dicomPatient\.name differs from the header/],
      [() => report({ laterality: 'right' }), /laterality must match the header of the source/],
      [
        () => toDicomSeg({ ...samples.vessels() }, { source: { ...dicom, patient: { id: 'x'.repeat(65) } } }),
        /at most 64/,
      ],
    ])
      assert.throws(make, (error) => {
        assert.match(error.message, message);
        assert.ok(!/42-ß|Yamada|山田/.test(error.message), 'no patient in a message');
        return error.code === 'invalid-argument';
      });
  });

  it('says that someone corrected the vessels', () => {
    const type = (corrections) =>
      one(read(toDicomSeg(samples.vessels(), { corrections })).set.SegmentSequence).SegmentAlgorithmType;
    assert.equal(type([{ action: 'erase' }]), 'SEMIAUTOMATIC');
    assert.equal(type([{ action: 'fovea' }]), 'AUTOMATIC');
  });
});

describe('segments of a retina', () => {
  const { width, height } = samples.mask;
  const line = (points) => ({
    points: Float32Array.from(points),
    widths: new Float32Array(points.length / 2).fill(1),
    length: 9,
  });
  /** The row, the diagonal below it, and the right border, as in the mask. */
  const result = () => ({
    ...samples.vessels(),
    segments: [
      line(Array.from({ length: width - 1 }, (_, x) => [x, 11]).flat()),
      line(Array.from({ length: 11 }, (_, k) => [12 + k, 12 + k]).flat()),
      line(Array.from({ length: height }, (_, y) => [width - 1, y]).flat()),
    ],
  });
  const vessels = [
    { segment: 0, kind: 'artery' },
    { segment: 1, kind: 'vein' },
    { segment: 2, kind: null },
  ];
  const retina = { disc: { x: 10, y: 6, radius: 4 }, fovea: { x: 30, y: 7 }, zone: { vessels } };
  const segmented = (options) => {
    const { set } = read(toDicomSeg(result(), { retina, ...options }));
    const bits = BitArray.unpack(new Uint8Array(set.PixelData[0] ?? set.PixelData));
    const size = width * height;
    return list(set.SegmentSequence).map((segment, k) => ({
      label: segment.SegmentLabel,
      type: segment.SegmentAlgorithmType,
      named: segment.SegmentAlgorithmName !== undefined,
      code: one(segment.SegmentedPropertyTypeCodeSequence).CodeValue,
      number: segment.SegmentNumber,
      frame: list(set.PerFrameFunctionalGroupsSequence)[k],
      at: (x, y) => bits[k * size + y * width + x] > 0,
      area: bits.subarray(k * size, (k + 1) * size).reduce((sum, bit) => sum + Number(bit > 0), 0),
    }));
  };

  it('are the vessels, arteries, veins, disc and fovea, each with its code and frame', () => {
    const segments = segmented({});
    assert.deepEqual(
      segments.map(({ label, code }) => [label, code]),
      [
        ['Retinal vessels', '59820001'],
        ['Retinal arteries', '51114001'],
        ['Retinal veins', '29092000'],
        ['Optic disc', '81016008'],
        ['Fovea', '67046006'],
      ],
    );
    segments.forEach(({ number, frame }, k) => {
      assert.equal(number, k + 1);
      assert.equal(one(frame.SegmentIdentificationSequence).ReferencedSegmentNumber, k + 1);
      assert.equal(one(frame.FrameContentSequence).DimensionIndexValues, k + 1);
    });
    const [all, artery, vein, disc, fovea] = segments;
    assert.deepEqual([artery.at(20, 11), artery.at(20, 20), artery.at(36, 2)], [true, false, false]);
    assert.deepEqual([vein.at(20, 11), vein.at(20, 20), vein.at(36, 2)], [false, true, false]);
    assert.ok(artery.area + vein.area < all.area);
    assert.ok(Math.abs(disc.area - Math.PI * 16) < 4, `${disc.area} pixels`);
    assert.deepEqual([disc.at(10, 6), fovea.at(30, 7), fovea.at(34, 7)], [true, true, false]);
  });

  it('say what was made by hand', () => {
    const types = (...actions) =>
      segmented({ corrections: actions.map((action) => ({ action })) }).map(({ type }) => type);
    const [auto, semi, manual] = ['AUTOMATIC', 'SEMIAUTOMATIC', 'MANUAL'];
    assert.deepEqual(types(), [auto, auto, auto, auto, auto]);
    assert.deepEqual(types('kind'), [auto, semi, semi, auto, auto]);
    assert.deepEqual(types('cut', 'disc'), [semi, semi, semi, manual, auto]);
    const [, , , disc, fovea] = segmented({ corrections: [{ action: 'fovea' }] });
    assert.deepEqual([disc.named, fovea.named], [true, false]);
  });

  it('are left out if they were not found, and refused if they do not fit', () => {
    const labels = (given) => segmented({ retina: given }).map(({ label }) => label);
    assert.deepEqual(labels({ disc: null, fovea: null, zone: null }), ['Retinal vessels']);
    const both = [...vessels, { segment: 1, kind: 'artery' }];
    assert.deepEqual(labels({ zone: { vessels: both } }), ['Retinal vessels', 'Retinal arteries']);
    const other = { zone: { vessels: [{ segment: 3, kind: 'vein' }] } };
    assert.throws(() => segmented({ retina: other }), /vessels\[0\]\.segment must be one of the 3 segments/);
    assert.throws(() => segmented({ retina: { disc: { x: 99, y: 1, radius: 3 } } }), /retina\.disc\.x must be/);
  });

  it('refer to the frame of a source with several', () => {
    const source = { ...samples.dicom, frame: 2 };
    const { set } = read(toDicomSeg(result(), { retina, source }));
    const groups = one(set.SharedFunctionalGroupsSequence);
    const image = one(one(groups.DerivationImageSequence).SourceImageSequence);
    assert.equal(Number(image.ReferencedFrameNumber), 2);
  });
});

describe('toDicomSr', () => {
  const items = (container, name) =>
    list(container.ContentSequence).filter((item) => meaning(item.ConceptNameCodeSequence) === name);
  const groupsOf = (set) => list(items(set, 'Imaging Measurements')[0].ContentSequence);
  const numbers = (group) =>
    Object.fromEntries(
      list(group.ContentSequence)
        .filter(({ ValueType }) => ValueType === 'NUM')
        .map(({ ConceptNameCodeSequence, MeasuredValueSequence }) => {
          const value = one(MeasuredValueSequence);
          const known = value && value.NumericValue !== undefined;
          return [
            meaning(ConceptNameCodeSequence),
            known ? [Number(value.NumericValue), one(value.MeasurementUnitsCodeSequence).CodeValue] : null,
          ];
        }),
    );

  it('is a measurement report by TID 1500, unverified', () => {
    const { set } = read(files['a report of pupils']());
    assert.equal(meaning(set.ConceptNameCodeSequence), 'Imaging Measurement Report');
    assert.equal(one(set.ContentTemplateSequence).TemplateIdentifier, '1500');
    assert.deepEqual([set.Modality, set.VerificationFlag], ['SR', 'UNVERIFIED']);
    assert.equal(set.ContentDate + set.ContentTime + set.TimezoneOffsetFromUTC, '20260504093200.000+0000');
    assert.deepEqual([set.StudyDate, set.StudyTime], ['20260504', '093000.000']);
  });

  it('has a group for each eye and its numbers with their units', () => {
    const groups = groupsOf(read(files['a report of pupils']()).set);
    assert.equal(groups.length, 6);
    const sides = groups.map((group) => {
      const [site] = items(group, 'Finding Site');
      return meaning(one(site.ContentSequence).ConceptCodeSequence);
    });
    assert.deepEqual(sides, ['Left', 'Left', 'Left', 'Right', 'Right', 'Right and left']);
    const values = numbers(groups[0]);
    assert.deepEqual(values['Minimum diameter'], [4, 'mm']);
    assert.deepEqual(values['Peak constriction velocity'], [4.488, 'mm/s']);
    assert.deepEqual(values['Constriction latency'], [200, 'ms']);
    assert.equal(values['75 % recovery time'], null);
    const uids = groups.map((group) => items(group, 'Tracking Unique Identifier')[0].UID);
    assert.equal(new Set(uids).size, 6);
  });

  it('refers to the segment of the vessels', () => {
    const report = createReport(samples.retinaInput());
    const { set } = read(toDicomSr(report, { segmentation: true }));
    const seg = read(files['a segmentation']()).set;
    const [image] = items(groupsOf(set)[0], 'Referenced Segment');
    const reference = one(image.ReferencedSOPSequence);
    assert.deepEqual([reference.ReferencedSOPInstanceUID, reference.ReferencedSegmentNumber], [seg.SOPInstanceUID, 1]);
    const series = list(one(set.CurrentRequestedProcedureEvidenceSequence).ReferencedSeriesSequence);
    assert.deepEqual(
      series.map(({ SeriesInstanceUID }) => SeriesInstanceUID),
      [samples.dicom.seriesInstanceUid, seg.SeriesInstanceUID],
    );
    assert.deepEqual(items(groupsOf(read(toDicomSr(report)).set)[0], 'Referenced Segment'), []);
    assert.throws(() => toDicomSr(createReport(samples.pupilInput()), { segmentation: true }), /must be false for/);
  });

  it('has the measures of retinalMeasures, each with its unit', () => {
    const quarters = { superior: 0.1, inferior: 0.2, nasal: null, temporal: 0.25 };
    const retina = {
      ...{
        disc: { x: 10, y: 11, radius: 3 },
        fovea: { x: 20, y: 12 },
        tortuosity: { arcOverChord: 1.2 },
        fractal: null,
      },
      zone: { crae: { pixels: 18, micrometres: 144 }, crve: { pixels: 27, micrometres: 216 }, avr: 0.667 },
      branching: { angle: 1.31, areaRatio: 1.2, asymmetry: 0.6, exponent: 2.8 },
      ...{ density: { disc: quarters, fovea: null }, warnings: ['A warning of the measures.'] },
    };
    const report = createReport({ ...samples.retinaInput(), vessels: undefined, retina });
    const values = numbers(groupsOf(read(toDicomSr(report)).set)[0]);
    assert.deepEqual(values['Branching angle'], [1.31, 'rad']);
    assert.deepEqual(values['Vessel density, disc, temporal'], [25, '%']);
    assert.equal('Vessel density, disc, nasal' in values, false);
    assert.deepEqual(values['Optic disc, radius'], [3, '{pixels}']);
    assert.deepEqual(values['Central retinal artery equivalent (CRAE)'], [144, 'um']);
    assert.ok(report.warnings.includes('A warning of the measures.'));
    const unknown = () => createReport({ ...samples.retinaInput(), vessels: { cupToDisc: 0.3 } });
    assert.throws(unknown, { code: 'invalid-argument', message: /vessels\.cupToDisc is not a known measure/ });
  });

  it('never says millimetres of pixels', () => {
    const { set } = read(files['a report in pixels']());
    assert.deepEqual(numbers(groupsOf(set)[0])['Minimum diameter'], [80, '{pixels}']);
    assert.ok(items(set, 'Comment').some(({ TextValue }) => /No calibration: lengths are in pixels/.test(TextValue)));
  });

  it('names the photograph, the software, its version and its parameters', () => {
    const { set } = read(files['a report of a retina']());
    const study = one(set.CurrentRequestedProcedureEvidenceSequence);
    assert.equal(study.StudyInstanceUID, samples.dicom.studyInstanceUid);
    assert.equal(set.StudyInstanceUID, samples.dicom.studyInstanceUid);
    const library = one(items(set, 'Image Library')[0].ContentSequence);
    assert.equal(
      one(one(library.ContentSequence).ReferencedSOPSequence).ReferencedSOPInstanceUID,
      samples.dicom.sopInstanceUid,
    );
    const [group] = groupsOf(set);
    const text = (name) => items(group, name).map(({ TextValue }) => TextValue);
    assert.deepEqual(text('Algorithm Name'), ['foveola']);
    assert.match(text('Algorithm Version')[0], /^\d+\.\d+\.\d+$/);
    assert.ok(text('Algorithm Parameters').includes('smooth={"cutoff":1.5}'));
    assert.deepEqual(numbers(group)['Fractal Dimension'], [1.45, '1']);
    assert.deepEqual(numbers(group)['Central retinal artery equivalent (CRAE)'], [150.3, 'um']);
  });

  it('has the patient that the portal gives, and none else', () => {
    const dicomPatient = { name: 'Müller^Änne', id: '42', birthDate: '19800229', sex: 'F' };
    const { set } = read(toDicomSr(createReport({ ...samples.pupilInput(), dicomPatient })));
    assert.equal(JSON.stringify(set.PatientName).includes('Müller^Änne'), true);
    assert.deepEqual([set.PatientID, set.PatientBirthDate, set.PatientSex], ['42', '19800229', 'F']);
    const { dict } = read(files['a report of pupils']());
    for (const tag of ['00100010', '00100020', '00100030', '00100040'])
      assert.ok(!dict[tag].Value?.length || one(dict[tag].Value) === '', `${tag} ${JSON.stringify(dict[tag])}`);
  });
});
