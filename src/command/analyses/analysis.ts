/** What an analysis of one file is: the same for the command, its job processes and the workers of a queue. */
import type {
  Column,
  DecodedTimedFrame,
  Engine,
  FoveolaError,
  FrameTiming,
  ImageFile,
  Recording,
  RecordingHeader,
} from '../../node/index.ts';

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
export interface About {
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
