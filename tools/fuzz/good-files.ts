/** Good files of the formats whose readers are fuzzed, small, so that a million changed ones can be read in minutes. */
import {
  BlobSource,
  BufferTarget,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WEBM,
} from 'mediabunny';
import { JournalWriter } from '../../src/recordings/journal-writer.ts';
import { packCascade, type Cascade } from '../../src/models/cascade.ts';
import { packLandmarks } from '../../src/models/landmarks.ts';
import { readDat } from '../../src/models/dlib-landmarks.ts';
import { cascadeXml } from '../../test/support/cascade-writer.ts';
import { addRows, columns, header, made, together } from '../../test/recordings/made-recordings.ts';
import type { Bytes } from './mutation.ts';

const cascade: Cascade = {
  width: 20,
  height: 20,
  notice: 'for tests',
  stages: [1, 2, 3].map((trees) => ({
    threshold: -trees / 2,
    trees: Array.from({ length: trees }, (_, i) => [
      {
        rectangles: [
          { x: i, y: 1, width: 8, height: 6, weight: -1 },
          { x: 2 + i, y: 1, width: 4, height: 6, weight: 2 },
        ],
        tilted: i === 2,
        threshold: 0.01 * i,
        left: { leaf: -0.5 },
        right: i ? { node: 1 } : { leaf: 0.75 },
      },
      ...(i
        ? [
            {
              rectangles: [{ x: 0, y: 0, width: 20, height: 20, weight: 1 }],
              tilted: false,
              threshold: -2,
              left: { leaf: 1 },
              right: { leaf: -1 },
            },
          ]
        : []),
    ]),
  })),
};

/** Numbers as dlib keeps them: a byte for sign and size, then the size's bytes; a fraction is mantissa and exponent. */
function dat(): Bytes {
  const bytes: number[] = [];
  const int = (value: number) => {
    const digits: number[] = [];
    for (let rest = Math.abs(value); rest; rest = Math.floor(rest / 256)) digits.push(rest % 256);
    bytes.push((digits.length || 1) | (value < 0 ? 128 : 0), ...(digits.length ? digits : [0]));
  };
  const float = (value: number) => (int(Math.round(value * 2 ** 20)), int(-20));
  const column = (length: number, value: (i: number) => number) => {
    [length, 1].forEach(int);
    for (let i = 0; i < length; i++) float(value(i));
  };
  const [points, cascades, trees, splits, pixels] = [3, 2, 2, 3, 5];
  int(1);
  column(2 * points, (i) => i / 10);
  int(cascades);
  for (let c = 0; c < cascades; c++) {
    int(trees);
    for (let t = 0; t < trees; t++) {
      int(splits);
      for (let s = 0; s < splits; s++) {
        [(s + t) % pixels, (s + c + 1) % pixels].forEach(int);
        float(s - 1.5);
      }
      int(splits + 1);
      for (let leaf = 0; leaf <= splits; leaf++) column(2 * points, (i) => (i - leaf) / 50);
    }
  }
  int(cascades);
  for (let c = 0; c < cascades; c++) {
    int(pixels);
    for (let i = 0; i < pixels; i++) int(i % points);
  }
  int(cascades);
  for (let c = 0; c < cascades; c++) {
    int(pixels);
    for (let i = 0; i < pixels; i++) [i / 10, -i / 20].forEach(float);
  }
  return Uint8Array.from(bytes);
}

export const cascades = (): Bytes[] => [
  packCascade(cascade),
  ...(['recent', 'old'] as const).map((format) => new TextEncoder().encode(cascadeXml(cascade, format))),
];

export const landmarks = (): Bytes[] => [
  dat(),
  ...(['exact', '16-bit', '8-bit'] as const).map((form) => packLandmarks(readDat(dat()), form)),
];

export async function journals(): Promise<Bytes[]> {
  const recording = made(0);
  const writer = await JournalWriter.create({ element: 'foveola-pupil', columns, header }, recording);
  const parts = [await writer.take(header)];
  for (let round = 1; round < 3; round++) {
    addRows(recording, 20);
    recording.mark(`mark ${round}`, round);
    parts.push(await writer.take({ ...header, frames: 20 * round, dropped: round }));
  }
  parts.push(await writer.take({ ...header, frames: 40, dropped: 2 }, true));
  return [together(parts)];
}

/** The packets of a recording in MP4 and QuickTime, without decoding them. */
export async function inOtherContainers(webm: Bytes): Promise<Bytes[]> {
  const packets: EncodedPacket[] = [];
  const input = new Input({ source: new BlobSource(new Blob([webm])), formats: [WEBM] });
  const track = (await input.getPrimaryVideoTrack())!;
  const codec = (await track.getCodec())!;
  const config = (await track.getDecoderConfig())!;
  for await (const packet of new EncodedPacketSink(track).packets()) if (packets.push(packet) === 5) break;
  return Promise.all(
    [new Mp4OutputFormat(), new MovOutputFormat()].map(async (format) => {
      const target = new BufferTarget();
      const output = new Output({ format, target });
      const source = new EncodedVideoPacketSource(codec);
      output.addVideoTrack(source);
      await output.start();
      for (const packet of packets) await source.add(packet, { decoderConfig: config });
      await output.finalize();
      return new Uint8Array(target.buffer!);
    }),
  );
}
