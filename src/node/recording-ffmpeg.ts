/**
 * Recordings by the program ffmpeg, as a child process: planes come through its standard output, the times of the frames
 * through its standard error (filter showinfo), which names them as whole ticks of the stream's time base.
 */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { FoveolaError } from '../runtime/error.ts';
import { planeShapes, type Picture } from './decoded-frame.ts';
import type { Recording } from './recording.ts';

let found: string | null | undefined;

/** The command, or null where there is none. Asked once. */
export async function findFfmpeg(): Promise<string | null> {
  if (found === undefined) {
    const command = process.env['FOVEOLA_FFMPEG'] ?? 'ffmpeg';
    found = spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0 ? command : null;
  }
  return found;
}

/** ffmpeg's pixel formats that are read as they are; others come as RGBA. `j`: full range. */
const asIs: Readonly<Record<string, Picture['format']>> = {
  yuv420p: 'I420',
  yuvj420p: 'I420',
  yuv422p: 'I422',
  yuvj422p: 'I422',
  yuv444p: 'I444',
  yuvj444p: 'I444',
  nv12: 'NV12',
  gray: 'I420',
};

interface Stream {
  width: number;
  height: number;
  pix_fmt?: string;
  color_range?: string;
  sample_aspect_ratio?: string;
  side_data_list?: { rotation?: number }[];
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
      `ffprobe was not found beside ffmpeg: ${error.message}. Install the whole of ffmpeg.`,
    );
  const { streams } = JSON.parse(stdout || '{}') as { streams?: Stream[] };
  if (!streams)
    throw failed(
      `${file} is no recording that can be read (${lastLine(stderr)}). Take MP4, MOV, WebM, Matroska or AVI.`,
    );
  if (!streams[0]) throw new FoveolaError('source-unsupported', `${file} has no picture that can be read.`);
  return streams[0];
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

export function openWithFfmpeg(command: string, file: string): Recording {
  const stream = probe(command, file);
  const quarter =
    ((Math.round((stream.side_data_list?.find(({ rotation }) => rotation)?.rotation ?? 0) / 90) % 4) + 4) % 4;
  const [num = 1, den = 1] = (stream.sample_aspect_ratio ?? '1:1').split(':').map(Number);
  const aspect = num > 0 && den > 0 ? num / den : 1;
  const plain = quarter === 0 && aspect === 1;
  const format = (plain && asIs[stream.pix_fmt ?? '']) || 'RGBA';
  // Turned by ffmpeg itself; then its sides are exchanged.
  const shown = [Math.round(stream.width * aspect), stream.height] as [number, number];
  const [width, height] = quarter % 2 ? (shown.reverse() as [number, number]) : shown;
  const filters = [...(aspect === 1 ? [] : [`scale=${shown[0]}:${shown[1]}`]), 'showinfo=checksum=0'];
  const child = spawn(
    command,
    [
      ...['-nostdin', '-hide_banner', '-v', 'info', '-nostats', '-threads', '1', '-i', `file:${file}`, '-map', '0:v:0'],
      ...['-vf', filters.join(','), '-fps_mode', 'passthrough', '-f', 'rawvideo'],
      ...['-pix_fmt', format === 'RGBA' ? 'rgba' : stream.pix_fmt!, 'pipe:1'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const gray = stream.pix_fmt === 'gray' && format !== 'RGBA';
  return {
    ...{ width: stream.width, height: stream.height, decoder: 'ffmpeg' as const },
    pictures: () =>
      pictures(child, {
        ...{ format, width, height, bits: 8, release: () => {} },
        fullRange: gray || stream.color_range === 'pc' || !!stream.pix_fmt?.startsWith('yuvj'),
        planeBytes: planeShapes({ format, width, height }).slice(0, gray ? 1 : 3),
      }),
    close: () => child.kill('SIGKILL'),
  };
}

type Shape = Omit<Picture, 'planes' | 'timestamp'> & { planeBytes: [row: number, rows: number][] };

async function* pictures(
  child: ReturnType<typeof spawn>,
  { planeBytes, ...shape }: Shape,
): AsyncGenerator<Picture, void> {
  const times: number[] = [];
  let errors = '';
  let wake = () => {};
  let timeBase = [1, 1000] as [number, number];
  let rest = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const base = /showinfo.*config in time_base: (\d+)\/(\d+)/.exec(line);
      if (base) timeBase = [Number(base[1]), Number(base[2])];
      const pts = /showinfo.* pts: *(-?\d+)/.exec(line);
      if (pts) times.push(Math.round((Number(pts[1]) * timeBase[0] * 1e6) / timeBase[1]));
      else if (/error while decoding|invalid data found|corrupt/i.test(line)) errors = line;
    }
    wake();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const size = planeBytes.reduce((bytes, [row, rows]) => bytes + row * rows, 0);
  let buffer = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(size - filled, chunk.length - at);
      buffer.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < size) continue;
      while (!times.length) await new Promise<void>((resolve) => (wake = resolve));
      let start = 0;
      const planes = planeBytes.map(([row, rows]) => ({
        data: buffer.subarray(start, (start += row * rows)),
        stride: row,
      }));
      yield { ...shape, planes, timestamp: times.shift()! };
      buffer = new Uint8Array(size);
      filled = 0;
    }
  }
  const code = await ended;
  if (code !== 0 || errors) throw failed(lastLine(errors || rest) || `ffmpeg ended with ${code}`);
}
