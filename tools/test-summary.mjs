// How test results are counted and said.

/** The closing line of every test run. */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

/** Counts of @web/test-runner's sessions. Its own reporter misses files that did not load. */
export function countSessions(sessions) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const session of sessions) {
    let [tests, failed] = [0, 0];
    const walk = (suite) => {
      for (const test of suite?.tests ?? []) {
        tests++;
        if (test.skipped) counts.skipped++;
        else if (test.passed) counts.passed++;
        else failed++;
      }
      suite?.suites?.forEach(walk);
    };
    walk(session.testResults);
    // A file that did not load, crashed, failed in a hook or has no test at all is one failure.
    if (!failed && (!session.passed || !tests)) failed = 1;
    counts.failed += failed;
  }
  return counts;
}

/** A ring that ends without counts, or with an exit code that its counts do not explain, has failed. */
export function judged(counts, code) {
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Exit code of a whole run: nothing ran is no success. A run of skipped tests only has not run anything. */
export const exitCode = ({ passed, failed }) => (failed || !passed ? 1 : 0);
