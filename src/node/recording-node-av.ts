/**
 * Recordings by node-av (FFmpeg inside this process): pictures stay in the decoder's memory and are read from there, with
 * their own times as the container has them. Decoding is done on the caller's thread: one core is kept busy by one
 * recording, and several recordings are several processes.
 */
import type * as Constants from 'node-av/constants';
import type * as Lib from 'node-av/lib';
import { FoveolaError } from '../runtime/error.ts';
import type { Picture } from './decoded-frame.ts';
import type { Recording } from './recording.ts';

export interface NodeAv {
  lib: typeof Lib;
  constants: typeof Constants;
}

export async function loadNodeAv(): Promise<NodeAv | null> {
  try {
    const [lib, constants] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    lib.Log.setLevel(constants.AV_LOG_FATAL); // what is wrong comes as a code as well
    return { lib, constants };
  } catch {
    return null; // not installed, or not for this machine
  }
}

type Layout = Pick<Picture, 'format' | 'bits'> & { planes: number; fullRange?: boolean };

/** Pixel formats whose planes the engine reads as they are; the others are converted to RGBA. */
function layouts(c: typeof Constants): Map<number, Layout> {
  const eight = { bits: 8, planes: 3 };
  return new Map<number, Layout>([
    [c.AV_PIX_FMT_YUV420P, { format: 'I420', ...eight }],
    [c.AV_PIX_FMT_YUV422P, { format: 'I422', ...eight }],
    [c.AV_PIX_FMT_YUV444P, { format: 'I444', ...eight }],
    [c.AV_PIX_FMT_YUVJ420P, { format: 'I420', ...eight, fullRange: true }],
    [c.AV_PIX_FMT_YUVJ422P, { format: 'I422', ...eight, fullRange: true }],
    [c.AV_PIX_FMT_YUVJ444P, { format: 'I444', ...eight, fullRange: true }],
    [c.AV_PIX_FMT_YUVA420P, { format: 'I420', ...eight }],
    [c.AV_PIX_FMT_NV12, { format: 'NV12', bits: 8, planes: 2 }],
    [c.AV_PIX_FMT_GRAY8, { format: 'I420', bits: 8, planes: 1, fullRange: true }],
    [c.AV_PIX_FMT_GRAY10LE, { format: 'I420', bits: 10, planes: 1, fullRange: true }],
    [c.AV_PIX_FMT_GRAY16LE, { format: 'I420', bits: 16, planes: 1, fullRange: true }],
    [c.AV_PIX_FMT_YUV420P10LE, { format: 'I420', bits: 10, planes: 3 }],
    [c.AV_PIX_FMT_YUV422P10LE, { format: 'I422', bits: 10, planes: 3 }],
    [c.AV_PIX_FMT_YUV444P10LE, { format: 'I444', bits: 10, planes: 3 }],
  ]);
}

const failed = (text: string) => new FoveolaError('decode-failed', text);

export function openWithNodeAv({ lib, constants: c }: NodeAv, path: string): Recording {
  const container = new lib.FormatContext();
  const open = container.openInputSync(path);
  if (open < 0)
    throw failed(
      `${path} is no recording that can be read (${reason(lib, open)}). Take MP4, MOV, WebM, Matroska or AVI.`,
    );
  const found = container.findStreamInfoSync();
  const index = found < 0 ? found : container.findBestStream(c.AVMEDIA_TYPE_VIDEO);
  const stream = index < 0 ? undefined : container.streams[index];
  if (!stream) {
    container.closeInputSync();
    throw new FoveolaError('source-unsupported', `${path} has no picture that can be read.`);
  }
  const parameters = stream.codecpar;
  const codec = lib.Codec.findDecoder(parameters.codecId);
  const decoder = new lib.CodecContext();
  const ready = codec && (decoder.allocContext3(codec), decoder.parametersToContext(parameters) >= 0);
  if (ready) {
    decoder.threadCount = 1;
    decoder.pktTimebase = stream.timeBase;
  }
  if (!ready || decoder.open2Sync(codec, null) < 0) {
    container.closeInputSync();
    throw new FoveolaError(
      'source-unsupported',
      `The codec of ${path} is not decoded here. Convert it to MP4 (H.264) or WebM (VP9).`,
    );
  }
  return {
    width: parameters.width,
    height: parameters.height,
    decoder: 'node-av',
    pictures: () => pictures({ lib, constants: c }, container, decoder, index, stream.timeBase),
    close: () => {
      decoder.freeContext();
      container.closeInputSync();
    },
  };
}

const reason = (lib: typeof Lib, code: number) => new lib.FFmpegError(code).message;

function* pictures(
  { lib, constants: c }: NodeAv,
  container: Lib.FormatContext,
  decoder: Lib.CodecContext,
  index: number,
  timeBase: { num: number; den: number },
): Generator<Picture, void> {
  const known = layouts(c);
  const packet = new lib.Packet();
  packet.alloc();
  const convert = converter({ lib, constants: c });
  const take = () => {
    const frame = new lib.Frame();
    frame.alloc();
    return frame;
  };
  function* decoded(): Generator<Picture, void> {
    for (;;) {
      const frame = take();
      const got = decoder.receiveFrameSync(frame);
      if (got < 0) {
        frame.free();
        if (got === c.AVERROR_EAGAIN || got === c.AVERROR_EOF) return;
        throw failed(reason(lib, got));
      }
      const time = frame.bestEffortTimestamp;
      yield pictureOf(frame, Math.round((Number(time) * timeBase.num * 1e6) / timeBase.den));
    }
  }
  const pictureOf = (frame: Lib.Frame, timestamp: number): Picture => {
    const layout = known.get(frame.format);
    const turns = quarterTurns(frame.getSideData(c.AV_FRAME_DATA_DISPLAYMATRIX));
    const { num, den } = frame.sampleAspectRatio;
    const aspect = num > 0 && den > 0 ? num / den : 1;
    if (!layout || turns || aspect !== 1) return { ...convert(frame, aspect, turns), timestamp };
    const { data, linesize } = frame; // getters, each of which asks for all planes
    const planes = Array.from({ length: layout.planes }, (_, i) => ({ data: data![i]!, stride: linesize[i]! }));
    return {
      format: layout.format,
      width: frame.width,
      height: frame.height,
      planes,
      bits: layout.bits,
      fullRange: layout.fullRange ?? frame.colorRange === c.AVCOL_RANGE_JPEG,
      timestamp,
      release: () => frame.free(),
    };
  };
  try {
    for (;;) {
      const read = container.readFrameSync(packet);
      if (read === c.AVERROR_EOF) break;
      if (read < 0) throw failed(reason(lib, read));
      const sent = packet.streamIndex === index ? decoder.sendPacketSync(packet) : 0;
      const other = packet.streamIndex !== index;
      packet.unref();
      if (other) continue;
      if (sent < 0) throw failed(reason(lib, sent));
      yield* decoded();
    }
    decoder.sendPacketSync(null);
    yield* decoded();
  } finally {
    packet.free();
    convert.free();
  }
}

/** Other formats, turned pictures and oblong pixels: as RGBA, as they are shown. */
function converter({ lib, constants: c }: NodeAv) {
  let scaler: Lib.SoftwareScaleContext | null = null;
  let last = '';
  const convert = (frame: Lib.Frame, aspect: number, turns: number): Omit<Picture, 'timestamp'> => {
    const { width: coded, height } = frame;
    const format = frame.format as Constants.AVPixelFormat;
    const width = Math.round(coded * aspect);
    const kind = `${coded} ${width} ${height} ${format}`;
    if (kind !== last) {
      scaler?.freeContext();
      scaler = new lib.SoftwareScaleContext();
      scaler.getContext(coded, height, format, width, height, c.AV_PIX_FMT_RGBA, c.SWS_BILINEAR);
      last = kind;
    }
    // As frames: of a palette, which is a plane of its own, the samples alone are not enough.
    const shown = new lib.Frame();
    shown.alloc();
    Object.assign(shown, { format: c.AV_PIX_FMT_RGBA, width, height });
    const done = Math.min(shown.getBuffer(1), scaler!.scaleFrameSync(shown, frame));
    frame.free();
    if (done < 0) throw failed(reason(lib, done));
    const data = Buffer.alloc(4 * width * height);
    const [samples, stride] = [shown.data![0]!, shown.linesize[0]!];
    for (let y = 0; y < height; y++) data.set(samples.subarray(y * stride, y * stride + 4 * width), 4 * y * width);
    shown.free();
    return turned(data, width, height, turns);
  };
  return Object.assign(convert, { free: () => scaler?.freeContext() });
}

/** By how many quarters, clockwise, a picture is to be turned: from the container's display matrix (16.16, row by row). */
function quarterTurns(matrix: Buffer | null): number {
  if (!matrix || matrix.length < 36) return 0;
  const angle = Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0));
  return (Math.round((2 * angle) / Math.PI) + 4) % 4;
}

function turned(data: Uint8Array, width: number, height: number, turns: number): Omit<Picture, 'timestamp'> {
  const rgba = (samples: Uint8Array, across: number, down: number): Omit<Picture, 'timestamp'> => ({
    format: 'RGBA',
    width: across,
    height: down,
    planes: [{ data: samples, stride: 4 * across }],
    bits: 8,
    fullRange: true,
    release: () => {},
  });
  if (turns === 0) return rgba(data, width, height);
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  const [across, down] = turns === 2 ? [width, height] : [height, width];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [
        [x, y],
        [height - 1 - y, x],
        [width - 1 - x, height - 1 - y],
        [y, width - 1 - x],
      ][turns] as [number, number];
      to[v * across + u] = from[y * width + x]!;
    }
  return rgba(new Uint8Array(to.buffer), across, down);
}
