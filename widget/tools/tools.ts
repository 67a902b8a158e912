/** tools.js: panels that open with a click, and the export writers. */
export { toCsv, toJson, toPupilCsv, toPupilJson } from '../../src/index.ts';
export { analyse } from '../parts/analysis.ts';
export { sha256 } from '../base/page.ts';
export { PupilPanel } from '../pupil/panel.ts';
export { cameraSettings } from './camera-settings.ts';
export { exportedCsv, exportedJson, exportedMask, exportedOverlay, exportHeader } from '../vessels/export.ts';
export { later } from '../strings/later.en.ts';
export { exportQuestion } from './export-question.ts';
export { helpPanel } from './help.ts';
export { settingsPanel } from './settings-panel.ts';
export { toolStyles } from './tools.style.ts';
