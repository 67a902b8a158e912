export { readModel, type FaceModel } from './model.ts';
export { drawFraming, grayOf, Renderer, type FaceRecord, type Framing, type Rendered } from './face.ts';
export { contour, labelsOf } from './labels.ts';
export { addPerson, Atlas } from './person.ts';
export { Mesh, turning } from './scene.ts';
export { drawSettings, type FaceSettings } from './settings.ts';
export { skinOf } from './look-settings.ts';
export { contactSheet, type Shown } from './sheet.ts';
