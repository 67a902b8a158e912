/** Records: named fields in the linear memory, as the kernels declare them (an @unmanaged class in assembly/). */
import type { Arena } from '../runtime/arena.ts';

type FieldType = 'i32' | 'u32' | 'usize' | 'f32' | 'f64';

interface Field {
  readonly type: FieldType;
  readonly offset: number;
}

export interface RecordLayout<F extends string = string> {
  readonly bytes: number;
  readonly fields: ReadonlyMap<F, Field>;
}

/** From 'name:type name:type ...': each field on a multiple of its size, as AssemblyScript lays them out. */
export function defineRecord<F extends string>(text: string): RecordLayout<F> {
  const fields = new Map<F, Field>();
  let bytes = 0;
  for (const part of text.split(' ')) {
    const [name, type] = part.split(':') as [F, FieldType];
    const size = type === 'f64' ? 8 : 4;
    const offset = Math.ceil(bytes / size) * size;
    fields.set(name, { type, offset });
    bytes = offset + size;
  }
  return { bytes, fields };
}

/** One record at an address. Reading and writing goes through the arena's views, so a growth does not matter. */
export class RecordView<F extends string = string> {
  readonly address: number;
  readonly #layout: RecordLayout<F>;
  readonly #arena: Arena;

  constructor(arena: Arena, layout: RecordLayout<F>, address: number) {
    this.#arena = arena;
    this.#layout = layout;
    this.address = address;
  }

  get(name: F): number {
    const { type, offset } = this.#layout.fields.get(name)!;
    const at = this.address + offset;
    const { f32, f64, i32 } = this.#arena;
    if (type === 'f64') return f64[at >> 3]!;
    if (type === 'f32') return f32[at >> 2]!;
    return type === 'i32' ? i32[at >> 2]! : i32[at >> 2]! >>> 0;
  }

  set(values: Partial<Readonly<Record<F, number | boolean>>>): this {
    const { f32, f64, i32 } = this.#arena;
    for (const name in values) {
      const { type, offset } = this.#layout.fields.get(name)!;
      const at = this.address + offset;
      const value = Number(values[name]);
      if (type === 'f64') f64[at >> 3] = value;
      else if (type === 'f32') f32[at >> 2] = value;
      else i32[at >> 2] = value;
    }
    return this;
  }

  clear(): this {
    this.#arena.u8.fill(0, this.address, this.address + this.#layout.bytes);
    return this;
  }
}

/** A view of the records of a layout. */
export type ViewOf<L> = L extends RecordLayout<infer F> ? RecordView<F> : never;
