// WebAssembly code taken apart into streams of like things: operations, locals that are read, locals that are written,
// offsets, numbers. Each deflates better alone than all of them in turn (a quarter off the kernels), and browsers inflate
// them by themselves. src/runtime/wasm/wasm-streams.ts puts them together again; it knows no operation by name, since what
// follows each operation stands in a table that comes along.
import { deflate } from './deflate.mjs';

// The forms of what a stream holds: values of so many bytes, or one of these.
const NUMBER = 0; // LEB128
const LOCAL = 30; // the place of a local in the list of those used last
const NUMBERS = 31; // a count, then count + 1 numbers

const forms = {
  rest: 1, // what is no code, and sizes
  operations: NUMBER, // by their row in the table
  table: 1,
  locals: 1,
  types: NUMBER,
  labels: NUMBER,
  tables: NUMBERS, // of br_table
  functions: NUMBER,
  reads: LOCAL,
  writes: LOCAL,
  globals: NUMBER,
  aligns: NUMBER,
  offsets: NUMBER,
  bytes: 1,
  integers: NUMBER,
  floats: 4,
  doubles: 8,
  vectors: 16,
};
const streams = Object.keys(forms);
const memory = ['aligns', 'offsets'];
const between = (value, low, high) => value >= low && value <= high;

/** What follows an operation of one byte, by the specification's section on the binary format; null: not known here. */
function operandsOf(operation) {
  if (between(operation, 0x02, 0x04)) return ['types']; // block, loop, if
  if (between(operation, 0x0c, 0x0d)) return ['labels']; // br, br_if
  if (operation === 0x0e) return ['tables'];
  if (operation === 0x10) return ['functions']; // call
  if (operation === 0x20) return ['reads'];
  if (between(operation, 0x21, 0x22)) return ['writes']; // local.set, local.tee
  if (between(operation, 0x23, 0x24)) return ['globals'];
  if (between(operation, 0x28, 0x3e)) return memory;
  if (between(operation, 0x3f, 0x40)) return ['bytes']; // memory.size, memory.grow
  if (between(operation, 0x41, 0x42)) return ['integers'];
  if (operation === 0x43) return ['floats'];
  if (operation === 0x44) return ['doubles'];
  const alone = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(operation) || between(operation, 0x45, 0xc4);
  return alone ? [] : null;
}

/** After the prefix 0xfc. */
function bulkOperandsOf(operation) {
  if (operation <= 7) return []; // saturating conversions
  if (operation === 10) return ['bytes', 'bytes']; // memory.copy
  return operation === 11 ? ['bytes'] : null; // memory.fill
}

/** After the prefix 0xfd. */
function vectorOperandsOf(operation) {
  if (operation <= 11 || between(operation, 92, 93)) return memory;
  if (between(operation, 12, 13)) return ['vectors'];
  if (between(operation, 21, 34)) return ['bytes'];
  if (between(operation, 84, 91)) return [...memory, 'bytes'];
  return operation <= 255 ? [] : null;
}
const tables = { 0xfc: bulkOperandsOf, 0xfd: vectorOperandsOf };

/** LEB128, unsigned. */
function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

class Reader {
  at = 0;
  constructor(bytes) {
    this.bytes = bytes;
  }
  take(count) {
    return [...this.bytes.subarray(this.at, (this.at += count))];
  }
  /** The bytes of one number. */
  raw() {
    const from = this.at;
    while (this.bytes[this.at++] > 127);
    return [...this.bytes.subarray(from, this.at)];
  }
  number() {
    return this.raw().reduceRight((value, part) => value * 128 + (part & 127), 0);
  }
  numbers() {
    const from = this.at;
    const count = this.number();
    if (count > 127) throw new Error(`tools/wasm-streams.mjs: a table of ${count} labels is too long.`);
    for (let left = count; left >= 0; left--) this.raw();
    return [...this.bytes.subarray(from, this.at)];
  }
}

/** Gives each local its place in the list of those used last: the same small numbers in every function. */
function recency(most) {
  const list = [];
  return (local) => {
    while (list.length <= local) list.push(list.length);
    most.locals = Math.max(most.locals, list.length);
    const place = list.indexOf(local);
    list.unshift(...list.splice(place, 1));
    return place;
  };
}

/** One operation: its own bytes, the streams of its operands, and for each the bytes that go there. */
function operation(read, place) {
  const [first] = read.take(1);
  const table = tables[first];
  const second = table ? read.raw() : [];
  const number = second.reduceRight((value, part) => value * 128 + (part & 127), 0);
  const operands = (table ?? operandsOf)(table ? number : first);
  if (!operands) throw new Error(`tools/wasm-streams.mjs does not know the operation ${[first, ...second].join(' ')}.`);
  const values = operands.map((stream) => {
    const form = forms[stream];
    if (form === NUMBER) return read.raw();
    if (form === LOCAL) return numberBytes(place(read.number()));
    return form === NUMBERS ? read.numbers() : read.take(form);
  });
  return { bytes: [first, ...second], operands, values };
}

function functionBody(read, most) {
  const size = read.number();
  const end = read.at + size;
  const from = read.at;
  for (let groups = read.number(); groups > 0; groups--) {
    read.raw();
    read.take(1);
  }
  const locals = [...read.bytes.subarray(from, read.at)];
  const place = recency(most);
  const operations = [];
  while (read.at < end) operations.push(operation(read, place));
  return { size, locals, operations };
}

/** The module's bytes around its functions, and the functions. */
function parts(wasm) {
  const read = new Reader(wasm);
  const code = 10;
  const most = { locals: 0 };
  read.take(8);
  while (read.at < wasm.length) {
    const [section] = read.take(1);
    const size = read.number();
    if (section !== code) {
      read.take(size);
      continue;
    }
    const count = read.number();
    const before = wasm.subarray(0, read.at);
    const functions = Array.from({ length: count }, () => functionBody(read, most));
    return { before, functions, after: wasm.subarray(read.at), locals: most.locals };
  }
  return { before: wasm, functions: [], after: wasm.subarray(wasm.length), locals: 0 };
}

/** @returns {Uint8Array[]} what joinStreams of src/runtime/wasm/wasm-streams.ts, given one behind the other, makes `wasm` of */
export function splitWasm(wasm) {
  const { before, functions, after, locals: most } = parts(wasm);
  const kinds = new Map();
  const kindOf = ({ bytes, operands }) =>
    [bytes.length, ...bytes, operands.length, ...operands.map((stream) => streams.indexOf(stream))].join();
  for (const { operations } of functions)
    for (const each of operations) kinds.set(kindOf(each), (kinds.get(kindOf(each)) ?? 0) + 1);
  const table = [...kinds.keys()].sort((a, b) => kinds.get(b) - kinds.get(a)); // the commonest have one byte
  const numbers = new Map(table.map((kind, number) => [kind, numberBytes(number)]));

  const out = Object.fromEntries(streams.map((stream) => [stream, []]));
  out.table.push(...streams.map((stream) => forms[stream]), ...numberBytes(table.length));
  out.table.push(...table.flatMap((kind) => kind.split(',').flatMap((value) => numberBytes(Number(value)))));
  out.table.push(...numberBytes(most));
  out.rest.push(
    ...numberBytes(wasm.length),
    ...numberBytes(before.length),
    ...before,
    ...numberBytes(functions.length),
  );
  for (const { size, locals, operations } of functions) {
    out.rest.push(...numberBytes(size));
    out.locals.push(...numberBytes(locals.length), ...locals);
    for (const each of operations) {
      out.operations.push(...numbers.get(kindOf(each)));
      each.operands.forEach((stream, i) => out[stream].push(...each.values[i]));
    }
  }
  out.rest.push(...numberBytes(after.length), ...after);
  const lengths = Object.values(out).map(({ length }) => length);
  return [[lengths.length, ...lengths.flatMap(numberBytes)], ...Object.values(out)].map((bytes) =>
    Uint8Array.from(bytes),
  );
}

/** One raw deflate stream of them all. */
export const deflateStreams = (streams) => deflate(Buffer.concat(streams), 15);
