/**
 * Calls of the engine with random pictures and options, most of them in range, some beside it; trackers with random frames
 * and settings in random order. All under guard zones (guards.ts).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { operations, type Parameter, type ParameterTable, trackers } from '../../src/index.ts';
import { checkZones, fillWith, guardedEngine } from './guards.ts';
import { below, oneOf, type Random } from './mutation.ts';
import type { Target, Trial } from './targets.ts';

/** Load models, or take what the first call gives. */
const left = new Set(['load', 'vesselMeasures', 'landmarks', 'landmarkFits']);
const MOST_SIDE = 67;
/** Of these the largest that are in range take minutes, which is no fault. */
const WIDE = 40;

function valueOf(random: Random, parameter: Parameter): unknown {
  if (random() < 0.02) return oneOf(random, [NaN, Infinity, -1, 1e30, 'x', null, {}, true]);
  if (parameter.type === 'boolean') return random() < 0.5;
  if (parameter.type === 'choice') return oneOf(random, parameter.values);
  if (parameter.values) return oneOf(random, parameter.values);
  const { min, max, integer } = parameter;
  const reach = Math.min(max, Math.max(min, 0) + WIDE);
  const value = random() < 0.04 ? min - 1 : random() < 0.2 ? min : min + random() * (reach - min);
  return integer ? Math.round(value) : value;
}

function picture(random: Random): object {
  const [width, height] = [1 + below(random, MOST_SIDE), 1 + below(random, MOST_SIDE)];
  const colored = random() < 0.3;
  const kind = below(random, 3);
  const sample = (i: number) =>
    kind === 0 ? below(random, 256) : kind === 1 ? 255 * (below(random, 9) ? 0 : 1) : (i * 7) & 255;
  const data = Array.from({ length: width * height * (colored ? 4 : 1) }, (_, i) => sample(i));
  return { width, height, data: colored ? Uint8ClampedArray.from(data) : Uint8Array.from(data) };
}

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

const shownOf = (given: object) => JSON.stringify(given, (_, value) => (ArrayBuffer.isView(value) ? '...' : value));

function settings(random: Random, table: ParameterTable): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(table)) if (random() < 0.3) options[key] = valueOf(random, parameter);
  return options;
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
  const names = [...operations.keys()].filter((name) => !left.has(name));
  return (random): Trial => {
    const name = oneOf(random, names);
    const { params, sources, data = [] } = operations.get(name)!;
    const options: Record<string, unknown> = {};
    for (const [key, parameter] of Object.entries(params))
      if (random() < 0.4) options[key] = valueOf(random, parameter);
    const first = picture(random) as { width: number; height: number };
    // The second picture of the flow and the mask are of the same size, or not.
    const rest = [...sources.slice(1), ...data].map((_, i) => {
      const other = picture(random);
      if (i >= sources.length - 1) return Float32Array.from({ length: 8 }, () => random() * MOST_SIDE);
      return random() < 0.8
        ? { ...first, data: Uint8Array.from({ length: first.width * first.height }, () => below(random, 2) * 255) }
        : other;
    });
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
