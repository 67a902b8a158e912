/**
 * Recordings decoded by node-av (FFmpeg inside this process). Frames stay in the decoder's memory and are read from
 * there, with their times from the container. Decoding runs on the caller's thread, so one recording keeps one core
 * busy, and several recordings need several processes.
 */
import type * as Constants from 'node-av/constants';
import type * as Lib from 'node-av/lib';
import { orientationOf, squareSize } from '../frames/as-shown.ts';
import { checkDecoded } from '../frames/size.ts';
import { FoveolaError } from '../runtime/error.ts';
import { type Picture, checkPicture, intervalOf, type OpenOptions, type Recording } from './decoded-frame.ts';
import { isFullRange, isStoredDeep, pixelFormat, readAs } from './pixel-formats.ts';

export interface NodeAv {
  lib: typeof Lib;
  constants: typeof Constants;
}

export async function loadNodeAv(): Promise<NodeAv | null> {
  try {
    const [lib, constants] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    lib.Log.setLevel(constants.AV_LOG_FATAL); // errors are also returned as codes
    return { lib, constants };
  } catch {
    return null; // not installed, or not for this machine
  }
}

const failed = (text: string) => new FoveolaError('decode-failed', text);
const reason = (lib: typeof Lib, code: number) => new lib.FFmpegError(code).message;
const nameOf = (lib: typeof Lib, format: number) => lib.avGetPixFmtName(format as Constants.AVPixelFormat) ?? '';

/** Stream data for each of its frames. */
interface Opened extends NodeAv {
  container: Lib.FormatContext;
  decoder: Lib.CodecContext;
  stream: Lib.Stream;
  codec: string;
}

/** @throws {FoveolaError} 'decode-failed', 'source-unsupported', 'image-too-large' */
export function openWithNodeAv({ lib, constants }: NodeAv, path: string, { asStored }: OpenOptions = {}): Recording {
  const container = new lib.FormatContext();
  const open = container.openInputSync(path, null, asStored ? lib.Dictionary.fromObject({ ignore_editlist: 1 }) : null);
  if (open < 0)
    throw failed(`${path} is not a readable recording (${reason(lib, open)}). Use MP4, MOV, WebM, Matroska or AVI.`);
  try {
    const opened = openStream({ lib, constants }, container, path);
    const { decoder, stream } = opened;
    const { width, height } = stream.codecpar;
    return {
      ...{ width, height, decoder: 'node-av' },
      deep: isStoredDeep(nameOf(lib, decoder.pixelFormat)),
      // A stream without a container has its rate from its codec. The other rates are then guesses.
      interval: intervalOf(stream.codecpar.frameRate, stream.avgFrameRate, stream.rFrameRate),
      pictures: () => pictures(opened),
      close: () => {
        decoder.freeContext();
        container.closeInputSync();
      },
    };
  } catch (error) {
    container.closeInputSync();
    throw error;
  }
}

function openStream({ lib, constants: c }: NodeAv, container: Lib.FormatContext, path: string): Opened {
  // Checked before frames are decoded to find information that the container does not contain.
  for (const { codecpar } of container.streams ?? [])
    if (codecpar.width > 0 && codecpar.height > 0) checkDecoded(codecpar.width, codecpar.height);
  const found = container.findStreamInfoSync();
  const index = found < 0 ? found : container.findBestStream(c.AVMEDIA_TYPE_VIDEO);
  const stream = index < 0 ? undefined : container.streams[index];
  if (!stream) throw new FoveolaError('source-unsupported', `${path} has no picture that can be read.`);
  const parameters = stream.codecpar;
  const decoding = lib.Codec.findDecoder(parameters.codecId);
  const decoder = new lib.CodecContext();
  const ready = decoding && (decoder.allocContext3(decoding), decoder.parametersToContext(parameters) >= 0);
  if (ready) {
    decoder.threadCount = 1;
    decoder.pktTimebase = stream.timeBase;
  }
  const codec = lib.avGetCodecName(parameters.codecId) ?? 'unknown';
  if (!ready || decoder.open2Sync(decoding, null) < 0)
    throw new FoveolaError(
      'source-unsupported',
      `The codec of ${path} (${codec}) is not decoded here. Convert it to MP4 (H.264) or WebM (VP9).`,
    );
  return { lib, constants: c, container, decoder, stream, codec };
}

function* pictures(opened: Opened): Generator<Picture, void> {
  const { lib, constants: c, container, decoder, stream } = opened;
  const { index } = stream;
  const packet = new lib.Packet();
  packet.alloc();
  const shape = shaper(opened);
  function* decoded(): Generator<Picture, void> {
    for (;;) {
      const frame = new lib.Frame();
      frame.alloc();
      const got = decoder.receiveFrameSync(frame);
      if (got < 0) {
        frame.free();
        if (got === c.AVERROR_EAGAIN || got === c.AVERROR_EOF) return;
        throw failed(reason(lib, got));
      }
      yield shape(frame);
    }
  }
  try {
    for (;;) {
      const read = container.readFrameSync(packet);
      if (read === c.AVERROR_EOF) break;
      if (read < 0) throw failed(reason(lib, read));
      const other = packet.streamIndex !== index;
      const sent = other ? 0 : decoder.sendPacketSync(packet);
      packet.unref();
      if (other) continue;
      if (sent < 0) throw failed(reason(lib, sent));
      yield* decoded();
    }
    decoder.sendPacketSync(null);
    yield* decoded();
  } finally {
    packet.free();
    shape.free();
  }
}

/** The container's display matrix: 16.16, row by row. */
function orientationIn(matrix: Buffer | null) {
  if (!matrix || matrix.length < 36) return undefined;
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => matrix.readInt32LE(at)) as [number, number, number, number];
  return orientationOf(a, b, c, d);
}

/** Makes frames from decoded FFmpeg frames, which they own. Formats that cannot be read directly are converted. */
function shaper({ lib, constants: c, stream, codec }: Opened) {
  const orientation = orientationIn(stream.codecpar.getCodedSideData(c.AV_PKT_DATA_DISPLAYMATRIX));
  const convert = converter(lib, c);
  const { num, den } = stream.timeBase;
  const shape = (decoded: Lib.Frame): Picture => {
    const { width, height, bestEffortTimestamp: ticks } = decoded;
    const own = stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : decoded.sampleAspectRatio;
    const square = squareSize(width, height, own.num / own.den);
    const name = nameOf(lib, decoded.format);
    const full = decoded.colorRange === c.AVCOL_RANGE_JPEG;
    const range = full ? 'full' : decoded.colorRange === c.AVCOL_RANGE_MPEG ? 'video' : null;
    try {
      checkPicture({ width, height, square });
    } catch (error) {
      decoded.free();
      throw error;
    }
    const frame = pixelFormat(name) ? decoded : convert(decoded, readAs(name));
    const { format, bits, planes } = pixelFormat(readAs(name))!;
    const { data, linesize } = frame; // getters, and each requests all planes
    return {
      ...{ format, width, height, bits, square, orientation },
      planes: Array.from({ length: planes }, (_, i) => ({ data: data![i]!, stride: linesize[i]! })),
      fullRange: isFullRange(readAs(name), range, codec),
      timestamp: ticks === c.AV_NOPTS_VALUE ? NaN : Math.round((Number(ticks) * num * 1e6) / den),
      release: () => frame.free(),
    };
  };
  return Object.assign(shape, { free: convert.free });
}

/** Converts frames to another pixel format of the same size. The input frame is freed. */
function converter(lib: typeof Lib, c: typeof Constants) {
  let scaler: Lib.SoftwareScaleContext | null = null;
  let last = '';
  const convert = (frame: Lib.Frame, to: string): Lib.Frame => {
    const { width, height } = frame;
    const format = frame.format as Constants.AVPixelFormat;
    const wanted = lib.avGetPixFmtFromName(to);
    if (`${width} ${height} ${format}` !== last) {
      scaler?.freeContext();
      scaler = new lib.SoftwareScaleContext();
      scaler.getContext(width, height, format, width, height, wanted, c.SWS_BILINEAR);
      last = `${width} ${height} ${format}`;
    }
    // As frames, because a frame with a palette stores it in a separate plane, so samples alone are not enough.
    const made = new lib.Frame();
    made.alloc();
    Object.assign(made, { format: wanted, width, height });
    const done = Math.min(made.getBuffer(1), scaler!.scaleFrameSync(made, frame));
    frame.free();
    if (done >= 0) return made;
    made.free();
    throw failed(reason(lib, done));
  };
  return Object.assign(convert, { free: () => scaler?.freeContext() });
}
