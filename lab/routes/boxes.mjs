// Boxes of MP4 files, changed as no encoder here writes them.

/** Every box below `inside` of the type, with its place. */
export function* boxes(bytes, type, from = 0, to = bytes.length) {
  for (let at = from; at + 8 <= to;) {
    const size = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (size < 8) return;
    if (name === type) yield { at, size };
    if (['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts'].includes(name)) yield* boxes(bytes, type, at + 8, at + size);
    if (name === 'stsd') yield* boxes(bytes, type, at + 16, at + size);
    if (name === 'avc1') yield* boxes(bytes, type, at + 86, at + size);
    at += size;
  }
}

const boxOf = (type, ...words) => {
  const bytes = Buffer.alloc(8 + 4 * words.length);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(type, 4, 'latin1');
  words.forEach((word, i) => bytes.writeInt32BE(word | 0, 8 + 4 * i));
  return bytes;
};

/** Puts `box` behind `place` within the boxes that contain it; the index is at the end of the file, so no other place moves. */
function inserted(bytes, place, box) {
  const out = Buffer.concat([bytes.subarray(0, place), box, bytes.subarray(place)]);
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1', 'edts'])
    for (const { at, size } of boxes(bytes, type))
      if (at < place && place <= at + size) out.writeUInt32BE(size + box.length, at);
  return out;
}

/** The display matrix of the first track: a, b, c, d as 1 or -1 or 0. */
export function withMatrix(bytes, [a, b, c, d]) {
  const [{ at }] = boxes(bytes, 'tkhd');
  const place = at + 8 + (bytes[at + 8] === 1 ? 52 : 40);
  [a, b, 0, c, d].forEach((value, i) => bytes.writeInt32BE(value * 0x10000, place + 4 * i));
  return bytes;
}

/** Edits as [duration, media time] in ticks of the movie and of the track, in place of those that the file has. */
export function withEdits(bytes, edits) {
  const [old] = boxes(bytes, 'edts');
  const list = boxOf('elst', 0, edits.length, ...edits.flatMap(([duration, time]) => [duration, time, 0x10000]));
  const box = Buffer.concat([boxOf('edts'), list]);
  box.writeUInt32BE(box.length, 0);
  if (old) bytes.write('free', old.at + 4, 'latin1');
  const [{ at, size }] = boxes(bytes, 'tkhd');
  return inserted(bytes, at + size, box);
}

/** A clean aperture of this size in the middle. */
export function withCleanAperture(bytes, width, height) {
  const [{ at, size }] = boxes(bytes, 'avc1');
  return inserted(bytes, at + size, boxOf('clap', width, 1, height, 1, 0, 1, 0, 1));
}
