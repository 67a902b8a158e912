import { createReport, FoveolaError, toHtml, visitTrends, type VisitTrend } from '../../../src/index.ts';
import type { PupilTestResult } from '../test-record.ts';

const reportOf = (result: PupilTestResult, millimetresPerPixel: number | null) =>
  createReport({
    kind: 'pupil',
    result,
    calibration: result.unit === 'mm' && millimetresPerPixel ? { millimetresPerPixel } : null,
  });

/** A test as a page to print. */
export const printedTest = (result: PupilTestResult, millimetresPerPixel: number | null): string =>
  toHtml(reportOf(result, millimetresPerPixel));

/** Reads a test as saved by `exportJson`. Throws 'invalid-argument' for anything else. */
export function savedTest(text: string): PupilTestResult {
  const refuse = (cause?: unknown) =>
    new FoveolaError('invalid-argument', 'This is not a saved pupil test. Open a file of "Test as JSON".', { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse(cause);
  }
  const test = value as PupilTestResult | null;
  if (test?.software !== 'foveola' || !test.protocol?.id || !Array.isArray(test.measures?.series)) throw refuse();
  return test;
}

/** Two tests of one protocol, value by value. Throws 'invalid-argument' if they cannot be compared. */
export function comparedTests(
  [before, after]: readonly [PupilTestResult, PupilTestResult],
  millimetresPerPixel: number | null,
): VisitTrend[] {
  return visitTrends([before, after].map((one) => reportOf(one, millimetresPerPixel)));
}
