/**
 * The compact form of models: a header with kind, version, sizes and a checksum, then the license notice that came with
 * the numbers, then the numbers. Little endian:
 *
 *     0 'FOVM'   4 u16 kind   6 u16 version   8 u32 notice bytes   12 u32 payload bytes   16 u32 CRC-32 of the rest
 *     20 notice (UTF-8)   then, at the next multiple of 16, the payload
 */
import { crc32 } from '../runtime/crc32.ts';
import { FoveolaError } from '../runtime/error.ts';

export const modelKinds = { cascade: 1, landmarks: 2, judge: 3, network: 4 } as const;
export type ModelKind = keyof typeof modelKinds;

const MAGIC = 0x4d564f46; // 'FOVM'
const HEADER = 20;
const VERSION = 1;
const NOTICE_LIMIT = 1 << 16;
/** Remedy for shipped files and for custom files. */
const REMEDY = 'Use the folder models of this version, or convert it again.';

export const wrongFormat = (text: string) => new FoveolaError('model-format', text);

const payloadStart = (notice: number) => (HEADER + notice + 15) & ~15;

export function packModel(kind: ModelKind, payload: Uint8Array, notice: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(notice);
  if (text.length > NOTICE_LIMIT)
    throw wrongFormat(`The notice has ${text.length} bytes. The maximum is ${NOTICE_LIMIT}.`);
  const start = payloadStart(text.length);
  const bytes = new Uint8Array(start + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, modelKinds[kind], true);
  view.setUint16(6, VERSION, true);
  view.setUint32(8, text.length, true);
  view.setUint32(12, payload.length, true);
  bytes.set(text, HEADER);
  bytes.set(payload, start);
  view.setUint32(16, crc32(bytes.subarray(HEADER)), true);
  return bytes;
}

/** Whether these bytes start like a model in compact form. */
export const isPacked = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === MAGIC;

/** Whether they start like a model of this kind. */
export const isPackedAs = (bytes: Uint8Array, kind: ModelKind): boolean =>
  isPacked(bytes) && bytes.length > 4 && bytes[4] === modelKinds[kind];

/** @throws {FoveolaError} 'model-format' (another kind or version, cut short), 'model-checksum' */
export function unpackModel(bytes: Uint8Array, kind: ModelKind): { payload: Uint8Array; notice: string } {
  if (!isPacked(bytes)) throw wrongFormat('This is not a model in compact form: it does not start with FOVM.');
  if (bytes.length < HEADER) throw wrongFormat('The model is cut short.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = Object.entries(modelKinds).find(([, number]) => number === view.getUint16(4, true))?.[0];
  if (found !== kind) throw wrongFormat(`This is a model of kind '${found ?? 'unknown'}'. Use a ${kind} model.`);
  const version = view.getUint16(6, true);
  if (version !== VERSION)
    throw wrongFormat(`The model has version ${version}, but this build reads ${VERSION}. ${REMEDY}`);
  const notice = view.getUint32(8, true);
  const size = view.getUint32(12, true);
  const start = payloadStart(notice);
  if (notice > NOTICE_LIMIT || bytes.length !== start + size)
    throw wrongFormat(`The model should have ${start + size} bytes but has ${bytes.length}. ${REMEDY}`);
  if (crc32(bytes.subarray(HEADER)) !== view.getUint32(16, true))
    throw new FoveolaError('model-checksum', `The model is damaged: its checksum differs. ${REMEDY}`);
  return {
    payload: bytes.subarray(start),
    notice: new TextDecoder().decode(bytes.subarray(HEADER, HEADER + notice)),
  };
}

/** Reads numbers one after the other. Past the end, throws 'model-format' instead of a RangeError. */
export class ModelReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }
  get at(): number {
    return this.#at;
  }

  #take(bytes: number): number {
    if (this.left < bytes) throw wrongFormat('The model is cut short within a number.');
    const at = this.#at;
    this.#at += bytes;
    return at;
  }

  u8 = () => this.#view.getUint8(this.#take(1));
  i8 = () => this.#view.getInt8(this.#take(1));
  u16 = () => this.#view.getUint16(this.#take(2), true);
  u32 = () => this.#view.getUint32(this.#take(4), true);
  f32 = () => this.#view.getFloat32(this.#take(4), true);

  /** Returns the next bytes unchanged. */
  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, count);
  }
}

export class ModelWriter {
  #bytes = new Uint8Array(1 << 12);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  #room(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (this.#at > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#at));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  #put(bytes: number, write: (view: DataView, at: number) => void): void {
    const at = this.#room(bytes); // first, because it may replace the view
    write(this.#view, at);
  }

  u8 = (v: number) => this.#put(1, (view, at) => view.setUint8(at, v));
  i8 = (v: number) => this.#put(1, (view, at) => view.setInt8(at, v));
  u16 = (v: number) => this.#put(2, (view, at) => view.setUint16(at, v, true));
  u32 = (v: number) => this.#put(4, (view, at) => view.setUint32(at, v, true));
  f32 = (v: number) => this.#put(4, (view, at) => view.setFloat32(at, v, true));

  bytes(given: ArrayBufferView): void {
    const at = this.#room(given.byteLength);
    this.#bytes.set(new Uint8Array(given.buffer, given.byteOffset, given.byteLength), at);
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
