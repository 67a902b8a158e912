/**
 * Exposes the filters as a tracker, so that element sessions can run them. Each frame is one engine call. Optical flow
 * also keeps the previous frame.
 */
import {
  type Engine,
  FoveolaError,
  type GrayImage,
  type Line,
  operations,
  type OpticalFlowResult,
  type ParameterTable,
  type ResultBackend,
  type Source,
} from '../../src/index.ts';
import { type ElementTracker, isInterruption } from '../base/engine.ts';
import type { Settings } from '../base/kind.ts';

/** Operations with their own result type, and their names in the engine. */
const callOf = { canny: 'canny', hough: 'houghLines', flow: 'opticalFlow', inpaint: 'inpaint' } as const;
export type OwnOperation = keyof typeof callOf;
/** One of these, or any engine operation that turns an image into an image. */
export type FilterOperation = OwnOperation | (string & Record<never, never>);

export const ownOperations = Object.keys(callOf) as OwnOperation[];
export const isOwn = (operation: FilterOperation): operation is OwnOperation => Object.hasOwn(callOf, operation);
/** Names of all other filters, from the engine's registry. */
export const imageOperations = (): string[] =>
  [...operations.values()].filter(({ gives }) => gives === 'image').map(({ name }) => name);
export const filterOperations = (): FilterOperation[] => [...ownOperations, ...imageOperations()];

/**
 * Parameter table of an operation, with the names used in the element's settings. A name can have another meaning in
 * another filter, so parameters from the registry are prefixed with the filter's name: 'median.size'.
 */
export function filterTable(operation: FilterOperation): ParameterTable {
  if (isOwn(operation)) return operations.get(callOf[operation])!.params;
  const { params } = operations.get(operation)!;
  return Object.fromEntries(Object.entries(params).map(([name, p]) => [`${operation}.${name}`, p]));
}

/** Result of one frame. Only the part of its operation is not null. */
export interface FilterResult {
  timestamp: number;
  width: number;
  height: number;
  dropped: number;
  operation: FilterOperation;
  /** 255 on edges. */
  edges: GrayImage | null;
  /** Sorted by falling number of votes, with the end points of their support. */
  lines: Line[] | null;
  /** Motion from the previous frame to this one. Null for the first frame and for stills. */
  flow: OpticalFlowResult | null;
  /** Flow only: iterations per pyramid level. Fewer than requested if other elements were waiting (CROWDED). */
  iterations?: number;
  /** Filtered image of any other operation. */
  image: GrayImage | null;
  /** Time from call to result. */
  milliseconds: number;
  /** Backend that computed the result, or both backends. Absent if no line was found. */
  backend?: ResultBackend;
  /** Result of the comparison settings for the same frame. Absent if there are none. */
  resultB?: FilterResult;
}

export type FilterEngine = Pick<Engine, 'canny' | 'houghLines' | 'opticalFlow' | 'inpaint'>;

type Frame = VideoFrame | ImageBitmap;
type Part = Partial<Pick<FilterResult, 'edges' | 'lines' | 'flow' | 'image' | 'iterations'>>;
type Given = Record<string, unknown> & { operation: FilterOperation; comparisonSettings?: Settings | null };
type ImageCall = (source: Source, options: object) => Promise<GrayImage>;

/** Copies a frame of a moving source, synchronously if the browser supports it. Null for a still. */
function grab(source: Source): Frame | Promise<Frame> | null {
  const frames = typeof VideoFrame === 'function';
  if (frames && source instanceof VideoFrame) return source.clone();
  if (source instanceof HTMLCanvasElement && 'close' in source) return createImageBitmap(source); // a frame that waited
  if (!(source instanceof HTMLVideoElement)) return null;
  return frames ? new VideoFrame(source) : createImageBitmap(source);
}

function sizeOf(source: Source): { width: number; height: number } {
  const s = source as unknown as Record<string, number | undefined>;
  const width = s.videoWidth ?? s.displayWidth ?? s.naturalWidth ?? s.width ?? 0;
  return { width, height: s.videoHeight ?? s.displayHeight ?? s.naturalHeight ?? s.height ?? 0 };
}

/** Backend named by the engine's result. An empty list of lines does not name one. */
function backendOf({ edges, image, flow, lines }: Part): Pick<FilterResult, 'backend'> {
  const answer = (edges ?? image ?? flow ?? lines?.[0]) as { backend?: ResultBackend } | null | undefined;
  return answer?.backend ? { backend: answer.backend } : {};
}

function checked(parameters: Record<string, unknown>): Record<string, unknown> {
  const known = filterOperations();
  if (!known.includes(parameters.operation as FilterOperation))
    throw new FoveolaError(
      'invalid-argument',
      `operation must be one of ${known.map((name) => `'${name}'`).join(', ')}, not '${String(parameters.operation)}'.`,
    );
  return parameters;
}

/**
 * Maximum number of flow iterations while several other elements wait for the engine. 10 iterations take three times as
 * long. For uniform motion both find the same flow (measured on rotated, scaled and shifted texture: difference below
 * 0.001 px).
 */
const CROWDED = 3;

export class FilterTracker implements ElementTracker<FilterResult> {
  readonly #engine: FilterEngine;
  #parameters: Record<string, unknown>;
  #before: Promise<Frame> | null = null;
  #current: Promise<Frame> | null = null;
  #at = NaN;
  #tail: Promise<unknown> = Promise.resolve();

  readonly #size: () => { width: number; height: number } | null;
  readonly #crowded: () => boolean;

  /**
   * `size` of the source, if the source itself does not report it (files). `crowded`: whether other elements wait for
   * the engine.
   */
  constructor(
    engine: FilterEngine,
    parameters: Record<string, unknown>,
    size: () => { width: number; height: number } | null = () => null,
    crowded = () => false,
  ) {
    this.#engine = engine;
    this.#size = size;
    this.#crowded = crowded;
    this.#parameters = checked(parameters);
  }

  process(source: Source, { timestamp = 0, dropped = 0 } = {}): Promise<FilterResult> {
    const { comparisonSettings, ...first } = this.#parameters as Given;
    // Both calls are made before the first is awaited, so they get the same frame.
    const a = this.#ask(first, source, timestamp, dropped);
    if (!comparisonSettings || first.operation === 'inpaint') return a;
    const b = this.#ask({ ...comparisonSettings, operation: first.operation }, source, timestamp, dropped);
    return Promise.all([a, b]).then(([result, resultB]) => ({ ...result, resultB }));
  }

  #ask({ operation, ...given }: Given, source: Source, timestamp: number, dropped: number): Promise<FilterResult> {
    const table = filterTable(operation); // values for other operations are ignored
    const prefix = isOwn(operation) ? 0 : operation.length + 1;
    const params = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        Object.hasOwn(table, name) ? [[name.slice(prefix), value]] : [],
      ),
    );
    const start = performance.now();
    // The engine reads the frame now. Results arrive in frame order.
    const work = this.#run(operation, source, params, timestamp);
    work.catch(() => {});
    const own = sizeOf(source);
    const { width, height } = own.width ? own : (this.#size() ?? own);
    const turn = this.#tail.then(async (): Promise<FilterResult> => {
      const part = await work;
      const milliseconds = performance.now() - start;
      return {
        ...{ timestamp, width, height, dropped, operation, milliseconds },
        ...{ edges: null, lines: null, flow: null, image: null },
        ...part,
        ...backendOf(part),
      };
    });
    this.#tail = turn.catch(() => {});
    return turn;
  }

  async #run(operation: FilterOperation, source: Source, params: object, timestamp: number): Promise<Part> {
    if (operation === 'canny') return { edges: await this.#engine.canny(source, params) };
    if (operation === 'hough') return { lines: await this.#engine.houghLines(source, { segments: true, ...params }) };
    if (operation === 'inpaint') return {};
    if (operation !== 'flow')
      return { image: await (this.#engine as FilterEngine & Record<string, ImageCall>)[operation]!(source, params) };
    if (timestamp !== this.#at) {
      const frame = grab(source);
      if (!frame) return {};
      this.#forget(this.#before);
      this.#before = this.#current;
      this.#current = Promise.resolve(frame);
      this.#at = timestamp;
    }
    const asked = (params as { iterations?: number }).iterations ?? (filterTable('flow').iterations!.default as number);
    const iterations = this.#crowded() ? Math.min(CROWDED, asked) : asked;
    const [before, current] = await Promise.all([this.#before, this.#current]);
    if (!before || !current) return { flow: null };
    return { flow: await this.#flow(before, current, { ...params, iterations }), iterations };
  }

  /**
   * Repeats the call with the same two frames if they were lost with the engine's worker: later frames may have
   * arrived.
   */
  async #flow(before: Frame, current: Frame, params: object): Promise<OpticalFlowResult> {
    for (;;)
      try {
        return await this.#engine.opticalFlow(before, current, params);
      } catch (error) {
        if (!isInterruption(error)) throw error; // after too many crashes the engine reports an error
      }
  }

  #forget(frame: Promise<Frame> | null): void {
    // After the call that may still use the frame.
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
