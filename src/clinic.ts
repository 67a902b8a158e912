/**
 * Features based on the measurements: tests of the pupil, their series, and the contents of a record. They need no
 * engine and no page.
 */
export { checkFlashRate, flashesInSecond } from './protocols/flash-rate.ts';
export { planOf, readProtocol, type PlannedStep, type Protocol, type ProtocolStep } from './protocols/protocol.ts';
export { ProtocolRun, type RunEvent, type RunState } from './protocols/protocol-run.ts';
export { protocolSchema } from './protocols/protocol-schema.ts';
export {
  QualityMeter,
  qualityLimits,
  type QualityFault,
  type RecordingQuality,
} from './protocols/recording-quality.ts';
export { protocols, type ProtocolName } from './protocols/shipped-protocols.ts';
export {
  evaluateTest,
  type FlashPostIllumination,
  type FlashReflex,
  type NetPostIllumination,
  type TaskResponse,
  type TestMeasures,
  type TestNearResponse,
} from './protocols/evaluate-test.ts';
export { readScreen, type Stimulus, type StimulusScreen } from './protocols/stimulus.ts';
export * from './series/index.ts';
