/** The edit list of a picture in an MP4 or QuickTime file, read from the file's own boxes: for decoders that keep it to themselves. */
import type { Bytes } from './cut-off.ts';
import type { Edit } from './edit-list.ts';

/** More than that no recorder writes. */
const MOST_EDITS = 4096;
const MOST_BOXES = 10_000;

interface Box {
  type: string;
  /** Of its contents. */
  from: number;
  to: number;
}

async function* boxes(bytes: Bytes, from: number, to: number): AsyncGenerator<Box, void> {
  for (let count = 0; from + 8 <= to && count < MOST_BOXES; count++) {
    const view = await bytes.read(from, 16);
    if (view.byteLength < 8) return;
    const long = view.getUint32(0) === 1 && view.byteLength >= 16;
    const size = long ? Number(view.getBigUint64(8)) : view.getUint32(0) || to - from;
    if (size < (long ? 16 : 8)) return;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(i)));
    yield { type, from: from + (long ? 16 : 8), to: Math.min(to, from + size) };
    from += size;
  }
}

/** The first box at the end of a path of types. */
async function boxAt(bytes: Bytes, { from, to }: Pick<Box, 'from' | 'to'>, path: string[]): Promise<Box | null> {
  for await (const box of boxes(bytes, from, to))
    if (box.type === path[0]) return path.length === 1 ? box : boxAt(bytes, box, path.slice(1));
  return null;
}

/** Ticks a second, of a movie or a track: behind two times of four or eight bytes. */
async function timescaleIn(bytes: Bytes, box: Box | null): Promise<number> {
  const view = box && (await bytes.read(box.from, 32));
  if (!view || view.byteLength < 24) return 0;
  return view.getUint32(view.getUint8(0) === 1 ? 20 : 12);
}

/** Of the first track with a picture; `from` is by the track's own clock. Empty where there is no list. */
export async function movieEdits(bytes: Bytes): Promise<Edit[]> {
  const movie = await boxAt(bytes, { from: 0, to: bytes.size }, ['moov']);
  if (!movie) return [];
  const ticks = await timescaleIn(bytes, await boxAt(bytes, movie, ['mvhd']));
  for await (const track of boxes(bytes, movie.from, movie.to)) {
    if (track.type !== 'trak') continue;
    const handler = await boxAt(bytes, track, ['mdia', 'hdlr']);
    const view = handler && (await bytes.read(handler.from, 12));
    if (!view || view.byteLength < 12 || view.getUint32(8) !== 0x76696465) continue; // 'vide'
    const own = await timescaleIn(bytes, await boxAt(bytes, track, ['mdia', 'mdhd']));
    const list = await boxAt(bytes, track, ['edts', 'elst']);
    return list && ticks && own ? editsIn(await bytes.read(list.from, list.to - list.from), ticks, own) : [];
  }
  return [];
}

function editsIn(view: DataView, ticks: number, own: number): Edit[] {
  if (view.byteLength < 8) return [];
  const long = view.getUint8(0) === 1;
  const size = long ? 20 : 12;
  const count = Math.min(view.getUint32(4), MOST_EDITS, Math.floor((view.byteLength - 8) / size));
  let start = 0;
  return Array.from({ length: count }, (_, i) => {
    const at = 8 + size * i;
    const duration = (long ? Number(view.getBigUint64(at)) : view.getUint32(at)) / ticks;
    const from = long ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    start += duration;
    return { start: start - duration, from: from < 0 ? null : from / own, duration };
  });
}
