/**
 * Rays, border points, RANSAC and convergence on the GPU (paper 000, sections 2.2 and 2.3): eight small passes per
 * round. Several searches run in parallel (the start candidates of one frame). Rounds are enqueued before it is known
 * whether they are needed. A flag in the state turns rounds after convergence into no-ops, so nothing is read back in
 * between.
 */
import type { GpuBackend, Texture } from '../../runtime/gpu/gpu-backend.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import { ransacTable, arcDirections, rayDirections } from '../search/search.ts';
import type { AnyPass } from '../../runtime/gpu/gpu-programs.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Region } from '../search/region.ts';
import type { Piece } from '../preparation/prepare.gpu.ts';
import {
  beginPass,
  bestPass,
  firstListPass,
  listPass,
  ransacPass,
  rayPasses,
  resultPass,
  stepPass,
  type RayPasses,
} from './passes.gpu.ts';

// Small constant tables as integer textures, which need no float textures: directions, arc, RANSAC's numbers.

export interface RayTables {
  readonly directions: Texture;
  readonly arc: Texture;
  readonly table: Texture;
}

/** Number of sets across and down. `sets` is a power of two. */
function setsShape(sets: number): { columns: number; rows: number } {
  const columns = 2 ** Math.floor(Math.log2(sets) / 2);
  return { columns, rows: sets / columns };
}

function store(scope: Scope, width: number, height: number, format: 'rg32ui' | 'rgba32ui', data: ArrayBuffer) {
  const texture = scope.texture(width, height, format);
  scope.gpu.upload(texture, new Uint8Array(data), width * (format === 'rg32ui' ? 8 : 16));
  return texture;
}

/** Packs the five 24-bit numbers of a set in one texel, with the fifth in the high bytes of the first three. */
function packTable(sets: number, seed?: number): Uint32Array<ArrayBuffer> {
  const table = ransacTable(sets, seed);
  const out = new Uint32Array(sets * 4);
  for (let set = 0; set < sets; set++) {
    const drawn = (k: number) => table[(set >> 2) * 20 + k * 4 + (set & 3)]! * 16777216;
    const fifth = drawn(4);
    for (let k = 0; k < 4; k++) out[4 * set + k] = (drawn(k) | (k < 3 ? ((fifth >>> (8 * k)) & 255) << 24 : 0)) >>> 0;
  }
  return out;
}

export function uploadTable(backend: GpuBackend, texture: Texture, sets: number, seed: number): void {
  backend.upload(texture, new Uint8Array(packTable(sets, seed).buffer), texture.width * 16);
}

function makeTables(scope: Scope, values: PupilValues): RayTables {
  const { rays, secondaryRays, sets } = values;
  const bits = (directions: Float32Array) => Float32Array.from(directions).buffer;
  const { columns, rows } = setsShape(sets);
  return {
    directions: store(scope, rays, 1, 'rg32ui', bits(rayDirections(rays))),
    arc: store(scope, Math.max(1, secondaryRays), 1, 'rg32ui', bits(arcDirections(Math.max(1, secondaryRays)))),
    table: store(scope, columns, rows, 'rgba32ui', packTable(sets).buffer),
  };
}

/** Start of a search. */
export interface Start {
  readonly x: number;
  readonly y: number;
  /** Maximum length of a ray in the first stage, in pixels. */
  readonly reach: number;
  /** Threshold of the step, in gray values. */
  readonly gradient: number;
  /** Number of earlier rounds. */
  readonly rounds: number;
}

type Status = 'running' | 'converged' | 'failed' | 'escaped';
const statuses: readonly Status[] = ['running', 'converged', 'failed', 'escaped'];

/** Final or current result of a search. */
export interface Outcome {
  readonly status: Status;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly votes: number;
  readonly rounds: number;
  /** x, y of the border points of the last round, in the order of the WASM backend. */
  readonly points: Float32Array;
}

export interface CircleTextures {
  readonly state: Texture;
  readonly list: Texture;
  readonly table: Texture;
}
export interface CircleUniforms {
  readonly rows: number;
  readonly radii: readonly [number, number];
  readonly voteDistance: number;
}

/** Maximum number of searches at a time. */
const MOST_STARTS = 32;
/** Number of samples of a ray per fragment. */
const SEGMENT = 16;

/** Its parts are accessible to benchmarks that measure the effect of each part (lab/pupil/ladder). */
export class RaySearch {
  readonly #scope: Scope;
  protected readonly values: PupilValues;
  #tables: RayTables | null = null;
  readonly #starts = new Float32Array(4 * MOST_STARTS);
  readonly #rounds = new Float32Array(MOST_STARTS);

  constructor(runtime: Runtime, values: PupilValues) {
    this.#scope = new Scope(runtime);
    this.values = values;
  }

  /** Maximum number of border points of one search. */
  get #slots(): number {
    return this.values.rays * (this.values.secondaryRays + 1);
  }

  /** Programs to compile before the first frame. */
  passes(): AnyPass[] {
    const { firstEvents, firstEnds, secondEvents, secondEnds } = this.rayPasses;
    const second = [secondEvents, secondEnds, listPass];
    const lists = this.values.secondaryRays > 0 ? second : [firstListPass];
    return [beginPass, firstEvents, firstEnds, ...lists, ransacPass, bestPass, stepPass, resultPass];
  }

  get resultWidth(): number {
    return 3 + Math.ceil(this.#slots / 2);
  }

  protected tables(): RayTables {
    if (this.#tables?.table.lost) this.#release();
    this.#tables ??= makeTables(this.#scope, this.values);
    return this.#tables;
  }

  /** Enqueues `rounds` rounds over prepared gray values. The result is a texture of the scope. */
  enqueue(
    scope: Scope,
    prepared: Texture,
    piece: Piece,
    limits: Region,
    radii: readonly [number, number],
    starts: readonly Start[],
    rounds: number,
  ): Texture {
    const backend = scope.gpu;
    const { rays, secondaryRays, sets, variant, voteDistance, epsilon, iterations } = this.values;
    const tables = this.tables();
    const paper = variant === 'paper' ? 1 : 0;
    const n = starts.length;
    const { window } = piece;
    // No ray is longer than the window's diagonal.
    const diagonal = Math.ceil(Math.hypot(window.x1 - window.x0, window.y1 - window.y0)) + 8;
    const reach = Math.max(...starts.map((start) => start.reach));
    const arms = Math.max(1, secondaryRays);
    const segment = this.segment(scope, diagonal * arms);
    const firstSegments = Math.ceil(Math.min(reach, diagonal) / segment);
    const secondSegments = Math.ceil(Math.min(2 * reach, diagonal) / segment);
    const place = {
      region: [limits.x0, limits.y0, limits.x1, limits.y1],
      window: [window.x0, window.y0, window.x1, window.y1],
      origin: piece.origin,
      rays,
      paper,
    };
    const passes = this.rayPasses;
    const { columns, rows } = setsShape(sets);
    const { directions, arc, table } = tables;
    const second = secondaryRays > 0;
    // Rounded up in steps, so that frames with slightly different rays share textures.
    const longest = Math.min(
      Math.ceil(secondSegments / 32) * 32,
      Math.floor(backend.capabilities.maxTextureSize / arms),
    );
    const firstEvents = scope.texture(longest, rays * n, 'u32');
    const firstHits = scope.texture(rays, n, 'rgba32ui');
    const secondEvents = second ? scope.texture(longest * secondaryRays, rays * n, 'u32') : null;
    const secondHits = second ? scope.texture(rays * secondaryRays, n, 'rgba32ui') : null;
    const list = scope.texture(this.#slots + 1, n, 'rg32ui');
    const circles = scope.texture(columns, rows * n, 'rgba32ui');
    const best = scope.texture(rows, n, 'rgba32ui');
    let state: Texture = scope.texture(3, n, 'rgba32ui');
    let next: Texture = scope.texture(3, n, 'rgba32ui');
    this.#begin(scope, state, starts);
    const votes = { rows, radii, voteDistance };
    for (let round = 0; round < rounds; round++) {
      backend.draw(passes.firstEvents, {
        targets: [firstEvents],
        textures: { state, prepared, directions },
        uniforms: { ...place, segment },
        region: { x: 0, y: 0, width: firstSegments, height: rays * n },
      });
      backend.draw(passes.firstEnds, {
        targets: [firstHits],
        textures: { state, prepared, directions, events: firstEvents },
        uniforms: { ...place, segments: firstSegments },
      });
      if (secondEvents && secondHits) {
        backend.draw(passes.secondEvents, {
          targets: [secondEvents],
          textures: { state, prepared, directions, hits: firstHits, arc },
          uniforms: { ...place, segments: secondSegments, segment },
          region: { x: 0, y: 0, width: secondSegments * secondaryRays, height: rays * n },
        });
        backend.draw(passes.secondEnds, {
          targets: [secondHits],
          textures: { state, prepared, directions, hits: firstHits, arc, events: secondEvents },
          uniforms: { ...place, segments: secondSegments, arcRays: secondaryRays },
        });
        backend.draw(listPass, {
          targets: [list],
          textures: { state, first: firstHits, second: secondHits },
          uniforms: { rays, secondRays: rays * secondaryRays, paper },
        });
      } else
        backend.draw(firstListPass, {
          targets: [list],
          textures: { state, first: firstHits },
          uniforms: { rays, paper },
        });
      this.drawCircles(scope, circles, { state, list, table }, votes);
      backend.draw(bestPass, { targets: [best], textures: { state, circles }, uniforms: { rows } });
      backend.draw(stepPass, {
        targets: [next],
        textures: { state, list, best },
        uniforms: { region: place.region, iterations, epsilon, paper },
      });
      [state, next] = [next, state];
    }
    const result = scope.texture(this.resultWidth, n, 'rgba32ui');
    backend.draw(resultPass, { targets: [result], textures: { state, list }, uniforms: {} });
    return result;
  }

  protected get rayPasses(): RayPasses {
    return rayPasses(true);
  }

  /** Number of samples of a ray per fragment. All rays of a row have `longest` samples. */
  protected segment(_scope: Scope, _longest: number): number {
    return SEGMENT;
  }

  /** Draws a circle and its votes for every set of points. */
  protected drawCircles(scope: Scope, circles: Texture, textures: CircleTextures, uniforms: CircleUniforms): void {
    scope.draw(ransacPass, { targets: [circles], textures, uniforms });
  }

  #begin(scope: Scope, state: Texture, starts: readonly Start[]): void {
    starts.forEach(({ x, y, reach, gradient, rounds }, i) => {
      this.#starts.set([x, y, reach, Math.trunc(Math.fround(gradient))], 4 * i);
      this.#rounds[i] = rounds;
    });
    const uniforms = { starts: this.#starts, rounds: this.#rounds };
    scope.draw(beginPass, { targets: [state], textures: {}, uniforms });
  }

  /** Reads the rows of a result that was read back. */
  outcomes(bytes: Uint8Array, count: number): Outcome[] {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    return Array.from({ length: count }, (_, i) => {
      const at = 4 * this.resultWidth * i;
      const points = Math.min(words[at + 5]!, this.#slots);
      return {
        status: statuses[words[at + 4]!] ?? 'failed',
        x: floats[at]!,
        y: floats[at + 1]!,
        r: floats[at + 2]!,
        votes: words[at + 3]!,
        rounds: words[at + 6]!,
        points: floats.subarray(at + 12, at + 12 + 2 * points),
      };
    });
  }

  #release(): void {
    if (this.#tables) for (const texture of Object.values(this.#tables)) this.#scope.free(texture);
    this.#tables = null;
  }

  dispose(): void {
    this.#scope.dispose();
    this.#tables = null;
  }
}
