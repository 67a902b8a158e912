// The clips of the speed benchmarks: the first frames of car and david of the TLD set.
import { openSequence } from '../../../bench/objects/parts/sequences.mjs';

export const COUNT = 24;

export function readClips(shared, count = COUNT) {
  return ['car', 'david'].map((name) => {
    const { width, height, truth, frames, frame } = openSequence(shared, name);
    const length = Math.min(count, frames);
    return { name, width, height, box: truth[0], frames: Array.from({ length }, (_, i) => frame(i).data) };
  });
}

/** What a page reads: clips.json and clips.bin. */
export function clipFiles(shared) {
  const clips = readClips(shared);
  const list = clips.map(({ frames, ...clip }) => ({ ...clip, count: frames.length }));
  return { 'clips.json': JSON.stringify(list), 'clips.bin': Buffer.concat(clips.flatMap(({ frames }) => frames)) };
}
