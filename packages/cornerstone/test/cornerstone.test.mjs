// A drawn photograph as labelmap, SEG and SR, and the modules of the extension as OHIF calls them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import dcmjs from 'dcmjs';
import { importTs } from '../../../tools/import-ts.mjs';

const {
  createEngine,
  foveolaExtension,
  labelmapOf,
  photograph,
  segmentNames,
  showLabelmap,
  toDicomSeg,
  vesselSegmentation,
} = await importTs('packages/cornerstone/test/load.ts');
const { DicomMessage, DicomMetaDictionary } = dcmjs.data;
dcmjs.log.setLevel('error');

const read = ({ buffer, byteOffset, length }) =>
  DicomMetaDictionary.naturalizeDataset(DicomMessage.readFile(buffer.slice(byteOffset, byteOffset + length)).dict);

/** Cornerstone3D, as far as the package calls it. */
function cornerstone(columns, rows) {
  const calls = [];
  const scalarData = new Uint8Array(columns * rows);
  const note =
    (name) =>
    (...given) =>
      void calls.push([name, ...given]);
  return {
    ...{ calls, scalarData },
    core: {
      imageLoader: {
        createAndCacheDerivedLabelmapImage: (from) => ({
          ...{ imageId: `derived:${from}`, columns, rows, voxelManager: { getScalarData: () => scalarData } },
        }),
      },
    },
    tools: {
      segmentation: {
        ...{ addSegmentations: note('add'), addLabelmapRepresentationToViewport: note('show') },
        config: { color: { setSegmentIndexColor: note('color') } },
      },
    },
  };
}

describe('@foveola/cornerstone', () => {
  let engine;
  let file;
  let result;
  before(async () => {
    engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 });
    file = await photograph();
    result = await vesselSegmentation(engine, file);
  });
  after(() => engine.dispose());

  it('makes a labelmap of the segments, and measures them', () => {
    const { labelmap, measures, vessels, report } = result;
    assert.deepEqual([labelmap.columns, labelmap.rows, labelmap.scalarData.length], [320, 320, 320 * 320]);
    assert.deepEqual(
      labelmap.segments.map(({ value, label }) => segmentNames[value] === label && value),
      [1, 2, 3, 4],
    );
    const { data } = vessels.mask;
    assert.ok(data.every((inside, i) => !inside || [1, 2, 3].includes(labelmap.scalarData[i])));
    assert.equal(labelmap.scalarData[150 * 320 + 110], 4);
    assert.ok(Math.hypot(measures.disc.x - 100, measures.disc.y - 160) < 5);
    assert.deepEqual(vessels.scale, { micrometresPerPixel: 20, from: 'file' });
    assert.deepEqual([report.laterality, report.started], ['right', '2026-05-04T07:30:00.000Z']);
  });

  it('writes a segmentation and a report into the study of the photograph', () => {
    const [seg, sr] = [read(result.seg), read(result.sr)];
    for (const one of [seg, sr]) assert.deepEqual([one.StudyInstanceUID, one.PatientID], ['1.2.3.1', '7']);
    assert.deepEqual([seg.Modality, sr.Modality], ['SEG', 'SR']);
    assert.ok(JSON.stringify(sr).includes(seg.SOPInstanceUID));
  });

  it('has the vessels above the disc and the fovea in a labelmap', () => {
    const line = { points: Float32Array.of(0, 2, 1, 2), widths: new Float32Array(2).fill(1), length: 2 };
    const data = Uint8Array.from({ length: 20 * 5 }, (_, i) => (i === 40 || i === 41 ? 255 : 0));
    const zone = { vessels: [{ segment: 0, kind: 'vein' }] };
    const seg = toDicomSeg(
      { mask: { width: 20, height: 5, data }, segments: [line] },
      { retina: { disc: { x: 1, y: 2, radius: 2 }, fovea: { x: 15, y: 2 }, zone } },
    );
    const { scalarData, segments } = labelmapOf(seg);
    assert.deepEqual(
      [40, 41, 42, 55].map((i) => scalarData[i]),
      [3, 3, 4, 5],
    );
    assert.deepEqual(
      segments.map(({ value }) => value),
      [1, 3, 4, 5],
    );
    assert.throws(() => labelmapOf(file), /not a Segmentation of foveola/);
  });

  it('shows the labelmap in a viewport', () => {
    const { calls, scalarData, ...modules } = cornerstone(320, 320);
    const id = showLabelmap(modules, result.labelmap, { imageId: 'a', viewportId: 'b' });
    assert.deepEqual(scalarData, result.labelmap.scalarData);
    const [[, [added]], [, viewport, [shown]]] = calls;
    assert.deepEqual(added.representation, { type: 'Labelmap', data: { imageIds: ['derived:a'] } });
    assert.equal(added.config.segments[4].label, 'Optic disc');
    assert.deepEqual([viewport, shown.segmentationId, shown.type, id], ['b', 'foveola:a', 'Labelmap', 'foveola:a']);
    const other = cornerstone(10, 10);
    assert.throws(() => showLabelmap(other, result.labelmap, { imageId: 'a', viewportId: 'b' }), /320 x 320.*10 x 10/);
  });
});

describe('the extension of OHIF', () => {
  const instance = {
    ...{ StudyInstanceUID: '1.2.3.1', SeriesInstanceUID: '1.2.3.2', SOPInstanceUID: '1.2.3.4' },
    SOPClassUID: '1.2.840.10008.5.1.4.1.1.77.1.5.1',
  };
  const element = (type, props, ...children) => ({ type, props, children });

  /** OHIF with one photograph in its active viewport. */
  function ohif(set = { images: [instance] }) {
    const asked = [];
    const source = {
      retrieve: {
        getWadoDicomWebClient: () => ({
          retrieveInstance: async (about) => {
            asked.push(about);
            return (await photograph()).buffer;
          },
        }),
      },
      getImageIdsForDisplaySet: () => ['wadors:1'],
    };
    const stack = { getDisplaySetsFromSeries: (images) => [{ images }] };
    const viewports = new Map([['v', { displaySetInstanceUIDs: ['s'] }]]);
    const params = {
      extensionManager: {
        getActiveDataSource: () => [source],
        getModuleEntry: (name) => (name === '@ohif/extension-default.sopClassHandlerModule.stack' ? stack : undefined),
      },
      servicesManager: {
        services: {
          viewportGridService: { getState: () => ({ activeViewportId: 'v', viewports }) },
          displaySetService: { getDisplaySetByUID: () => set },
        },
      },
    };
    const modules = cornerstone(320, 320);
    const results = [];
    const extension = foveolaExtension({
      ...{ core: modules.core, tools: modules.tools, createElement: element },
      createEngine: () => createEngine({ worker: false, backend: 'wasm', threads: 1 }),
      onResult: (result) => results.push(result),
    });
    const { definitions } = extension.getCommandsModule(params);
    params.commandsManager = { runCommand: (name) => definitions[name].commandFn({}) };
    return { asked, calls: modules.calls, extension, params, results };
  }

  it('makes a display set of each photograph', () => {
    const { extension, params } = ohif();
    assert.equal(extension.id, '@foveola/cornerstone');
    const [{ name, sopClassUids, getDisplaySetsFromSeries }] = extension.getSopClassHandlerModule(params);
    assert.deepEqual(sopClassUids, ['1.2.840.10008.5.1.4.1.1.77.1.5.1', '1.2.840.10008.5.1.4.1.1.77.1.5.2']);
    const other = { ...instance, SOPInstanceUID: '1.2.3.5' };
    assert.deepEqual(getDisplaySetsFromSeries([instance, other]), [
      { images: [instance], SOPClassHandlerId: `@foveola/cornerstone.sopClassHandlerModule.${name}` },
      { images: [other], SOPClassHandlerId: `@foveola/cornerstone.sopClassHandlerModule.${name}` },
    ]);
  });

  it('finds the vessels of the active viewport from its panel', async () => {
    const { asked, calls, extension, params, results } = ohif();
    const [panel] = extension.getPanelModule(params);
    assert.deepEqual([panel.name, panel.label], ['vessels', 'Vessels']);
    const [button, , output] = panel.component().children;
    const node = { textContent: '' };
    output.props.ref(node);
    await button.props.onClick();
    const { StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID } = instance;
    assert.deepEqual(asked, [
      {
        ...{ studyInstanceUID: StudyInstanceUID, seriesInstanceUID: SeriesInstanceUID },
        sopInstanceUID: SOPInstanceUID,
      },
    ]);
    assert.deepEqual(
      calls.map(([name, , , segment]) => (name === 'color' ? segment : name)),
      ['add', 'show', 1, 2, 3, 4],
    );
    assert.equal(calls[1][1], 'v');
    assert.match(node.textContent, /vessel/);
    assert.equal(results.length, 1);
  });

  it('says so where there is no photograph', async () => {
    const { extension, params } = ohif({ images: [{ ...instance, SOPClassUID: '1.2.3' }] });
    const { commandFn } = extension.getCommandsModule(params).definitions.foveolaFindVessels;
    await assert.rejects(commandFn(), /does not show an ophthalmic photograph/);
    const [button, , output] = extension.getPanelModule(params)[0].component().children;
    const node = { textContent: '' };
    output.props.ref(node);
    await button.props.onClick();
    assert.match(node.textContent, /does not show/);
  });
});
