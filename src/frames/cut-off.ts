/**
 * Whether a recording is cut off, from what its container says of its own length: a copy that was broken off, a full
 * disk, a recorder that was switched off. Decoders come to the end of such a file without a complaint.
 */

const read = async (blob: Blob, from: number, bytes: number) =>
  new DataView(await blob.slice(from, from + bytes).arrayBuffer());

/** Length that the file should have, in bytes; null where it does not say. */
export async function lengthOf(blob: Blob): Promise<number | null> {
  const head = await read(blob, 0, 4);
  if (head.byteLength < 4) return null;
  return head.getUint32(0) === 0x1a45dfa3 ? lengthOfMatroska(blob) : lengthOfBoxes(blob);
}

/** A number of EBML: as many leading zeros as bytes follow; all ones: not known. */
function ebmlNumber(view: DataView, at: number): { value: number; bytes: number } | null {
  if (at >= view.byteLength) return null;
  const first = view.getUint8(at);
  const bytes = Math.clz32(first) - 23;
  if (bytes > 8 || at + bytes > view.byteLength) return null;
  let value = first & (0xff >> bytes);
  let ones = value === 0xff >> bytes;
  for (let i = 1; i < bytes; i++) {
    const byte = view.getUint8(at + i);
    ones &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value: ones ? NaN : value, bytes };
}

/** WebM and Matroska: the header, then one segment that says how long it is (live recordings do not). */
async function lengthOfMatroska(blob: Blob): Promise<number | null> {
  const view = await read(blob, 0, 256);
  const header = ebmlNumber(view, 4);
  if (!header) return null;
  const segment = 4 + header.bytes + header.value;
  if (segment + 4 > view.byteLength || view.getUint32(segment) !== 0x18538067) return null;
  const size = ebmlNumber(view, segment + 4);
  return size && Number.isFinite(size.value) ? segment + 4 + size.bytes + size.value : null;
}

/** MP4 and QuickTime: boxes one after the other, each with its size. */
async function lengthOfBoxes(blob: Blob): Promise<number | null> {
  let at = 0;
  for (let boxes = 0; boxes < 10_000 && at < blob.size; boxes++) {
    const view = await read(blob, at, 16);
    if (view.byteLength < 8) return at + 8;
    let size = view.getUint32(0);
    if (size === 0) return blob.size; // to the end of the file
    if (size === 1) {
      if (view.byteLength < 16) return at + 16;
      size = Number(view.getBigUint64(8));
    }
    if (size < 8) return null; // no box
    at += size;
  }
  return at;
}
