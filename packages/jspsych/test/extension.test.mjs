// The columns of a trial, from a source of results that the test controls.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PupilExtension, library, resultAt } from './load.mjs';

/** A source of results, and its other end. */
function pipe() {
  const [waiting, wake] = [[], []];
  return {
    push(...results) {
      waiting.push(...results);
      wake.splice(0).forEach((go) => go());
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length) {
          const next = waiting.shift();
          if (next === 'end') return;
          if (next instanceof Error) throw next;
          yield next;
        }
        await new Promise((resolve) => wake.push(resolve));
      }
    },
  };
}

async function started(params = {}, jsPsych = {}) {
  const source = pipe();
  const extension = new PupilExtension(jsPsych);
  await extension.initialize({ library, results: source, ...params });
  return { source, extension };
}

/** One trial in which these results arrive. `make` gets the start of the trial. */
async function trial({ source, extension }, make) {
  extension.on_start();
  extension.on_load();
  const from = performance.now();
  source.push(...make(from));
  return extension.on_finish();
}

const late = 60_000; // after the end of any trial

describe('the columns of a trial', () => {
  it('are those that static info names', async () => {
    const { name, version, data } = PupilExtension.info;
    assert.equal(name, 'foveola-pupil');
    assert.match(version, /^\d+\.\d+\.\d+$/);
    const row = await trial(await started(), (from) => [resultAt(from + late)]);
    assert.deepEqual(Object.keys(row).sort(), Object.keys(data).sort());
    assert.doesNotThrow(() => JSON.stringify(row));
  });

  it('have the samples from the start of the trial to its end', async () => {
    const opened = await started({ delay: { delay: 80, low: 78, high: 82 } });
    const event = { kind: 'blink', onset: 0, offset: 0, final: true, pupil: 0, eye: 'left' };
    const row = await trial(opened, (from) => {
      const blink = { ...event, onset: from + 0.02, offset: from + 0.04 };
      return [
        resultAt(from - 5, { diameter: 1 }),
        resultAt(from + 0.01, { diameter: 40 }),
        resultAt(from + 0.02, { found: false }),
        resultAt(from + 0.03, { diameter: 99 }),
        resultAt(from + 0.04, { diameter: 60, events: [blink] }),
        resultAt(from + late, { diameter: 1 }),
      ];
    });
    assert.deepEqual(
      row.pupil_samples.map(({ diameter }) => diameter),
      [40, null, 99, 60],
    );
    assert.equal(row.pupil_diameter, 50, 'without the samples of the blink');
    assert.equal(row.pupil_blinks, 1);
    assert.equal(row.pupil_events[0].kind, 'blink');
    assert.equal(row.pupil_frames, 4);
    assert.equal(row.pupil_found, 1);
    assert.ok(row.pupil_samples.every(({ t }) => t >= 0 && t < 1));
    assert.deepEqual([row.pupil_delay, row.pupil_delay_low, row.pupil_delay_high], [80, 78, 82]);
    assert.deepEqual([row.pupil_unit, row.pupil_clock, row.pupil_complete], ['px', 'capture', true]);
    assert.equal(row.pupil_error, null);
  });

  it('count a blink that spans two trials once', async () => {
    const opened = await started();
    const event = { kind: 'blink', final: false, pupil: 0, eye: 'left' };
    let onset;
    const first = await trial(opened, (from) => {
      onset = from + 0.001;
      return [
        resultAt(from + 0.001, { found: false, events: [{ ...event, onset, offset: onset }] }),
        resultAt(from + 50),
      ];
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const second = await trial(opened, (from) => [
      resultAt(from + late, { events: [{ ...event, onset, offset: from + 1, final: true }] }),
    ]);
    assert.deepEqual([first.pupil_blinks, second.pupil_blinks], [1, 0]);
    assert.equal(second.pupil_events.length, 1);
  });

  it('are in millimeters after a calibration', async () => {
    const row = await trial(await started(), (from) => [resultAt(from + 0.001, { mm: 4.5 }), resultAt(from + late)]);
    assert.deepEqual([row.pupil_diameter, row.pupil_unit], [4.5, 'mm']);
  });

  it('say what failed, and the experiment goes on', async () => {
    const opened = await started();
    const row = await trial(opened, () => [new Error('The camera was unplugged.')]);
    assert.equal(row.pupil_error, 'The camera was unplugged.');
    assert.deepEqual([row.pupil_complete, row.pupil_diameter, row.pupil_faults], [false, null, ['no-frames']]);
    const closed = new PupilExtension({});
    const reason = new Error('The camera was not allowed.');
    await assert.rejects(closed.initialize({ library: Promise.reject(reason) }), reason);
    assert.deepEqual(await closed.on_finish(), { pupil_error: reason.message });
    assert.match((await new PupilExtension({}).on_finish()).pupil_error, /not open yet/);
  });
});

describe('a simulation', () => {
  for (const name of ['simulationMode', 'simulation_mode'])
    it(`has complete data in 100 trials (${name})`, async () => {
      const rows = [];
      const jsPsych = { [name]: 'data-only', data: { get: () => ({ values: () => rows }) } };
      const { extension } = await started({ tracker: { millimetresPerPixel: 0.1 } }, jsPsych);
      for (let i = 0; i < 100; i++) {
        extension.on_start();
        extension.on_load();
        rows.push(await extension.on_finish());
      }
      for (const row of rows) {
        assert.ok(row.pupil_samples.length >= 29);
        assert.deepEqual([row.pupil_clock, row.pupil_complete, row.pupil_unit], ['simulated', true, 'mm']);
        assert.ok(row.pupil_diameter > 5 && row.pupil_diameter < 7);
      }
      assert.ok(rows.reduce((sum, row) => sum + row.pupil_blinks, 0) >= 24);
      const [table, sidecar, events] = extension.toBids('sub-01_task-test', 'left');
      const lines = table.text.trim().split('\n');
      assert.equal(lines.length, rows.flatMap((row) => row.pupil_samples).length);
      assert.equal(JSON.parse(sidecar.text).pupil_size.Units, 'mm');
      assert.ok(events);
    });

  it('has no BIDS files without samples', async () => {
    const jsPsych = { data: { get: () => ({ values: () => [{ rt: 1 }] }) } };
    const { extension } = await started({}, jsPsych);
    assert.throws(() => extension.toBids('sub-01', 'left'), { code: 'invalid-argument' });
  });
});
