// Results of pages that measured on another machine: a page's log, its JSON, or a file of lab/results, which says beside
// the figures on what machine, in which browser and at which commit they were taken.
import { readFileSync } from 'node:fs';

/** What stands behind a name on the command line. */
export const argument = (args, name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

/** Of a page that was stopped, the parts that it had reported: `console: 12 s name {...}`. */
function reportedParts(lines) {
  const parts = lines.map((line) => /^console: (?:[\d.]+ s )?(.*?) (\{.*\})$/.exec(line)).filter(Boolean);
  return Object.fromEntries(parts.map(([, name, json]) => [name, JSON.parse(json)]));
}

/** The last line of a page's log that is a JSON object, else what it reported on its way. */
export function readLog(text) {
  const lines = text.split('\n');
  const whole = lines.filter((line) => line.startsWith('{')).at(-1);
  return whole ? JSON.parse(whole) : reportedParts(lines);
}

/** The figures of a log or of a kept file, and with `report` a line on where the kept ones come from. */
export function readResult(file, report) {
  const text = readFileSync(file, 'utf8');
  let kept;
  try {
    kept = JSON.parse(text);
  } catch {
    return readLog(text); // a log has more than the JSON
  }
  if (!kept.result) return kept;
  const { machine, browser, date, commit, result } = kept;
  report?.line(`Measured ${date} at ${commit} on: ${machine}, ${browser}. Printed from ${file}.`);
  return result;
}
