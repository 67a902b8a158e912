/** What contains a recording, by its first bytes: known before anything is said of how it is damaged, or what plays it. */

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

/** QuickTime files of before 2001, and parts of MP4 streams, begin with any box. */
const boxes = /^[^]{4}(moov|mdat|wide|free|skip|pnot|moof|styp|sidx)/;

/** Packets of an MPEG transport stream, with a time before each one or bytes to correct it: 188 and 4 or 16. */
const packets = [188, 192, 204];

/** Its name with an article; null for what is no recording. */
export function containerOf(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes.subarray(0, 16));
  for (const [at, signature, name] of signatures) if (text.startsWith(signature, at)) return name;
  if (boxes.test(text) && !/^[ -~]{4}/.test(text)) return 'a QuickTime video';
  if (packets.some((length) => isPacketed(bytes, length))) return 'an MPEG transport stream';
  const start = /^\0?\0\0\x01([^])([^])/.exec(text);
  if (!start) return null;
  const [unit, next] = [start[1]!.charCodeAt(0), start[2]!.charCodeAt(0)];
  // Parameters of the sequence, a delimiter, or what an encoder says of itself.
  if (next === 1 && [32, 33, 35, 39].includes(unit >> 1)) return 'an H.265 stream';
  return unit < 128 && [6, 7, 9].includes(unit & 31) ? 'an H.264 stream' : null;
}

/** Each packet begins with the letter G; a stream that was tuned in to begins within one. */
function isPacketed(bytes: Uint8Array, length: number): boolean {
  for (let first = 0; first < length && first + length < bytes.length; first++) {
    let at = first;
    while (at < bytes.length && bytes[at] === 0x47) at += length;
    if (at >= bytes.length && (first < 5 || at > 5 * length)) return true;
  }
  return false;
}

/** What mediabunny takes apart and browsers play. */
export const isBrowsers = (container: string): boolean => /MP4|QuickTime|WebM/.test(container);

/** To follow the name of a file. */
export const notPlayed = (container: string): string =>
  `is ${container}, which this browser cannot play. Convert it to MP4 (H.264) or WebM (VP9), for example: ffmpeg -i in -pix_fmt yuv420p out.mp4`;
