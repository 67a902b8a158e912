/** PNG of 8 bits whose frames or orientation browsers do not all show: taken apart into PNG of one picture each. */
import { crc32 } from '../../runtime/crc32.ts';
import { bytesOf } from '../work-done.ts';
import { openAnimation, type AnimationFrame } from './animation.ts';
import { checkHeld, damaged, inFile, unsupported } from './faults.ts';
import { exifOrientation } from './orientation.ts';
import type { Pace } from './pace.ts';
import type { PagedFile } from './paged.ts';
import { openDeepPng } from './png.ts';

interface Chunk {
  type: string;
  data: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
const MAXIMUM_CHUNKS = 1 << 18;
const disposals = ['keep', 'clear', 'restore'] as const;
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function chunksOf(bytes: Uint8Array, pace: Pace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    if (chunks.length === MAXIMUM_CHUNKS) throw damaged('The PNG file is damaged: it has too many parts.');
    const length = view(bytes).getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') break;
    inFile(bytes, at + 8, at + 8 + length, `its part '${type}'`);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
    await pace.step(NaN);
  }
  return chunks;
}

function pngOf(chunks: readonly Chunk[]): Uint8Array {
  const whole = [...chunks, { type: 'IEND', data: new Uint8Array(0) }];
  const out = new Uint8Array(whole.reduce((sum, { data }) => sum + 12 + data.length, 8));
  out.set(SIGNATURE);
  let at = 8;
  for (const { type, data } of whole) {
    view(out).setUint32(at, data.length);
    for (let i = 0; i < 4; i++) out[at + 4 + i] = type.charCodeAt(i);
    out.set(data, at + 8);
    view(out).setUint32(at + 8 + data.length, crc32(out.subarray(at + 4, at + 8 + data.length)));
    at += 12 + data.length;
  }
  return out;
}

/** What all frames share: the header but for its sides, the palette and the like. */
interface Shared {
  header: Uint8Array;
  before: readonly Chunk[];
}

/** The control block of a frame (fcTL), and the parts that hold its picture. */
function frameOf(control: Uint8Array, picture: readonly Uint8Array[], { header, before }: Shared): AnimationFrame {
  inFile(control, 0, 26, 'the header of a frame');
  const numbers = view(control);
  const [width, height] = [numbers.getUint32(4), numbers.getUint32(8)];
  return {
    ...{ x: numbers.getUint32(12), y: numbers.getUint32(16), width, height },
    delay: (1000 * numbers.getUint16(20)) / (numbers.getUint16(22) || 100),
    dispose: disposals[control[24]!] ?? 'keep',
    over: control[25] === 1,
    still: () => {
      const sides = header.slice();
      view(sides).setUint32(0, width);
      view(sides).setUint32(4, height);
      const data = picture.map((part) => ({ type: 'IDAT', data: part }));
      return pngOf([{ type: 'IHDR', data: sides }, ...before, ...data]);
    },
  };
}

/** The frames, and how many pictures are none: the one that programs without animation show. */
function animated(chunks: readonly Chunk[], header: Uint8Array): { frames: AnimationFrame[]; others: number } {
  const first = chunks.findIndex(({ type }) => type === 'IDAT');
  const before = chunks.slice(1, first).filter(({ type }) => !['acTL', 'fcTL', 'eXIf'].includes(type));
  const found: { control: Uint8Array; picture: Uint8Array[] }[] = [];
  let others = 0;
  for (const { type, data } of chunks) {
    if (type === 'fcTL') found.push({ control: data, picture: [] });
    else if (type === 'IDAT' && !found.length) others = 1;
    else if (type === 'IDAT') found.at(-1)!.picture.push(data);
    else if (type === 'fdAT') found.at(-1)?.picture.push(data.subarray(4));
  }
  const frames = found.map(({ control, picture }) => {
    if (!picture.length) throw damaged('The PNG file is cut off or damaged: one of its frames has no picture.');
    return frameOf(control, picture, { header, before });
  });
  return { frames, others };
}

export async function openPng(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  inFile(bytes, 0, 33, 'its header');
  const chunks = await chunksOf(bytes, pace);
  const moves = chunks.some(({ type }) => type === 'acTL');
  if (bytes[24] === 16) {
    if (moves) throw unsupported('The PNG file is an animation of 16 bits, which is not read. Save it with 8 bits.');
    return openDeepPng(file, pace);
  }
  const header = chunks[0]!.data;
  const [width, height] = [view(bytes).getUint32(16), view(bytes).getUint32(20)];
  const exif = chunks.find(({ type }) => type === 'eXIf');
  const still: AnimationFrame = {
    ...{ x: 0, y: 0, width, height, delay: 0, over: false, dispose: 'keep' },
    still: () => pngOf(chunks.filter(({ type }) => !['eXIf', 'acTL', 'fcTL', 'fdAT'].includes(type))),
  };
  const { frames, others } = moves ? animated(chunks, header) : { frames: [], others: 0 };
  return openAnimation(
    {
      ...{ format: 'PNG', type: 'image/png', width, height, held: bytes.length },
      frames: frames.length ? frames : [still],
      others: frames.length ? others : 0,
      orientation: exif ? exifOrientation(exif.data) : 1,
    },
    pace,
  );
}
