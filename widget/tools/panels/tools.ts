/** tools.js: panels that open with a click, and the export writers. */
export { exportText } from '../../../src/index.ts';
export { correctTrack } from '../../track/correct-track.ts';
export { AnalysisRun } from '../analysis-run.ts';
export { sha256 } from '../../base/page.ts';
export { PupilPanel } from '../../pupil/panel.ts';
export { cameraSettings } from './panels.ts';
export {
  exportedCsv,
  exportedCsvJson,
  exportedJson,
  exportedMask,
  exportedOverlay,
  exportHeader,
} from '../../vessels/export.ts';
export { FrameHeight } from './frame-height.ts';
export { later } from '../../strings/later.en.ts';
export { LslStream } from '../lsl/stream.ts';
export { exportQuestion } from './panels.ts';
export { helpPanel } from './panels.ts';
export { menuPanel, openMenu } from './menu.ts';
export { moveInToolbar, oneStop } from './roving.ts';
export { summary } from './summary.ts';
export { settingsPanel } from './panels.ts';
export { toolStyles } from './tools.style.ts';
