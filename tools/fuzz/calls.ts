/**
 * Calls of the engine with random pictures and options, most of them in range, some beside it; trackers with random frames
 * and settings in random order. All under guard zones (guards.ts).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { trackers } from '../../src/index.ts';
import { checkZones, fillWith, guardedEngine } from './guards.ts';
import { below, oneOf } from './mutation.ts';
import { callOf, calledOperations, picture, settings, shownOf } from './options.ts';
import type { Target, Trial } from './targets.ts';

/** What a result says, without the time that it took. */
function said(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array, said);
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? value.map(said)
    : Object.fromEntries(Object.entries(value).flatMap(([key, v]) => (key === 'milliseconds' ? [] : [[key, said(v)]])));
}

/** Twice, on memory with one and with another pattern: both must say the same, and no zone may be touched. */
async function twice(work: () => Promise<unknown>): Promise<void> {
  const answers: string[] = [];
  for (const pattern of [0xcd, 0x31]) {
    fillWith(pattern);
    try {
      answers.push(JSON.stringify(said(await work())));
    } catch (error) {
      const { name, code, message } = error as { name?: string; code?: string; message?: string };
      if (name !== 'FoveolaError' || code === 'internal') throw error;
      answers.push(`${code}: ${message}`);
    }
    checkZones();
  }
  if (answers[0] !== answers[1]) throw new Error('the result depends on memory that nobody has written');
}

export const trackersTarget: Target = async (root) => {
  const engine = (await guardedEngine(root)) as unknown as Record<string, (...given: unknown[]) => unknown>;
  const landmarks = new Uint8Array(readFileSync(path.join(root, 'test/media/landmarks.bin')));
  const cascade = new Uint8Array(readFileSync(path.join(root, 'models/frontalface_alt.bin')));
  return (random): Trial => {
    const name = oneOf(random, ['Pupil', 'Face', 'Object']);
    const { params } = trackers.get(name.toLowerCase())!;
    const given: Record<string, unknown> = settings(random, params);
    if (name === 'Face') Object.assign(given, { cascade, model: random() < 0.7 ? landmarks : null });
    const first = picture(random);
    const steps = Array.from({ length: 1 + below(random, 6) }, (_, step) => {
      const frame = random() < 0.8 ? { ...first } : picture(random);
      const box = { x: random() * 50 - 5, y: random() * 50 - 5, width: random() * 40, height: random() * 40 };
      const chance = random();
      if (name === 'Object' && (step === 0 || chance < 0.15)) return ['start', frame, box];
      if (chance < 0.1) return ['reset'];
      if (chance < 0.25) return ['setParameters', settings(random, params)];
      return ['process', frame, { timestamp: step * 33 }];
    });
    const trial: Trial = {
      run: () =>
        twice(async () => {
          const tracker = (await engine[`create${name}Tracker`]!(given)) as Record<
            string,
            (...a: unknown[]) => unknown
          >;
          const answers: unknown[] = [];
          try {
            for (const [method, ...data] of steps)
              answers.push(
                await Promise.resolve(tracker[method as string]!(...data)).catch((error: { code?: string }) => {
                  if (!error.code || error.code === 'internal') throw error;
                  return error.code;
                }),
              );
          } finally {
            await tracker.dispose!();
          }
          return answers;
        }),
      changes: [],
      with: () => trial,
      shown: () => `${name} ${shownOf(given)} ${shownOf(steps)}`,
    };
    return trial;
  };
};

export const calls: Target = async (root) => {
  const engine = await guardedEngine(root);
  const names = calledOperations();
  return (random): Trial => {
    const { name, first, rest, options } = callOf(random, names);
    const trial: Trial = {
      run: () =>
        twice(() =>
          (engine as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(
            first,
            ...rest,
            options,
          ),
        ),
      changes: [],
      with: () => trial,
      shown: () => `${name}(${first.width}x${first.height}, ${JSON.stringify(options)})`,
    };
    return trial;
  };
};
