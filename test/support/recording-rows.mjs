// What three routes make of each file of test/media/routes (written by lab/routes/make-recordings.mjs), and where they differ.
import { differences } from './three-routes.mjs';

const increasing = (times) =>
  times.every((time, i) => (i ? time > times[i - 1] && time - times[i - 1] < 1000 : time >= 0));

/** Refused by both routes of the page, with words that name what it is. */
function refusedInPage({ live, every }, names, code = 'source-unsupported') {
  return Object.entries({ live, every }).flatMap(([route, { frames, refusal }]) => [
    ...(frames || refusal?.code !== code ? [`${route} gave ${frames} frames and ${refusal?.code}, not ${code}`] : []),
    ...(names.test(refusal?.message ?? '') ? [] : [`${route} does not name ${names}: ${refusal?.message}`]),
  ]);
}

/** Measured by Node: times that grow from 0, and the pupil in every frame. */
function measured({ node }, frames = 10, interval = 100) {
  const found = [];
  if (node.frames !== frames) found.push(`node gave ${node.frames} frames, not ${frames}`);
  if (node.times[0] !== 0 || !increasing(node.times)) found.push(`node: times ${node.times}`);
  if (Math.abs(node.times[1] - interval) > 0.01) found.push(`node: ${node.times[1]} ms, not ${interval}`);
  if (node.diameters.some(Number.isNaN)) found.push(`node: pupils ${node.diameters}`);
  return found;
}

// Kinds of rows. Each gives the differences that are not documented.
const equal = (made) => [
  ...(made.live.frames ? [] : [`live gave no frame: ${made.live.refusal?.message}`]),
  ...(Object.values(made).some(({ refusal }) => refusal) ? ['refused'] : []),
  ...(increasing(made.node.times) ? [] : [`times ${made.node.times}`]),
  ...differences(made),
];
/** No browser plays it, or not every one; the command does. */
const command = (names, frames, interval) => (made) => [
  ...refusedInPage(made, names),
  ...(made.node.refusal ? [`node: ${made.node.refusal.message}`] : []),
  ...measured(made, frames, interval),
];
/** Of samples that use fewer bits than are stored: with a note, and the levels of the same eye in 8 bits. */
const withBits =
  (bits, frames, names = /Matroska|V_MS/) =>
  (made) => [
    ...command(names, frames)(made),
    ...(made.node.notes.join().includes(` ${bits} bits`) ? [] : [`notes: ${made.node.notes}`]),
    ...(Math.max(...made.node.levels) > 120 ? [] : [`levels ${made.node.levels}`]),
  ];
const refused = (code, names) => (made) =>
  Object.entries(made).flatMap(([route, { frames, refusal }]) =>
    !frames && refusal?.code === code && names.test(refusal.message)
      ? []
      : [`${route}: ${frames}, ${refusal?.message}`],
  );
/** What was read before a fault is equal on `routes`; then they end with the same code and words. */
const endsWith =
  (code, words, ...routes) =>
  (made) => {
    const some = Object.fromEntries(routes.map((route) => [route, made[route]]));
    return [
      ...differences(some),
      ...routes.flatMap((route) => {
        const { frames, refusal } = made[route];
        return frames && refusal?.code === code && words.test(refusal.message)
          ? []
          : [`${route}: ${frames}, ${refusal?.message}`];
      }),
    ];
  };
const unrefused = ({ refusal: _, ...rest }) => rest;
/** Playback shows the frames that are there, and says nothing of what is missing. */
const livesOn = (row) => (made) => [
  ...row(made),
  ...differences({ every: unrefused(made.every), live: unrefused(made.live) }),
];

const avi = /AVI/;
const stream = /MPEG transport stream/;
const matroska = /Matroska|V_MS/;

/** Those that are not here are equal. */
const rows = {
  // Browsers differ in these codecs; where one has it, all three are equal.
  ...{
    'hevc.mp4': command(/MP4|hevc/),
    'phone.3gp': command(/MP4|s263/, 5),
    'prores.mov': command(/QuickTime|prores/, 3),
  },
  ...{ 'mjpeg.mov': command(/QuickTime|jpeg/, 3), 'png-16-bits.mov': withBits(12, 3, /QuickTime|png/) },
  ...{ 'ffv1-gray.mkv': command(matroska, 3), 'gray10.mkv': command(matroska, 3) },
  ...{ 'yuv-12-bits.mkv': command(matroska, 3), 'mono16.mkv': command(matroska, 3) },
  ...{ 'mono10.mkv': withBits(10, 3), 'mono12.mkv': withBits(12, 3), 'color-12-bits.mkv': withBits(12, 3) },
  ...{ 'mono10-dark-start.mkv': withBits(10, 3), 'mono10.nut': withBits(10, 2, /NUT/) },
  ...{ 'raw-gray.avi': command(avi, 2), 'raw-bgr.avi': command(avi, 2), 'raw-yuyv.avi': command(avi, 2) },
  ...{ 'mjpeg.avi': command(avi, 3), 'bframes.avi': command(avi), 'h264-bframes.avi': command(avi) },
  ...{ 'h264.m2t': command(stream), 'h264.m2ts': command(stream), 'mpeg2.m2t': command(stream, 10, 40) },
  ...{ 'mpeg2.mpg': command(/program stream/, 10, 40), 'mpeg1.mpg': command(/program stream/, 10, 40) },
  ...{ 'mpeg2.m2v': command(/MPEG video stream/, 10, 40), 'bframes.h264': command(/H\.264 stream/) },
  ...{
    'stream.hevc': command(/H\.265 stream/),
    'wmv2.wmv': command(/Windows Media/),
    'h264.flv': command(/Flash/),
  },
  ...{ 'theora.ogv': command(/Ogg/), 'vp9.ivf': command(/IVF/), 'raw.y4m': command(/YUV4MPEG/, 2) },
  'mpeg2.mxf': command(/MXF/, 10, 40),
  'sound.mp4': refused('source-unsupported', /no picture/),
  'large.webm': refused('image-too-large', /16000x8000/),
  'no-index.mp4': refused('decode-failed', /2386 of its 3179 bytes/),
  // Chromium plays nothing of it. The other two measure what there is of it.
  'cut.mp4': (made) => [
    ...endsWith('decode-failed', /2783 of its 3976 bytes/, 'every', 'node')(made),
    ...(/2783 of its 3976 bytes/.test(made.live.refusal?.message) ? [] : [`live: ${made.live.refusal?.message}`]),
  ],
  'cut.webm': livesOn(endsWith('decode-failed', /1963 of its 2805 bytes/, 'every', 'node')),
  'cut.avi': (made) => [
    ...refusedInPage(made, avi),
    ...endsWith('decode-failed', /9090 of its 9774 bytes/, 'node')(made),
  ],
  // A transport stream does not say how long it is.
  'cut.m2t': command(stream, 6, 40),
  // Whether playback comes to the large picture before its end depends on the machine.
  'too-large-later.webm': livesOn(endsWith('image-too-large', /8192x4616|16000x8000/, 'every', 'node')),
  // Chromium leaves out a frame, and a gap between the parts, by the order in which frames are decoded.
  'edit-two.mp4': ({ every, node }) => differences({ every, node }),
};

/** A browser without a codec (H.264 is not in all of them) refuses on both routes; then it is a row of the command. */
const lacksCodec = ({ live, every, node }) =>
  [live, every].every(({ frames, refusal }) => !frames && refusal?.code === 'source-unsupported') && node.frames > 0;

/**
 * @returns `kind`: 'equal', 'only in the command', 'refused' or 'documented'; `faults`: sentences, [] where all is as it should be
 */
export function verdict(name, made) {
  const row = rows[name];
  if (!row && lacksCodec(made)) return { kind: 'only in the command', faults: [] };
  const allEqual = equal(made);
  if (!row || !allEqual.length) return { kind: 'equal', faults: allEqual };
  const faults = row(made);
  const parts = [made.live, made.every, made.node].map(({ refusal }) => Boolean(refusal));
  const kind = parts.every(Boolean) ? 'refused' : parts[0] && parts[1] ? 'only in the command' : 'documented';
  return { kind, faults };
}
