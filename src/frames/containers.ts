/** Detects the container of a recording from its first bytes, so that errors about damage or playback can name it. */

const signatures: readonly [at: number, bytes: string, name: string][] = [
  [4, 'ftypqt', 'a QuickTime video'],
  [4, 'ftyp', 'an MP4 video'],
  [0, '\x1aE\xdf\xa3', 'a WebM or Matroska video'],
  [8, 'AVI ', 'an AVI video'],
  [0, '\x30\x26\xb2\x75', 'a Windows Media video'],
  [0, 'OggS', 'an Ogg video'],
  [0, 'FLV', 'a Flash video'],
  [0, 'DKIF', 'an IVF video'],
  [0, 'YUV4MPEG2', 'a YUV4MPEG video'],
  [0, 'nut/', 'a NUT video'],
  [0, '.RMF', 'a RealMedia video'],
  [0, '\x06\x0e\x2b\x34', 'an MXF video'],
  [0, '\0\0\x01\xba', 'an MPEG program stream'],
  [0, '\0\0\x01\xb3', 'an MPEG video stream'],
  [0, '\0\0\x01\xb0', 'an MPEG-4 video stream'],
];

/** QuickTime files from before 2001, and parts of MP4 streams, begin with any box. */
const boxes = /^[^]{4}(moov|mdat|wide|free|skip|pnot|moof|styp|sidx)/;

/**
 * Packets of an MPEG transport stream: 188 bytes, plus 4 with a time before each packet, or plus 16 with error
 * correction.
 */
const packets = [188, 192, 204];

/** Name of the container with an article. Null for files that are not recordings. */
export function containerOf(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes.subarray(0, 16));
  for (const [at, signature, name] of signatures) if (text.startsWith(signature, at)) return name;
  if (boxes.test(text) && !/^[ -~]{4}/.test(text)) return 'a QuickTime video';
  if (packets.some((length) => isPacketed(bytes, length))) return 'an MPEG transport stream';
  const start = /^\0?\0\0\x01([^])([^])/.exec(text);
  if (!start) return null;
  const [unit, next] = [start[1]!.charCodeAt(0), start[2]!.charCodeAt(0)];
  // Sequence parameters, a delimiter, or encoder information.
  if (next === 1 && [32, 33, 35, 39].includes(unit >> 1)) return 'an H.265 stream';
  return unit < 128 && [6, 7, 9].includes(unit & 31) ? 'an H.264 stream' : null;
}

/**
 * Each packet begins with the letter G. If a stream was joined late, its first packet begins within one packet length.
 */
function isPacketed(bytes: Uint8Array, length: number): boolean {
  for (let first = 0; first < length && first + length < bytes.length; first++) {
    let at = first;
    while (at < bytes.length && bytes[at] === 0x47) at += length;
    if (at >= bytes.length && (first < 5 || at > 5 * length)) return true;
  }
  return false;
}

/** Containers that mediabunny demuxes and browsers play. */
export const isBrowsers = (container: string): boolean => /MP4|QuickTime|WebM/.test(container);

/** Message text that follows the name of a file. */
export const notPlayed = (container: string): string =>
  `is ${container}, which this browser cannot play. Convert it to MP4 (H.264) or WebM (VP9), for example: ffmpeg -i in -pix_fmt yuv420p out.mp4`;

// Checks whether a recording is truncated, from the length that its container declares: an interrupted copy, a full
// disk, a recorder that was switched off. Decoders reach the end of such a file without an error.

/** A file, or a part of the web that is read like one. */
export interface Bytes {
  readonly size: number;
  read(from: number, bytes: number): Promise<DataView>;
}

export const bytesOf = (blob: Blob): Bytes => ({
  size: blob.size,
  read: async (from, bytes) => new DataView(await blob.slice(from, from + bytes).arrayBuffer()),
});

const PAGE = 4096;

/** Small parts next to each other are read in one go. */
export function paged(file: Blob | Bytes): Bytes {
  const bytes = file instanceof Blob ? bytesOf(file) : file;
  let from = 0;
  let page: DataView = new DataView(new ArrayBuffer(0));
  return {
    size: bytes.size,
    async read(at, count) {
      if (at < from || at + count > from + page.byteLength)
        [page, from] = [await bytes.read(at, Math.max(count, PAGE)), at];
      const left = page.byteLength - (at - from);
      return new DataView(page.buffer, page.byteOffset + at - from, Math.min(count, left));
    },
  };
}

interface Contents {
  /** Length that the file should have, in bytes. Null if it does not declare it. */
  length: number | null;
  /** Of boxes. */
  types: ReadonlySet<string>;
  /** Whether all boxes were read, and not only the first ten thousand. */
  all: boolean;
}

/** Uses the rules of each container. Other containers do not declare their length, so their size is accepted. */
async function contentsOf(bytes: Bytes): Promise<Contents> {
  const head = await bytes.read(0, PAGE);
  const container = containerOf(new Uint8Array(head.buffer, head.byteOffset, head.byteLength)) ?? '';
  if (/MP4|QuickTime/.test(container)) return boxesOf(bytes);
  const length = container.includes('Matroska')
    ? await lengthOfMatroska(bytes)
    : container.includes('AVI')
      ? await lengthOfAvi(bytes)
      : null;
  return { length, types: new Set(), all: false };
}

/** Length that the file should have, in bytes. Null if it does not declare it. */
export const lengthOf = async (file: Blob | Bytes): Promise<number | null> => (await contentsOf(paged(file))).length;

/**
 * Why a recording is not complete, as text after "is incomplete: ". Null if nothing shows that something is missing.
 */
export async function missingOf(file: Blob | Bytes): Promise<string | null> {
  const { length, types, all } = await contentsOf(paged(file));
  if (length !== null && length > file.size)
    return `it has ${file.size} of its ${length} bytes. Copy it again from its source.`;
  return all && types.has('mdat') && !types.has('moov')
    ? 'its index (moov), which recorders write last, is missing. Finish the recording or copy it again.'
    : null;
}

/** An EBML number. The number of leading zeros is the number of bytes that follow. All ones means unknown. */
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

/** WebM and Matroska: the header, then one segment that declares its length (live recordings do not). */
async function lengthOfMatroska(bytes: Bytes): Promise<number | null> {
  const view = await bytes.read(0, 256);
  const header = ebmlNumber(view, 4);
  if (!header) return null;
  const segment = 4 + header.bytes + header.value;
  if (segment + 4 > view.byteLength || view.getUint32(segment) !== 0x18538067) return null;
  const size = ebmlNumber(view, segment + 4);
  return size && Number.isFinite(size.value) ? segment + 4 + size.bytes + size.value : null;
}

/** AVI: a main list, and further lists after each GB or two. The length is 0 until the recorder has finished. */
async function lengthOfAvi(bytes: Bytes): Promise<number | null> {
  let at = 0;
  while (at < bytes.size) {
    const view = await bytes.read(at, 8);
    if (view.byteLength < 8 || view.getUint32(0) !== 0x52494646) break; // 'RIFF'
    const size = view.getUint32(4, true);
    if (size === 0 || size === 0xffffffff) return null;
    at += 8 + size + (size & 1);
  }
  return at;
}

const MOST_BOXES = 10_000;

/** MP4 and QuickTime: boxes one after the other, each with its size. */
async function boxesOf(bytes: Bytes): Promise<Contents> {
  const types = new Set<string>();
  let at = 0;
  for (let boxes = 0; at < bytes.size; boxes++) {
    if (boxes === MOST_BOXES) return { length: null, types, all: false };
    const view = await bytes.read(at, 16);
    if (view.byteLength < 8) return { length: at + 8, types, all: true };
    types.add(String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(i))));
    let size = view.getUint32(0);
    if (size === 0) return { length: bytes.size, types, all: true }; // to the end of the file
    if (size === 1) {
      if (view.byteLength < 16) return { length: at + 16, types, all: true };
      size = Number(view.getBigUint64(8));
    }
    if (size < 8) return { length: null, types, all: true }; // no box
    at += size;
  }
  return { length: at, types, all: true };
}
