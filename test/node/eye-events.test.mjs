// Blinks, closures and losses: chart, timeline, table, CSV, JSON, kept recordings, series, tests and reports say the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const { everyAnswer, resultsOf } = await importTs('test/support/event-traces.ts');

const times = (letter, count) => letter.repeat(count);
const open = times('1', 20);
/** One string an eye, at 50 frames a second unless a rate is given. */
const traces = {
  'no event': [[times('1', 60)]],
  'one blink': [[open + times('0', 10) + open]],
  'a blink with the lid on its way': [[`${open}cc${times('0', 8)}ccc${open}`]],
  'twelve blinks': [[(open + times('0', 8)).repeat(12) + open]],
  'closures of 0.7, 0.8 and 0.9 s': [
    [35, 40, 45].reduce((all, n) => all.map((one) => one + times('0', n) + open), [open]),
  ],
  'a blink at the limit and one frame more': [[open + times('0', 30) + open + times('0', 31) + open]],
  'single frames lost': [[`${open}0${open}0${open}`]],
  'no pupil at first': [[times('0', 30) + open]],
  'shut at the end, for a blink': [[open + times('0', 5)]],
  'shut at the end, for longer': [[open + times('0', 50)]],
  'an end that is not sure': [[`${open}${times('0', 8)}1`]],
  'found once in between': [[`${open}00001${times('0', 5)}${open}`]],
  'out of the picture': [[`${open}eee${times('0', 60)}eee${open}`]],
  'in the dark': [[open + times('d', 60) + open]],
  'away for longer than any closure': [[open + times('0', 800) + open]],
  'never a pupil': [[times('0', 40)]],
  'covered and never lost': [[`${open}cccc${open}`]],
  'two eyes, one of which blinks': [[open + times('0', 10) + open, times('1', 50)]],
  'two eyes with events of each kind': [
    [open + times('0', 10) + open + times('0', 45) + open, `${times('1', 15)}0${times('1', 39)}${times('0', 60)}`],
  ],
  'two eyes at 120 frames a second': [
    [times('1', 60) + times('0', 24) + times('1', 76), times('1', 70) + times('0', 90)],
    1000 / 120,
  ],
  'thirty frames a second': [[open + times('0', 4) + open + times('0', 24) + open], 1000 / 30],
};

describe('events mean one thing', () => {
  let [agreed, asked] = [0, 0];
  const same = (given, wanted, message) => {
    asked++;
    assert.deepEqual(given, wanted, message);
    agreed++;
  };
  for (const [name, [eyes, interval = 20]] of Object.entries(traces))
    it(name, async () => {
      const length = Math.min(...eyes.map((trace) => trace.length));
      const results = resultsOf(
        eyes.map((trace) => trace.slice(0, length)),
        interval,
      );
      const { events, frames, strip, counts, marks } = await everyAnswer(results);
      for (const all of [events, frames, counts])
        for (const [where, given] of Object.entries(all)) same(given, all.results, `${name}: ${where}`);
      same(strip.shown, strip.wanted, `${name}: the timeline`);
      same(marks.page, marks.wanted, `${name}: the page of the report`);
    });

  it('in every place', () => {
    console.log(`events: ${agreed} of ${asked} answers agree`);
    assert.equal(agreed, asked);
    assert.ok(asked > 400);
  });
});
