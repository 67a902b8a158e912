/**
 * Exports for medical records: `foveola/reports`. Pure functions without an engine and without a page, so they also
 * work in workers and in Node. They are not part of `foveola` and of the CDN scripts. Pages that create reports load
 * them separately.
 */
export { createReport } from './create-report.ts';
export type { ReportInput } from './create-report.ts';
export type { RetinaInput, RetinaReportInput } from './retina-report.ts';
export type {
  AfferentDefectInput,
  AnisocoriaInput,
  AverageInput,
  DarkAdaptationInput,
  EyeInput,
  HippusInput,
  NearInput,
  NetPostIlluminationInput,
  PostIlluminationInput,
  PupilReportInput,
  ReflexInput,
  TaskInput,
  TestMeasuresInput,
  TestResultInput,
  UnrestInput,
} from './pupil-input.ts';
export type { QualityInput } from './report-base.ts';
export type {
  AfferentDefectReport,
  AnisocoriaReport,
  AverageReport,
  BlinkSpan,
  BlinkSummary,
  DarkAdaptationReport,
  DicomPatient,
  DicomSource,
  EyeReport,
  HippusReport,
  LightReflexValues,
  NearReport,
  NetPostIlluminationReport,
  NormRow,
  Norms,
  PostIlluminationReport,
  PupilReport,
  ReflexReport,
  Report,
  ReportSource,
  RetinaReport,
  SeriesSamples,
  SeriesSummary,
  Side,
  TaskReport,
  UnrestReport,
  VesselReport,
} from './report.ts';
export type { EventSpan, EyeEvent, EyeEventKind, Laterality } from '../results/types.ts';
export type { CodedConcept } from './measures.ts';
export { toFhir, type FhirOptions } from './fhir.ts';
export type * from './fhir-types.ts';
export { codeSystem, foveolaCodeSystem } from './groups.ts';
export { toDicomSeg, type DicomSegOptions } from './dicom-seg.ts';
export type { SegmentedRetina } from './retina-segments.ts';
export { toDicomSr, type DicomSrOptions } from './dicom-sr.ts';
export { bidsBytes, toBids, type BidsInput } from './bids.ts';
export type { BidsFile, BidsScreen, BidsStep } from './bids-events.ts';
export type { Norm } from './norms.ts';
export { toHtml, type HtmlOptions } from './html.ts';
export { toVisitsHtml, visitTrends, type Visit, type VisitTrend } from './visits.ts';
export { reportCsv, reportJson } from './report-files.ts';
export {
  PortalChannel,
  smartScratchpadCreate,
  type IgnoredMessages,
  type PortalChannelOptions,
  type PortalMessage,
  type PortalMessageType,
  type PortalPayloads,
  type PortalReceiver,
  type PortalTarget,
  type SmartMessage,
  type SmartResponse,
} from './portal-messages.ts';
export { FoveolaError } from '../runtime/error.ts';
