/**
 * The GPU backend of inpaint/fill. Nothing is read back between patches. The choice, the match and the copy of one
 * patch are textures for the next draws, and each patch writes one texel to a log. Patches are enqueued in batches of
 * some milliseconds, one batch ahead of the batch whose log is being read. Draws after the last patch change nothing.
 * All values are integers, so the image equals the WASM backend's, which also removes the seams here.
 */
import type { Region, Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { blend, inverseLengths, copyPlane, pictureOf, possible, type Filling } from './picture.ts';
import { impossible, interrupted, FillProgress, type FillValues } from './parameters.ts';
import {
  keyPass,
  KEYS,
  logPass,
  patchPass,
  scatterPass,
  drawRows,
  rowsTexture,
  best,
  levels,
  begin,
  search,
  searchTextures,
  type GpuState,
  type SearchTextures,
} from './passes.gpu.ts';

/** Milliseconds per batch. Two batches are in flight, and a cancel waits for both. */
const BATCH = 10;
/** Maximum number of patches per batch. Also the number of texels in a log. */
const MOST = 64;
/** Number of patches in the first batch, and in a batch when hardly any more are needed. */
const FIRST = 4;
const FEWEST = 4;
/** Entry in the list of origins for a pixel that was not filled. */
const KNOWN = 0xffffffff;

interface Textures extends GpuState {
  readonly source: Texture<'rgba8ui'>;
  readonly rows: Texture<'rgba32ui'>;
  readonly keys: Texture<'rgba32ui'>;
  readonly keyLevels: readonly Texture<'rgba32ui'>[];
  readonly search: SearchTextures;
  readonly colors: Texture<'rgba8ui'>;
  readonly facts: Texture<'rg32ui'>;
  readonly logs: readonly Texture<'rgba32ui'>[];
}

interface Batch {
  readonly patches: number;
  readonly start: number;
  readonly log: Promise<Uint8Array>;
}

function texturesFor(scope: Scope, source: Plane, mask: Plane, box: Region, patch: number): Textures {
  const { width, height } = source;
  const log = () => scope.texture(MOST, 1, 'rgba32ui');
  return {
    ...begin(scope, source, mask),
    source: begin(scope, source, mask).image,
    rows: rowsTexture(scope, box, patch),
    keys: scope.texture(box.width, box.height, 'rgba32ui'),
    keyLevels: levels(scope, box.width, box.height, 'rgba32ui', KEYS),
    search: searchTextures(scope, width, height),
    colors: scope.texture(patch, patch, 'rgba8ui'),
    facts: scope.texture(patch, patch, 'rg32ui'),
    logs: [log(), log(), log()],
  };
}

/** Chooses, matches and fills one patch. */
function drawPatch(scope: Scope, textures: Textures, box: Region, params: FillValues, log: Texture, n: number): void {
  const { patch, searchWindow, variant } = params;
  const { image, confidence, origin, source, rows, keys, keyLevels, colors, facts } = textures;
  const reach = patch >> 1;
  const corner = [box.x, box.y];
  drawRows(scope, textures, box, patch);
  scope.draw(keyPass, {
    targets: [keys],
    textures: { image, rows },
    uniforms: { reach, inverse: inverseLengths, corner },
  });
  const center = best(scope, keys, keyLevels);
  const options = { patch, searchWindow, near: variant === 'seamless' };
  const candidates = search(scope, textures.search, { source, image, center }, options);
  scope.draw(logPass, {
    targets: [log],
    textures: { candidates, image, rows, center },
    uniforms: { reach, corner },
    region: { x: n, y: 0, width: 1, height: 1 },
  });
  scope.draw(patchPass, {
    targets: [colors, facts],
    textures: { image, rows, source, entries: log },
    uniforms: { reach, corner, n },
    region: { x: 0, y: 0, width: patch, height: patch },
  });
  scope.draw(scatterPass, {
    targets: [image, confidence, origin],
    textures: { colors, facts, center },
    uniforms: { reach, size: [image.width, image.height] },
    count: patch * patch,
  });
}

/** Enqueues batches and reads their logs until everything is filled. */
function* fillBatches(
  scope: Scope,
  textures: Textures,
  box: Region,
  params: FillValues,
  progress: FillProgress,
): Plan<void> {
  const total = progress.remaining;
  let size = FIRST;
  let logs = 0;
  let patches = 0;
  const enqueue = (): Batch => {
    const start = performance.now();
    const log = textures.logs[logs++ % textures.logs.length]!;
    for (let n = 0; n < size; n++) drawPatch(scope, textures, box, params, log, n);
    const read = scope.gpu.read(log, { x: 0, y: 0, width: size, height: 1 });
    read.catch(() => {}); // reported when it is awaited, if ever
    return { patches: size, start, log: read };
  };
  for (let ahead = enqueue(); progress.remaining > 0;) {
    const batch = ahead;
    ahead = enqueue();
    const bytes = yield* scope.wait(batch.log);
    const took = performance.now() - batch.start;
    const inTime = Math.round((batch.patches * BATCH) / Math.max(took, 1));
    size = Math.max(1, Math.min(MOST, 2 * batch.patches, inTime));
    const entries = new Uint32Array(bytes.buffer, bytes.byteOffset, 4 * batch.patches);
    for (let n = 0; n < batch.patches && progress.remaining > 0; n++) progress.patch(entries[4 * n + 3]!);
    // Enqueue no more patches than needed, judging from the pixels that a patch has filled so far. Others would waste
    // time.
    patches += batch.patches;
    const needed = (progress.remaining * patches) / (total - progress.remaining) - ahead.patches;
    size = Math.min(size, Math.max(FEWEST, Math.ceil(needed)));
  }
}

/** Copies the pixels that the origins refer to into `image`, and the origins into the filling's list. */
function compose(scope: Scope, filling: Filling, source: Plane, image: Plane, box: Region, read: Uint8Array): void {
  const origins = new Uint32Array(read.buffer, read.byteOffset, box.width * box.height);
  const list = { address: filling.get('origin') };
  scope.u32(list, origins.length).set(origins);
  const words = scope.arena.i32;
  const { width, stride } = source;
  const [from, to, row] = [source.address >> 2, image.address >> 2, stride >> 2];
  origins.forEach((origin, i) => {
    if (origin === KNOWN) return;
    const index = origin & 0xfffffff;
    const at = (box.y + Math.floor(i / box.width)) * row + box.x + (i % box.width);
    words[to + at] = words[from + Math.floor(index / width) * row + (index % width)]!;
  });
}

function* settled(scope: Scope, promise: Promise<void>): Plan<void> {
  try {
    yield* scope.wait(promise);
  } catch {
    // Only the first error is reported.
  }
}

/** Fills the hole on the GPU. Source and mask are in the arena. */
export function* fillGpu(scope: Scope, source: Plane, mask: Plane, params: FillValues): Plan<Plane> {
  const { patch, variant } = params;
  let soFar = source;
  try {
    const filling = yield* pictureOf(scope, source, mask, patch);
    const total = filling.get('unknown');
    if (total && !(yield* possible(scope, filling, patch))) throw impossible(source, patch, total);
    const image = scope.plane(source.width, source.height, 'rgba8');
    yield* copyPlane(scope, source, image);
    soFar = image;
    if (!total) return image;
    const box = {
      ...{ x: filling.get('boxX'), y: filling.get('boxY') },
      ...{ width: filling.get('boxWidth'), height: filling.get('boxHeight') },
    };
    filling.set({ image: image.address, origin: scope.block(4 * box.width * box.height).address });
    const textures = texturesFor(scope, source, mask, box, patch);
    const collected = () =>
      scope.gpu.read(textures.origin, box).then((bytes) => compose(scope, filling, source, image, box, bytes));
    try {
      yield* fillBatches(scope, textures, box, params, new FillProgress(scope, total));
    } catch (error) {
      // The pixels filled so far are part of the reply to a cancel. A second cancel changes nothing.
      if (!scope.gpu.lost) yield* settled(scope, collected());
      throw error;
    }
    yield* scope.wait(collected());
    if (variant === 'seamless') yield* blend(scope, filling);
    return image;
  } catch (error) {
    throw interrupted(error, soFar);
  }
}
