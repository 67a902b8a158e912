// Changes that a test has to notice, ten and more for each capability (tools/mutations/): tools/mutate.mjs applies them.
// Each names the file, what stands there once, what is put in its place, and the tests that are run: 'parity <part of the
// names of stages>' (test/parity, those alone), files of the browser's tests, files of Node's; there after ' # ' words of a
// test's name.
import edges from './mutations/edges.mjs';
import faces from './mutations/faces.mjs';
import flow from './mutations/flow.mjs';
import image from './mutations/image.mjs';
import inpaint from './mutations/inpaint.mjs';
import objects from './mutations/objects.mjs';
import pupil from './mutations/pupil.mjs';
import series from './mutations/series.mjs';
import runtime from './mutations/runtime.mjs';
import vessels from './mutations/vessels.mjs';

const change = (capability, file, from, to, ...tests) => ({ capability, file, from, to, tests });

export const mutations = Object.entries({
  image,
  edges,
  flow,
  inpaint,
  faces,
  pupil,
  vessels,
  objects,
  series,
  runtime,
}).flatMap(([capability, list]) =>
  list.map(([file, from, to, ...tests]) => change(capability, file, from, to, ...tests)),
);
