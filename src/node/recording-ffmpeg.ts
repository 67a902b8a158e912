/**
 * Recordings decoded by the program ffmpeg in a child process. Planes arrive through its standard output. The times of
 * the frames arrive through its standard error (filter showinfo), as integer ticks of the stream's time base.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { orientationOf, squareSize } from '../frames/as-shown.ts';
import { checkDecoded } from '../frames/size.ts';
import { FoveolaError } from '../runtime/error.ts';
import {
  planeShapes,
  type Picture,
  checkPicture,
  intervalOf,
  type OpenOptions,
  type Recording,
} from './decoded-frame.ts';
import { isFullRange, isStoredDeep, pixelFormat, type PixelFormat, readAs } from './pixel-formats.ts';

let found: string | null | undefined;

/** The command, or null if it is not available. Checked once. */
export async function findFfmpeg(): Promise<string | null> {
  if (found === undefined) {
    const command = process.env['FOVEOLA_FFMPEG'] ?? 'ffmpeg';
    found = spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0 ? command : null;
  }
  return found;
}

interface Stream {
  width: number;
  height: number;
  codec_name?: string;
  pix_fmt?: string;
  color_range?: string;
  sample_aspect_ratio?: string;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  side_data_list?: { displaymatrix?: string }[];
}

const failed = (text: string) => new FoveolaError('decode-failed', text);

function probe(command: string, file: string): Stream {
  const beside = path.join(path.dirname(command), path.basename(command).replace('ffmpeg', 'ffprobe'));
  const { stdout, stderr, error } = spawnSync(
    command === 'ffmpeg' ? 'ffprobe' : beside,
    ['-v', 'error', '-of', 'json', '-select_streams', 'v:0', '-show_streams', '-i', `file:${file}`],
    { encoding: 'utf8' },
  );
  if (error)
    throw new FoveolaError(
      'source-unsupported',
      `ffprobe was not found next to ffmpeg: ${error.message}. Install all of ffmpeg.`,
    );
  const { streams } = JSON.parse(stdout || '{}') as { streams?: Stream[] };
  if (!streams)
    throw failed(`${file} is not a readable recording (${lastLine(stderr)}). Use MP4, MOV, WebM, Matroska or AVI.`);
  if (!streams[0]) throw new FoveolaError('source-unsupported', `${file} has no picture that can be read.`);
  return streams[0];
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

const ratio = (text = '0:1') => {
  const [num = 0, den = 1] = text.split(/[:/]/).map(Number);
  return { num, den };
};

/** Parses lines like `00000000:            0       65536           0`. */
function orientationIn(text: string | undefined) {
  if (!text) return undefined;
  const [a = 1, b = 0, , c = 0, d = 1] = [...text.matchAll(/(?<![\d:])-?\d+(?![\d:])/g)].map(Number);
  return orientationOf(a, b, c, d);
}

/** @throws {FoveolaError} 'decode-failed', 'source-unsupported', 'image-too-large' */
export function openWithFfmpeg(command: string, file: string, { asStored }: OpenOptions = {}): Recording {
  const stream = probe(command, file);
  const { width, height, codec_name: codec = '', pix_fmt: name = '' } = stream;
  checkDecoded(width, height);
  const { num, den } = ratio(stream.sample_aspect_ratio);
  const to = readAs(name);
  const range = stream.color_range === 'pc' ? 'full' : stream.color_range === 'tv' ? 'video' : null;
  const args = [
    ...['-nostdin', '-hide_banner', '-v', 'info', '-nostats', '-threads', '1', '-noautorotate', '-copyts'],
    ...[...(asStored ? ['-ignore_editlist', '1'] : []), '-i', `file:${file}`, '-map', '0:v:0', '-autoscale', '0'],
    ...['-vf', 'showinfo=checksum=0', '-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', to, 'pipe:1'],
  ];
  // Started when the first frame is requested, because output of a child without a listener is lost once it has ended.
  let child: ChildProcess | null = null;
  return {
    ...{ width, height, decoder: 'ffmpeg', deep: isStoredDeep(name) },
    interval: intervalOf(ratio(stream.avg_frame_rate), ratio(stream.r_frame_rate)),
    pictures: () => {
      child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      return pictures(child, {
        ...pixelFormat(to)!,
        aspect: num / den,
        orientation: orientationIn(stream.side_data_list?.find(({ displaymatrix }) => displaymatrix)?.displaymatrix),
        fullRange: isFullRange(to, range, codec),
      });
    },
    close: () => void child?.kill('SIGKILL'),
  };
}

/** Data that all frames share. */
interface Common extends Pick<Picture, 'orientation' | 'fullRange'>, PixelFormat {
  aspect: number;
}

/** Data of a frame from showinfo. */
type Shown = Pick<Picture, 'timestamp' | 'width' | 'height'>;

/** Reads the child's reports about its frames, line by line. */
class Reported {
  readonly pictures: Shown[] = [];
  fault = '';
  rest = '';
  #wake = () => {};
  #ended = false;
  #base = { num: 1, den: 1000 };

  constructor(child: ChildProcess) {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.#read(line);
      this.#wake();
    });
    child.stderr!.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  #read(line: string): void {
    const base = /showinfo.*config in time_base: (\d+\/\d+)/.exec(line);
    if (base) this.#base = ratio(base[1]);
    const shown = /showinfo.* pts: *(-?\d+|NOPTS) .* s:(\d+)x(\d+) /.exec(line);
    if (shown) {
      const ticks = shown[1] === 'NOPTS' ? NaN : Number(shown[1]);
      const timestamp = Math.round((ticks * this.#base.num * 1e6) / this.#base.den);
      this.pictures.push({ timestamp, width: Number(shown[2]), height: Number(shown[3]) });
    } else if (/error while decoding|invalid data found|corrupt/i.test(line)) this.fault = line;
  }

  /** The report for the next frame, when available. Undefined after the last one. */
  async next(): Promise<Shown | undefined> {
    while (!this.pictures.length && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.pictures.shift();
  }
}

async function* pictures(
  child: ChildProcess,
  { aspect, planes: count, ...common }: Common,
): AsyncGenerator<Picture, void> {
  const reported = new Reported(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const size = common.bits > 8 ? 2 : 1;
  const chunks = (child.stdout!.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  for (let shown = await reported.next(); shown; shown = await reported.next()) {
    const { width, height, timestamp } = shown;
    const shape = { ...common, width, height, square: squareSize(width, height, aspect) };
    checkPicture(shape);
    const rows = planeShapes(shape)
      .slice(0, count)
      .map(([row, down]) => [row * size, down] as const);
    const buffer = new Uint8Array(rows.reduce((bytes, [row, down]) => bytes + row * down, 0));
    for (let filled = 0; filled < buffer.length;) {
      if (!chunk.length) {
        const { value, done } = await chunks.next();
        if (done) throw failed('ffmpeg ended within a picture');
        chunk = value;
      }
      const taken = chunk.subarray(0, buffer.length - filled);
      buffer.set(taken, filled);
      filled += taken.length;
      chunk = chunk.subarray(taken.length);
    }
    let start = 0;
    const planes = rows.map(([row, down]) => ({ data: buffer.subarray(start, (start += row * down)), stride: row }));
    yield { ...shape, planes, timestamp, release: () => {} };
  }
  const code = await ended;
  if (code !== 0 || reported.fault)
    throw failed(lastLine(reported.fault || reported.rest) || `ffmpeg ended with ${code}`);
}
