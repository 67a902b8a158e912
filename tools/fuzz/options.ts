/** Random arguments of the engine's calls: pictures, and options of which most are in range and some beside it. */
import { operations, type Parameter, type ParameterTable } from '../../src/index.ts';
import { below, oneOf, type Random } from './mutation.ts';

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

export function picture(random: Random): { width: number; height: number; data: Uint8Array | Uint8ClampedArray } {
  const [width, height] = [1 + below(random, MOST_SIDE), 1 + below(random, MOST_SIDE)];
  const colored = random() < 0.3;
  const kind = below(random, 3);
  const sample = (i: number) =>
    kind === 0 ? below(random, 256) : kind === 1 ? 255 * (below(random, 9) ? 0 : 1) : (i * 7) & 255;
  const data = Array.from({ length: width * height * (colored ? 4 : 1) }, (_, i) => sample(i));
  return { width, height, data: colored ? Uint8ClampedArray.from(data) : Uint8Array.from(data) };
}

export const shownOf = (given: object) =>
  JSON.stringify(given, (_, value) => (ArrayBuffer.isView(value) ? '...' : value));

export function settings(random: Random, table: ParameterTable): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(table)) if (random() < 0.3) options[key] = valueOf(random, parameter);
  return options;
}

/** Operations that are called here. */
export const calledOperations = (): string[] => [...operations.keys()].filter((name) => !left.has(name));

export interface Call {
  name: string;
  first: ReturnType<typeof picture>;
  /** Further sources and data, before the options. */
  rest: unknown[];
  options: Record<string, unknown>;
}

/** A call of one of these operations. */
export function callOf(random: Random, names: readonly string[]): Call {
  const name = oneOf(random, names);
  const { params, sources, data = [] } = operations.get(name)!;
  const options: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(params)) if (random() < 0.4) options[key] = valueOf(random, parameter);
  const first = picture(random);
  // The second picture of the flow and the mask are of the same size, or not.
  const rest = [...sources.slice(1), ...data].map((_, i) => {
    const other = picture(random);
    if (i >= sources.length - 1) return Float32Array.from({ length: 8 }, () => random() * MOST_SIDE);
    return random() < 0.8
      ? { ...first, data: Uint8Array.from({ length: first.width * first.height }, () => below(random, 2) * 255) }
      : other;
  });
  return { name, first, rest, options };
}
