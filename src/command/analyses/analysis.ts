/** What an analysis of one file is: the same for the command, its job processes and the workers of a queue. */
import {
  type Column,
  type DecodedTimedFrame,
  type Engine,
  FoveolaError,
  type FrameTiming,
  type ImageFile,
  type Recording,
  type RecordingHeader,
  frames,
  kindOf,
  readImage,
  type AnalysisNote,
} from '../../node/index.ts';
import { fileAt } from '../whole-files.ts';

/** Formats of tables. */
export const formats = ['csv', 'json', 'jsonl', 'parquet'] as const;
export type Format = (typeof formats)[number];

/** What is asked for beside the parameters. */
export interface JobOptions {
  format: Format;
  /** Pictures with what was found drawn on them. */
  overlay: boolean;
  /** Of the object tracker: x, y, width, height in the first frame. */
  box?: [x: number, y: number, width: number, height: number];
  /** Of `edges`. */
  operation?: 'canny' | 'lines' | 'circles';
  /** Of `flow`: writes each field. */
  fields?: boolean;
}

/** What is known of a file once it was read. */
interface About {
  /** Of its levels, in plain words. */
  notes: readonly string[];
  /** Pages or frames of a stack or an animation, and how many of them are read; 1 of everything else. */
  pages: number;
  read: number;
  /** Why a recording was not read to its end, though frames before that were. */
  broken?: FoveolaError;
}

/** An input, open. */
export type Input = { about: About } & (
  { kind: 'image'; file: ImageFile } | { kind: 'recording'; frames: AsyncIterable<DecodedTimedFrame> }
);

/** A table of results. */
export interface Table {
  recording: Recording;
  /** In another form than rows and columns as they are; by format. */
  texts?: Partial<Record<Format, (header: RecordingHeader) => string>>;
}

export interface Outcome {
  width: number;
  height: number;
  frames: number;
  /** Milliseconds into the recording of the last frame. */
  lastMediaTime: number | null;
  /** By what follows the input's name, without the format: 'pupil'. */
  tables: Record<string, Table>;
  /** A few numbers for the list of results. */
  summary: Record<string, number>;
  /** What to know about the result, in plain words, for the list of results and the terminal. */
  warnings?: string[];
}

export interface Work {
  engine: Engine;
  input: Input;
  parameters: Record<string, unknown>;
  options: JobOptions;
  /** All that a result says of itself, for the files that carry it. */
  header(size: { width: number; height: number }): RecordingHeader;
  /** A further file of the result; `name` follows the input's name: 'vessels.png'. */
  write(name: string, data: Uint8Array): Promise<void>;
  /** Where such a file is to be written by somebody else, who writes within `writing`: what fails there ends everything. */
  place(name: string): Promise<string>;
  writing<T>(write: () => Promise<T>): Promise<T>;
  /** Counts frames, for progress. */
  onFrame(count: number): void;
  signal?: AbortSignal;
}

export interface Analysis {
  /** One line of help. */
  help: string;
  takes: readonly Input['kind'][];
  /** The engine's method whose parameters --params may hold. */
  method(options: JobOptions): string;
  /** Where the command's own default is another one than the library's. */
  defaults?: Record<string, unknown>;
  /** The same for a photograph. */
  photographDefaults?: Record<string, unknown>;
  run(work: Work): Promise<Outcome>;
}

/** Frames of an input, a photograph as one frame at 0 ms. */
export async function* framesOf({ input, onFrame }: Work) {
  let frame = 0;
  if (input.kind === 'image') {
    const timing: FrameTiming = { frame, timestamp: 0, clock: 'media', mediaTime: 0, dropped: 0, throttled: 0 };
    yield { source: input.file.image, timing, width: input.file.image.width, height: input.file.image.height };
    onFrame(1);
    return;
  }
  for await (const { frame: source, timestamp, mediaTime, clock, dropped } of input.frames) {
    const timing: FrameTiming = { frame, timestamp, clock, mediaTime, dropped, throttled: 0 };
    yield { source, timing, width: source.displayWidth, height: source.displayHeight };
    onFrame(++frame);
  }
}

export const columnsOf = (...names: [name: string, digits?: number, unit?: string][]): Column[] =>
  names.map(([name, digits, unit]) => ({ name, type: 'number', digits, unit }));

// Opens the file of a job, and says afterwards what was read of it.

/** By which a file's kind is known. */
const HEADER = 4096;

/** What a recording says of itself comes with its frames, and ends with the last one that can be read. */
async function* noting(file: AsyncIterable<DecodedTimedFrame>, about: About): AsyncGenerator<DecodedTimedFrame, void> {
  const frames = file[Symbol.asyncIterator]();
  let some = false;
  const next = () =>
    frames.next().catch((error: unknown) => {
      if (!some || !(error instanceof FoveolaError) || error.code !== 'decode-failed') throw error;
      about.broken = error;
      return { done: true } as const;
    });
  try {
    for (let step = await next(); !step.done; step = await next()) {
      const { value } = step;
      some = true;
      if (value.file)
        Object.assign(about, { notes: value.file.notes, pages: value.file.pages, read: value.file.frames });
      else Object.assign(about, { notes: value.notes });
      yield value;
    }
  } finally {
    await frames.return?.(undefined);
  }
}

function recordingOf(file: string, signal?: AbortSignal): Input {
  const about: About = { notes: [], pages: 1, read: 1 };
  return { kind: 'recording', frames: noting(frames(file, { signal }), about), about };
}

/**
 * A recording, or one picture; stacks and animations are recordings for every analysis that takes these.
 * @param bytes of a file that was read as a whole
 * @throws {FoveolaError} (rejects) 'source-unsupported' where the analysis takes another kind of file; as `readImage`
 */
export async function openInput(
  name: string,
  { takes }: Analysis,
  file: string,
  { bytes, signal }: { bytes: Uint8Array | null; signal?: AbortSignal },
): Promise<Input> {
  const head = bytes ? new Blob([bytes.subarray(0, HEADER) as Uint8Array<ArrayBuffer>]) : await fileAt(file);
  const found = await kindOf(head);
  if (found.kind === 'video' && takes.includes('recording')) return recordingOf(file, signal);
  if (found.kind === 'image') {
    const image = await readImage(bytes ?? file, { signal });
    if (image.frames > 1 && takes.includes('recording')) return recordingOf(file, signal);
    const { notes, pages } = image;
    if (takes.includes('image')) return { kind: 'image', file: image, about: { notes, pages, read: 1 } };
  }
  const wanted = takes.map((one) => (one === 'image' ? 'an image' : 'a recording')).join(' or ');
  throw new FoveolaError('source-unsupported', `${name} needs ${wanted}, but this is ${found.name}.`);
}

/** What a result says of the file: notes of its levels, and how many of its pages were read. */
export function readOf(
  { about: { notes, pages, read, broken } }: Input,
  { lastMediaTime }: Pick<Outcome, 'lastMediaTime'>,
): { notes?: string[]; analysis?: AnalysisNote } {
  const left = pages - read;
  const note: AnalysisNote = {
    ...{ everyFrame: read > 1 || pages === 1, complete: left === 0 && !broken, lastMediaTime, jumps: [] },
    ...{ repeated: 0, reason: broken?.message ?? (left ? `${left} of ${pages} pages were skipped.` : null) },
    ...(pages > 1 && { pages: `${read} of ${pages}` }),
  };
  return {
    ...(notes.length && { notes: [...notes] }),
    ...((lastMediaTime !== null || pages > 1) && { analysis: note }),
  };
}
