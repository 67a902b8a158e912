/** Changed bytes with the checksums that they would have, as whoever made such a file on purpose would give it. */
import { blockBytes, headBytes, preambleBytes, type BlockKind } from '../../src/recordings/blocks.ts';
import { isPacked } from '../../src/models/container.ts';
import { crc32 } from '../../src/runtime/crc32.ts';
import type { Bytes } from './mutation.ts';

const viewOf = ({ buffer, byteOffset, byteLength }: Bytes) => new DataView(buffer, byteOffset, byteLength);

/** A model in compact form; its length is made right too. */
export function repairedModel(bytes: Bytes): Bytes {
  if (bytes.length < 20 || !isPacked(bytes)) return bytes;
  const view = viewOf(bytes);
  const start = (20 + view.getUint32(8, true) + 15) & ~15;
  if (start > 0 && start <= bytes.length) view.setUint32(12, bytes.length - start, true);
  view.setUint32(16, crc32(bytes.subarray(20)), true);
  return bytes;
}

/** The model of a target. */
export function repairedObject(bytes: Bytes): Bytes {
  if (bytes.length < 12) return bytes;
  let hash = 0x811c9dc5;
  for (let i = 12; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  viewOf(bytes).setUint32(8, hash >>> 0, true);
  return bytes;
}

/** A kept recording: each block that still has its mark, with what follows it until the next mark. */
export function repairedJournal(bytes: Bytes): Bytes {
  if (bytes.length < preambleBytes) return bytes;
  viewOf(bytes).setUint32(20, crc32(bytes, 0, 20), true);
  const starts: number[] = [];
  for (let at = preambleBytes; at + headBytes <= bytes.length; at++)
    if (bytes[at + 9] === 102 && bytes[at + 10] === 118 && bytes[at + 11] === 114) starts.push(at);
  const parts = [bytes.subarray(0, preambleBytes)];
  starts.forEach((at, i) => {
    const payload = bytes.slice(at + headBytes, starts[i + 1] ?? bytes.length);
    parts.push(blockBytes({ kind: bytes[at + 8] as BlockKind, number: i, payload }));
  });
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
