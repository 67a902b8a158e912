// A DICOM photograph in a stack viewport, and its vessels as a labelmap over it.
import * as core from '@cornerstonejs/core';
import * as tools from '@cornerstonejs/tools';
import { createEngine, readImage, reportCsv } from 'foveola';
import { showLabelmap, vesselSegmentation } from '@foveola/cornerstone';

const byId = (id) => document.getElementById(id);
const viewportId = 'photograph';
await core.init();
await tools.init();
const rendering = new core.RenderingEngine('foveola');
rendering.enableElement({ viewportId, element: byId('viewport'), type: core.Enums.ViewportType.STACK });
const engine = createEngine();
let count = 0;

/** The photograph as an image of Cornerstone3D. `@cornerstonejs/dicom-image-loader` would do the same. */
function asImage({ width, height, data }) {
  const size = width * height;
  const rgb = new Uint8Array(3 * size);
  const samples = data.length / size;
  for (let i = 0; i < size; i++)
    for (let k = 0; k < 3; k++) rgb[3 * i + k] = data[samples * i + (samples === 1 ? 0 : k)];
  const imageId = `photograph:${++count}`;
  const place = { dimensions: [width, height], spacing: [1, 1], targetBuffer: { type: 'Uint8Array' } };
  const image = core.imageLoader.createAndCacheLocalImage(imageId, {
    ...{ ...place, scalarData: rgb, origin: [0, 0, 0], direction: [1, 0, 0, 0, 1, 0], frameOfReferenceUID: imageId },
  });
  Object.assign(image, { numberOfComponents: 3, windowCenter: 128, windowWidth: 255 });
  Object.assign(core.metaData.get('imagePixelModule', imageId), { samplesPerPixel: 3, pixelRepresentation: 0 });
  core.utilities.genericMetadataProvider.add(imageId, { type: 'generalSeriesModule', metadata: { modality: 'OP' } });
  return imageId;
}

async function show(file) {
  const { image } = await readImage(file);
  const imageId = asImage(image);
  const viewport = rendering.getViewport(viewportId);
  await viewport.setStack([imageId]);
  viewport.render();
  const result = await vesselSegmentation(await engine, file);
  showLabelmap({ core, tools }, result.labelmap, { imageId, viewportId });
  byId('values').textContent = reportCsv(result.report);
  for (const name of ['seg', 'sr']) {
    byId(name).href = URL.createObjectURL(new Blob([result[name]], { type: 'application/dicom' }));
    byId(name).textContent = `Download ${name.toUpperCase()}`;
  }
}

byId('file').addEventListener('change', ({ target }) => {
  show(target.files[0]).catch((error) => (byId('values').textContent = error.message));
});
