/**
 * A JPEG of 700 KB may ask its decoder to go over 36 million pixels twenty thousand times: each scan of a progressive picture
 * touches all of them, and 30 bytes are enough for one. No browser looks, so scans are counted before the file is given to it.
 * Programs write 10 to 20; libjpeg's own tools and libvips refuse more than some hundred as well.
 */
import { FoveolaError } from '../runtime/error.ts';
import { checkDecoded } from './size.ts';

const MOST = 100;
/** Parts of a WebP, frames and others: of 65,535 in 3 MB a browser looks for the first one for minutes. */
const MOST_PARTS = 1000;
const CHUNK = 1 << 20;

/** SOI, the beginning of a scan, the end of the picture. */
const [START, SCAN, END] = [0xd8, 0xda, 0xd9];
/** What stands between the codes of a scan, without a length: a stuffed 0, TEM, restart markers. */
const isBare = (marker: number) => marker <= 1 || (marker >= 0xd0 && marker <= 0xd7);
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const tooMany = (what: string) =>
  new FoveolaError(
    'decode-failed',
    `The ${what}, which no camera writes and which would take minutes. Save it again as JPEG or PNG.`,
  );

/** @throws {FoveolaError} (rejects) 'decode-failed' for a WebP that is refused */
export async function checkParts(file: Blob): Promise<void> {
  for (let at = 12, parts = 0; at + 8 <= file.size; parts++) {
    if (parts === MOST_PARTS) throw tooMany(`WebP has more than ${MOST_PARTS} frames`);
    const head = new DataView(await file.slice(at, at + 8).arrayBuffer());
    at += 8 + 2 * Math.ceil(head.getUint32(4, true) / 2);
  }
}

/** @throws {FoveolaError} (rejects) 'decode-failed', 'image-too-large' for a JPEG that is refused; other files are not looked at */
export async function checkScans(file: Blob): Promise<void> {
  let start = 0;
  let bytes = new Uint8Array(await file.slice(0, CHUNK).arrayBuffer());
  if (bytes[0] !== 0xff || bytes[1] !== START) return;
  let scans = 0;
  /** Of the frame. */
  let components = 0;
  for (let at = 2; at + 5 <= file.size;) {
    if (at + 10 > start + bytes.length && start + bytes.length < file.size) {
      start = at;
      bytes = new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
    }
    const i = at - start;
    const marker = bytes[i + 1]!;
    if (bytes[i] !== 0xff) {
      const next = bytes.indexOf(0xff, i);
      at = start + (next < 0 ? bytes.length : next);
    } else if (marker === 0xff) at++;
    else if (isBare(marker)) at += 2;
    else if (marker === END) return;
    else {
      // Where the first scan of a picture that is not progressive has all components, it is the only one.
      if (isFrame(marker)) {
        components = (marker & 3) === 2 ? Infinity : bytes[i + 9]!;
        const [height, width] = [5, 7].map((k) => bytes[i + k]! * 256 + bytes[i + k + 1]!) as [number, number];
        // Here as well: it may stand behind more than was read of the beginning.
        if (width && height) checkDecoded(width, height);
      }
      if (marker === SCAN && bytes[i + 4]! >= components) return;
      if (marker === SCAN && ++scans > MOST) throw tooMany(`JPEG has more than ${MOST} scans`);
      at += 2 + Math.max(2, bytes[i + 2]! * 256 + bytes[i + 3]!);
    }
  }
}
