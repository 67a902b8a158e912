import { createReport, toHtml } from '../../../src/index.ts';
import type { PupilTestResult } from '../test-record.ts';

/** A test as a page to print. */
export const printedTest = (result: PupilTestResult, millimetresPerPixel: number | null): string =>
  toHtml(
    createReport({
      kind: 'pupil',
      result,
      about: result.about ?? null,
      calibration: result.unit === 'mm' && millimetresPerPixel ? { millimetresPerPixel } : null,
    }),
  );
