/** test-panels.js: protocol and devices before a test, and its result afterwards. */
export { listenToMidi, listenToSerial } from './devices.ts';
export { panelsCss } from './panels.style.ts';
export { printedTest, savedTest } from './report.ts';
export { setupView } from './setup.ts';
export { summary } from './summary.ts';
export { panelWords, testWords } from './words.ts';
