/**
 * Puts a WebAssembly module together from streams of like things, as which it deflates far better; tools/wasm-streams.mjs
 * says what is in each and takes it apart.
 */

const NUMBER = 0;
const LOCAL = 30;
const NUMBERS = 31;

export function joinStreams(streams: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const at = new Uint32Array(streams.length);
  const next = (stream: number) => streams[stream]![at[stream]!++]!;
  const number = (stream: number) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = next(stream);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const [rest, kinds, table, localTypes] = [0, 1, 2, 3];
  const list = () => Array.from({ length: next(table) }, () => next(table));

  const out = new Uint8Array(number(rest));
  let to = 0;
  const put = (value: number) => {
    for (; value > 127; value >>>= 7) out[to++] = (value & 127) | 128;
    out[to++] = value;
  };
  const copy = (stream: number, count: number) => {
    while (count-- > 0) out[to++] = next(stream);
  };
  /** A number as it stands, since signed ones look like others. */
  const copyNumber = (stream: number) => {
    do out[to] = next(stream);
    while (out[to++]! > 127);
  };

  const forms = streams.map(() => next(table));
  const operations = Array.from({ length: number(table) }, () => ({ bytes: list(), operands: list() }));
  const order = Array.from({ length: number(table) }, (_, local) => local);
  copy(rest, number(rest));
  for (let functions = number(rest); functions > 0; functions--) {
    const size = number(rest);
    put(size);
    const end = to + size;
    copy(localTypes, number(localTypes));
    const recent = Uint16Array.from(order);
    while (to < end) {
      const { bytes, operands } = operations[number(kinds)]!;
      for (const byte of bytes) out[to++] = byte;
      for (const stream of operands) {
        const form = forms[stream]!;
        if (form === LOCAL) {
          const place = number(stream);
          const local = recent[place]!;
          recent.copyWithin(1, 0, place);
          recent[0] = local;
          put(local);
        } else if (form === NUMBER) copyNumber(stream);
        else if (form === NUMBERS) {
          let left = number(stream);
          put(left);
          while (left-- >= 0) copyNumber(stream);
        } else copy(stream, form);
      }
    }
  }
  copy(rest, number(rest));
  return out;
}
