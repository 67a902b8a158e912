/** The analysis of one file. The command, its job processes and the workers of a queue all use it. */
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

/** Options of a job in addition to the parameters. */
export interface JobOptions {
  format: Format;
  /** Write images with the results drawn on them. */
  overlay: boolean;
  /** For the object tracker: x, y, width, height in the first frame. */
  box?: [x: number, y: number, width: number, height: number];
  /** For `edges`. */
  operation?: 'canny' | 'lines' | 'circles';
  /** For `flow`: writes each field. */
  fields?: boolean;
}

/** Information about a file that is known after reading it. */
interface About {
  /** Notes about its gray levels, as text. */
  notes: readonly string[];
  /** Pages or frames of a stack or an animation, and how many of them are read. 1 for everything else. */
  pages: number;
  read: number;
  /** Why a recording was not read to its end, although earlier frames were read. */
  broken?: FoveolaError;
}

/** An open input. */
export type Input = { about: About } & (
  { kind: 'image'; file: ImageFile } | { kind: 'recording'; frames: AsyncIterable<DecodedTimedFrame> }
);

/** A table of results. */
export interface Table {
  recording: Recording;
  /** Content in a form other than plain rows and columns, by format. */
  texts?: Partial<Record<Format | 'csv.json' | 'events.csv', (header: RecordingHeader) => string>>;
}

export interface Outcome {
  width: number;
  height: number;
  frames: number;
  /** Milliseconds into the recording of the last frame. */
  lastMediaTime: number | null;
  /** By the suffix after the input's name, without the format: 'pupil'. */
  tables: Record<string, Table>;
  /** A few numbers for the list of results. */
  summary: Record<string, number>;
  /** Warnings about the result, as text, for the list of results and the terminal. */
  warnings?: string[];
}

export interface Work {
  engine: Engine;
  input: Input;
  parameters: Record<string, unknown>;
  options: JobOptions;
  /** All metadata of a result, for the files that contain it. */
  header(size: { width: number; height: number }): RecordingHeader;
  /** Writes a further file of the result. `name` is the suffix after the input's name: 'vessels.png'. */
  write(name: string, data: Uint8Array): Promise<void>;
  /**
   * Path for such a file if other code writes it. That code must write within `writing`: a failure there ends
   * everything.
   */
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
  /** The engine method that defines the parameters for --params. */
  method(options: JobOptions): string;
  /** Defaults of the command that differ from the library's. */
  defaults?: Record<string, unknown>;
  /** Defaults for a photograph that differ from the library's. */
  photographDefaults?: Record<string, unknown>;
  run(work: Work): Promise<Outcome>;
}

/** Frames of an input. A photograph is one frame at 0 ms. */
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

// Opens the file of a job, and reports afterwards what was read from it.

/** Number of bytes that identify a file's kind. */
const HEADER = 4096;

/** The notes of a recording are complete after the last frame that can be read. */
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
 * Opens a recording or one image. For analyses that accept recordings, stacks and animations are recordings.
 * @param bytes of a file that was read as a whole
 * @throws {FoveolaError} (rejects) 'source-unsupported' if the analysis requires another kind of file, and the errors
 * of `readImage`
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

/** File information in a result: notes on its gray levels, and how many of its pages were read. */
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
