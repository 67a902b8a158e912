/**
 * A target's model as bytes, little-endian: magic, version, checksum (FNV-1a of the rest), then sizes and thresholds,
 * the table of the ferns, their counts other than 0, the patches and the filters. Variant 'paper' has no filters. A
 * filter has some 140 KiB, or 155 KiB with colors. An imported model continues with everything the exporter learned,
 * but without a position: the detector has to find the target.
 */
import { MAXIMUM_SIDE } from '../frames/size.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { filterFloats, MOST_VIEWS } from './filter-integrator.ts';
import { COMPARISONS, FERNS, PATCH_FLOATS } from './model.ts';
import type { ObjectValues } from './parameters.ts';
import { Target } from './target.ts';

const MAGIC = 0x6c746f66; // 'fotl'
/** Version 4: filters may have colors. */
const VERSION = 4;
/** Bytes of magic, version and checksum. */
const HEAD = 12;
/** Number of values before the lists. */
const FIELDS = 14;
const TABLE = FERNS * COMPARISONS * 4;
const CODES = FERNS << COMPARISONS;
const THRESHOLDS = ['leastVariance', 'fernThreshold', 'nearestThreshold', 'validThreshold'] as const;

function fnv(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function writeModel(target: Target): Uint8Array {
  const { model, integrator } = target;
  const { fernPositives, fernNegatives } = model;
  const codes: number[] = [];
  for (let i = 0; i < CODES; i++) if (fernPositives[i] || fernNegatives[i]) codes.push(i);
  const positives = model.patches('positives');
  const negatives = model.patches('negatives');
  const filters = integrator?.appearance.filters ?? [];
  const colored = integrator?.appearance.colored ?? false;
  const floats = FIELDS + TABLE + positives.length + negatives.length + filters.length * filterFloats(colored);
  const bytes = new Uint8Array(HEAD + 4 * floats + 8 * codes.length);
  const view = new DataView(bytes.buffer);
  let at = HEAD;
  const put = (v: number) => {
    view.setFloat32(at, v, true);
    at += 4;
  };
  for (const v of [target.size.width, target.size.height]) put(v);
  for (const name of THRESHOLDS) put(model.record.get(name));
  for (const v of [codes.length, positives.length / PATCH_FLOATS, negatives.length / PATCH_FLOATS, TABLE]) put(v);
  for (const v of [filters.length, Number(colored), integrator?.usual ?? 0, integrator?.viewUsual ?? 0]) put(v);
  for (const list of [target.table, positives, negatives, ...filters]) for (const v of list) put(v);
  for (const code of codes) {
    view.setUint32(at, code, true);
    view.setUint16(at + 4, fernPositives[code]!, true);
    view.setUint16(at + 6, fernNegatives[code]!, true);
    at += 8;
  }
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, fnv(bytes.subarray(HEAD)), true);
  return bytes;
}

const damaged = (why: string) =>
  new FoveolaError('model-format', `importModel: ${why}. Pass the unchanged bytes from exportModel.`);

/** Throws 'model-format' (not a model, another version, truncated) and 'model-checksum', without allocating memory. */
export function* readModel(runtime: Runtime, id: number, given: unknown, values: ObjectValues): Plan<Target> {
  if (!(given instanceof Uint8Array)) throw damaged('a Uint8Array is needed');
  const bytes = given.slice();
  const view = new DataView(bytes.buffer);
  if (bytes.length < HEAD + 4 * FIELDS || view.getUint32(0, true) !== MAGIC)
    throw damaged('this is not an object model');
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    const why = `importModel: the model has version ${version}, this build reads ${VERSION}`;
    throw new FoveolaError('model-format', `${why}. Pass the target's box to start() or add() and export it again.`);
  }
  if (view.getUint32(8, true) !== fnv(bytes.subarray(HEAD)))
    throw new FoveolaError('model-checksum', 'importModel: the model is damaged. Export it again.');
  let at = HEAD;
  const take = () => {
    at += 4;
    return view.getFloat32(at - 4, true);
  };
  const [width, height] = [take(), take()];
  const thresholds = THRESHOLDS.map((name) => [name, take()] as const);
  const [codes, positives, negatives, table] = [take(), take(), take(), take()];
  const [filters, colored, usual, viewUsual] = [take(), take(), take(), take()];
  const each = filterFloats(colored === 1);
  /** Gray values, filters and thresholds are all smaller than this limit. */
  const usable = (v: number) => Math.abs(v) < 1e6; // false for NaN
  const whole = (v: number, most: number) => Number.isInteger(v) && v >= 0 && v <= most;
  const sound =
    [usual, viewUsual, ...thresholds.map(([, v]) => v)].every(usable) &&
    [width, height].every((side) => side >= 1 && side <= MAXIMUM_SIDE) &&
    whole(codes, CODES) &&
    whole(positives, 100_000) &&
    whole(negatives, 100_000) &&
    table === TABLE &&
    whole(filters, MOST_VIEWS + 2) &&
    whole(colored, 1) &&
    bytes.length === HEAD + 4 * (FIELDS + TABLE + PATCH_FLOATS * (positives + negatives) + each * filters) + 8 * codes;
  if (!sound) throw damaged('its sizes do not fit its length');
  const floats = (count: number) => new Float32Array(bytes.buffer, (at += 4 * count) - 4 * count, count); // aligned like in the arena
  const fractions = floats(TABLE).slice();
  const patches = [floats(PATCH_FLOATS * positives), floats(PATCH_FLOATS * negatives)] as const;
  const views = Array.from({ length: filters }, () => floats(each));
  const firstCode = at;
  const counted = Array.from({ length: codes }, (_, i) => view.getUint32(firstCode + 8 * i, true));
  // Kernels use points of the ferns as image positions, and codes as table indices. None may point outside.
  const inside = fractions.every((v) => v >= 0 && v < 1) && counted.every((code) => code < CODES);
  if (!inside || ![...patches, ...views].every((list) => list.every(usable)))
    throw damaged('its numbers are out of range');
  const room: ObjectValues = {
    ...values,
    // Only the published integrator can use a model without filters.
    variant: filters ? values.variant : 'paper',
    positives: Math.max(values.positives, positives),
    negatives: Math.max(values.negatives, negatives),
  };
  const target = new Target(runtime, id, { width, height }, room, colored === 1, fractions);
  try {
    const { model, integrator } = target;
    model.record.set(Object.fromEntries(thresholds));
    model.restorePatches(...patches);
    if (integrator) {
      integrator.appearance.load(views[0]!, views.slice(1));
      integrator.usual = usual;
      integrator.viewUsual = viewUsual;
    }
    const { fernPositives, fernNegatives } = model;
    for (const code of counted) {
      fernPositives[code] = view.getUint16(at + 4, true);
      fernNegatives[code] = view.getUint16(at + 6, true);
      at += 8;
    }
    yield* model.restoreFerns();
  } catch (error) {
    target.dispose();
    throw error;
  }
  return target;
}
