/**
 * The filters as a tracker, so that the elements' sessions drive them: every frame through one call of the engine. Optical
 * flow keeps the frame before.
 */
import {
  type Engine,
  FoveolaError,
  type GrayImage,
  type Line,
  operations,
  type OpticalFlowResult,
  type ParameterTable,
  type Source,
} from '../../src/index.ts';
import type { ElementTracker } from '../parts/engine.ts';

export const filterOperations = ['canny', 'hough', 'flow', 'inpaint'] as const;
export type FilterOperation = (typeof filterOperations)[number];

const callOf = { canny: 'canny', hough: 'houghLines', flow: 'opticalFlow', inpaint: 'inpaint' } as const;

/** The parameters of an operation. */
export const filterTable = (operation: FilterOperation): ParameterTable => operations.get(callOf[operation])!.params;

/** What one frame gives; only the operation's own part is not null. */
export interface FilterResult {
  timestamp: number;
  width: number;
  height: number;
  dropped: number;
  operation: FilterOperation;
  /** 255 on edges. */
  edges: GrayImage | null;
  /** By falling votes, with the end points of their support. */
  lines: Line[] | null;
  /** From the frame before to this one; null for the first one and for stills. */
  flow: OpticalFlowResult | null;
  /** From call to result. */
  milliseconds: number;
}

export type FilterEngine = Pick<Engine, 'canny' | 'houghLines' | 'opticalFlow' | 'inpaint'>;

type Frame = VideoFrame | ImageBitmap;
type Part = Partial<Pick<FilterResult, 'edges' | 'lines' | 'flow'>>;

/** A copy of a frame that moves, at once where the browser can; null of what stands still. */
function grab(source: Source): Frame | Promise<Frame> | null {
  const frames = typeof VideoFrame === 'function';
  if (frames && source instanceof VideoFrame) return source.clone();
  if (!(source instanceof HTMLVideoElement)) return null;
  return frames ? new VideoFrame(source) : createImageBitmap(source);
}

function sizeOf(source: Source): { width: number; height: number } {
  const s = source as unknown as Record<string, number | undefined>;
  const width = s.videoWidth ?? s.displayWidth ?? s.naturalWidth ?? s.width ?? 0;
  return { width, height: s.videoHeight ?? s.displayHeight ?? s.naturalHeight ?? s.height ?? 0 };
}

function checked(parameters: Record<string, unknown>): Record<string, unknown> {
  if (!filterOperations.includes(parameters.operation as FilterOperation))
    throw new FoveolaError(
      'invalid-argument',
      `operation must be one of ${filterOperations.map((name) => `'${name}'`).join(', ')}, not '${String(parameters.operation)}'.`,
    );
  return parameters;
}

export class FilterTracker implements ElementTracker<FilterResult> {
  readonly #engine: FilterEngine;
  #parameters: Record<string, unknown>;
  #before: Promise<Frame> | null = null;
  #current: Promise<Frame> | null = null;
  #at = NaN;
  #tail: Promise<unknown> = Promise.resolve();

  readonly #size: () => { width: number; height: number } | null;

  /** `size` of the source, where that does not tell: files do not. */
  constructor(
    engine: FilterEngine,
    parameters: Record<string, unknown>,
    size: () => { width: number; height: number } | null = () => null,
  ) {
    this.#engine = engine;
    this.#size = size;
    this.#parameters = checked(parameters);
  }

  process(source: Source, { timestamp = 0, dropped = 0 } = {}): Promise<FilterResult> {
    const { operation, ...given } = this.#parameters as { operation: FilterOperation };
    const table = filterTable(operation); // what was given for another operation stays out
    const params = Object.fromEntries(Object.entries(given).filter(([name]) => name in table));
    const start = performance.now();
    // The engine takes the frame now; results come in the order of the frames.
    const work = this.#run(operation, source, params, timestamp);
    work.catch(() => {});
    const own = sizeOf(source);
    const { width, height } = own.width ? own : (this.#size() ?? own);
    const turn = this.#tail.then(async (): Promise<FilterResult> => {
      const part = await work;
      const milliseconds = performance.now() - start;
      return {
        ...{ timestamp, width, height, dropped, operation, milliseconds },
        ...{ edges: null, lines: null, flow: null },
        ...part,
      };
    });
    this.#tail = turn.catch(() => {});
    return turn;
  }

  async #run(operation: FilterOperation, source: Source, params: object, timestamp: number): Promise<Part> {
    if (operation === 'canny') return { edges: await this.#engine.canny(source, params) };
    if (operation === 'hough') return { lines: await this.#engine.houghLines(source, { segments: true, ...params }) };
    if (operation === 'inpaint') return {};
    if (timestamp !== this.#at) {
      const frame = grab(source);
      if (!frame) return {};
      this.#forget(this.#before);
      this.#before = this.#current;
      this.#current = Promise.resolve(frame);
      this.#at = timestamp;
    }
    const [before, current] = await Promise.all([this.#before, this.#current]);
    return { flow: before && current ? await this.#engine.opticalFlow(before, current, params) : null };
  }

  #forget(frame: Promise<Frame> | null): void {
    // After the call that may still use it.
    void Promise.all([frame, this.#tail]).then(
      ([held]) => held?.close(),
      () => {},
    );
  }

  async reset(): Promise<void> {
    this.#forget(this.#before);
    this.#forget(this.#current);
    this.#before = this.#current = null;
    this.#at = NaN;
  }

  async setParameters(parameters: Record<string, unknown>): Promise<void> {
    this.#parameters = checked(parameters);
  }

  dispose(): Promise<void> {
    return this.reset();
  }
}
