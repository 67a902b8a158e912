// One thread of the trainer. All threads run the same program and draw the same random numbers; what takes time is dealt out
// in parts that do not depend on how many they are, and added up in the order of the parts.
import { featureOf, gainOf, integrate, samplePatch, sampleTurned } from './patch.mjs';
import { imageOf } from './dataset.mjs';
import { generator, normal } from '../../tools/random.mjs';
import { along } from './samples.mjs';
import { similarity } from './shapes.mjs';
import { bestSplit, drawPairs, splitRoom } from './trees.mjs';

/** Parts that samples are dealt out in, and pairs of a node. */
export const PARTS = 32;
const PAIRS = 8;

/** Waits until all threads are here; `sync`: how many are, and how often they were. */
function barrier(sync, threads) {
  const round = Atomics.load(sync, 1);
  if (Atomics.add(sync, 0, 1) + 1 === threads) {
    Atomics.store(sync, 0, 0);
    Atomics.add(sync, 1, 1);
    Atomics.notify(sync, 1);
    return;
  }
  while (Atomics.load(sync, 1) === round) Atomics.wait(sync, 1, round);
}

export const slotsOf = ({ depth, pairs }) => 2 * 2 ** (depth - 1) * Math.ceil(pairs / PAIRS) * 4;

/** The part of samples that is `part`. */
const range = (count, part) => [Math.floor((count * part) / PARTS), Math.floor((count * (part + 1)) / PARTS)];

/** Gray of all feature pixels of a cascade for the samples of a part. */
function readPart({ faces, samples, model, options, features }, cascade, part, room) {
  const { places, faceOf, mean } = samples;
  const { side, zoom, pixels } = options;
  const margin = (side - zoom) >> 1;
  const { anchors, deltas, radii } = model;
  const { patch, sums, shape, offsets } = room;
  for (let k = 0; k < 2 * pixels; k++) offsets[k] = deltas[2 * cascade * pixels + k];
  const [from, to] = range(samples.count, part);
  for (let s = from; s < to; s++) {
    currentShape(samples, s, shape);
    const [left, top, ...ways] = places.subarray(6 * s, 6 * s + 6);
    const [acrossX, acrossY, downX, downY] = ways.map((v) => v / (zoom - 1));
    const [x0, y0] = [left - margin * (acrossX + downX), top - margin * (acrossY + downY)];
    const image = imageOf(faces, faceOf[s]);
    if (acrossY || downX) sampleTurned(image, [x0, y0, acrossX, acrossY, downX, downY], side, patch);
    else samplePatch(image, x0, y0, acrossX, downY, side, patch);
    const gain = gainOf(patch, side, margin);
    integrate(patch, side, sums);
    const [a, b] = similarity(mean, shape);
    for (let i = 0; i < pixels; i++) {
      const at = 2 * anchors[cascade * pixels + i];
      const [dx, dy] = [offsets[2 * i], offsets[2 * i + 1]];
      const x = margin + (zoom - 1) * (shape[at] + a * dx - b * dy);
      const y = margin + (zoom - 1) * (shape[at + 1] + b * dx + a * dy);
      features[i * samples.count + s] = featureOf(sums, side, x, y, radii[cascade], gain);
    }
  }
}

/** Where a sample's points are by now: what is missing along the basis is not there yet. */
function currentShape({ mean, basis, residuals, starts, size }, s, shape) {
  const values = mean.length;
  shape.set(mean);
  for (let d = 0; d < size; d++) {
    const share = starts[s * size + d] - residuals[s * size + d];
    for (let k = 0; k < values; k++) shape[k] += share * basis[d * values + k];
  }
}

/** Square of how much smaller and larger than its box a face can be, as in assembly/faces/landmarks-align.ts. */
const SIZES = [0.04, 25];

/** Cuts the faces of a part out as they were found, with an error beside: shapes go on in the unit square of that. */
function alignPart({ samples, options, learned }, part, shape) {
  const { places, truth, mean, measures, residuals, starts, count, size } = samples;
  const values = mean.length;
  const { shake, seed } = options;
  const [from, to] = range(count, part);
  const random = generator(seed + 104729 * (part + 1));
  for (let s = from; s < to; s++) {
    currentShape(samples, s, shape);
    let [a, b, x, y] = similarity(mean, shape);
    if (s < learned) {
      // About the middle of the face.
      const [growth, turn, dx, dy] = [0, 0, 0, 0].map(() => shake * normal(random));
      const [u, v] = [a * 0.5 - b * 0.5 + x, b * 0.5 + a * 0.5 + y];
      const [c, d] = [(1 + growth) * Math.cos(turn), (1 + growth) * Math.sin(turn)];
      [a, b] = [a * c - b * d, b * c + a * d];
      x = u + dx - (a * 0.5 - b * 0.5);
      y = v + dy - (b * 0.5 + a * 0.5);
    }
    const square = a * a + b * b;
    if (!(square > SIZES[0] && square < SIZES[1])) continue;
    const [left, top, acrossX, acrossY, downX, downY] = places.subarray(6 * s, 6 * s + 6);
    const corner = [left + x * acrossX + y * downX, top + x * acrossY + y * downY];
    const across = [a * acrossX + b * downX, a * acrossY + b * downY];
    places.set([...corner, ...across, a * downX - b * acrossX, a * downY - b * acrossY], 6 * s);
    measures[s] *= Math.sqrt(square);
    const own = truth.subarray(s * values, (s + 1) * values);
    for (const points of [own, shape])
      for (let k = 0; k < values; k += 2) {
        const [u, v] = [points[k] - x, points[k + 1] - y];
        points[k] = (a * u + b * v) / square;
        points[k + 1] = (a * v - b * u) / square;
      }
    const [first, missing] = [starts, residuals].map((list) => list.subarray(s * size, (s + 1) * size));
    along(samples, own, first);
    along(samples, shape, missing);
    for (let d = 0; d < size; d++) missing[d] = first[d] - missing[d];
  }
}

/** Errors in eyes' distances: sums and counts of those that are learned from and of those held back. */
function errorPart({ samples, errors }, part, shape) {
  const { count, learned, truth, mean, measures } = samples;
  const values = mean.length;
  const [from, to] = range(count, part);
  errors.fill(0, 4 * part, 4 * part + 4);
  for (let s = from; s < to; s++) {
    currentShape(samples, s, shape);
    let sum = 0;
    for (let k = 0; k < values; k += 2)
      sum += Math.hypot(shape[k] - truth[s * values + k], shape[k + 1] - truth[s * values + k + 1]);
    const kind = 4 * part + (s < learned ? 0 : 2);
    errors[kind] += (measures[s] * sum * 2) / values;
    errors[kind + 1]++;
  }
}

/** What a training goes on from, beside what the model has learned. */
export const LYING = ['residuals', 'places', 'truth', 'measures', 'starts'];

/** Learns the cascades from `state.done` on. @param report  gets what tree is done, and of a cascade that it is */
export function work(state, rank, report) {
  const { samples, model, options, features, slots, partial, leafOf, sync, threads } = state;
  const { count, learned, residuals, size } = samples;
  const { trees, depth, pixels, pairs, chosen: most, directions: wanted, shrinkage, doubt } = options;
  const leaves = 2 ** depth;
  const directions = Math.min(wanted, size);
  const chosenCount = Math.min(most, learned);
  const chosen = new Uint32Array(chosenCount);
  const rows = new Float32Array(chosenCount * directions);
  const room = splitRoom(chosenCount, directions);
  const shape = new Float32Array(samples.mean.length);
  const patchRoom = {
    patch: new Uint8Array(options.side ** 2),
    sums: new Uint32Array((options.side + 1) ** 2),
    offsets: new Float64Array(2 * pixels),
    shape,
  };
  const together = () => barrier(sync, threads);
  const own = (parts, act) => {
    for (let part = rank; part < parts; part += threads) act(part);
  };
  const nodes = Array.from({ length: leaves }, () => new Uint32Array(chosenCount));
  const spare = new Uint32Array(chosenCount);
  for (let c = state.done; c < options.cascades; c++) {
    if (c > 0 && c === options.first) {
      own(PARTS, (part) => alignPart({ samples, options, learned }, part, shape));
      together();
    }
    own(PARTS, (part) => readPart(state, c, part, patchRoom));
    together();
    const random = generator(options.seed + 7919 * (c + 1));
    const places = placesOf(model, samples.mean, c, pixels);
    for (let t = 0; t < trees; t++) {
      const tree = c * trees + t;
      const firstSplit = tree * (leaves - 1);
      for (let n = 0; n < chosenCount; n++) chosen[n] = Math.floor(((n + random()) * learned) / chosenCount);
      const along = drawDirections(residuals, chosen, size, directions, random);
      for (let n = 0; n < chosenCount; n++)
        for (let k = 0; k < directions; k++) rows[n * directions + k] = residuals[chosen[n] * size + along[k]];
      let level = [chosenCount];
      for (let n = 0; n < chosenCount; n++) nodes[0][n] = n;
      const data = { features, samples: count, chosen, rows, directions };
      for (let d = 0; d < depth; d++) {
        const drawn = level.map(() => drawPairs(random, pairs, places, options.lambda));
        const parts = Math.ceil(pairs / PAIRS);
        const base = (d % 2) * (slots.length / 2);
        own(level.length * parts, (task) => {
          const node = Math.floor(task / parts);
          const from = (task % parts) * PAIRS;
          const to = Math.min(pairs, from + PAIRS);
          const least = Math.max(2, Math.floor(chosenCount * options.least));
          const best = bestSplit(data, nodes[node], level[node], drawn[node], from, to, least, room);
          slots.set([best.score, best.i, best.j, best.threshold], base + 4 * task);
        });
        together();
        const next = [];
        const lists = [];
        for (let node = 0; node < level.length; node++) {
          let at = base + 4 * node * parts;
          for (let p = 1; p < parts; p++)
            if (slots[base + 4 * (node * parts + p)] > slots[at]) at = base + 4 * (node * parts + p);
          const [, i, j, threshold] = slots.subarray(at, at + 4);
          const split = firstSplit + level.length - 1 + node;
          if (rank === 0) {
            model.splitPixels.set([i, j], 2 * split);
            model.thresholds[split] = threshold;
          }
          const list = nodes[node];
          const [kept, moved] = [new Uint32Array(level[node]), spare];
          let [lefts, rights] = [0, 0];
          for (let n = 0; n < level[node]; n++) {
            const s = chosen[list[n]];
            if (features[i * count + s] - features[j * count + s] > threshold) kept[lefts++] = list[n];
            else moved[rights++] = list[n];
          }
          next.push(lefts, rights);
          lists.push(kept.slice(0, lefts), moved.slice(0, rights));
        }
        lists.forEach((list, n) => nodes[n].set(list));
        level = next;
      }
      together(); // splits of thread 0
      own(PARTS, (part) => sortPart({ samples, model, features, leafOf, partial, learned }, firstSplit, depth, part));
      together();
      const values = leafValues(partial, leaves, size, shrinkage, doubt);
      if (rank === 0) model.leaves.set(values, tree * leaves * size);
      own(PARTS, (part) => {
        const [from, to] = range(count, part);
        for (let s = from; s < to; s++) {
          const at = leafOf[s] * size;
          for (let k = 0; k < size; k++) residuals[s * size + k] -= values[at + k];
        }
      });
      together();
      if (rank === 0 && t % 10 === 9) report({ cascade: c, tree: t + 1 });
    }
    own(PARTS, (part) => errorPart(state, part, shape));
    together();
    // A copy: the next cascade is learned while this one is written down.
    if (rank === 0) {
      const lying = Object.fromEntries(LYING.map((name) => [name, samples[name].slice()]));
      report({ done: c + 1, errors: state.errors.slice(), lying });
    }
    together();
  }
}

/** Directions by which a tree's splits are judged: drawn by how much the residuals still lie along them. */
function drawDirections(residuals, chosen, size, count, random) {
  const spread = new Float64Array(size);
  for (const s of chosen) for (let k = 0; k < size; k++) spread[k] += residuals[s * size + k] ** 2;
  const out = [];
  while (out.length < count) {
    let rest = random() * spread.reduce((a, b) => a + b);
    let k = 0;
    while (k < size - 1 && (rest -= spread[k]) >= 0) k++;
    if (out.includes(k)) k = spread.findIndex((_, i) => !out.includes(i));
    spread[k] = 0;
    out.push(k);
  }
  return out;
}

/** Places of a cascade's feature pixels in the mean shape. */
const placesOf = ({ anchors, deltas }, mean, cascade, pixels) =>
  Float32Array.from({ length: 2 * pixels }, (_, k) => {
    const i = cascade * pixels + (k >> 1);
    return mean[2 * anchors[i] + (k % 2)] + deltas[2 * i + (k % 2)];
  });

/** Finds the leaves of a part's samples and adds up their residuals. */
function sortPart({ samples, model, features, leafOf, partial, learned }, firstSplit, depth, part) {
  const { count, residuals, size } = samples;
  const { splitPixels, thresholds } = model;
  const inner = 2 ** depth - 1;
  const base = part * (inner + 1) * (size + 1);
  partial.fill(0, base, base + (inner + 1) * (size + 1));
  const [from, to] = range(count, part);
  for (let s = from; s < to; s++) {
    let node = 0;
    while (node < inner) {
      const split = firstSplit + node;
      const difference =
        features[splitPixels[2 * split] * count + s] - features[splitPixels[2 * split + 1] * count + s];
      node = 2 * node + (difference > thresholds[split] ? 1 : 2);
    }
    leafOf[s] = node - inner;
    if (s >= learned) continue;
    const at = base + (node - inner) * (size + 1);
    partial[at + size]++;
    for (let k = 0; k < size; k++) partial[at + k] += residuals[s * size + k];
  }
}

/** Leaves, rounded as the 8-bit form will round them, so that later trees can make good for that. */
function leafValues(partial, leaves, size, shrinkage, doubt) {
  const sums = new Float64Array(leaves * (size + 1));
  for (let at = 0; at < partial.length; at++) sums[at % sums.length] += partial[at];
  const out = new Float32Array(leaves * size);
  for (let leaf = 0; leaf < leaves; leaf++) {
    const at = leaf * (size + 1);
    const share = shrinkage / (sums[at + size] + doubt || 1);
    let largest = 0;
    for (let k = 0; k < size; k++) largest = Math.max(largest, Math.abs(sums[at + k] * share));
    const scale = Math.fround(Math.fround(largest) / 127);
    if (scale > 0)
      for (let k = 0; k < size; k++) out[leaf * size + k] = Math.round((sums[at + k] * share) / scale) * scale;
  }
  return out;
}
