/** Decodes the binary data embedded as text in a single file: base64 of deflate-raw. */
export async function inflated(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Assembles a WebAssembly module from streams of similar values, which deflate much better. tools/wasm-streams.mjs
// documents each stream and takes the module apart. This runs once, before the first frame. Its inner loop contains no
// calls.

const LOCAL = 30;
const NUMBERS = 31;

/** @param all number of streams, their lengths, and the streams, one after the other */
export function joinStreams(all: Uint8Array): Uint8Array<ArrayBuffer> {
  let start = 0;
  const at = new Uint32Array(all[start++]!).fill(0);
  const number = (stream: number) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = all[at[stream]!++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  at[0] = start;
  const lengths = Array.from(at, () => number(0));
  start = at[0];
  lengths.forEach((length, stream) => {
    at[stream] = start;
    start += length;
  });
  const [rest, kinds, table, localTypes] = [0, 1, 2, 3];

  const out = new Uint8Array(number(rest));
  let to = 0;
  const put = (value: number) => {
    for (; value > 127; value >>>= 7) out[to++] = (value & 127) | 128;
    out[to++] = value;
  };
  const copy = (stream: number, count: number) => {
    out.set(all.subarray(at[stream], (at[stream]! += count)), to);
    to += count;
  };

  // The layout of each kind of operation: its bytes, followed by the streams of its operands.
  const forms = Uint8Array.from(at, () => all[at[table!]!++]!);
  const parts: number[] = [];
  const firstByte: number[] = [];
  const firstOperand: number[] = [];
  for (let left = number(table); left > 0; left--)
    for (const list of [firstByte, firstOperand]) {
      list.push(parts.length);
      for (let count = number(table); count > 0; count--) parts.push(number(table));
    }
  firstByte.push(parts.length);
  const recent = new Uint16Array(number(table));

  copy(rest, number(rest));
  let kindAt = at[kinds]!;
  for (let functions = number(rest); functions > 0; functions--) {
    const size = number(rest);
    put(size);
    const end = to + size;
    copy(localTypes, number(localTypes));
    for (let i = 0; i < recent.length; i++) recent[i] = i;
    while (to < end) {
      let kind = all[kindAt++]!;
      if (kind > 127) kind = (kind & 127) | (all[kindAt++]! << 7);
      let part = firstByte[kind]!;
      const operands = firstOperand[kind]!;
      while (part < operands) out[to++] = parts[part++]!;
      const next = firstByte[kind + 1]!;
      for (; part < next; part++) {
        const stream = parts[part]!;
        const form = forms[stream]!;
        let from = at[stream]!;
        if (form === LOCAL) {
          let place = all[from++]!;
          if (place > 127) place = (place & 127) | (all[from++]! << 7);
          const local = recent[place]!;
          for (; place > 0; place--) recent[place] = recent[place - 1]!;
          recent[0] = local;
          if (local > 127) out[to++] = (local & 127) | 128;
          out[to++] = local > 127 ? local >> 7 : local;
        } else if (form === 0 || form === NUMBERS) {
          // Numbers in their stored form, since signed ones look like others.
          let left = form ? all[from]! + 1 : 0; // a table of more than 126 labels is refused by the build
          do {
            do out[to++] = all[from]!;
            while (all[from++]! > 127);
          } while (left-- > 0);
        } else for (let left = form; left > 0; left--) out[to++] = all[from++]!;
        at[stream] = from;
      }
    }
  }
  copy(rest, number(rest));
  return out;
}
