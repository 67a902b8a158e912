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
  type ResultBackend,
  type Source,
} from '../../src/index.ts';
import type { ElementTracker } from '../parts/engine.ts';
import type { Settings } from '../parts/kind.ts';
import { isInterruption } from '../parts/progress.ts';

/** The operations with a result of their own kind, and what the engine calls them. */
const callOf = { canny: 'canny', hough: 'houghLines', flow: 'opticalFlow', inpaint: 'inpaint' } as const;
export type OwnOperation = keyof typeof callOf;
/** One of these, or any operation of the engine that makes a picture of a picture. */
export type FilterOperation = OwnOperation | (string & Record<never, never>);

export const ownOperations = Object.keys(callOf) as OwnOperation[];
export const isOwn = (operation: FilterOperation): operation is OwnOperation => Object.hasOwn(callOf, operation);
/** Every other filter: what is registered with the engine tells. */
export const imageOperations = (): string[] =>
  [...operations.values()].filter(({ gives }) => gives === 'image').map(({ name }) => name);
export const filterOperations = (): FilterOperation[] => [...ownOperations, ...imageOperations()];

/**
 * The parameters of an operation as the element's settings name them. One name is another thing in another filter, so those
 * found in the registry stand under the filter's name: 'median.size'.
 */
export function filterTable(operation: FilterOperation): ParameterTable {
  if (isOwn(operation)) return operations.get(callOf[operation])!.params;
  const { params } = operations.get(operation)!;
  return Object.fromEntries(Object.entries(params).map(([name, p]) => [`${operation}.${name}`, p]));
}

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
  /** Of flow: iterations a level that were taken; fewer than asked for where other elements waited (CROWDED). */
  iterations?: number;
  /** What every other operation makes of the frame. */
  image: GrayImage | null;
  /** From call to result. */
  milliseconds: number;
  /** The side that computed it, or both; absent where no line was found. */
  backend?: ResultBackend;
  /** What the second settings give of the same frame; absent where there are none. */
  resultB?: FilterResult;
}

export type FilterEngine = Pick<Engine, 'canny' | 'houghLines' | 'opticalFlow' | 'inpaint'>;

type Frame = VideoFrame | ImageBitmap;
type Part = Partial<Pick<FilterResult, 'edges' | 'lines' | 'flow' | 'image' | 'iterations'>>;
type Given = Record<string, unknown> & { operation: FilterOperation; settingsB?: Settings | null };
type ImageCall = (source: Source, options: object) => Promise<GrayImage>;

/** A copy of a frame that moves, at once where the browser can; null of what stands still. */
function grab(source: Source): Frame | Promise<Frame> | null {
  const frames = typeof VideoFrame === 'function';
  if (frames && source instanceof VideoFrame) return source.clone();
  if (source instanceof HTMLCanvasElement && 'close' in source) return createImageBitmap(source); // one that waited
  if (!(source instanceof HTMLVideoElement)) return null;
  return frames ? new VideoFrame(source) : createImageBitmap(source);
}

function sizeOf(source: Source): { width: number; height: number } {
  const s = source as unknown as Record<string, number | undefined>;
  const width = s.videoWidth ?? s.displayWidth ?? s.naturalWidth ?? s.width ?? 0;
  return { width, height: s.videoHeight ?? s.displayHeight ?? s.naturalHeight ?? s.height ?? 0 };
}

/** The side that the engine's answer names; an empty list of lines names none. */
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
 * Iterations of flow, at most, while several other elements wait for the engine: 10 take three times as long, and of what moves
 * evenly they find the same (measured on turned, enlarged and shifted texture: no difference of 0.001 px).
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

  /** `size` of the source, where that does not tell: files do not. `crowded`: whether other elements wait for the engine. */
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
    const { settingsB, ...first } = this.#parameters as Given;
    // Both are asked for before the first of them is waited for: they get the same frame.
    const a = this.#ask(first, source, timestamp, dropped);
    if (!settingsB || first.operation === 'inpaint') return a;
    const b = this.#ask({ ...settingsB, operation: first.operation }, source, timestamp, dropped);
    return Promise.all([a, b]).then(([result, resultB]) => ({ ...result, resultB }));
  }

  #ask({ operation, ...given }: Given, source: Source, timestamp: number, dropped: number): Promise<FilterResult> {
    const table = filterTable(operation); // what was given for another operation stays out
    const prefix = isOwn(operation) ? 0 : operation.length + 1;
    const params = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        Object.hasOwn(table, name) ? [[name.slice(prefix), value]] : [],
      ),
    );
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

  /** Again with the same two where they went with the engine's worker: later frames may have come meanwhile. */
  async #flow(before: Frame, current: Frame, params: object): Promise<OpticalFlowResult> {
    for (;;)
      try {
        return await this.#engine.opticalFlow(before, current, params);
      } catch (error) {
        if (!isInterruption(error)) throw error; // the engine says when it has died too often
      }
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
