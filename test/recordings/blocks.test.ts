/** The file of a kept recording, byte by byte. */
import { expect } from 'chai';
import { FoveolaError } from '../../src/runtime/error.ts';
import { type Block, blockBytes, BlockScanner, preamble, readPreamble } from '../../src/recordings/blocks.ts';
import { together } from './made-recordings.ts';

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
const text = (payload: Uint8Array) => new TextDecoder().decode(payload);
const blocks: Block[] = ['one', 'two, longer', 'three'].map((words, number) => ({
  ...{ kind: number === 0 ? 1 : 2, number, payload: new TextEncoder().encode(words) },
}));
const whole = together(blocks.map(blockBytes));
const ends = blocks.map((_, i) => together(blocks.slice(0, i + 1).map(blockBytes)).length);

function scan(bytes: Uint8Array, step = bytes.length || 1) {
  const scanner = new BlockScanner();
  const found: Block[] = [];
  for (let at = 0; at < bytes.length; at += step) found.push(...scanner.push(bytes.slice(at, at + step)));
  found.push(...scanner.end());
  return { found: found.map(({ payload }) => text(payload)), loss: scanner.loss };
}

describe('blocks of a kept recording', () => {
  it('are these bytes', () => {
    // CRC-32 by zlib: python3 -c "import zlib; print(hex(zlib.crc32(bytes.fromhex('...'))))"
    expect(hex(preamble({ sealed: true, chance: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) }))).to.equal(
      '66 6f 76 65 6f 6c 61 0a 01 01 00 00 01 02 03 04 05 06 07 08 38 a3 90 57',
    );
    expect(hex(blockBytes({ kind: 2, number: 258, payload: Uint8Array.of(9, 8) }))).to.equal(
      '02 00 00 00 02 01 00 00 02 66 76 72 f7 2a d9 be 09 08',
    );
  });

  it('are read back whole, however the bytes come', () => {
    for (const step of [1, 2, 7, 16, 1000])
      expect(scan(whole, step)).to.deep.equal({
        found: ['one', 'two, longer', 'three'],
        loss: { tornBytes: 0, damagedBytes: 0, lostBlocks: 0 },
      });
    expect(scan(new Uint8Array(0)).found).to.deep.equal([]);
  });

  it('are read up to where the file was torn, at every byte', () => {
    for (let length = 0; length <= whole.length; length++) {
      const { found, loss } = scan(whole.slice(0, length), 5);
      const complete = ends.filter((end) => end <= length);
      expect(found.length, `torn at ${length}`).to.equal(complete.length);
      expect(loss, `torn at ${length}`).to.deep.equal({
        ...{ tornBytes: length - (complete.at(-1) ?? 0), damagedBytes: 0, lostBlocks: 0 },
      });
    }
  });

  it('lose the one in which a bit was flipped and no other, at every bit', () => {
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = whole.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      const hit = ends.findIndex((end) => bit >> 3 < end);
      const { found, loss } = scan(damaged, 11);
      expect(found, `bit ${bit}`).to.deep.equal(blocks.filter((_, i) => i !== hit).map(({ payload }) => text(payload)));
      const size = ends[hit]! - (ends[hit - 1] ?? 0);
      const last = hit === blocks.length - 1;
      expect(loss, `bit ${bit}`).to.deep.equal({
        ...{ tornBytes: last ? size : 0, damagedBytes: last ? 0 : size, lostBlocks: last ? 0 : 1 },
      });
    }
  });

  it('refuse a beginning that is none, and say why', () => {
    const good = preamble({ sealed: false, chance: new Uint8Array(8) });
    const why = (bytes: Uint8Array) => {
      try {
        readPreamble(bytes);
      } catch (error) {
        expect((error as FoveolaError).code).to.equal('decode-failed');
        return (error as Error).message;
      }
      return null;
    };
    expect(why(good)).to.equal(null);
    expect(why(good.slice(0, 23))).to.match(/ends within its first 24 bytes/);
    expect(why(new Uint8Array(24))).to.match(/not a foveola recording/);
    for (let at = 8; at < 24; at++) {
      const damaged = good.slice();
      damaged[at]! ^= 4;
      expect(why(damaged), `byte ${at}`).to.match(/damaged/);
    }
    expect(readPreamble(good)).to.deep.equal({ sealed: false, chance: new Uint8Array(8) });
  });
});
