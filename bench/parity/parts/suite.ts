/**
 * The tests of test/parity as a page that needs no test runner: the words of mocha that they use, run one after the other.
 * Results lie in window.__result, and in the console on the way.
 */
import { round } from '../../parts/numbers.ts';

type Body = () => unknown;
interface Group {
  name: string;
  tests: { name: string; body: Body }[];
  groups: Group[];
  before: Body[];
  after: Body[];
}
interface Outcome {
  passed: number;
  failed: { name: string; message: string }[];
  seconds: number;
}

const group = (name: string): Group => ({ name, tests: [], groups: [], before: [], after: [] });
let current = group('');
const root = current;

const words = {
  describe: Object.assign(
    (name: string, body: Body) => {
      const outer = current;
      outer.groups.push((current = group(`${outer.name} ${name}`.trim())));
      body();
      current = outer;
    },
    { skip: () => {} },
  ),
  it: Object.assign(
    (name: string, body: Body) => {
      current.tests.push({ name, body });
      return { timeout: () => {} }; // a page has no limit of time
    },
    { skip: () => {} },
  ),
  before: (body: Body) => void current.before.push(body),
  after: (body: Body) => void current.after.push(body),
};
Object.assign(globalThis, words);

async function runGroup({ name, tests, groups, before, after }: Group, outcome: Outcome): Promise<void> {
  for (const body of before) await body();
  for (const test of tests)
    try {
      await test.body();
      outcome.passed++;
    } catch (error) {
      const failure = { name: `${name}: ${test.name}`, message: String((error as Error).message).slice(0, 600) };
      outcome.failed.push(failure);
      console.log('FAILED', failure.name, failure.message);
    }
  for (const one of groups) await runGroup(one, outcome);
  if (tests.length) console.log(name, outcome.passed, 'passed', outcome.failed.length, 'failed');
  for (const body of after) await body();
}

/** Runs what was described since the page was opened. */
export async function runAll(): Promise<Outcome> {
  const start = performance.now();
  const outcome: Outcome = { passed: 0, failed: [], seconds: 0 };
  for (const one of root.groups) {
    await runGroup(one, outcome);
    console.log(round((performance.now() - start) / 1000), 's', one.name, outcome.passed, 'passed');
  }
  outcome.seconds = round((performance.now() - start) / 1000);
  return outcome;
}
