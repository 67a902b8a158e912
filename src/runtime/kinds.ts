/** The kinds of values that stages accept and return. Capabilities add more kinds by declaration merging. */
import type { Plane, PlaneFormat } from './plane.ts';

/** Inputs and outputs of stages: planes by their format, and lists. */
export interface Kinds extends Record<PlaneFormat, Plane> {
  'u8[]': Uint8Array;
  'u16[]': Uint16Array;
  'i32[]': Int32Array;
  'u32[]': Uint32Array;
  'f32[]': Float32Array;
  'f64[]': Float64Array;
  number: number;
}
export type Kind = keyof Kinds;
export type InputsOf<I extends readonly Kind[]> = { readonly [K in keyof I]: Kinds[I[K]] };
export type OutputsOf<O extends readonly Kind[]> = { readonly [K in keyof O]: Kinds[O[K]] };
