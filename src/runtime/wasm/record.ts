/**
 * Records: named fields in the linear memory, as the kernels declare them (an @unmanaged class in assembly/).
 * tools/kernel-border.mjs extracts their layouts. This module reads and writes them.
 */
import type { Arena } from './arena.ts';
import { FoveolaError } from '../error.ts';

type FieldType = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'usize' | 'f32' | 'f64';

interface Field {
  readonly type: FieldType;
  readonly offset: number;
}

export interface RecordLayout<F extends string = string> {
  readonly bytes: number;
  readonly fields: ReadonlyMap<F, Field>;
}

const sizes: Readonly<Record<FieldType, number>> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  usize: 4,
  f32: 4,
  f64: 8,
};

/** Parses 'type:name name type:name ...'. Each field is at a multiple of its size, like in AssemblyScript. */
export function defineRecord<F extends string>(text: string): RecordLayout<F> {
  const fields = new Map<F, Field>();
  let bytes = 0;
  let type: FieldType = 'i32';
  for (const part of text.split(' ')) {
    const [name, given] = part.split(':').reverse() as [F, FieldType?];
    type = given ?? type;
    const size = sizes[type];
    const offset = Math.ceil(bytes / size) * size;
    fields.set(name, { type, offset });
    bytes = offset + size;
  }
  return { bytes, fields };
}

/** The view of records of a layout. */
export type RecordOf<L> = L extends RecordLayout<infer F> ? RecordView<F> : never;

/** One record at an address. It always uses the arena's current views, so it stays valid when the memory grows. */
export class RecordView<F extends string = string> {
  readonly address: number;
  readonly layout: RecordLayout<F>;
  readonly #arena: Arena;

  constructor(arena: Arena, layout: RecordLayout<F>, address: number) {
    this.#arena = arena;
    this.layout = layout;
    this.address = address;
  }

  #field(name: F): Field {
    const field = this.layout.fields.get(name);
    if (!field) throw new FoveolaError('internal', `The record has no field '${name}'.`);
    return field;
  }

  get(name: F): number {
    const { type, offset } = this.#field(name);
    const at = this.address + offset;
    const { arena } = { arena: this.#arena };
    if (type === 'f32') return arena.f32[at >> 2]!;
    if (type === 'f64') return arena.f64[at >> 3]!;
    if (type === 'i32') return arena.i32[at >> 2]!;
    if (type === 'u32' || type === 'usize') return arena.i32[at >> 2]! >>> 0;
    const { u8 } = arena;
    if (type === 'u8') return u8[at]!;
    if (type === 'i8') return (u8[at]! << 24) >> 24;
    const half = u8[at]! | (u8[at + 1]! << 8);
    return type === 'u16' ? half : (half << 16) >> 16;
  }

  set(values: Partial<Readonly<Record<F, number | boolean>>>): this {
    const arena = this.#arena;
    for (const name in values) {
      const value = Number(values[name]);
      const { type, offset } = this.#field(name);
      const at = this.address + offset;
      if (type === 'f32') arena.f32[at >> 2] = value;
      else if (type === 'f64') arena.f64[at >> 3] = value;
      else if (sizes[type] === 4) arena.i32[at >> 2] = value;
      else {
        arena.u8[at] = value;
        if (sizes[type] === 2) arena.u8[at + 1] = value >> 8;
      }
    }
    return this;
  }

  clear(): this {
    this.#arena.u8.fill(0, this.address, this.address + this.layout.bytes);
    return this;
  }
}
