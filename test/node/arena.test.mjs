// The allocator: where blocks lie, to the byte. 64 bytes before and behind each are nobody's, and the first block starts at 4096.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const MIB = 1 << 20;
const { Arena } = await importTs('src/runtime/wasm/arena.ts');
const { Scope } = await importTs('src/runtime/scope.ts');
const made = (initial = MIB, maximum = 4 * MIB) => new Arena({ initial, maximum });

describe('the arena', () => {
  it('gives the lowest place that is large enough, and counts the space around each block', () => {
    const arena = made();
    assert.deepEqual(
      [1, 100, 64].map((bytes) => arena.allocate(bytes)),
      [4160, 4352, 4608],
    );
    assert.deepEqual([arena.used, arena.peak, arena.blocks], [640, 640, 3]);
    arena.free(4352);
    assert.deepEqual([arena.used, arena.peak, arena.blocks], [384, 640, 2]);
    assert.equal(arena.allocate(129), 4800); // 192 bytes do not fit where 128 were
    assert.equal(arena.allocate(128), 4352);
  });

  it('joins what is free on both sides of a block', () => {
    const arena = made();
    const [a, b, c, d] = [64, 64, 64, 64].map((bytes) => arena.allocate(bytes));
    arena.free(a);
    arena.free(c);
    arena.free(b);
    assert.equal(arena.allocate(3 * 192 - 128), 4160);
    assert.equal(d, 4160 + 3 * 192);
    assert.throws(() => arena.free(b), { code: 'internal' });
  });

  it('moves a block down to the lowest place with room for it, with its bytes', () => {
    const arena = made();
    const [low, small, high] = [1000, 64, 1000].map((bytes) => arena.allocate(bytes));
    arena.u8.set([1, 2, 3], high);
    arena.u8[high + 999] = 4;
    arena.free(low);
    assert.equal(arena.settle(high), 4160);
    assert.deepEqual([...arena.u8.subarray(4160, 4163), arena.u8[4160 + 999]], [1, 2, 3, 4]);
    assert.deepEqual([arena.used, arena.peak, arena.blocks], [1152 + 192, 2 * 1152 + 192, 2]);
    assert.equal(arena.settle(small), small); // there is no lower place
    assert.equal(arena.allocate(2000), small + 192); // what is above is free in one piece again
  });

  it('moves a block over its own place where less is free below than it is long', () => {
    const arena = made();
    const [gone, block] = [64, 1000].map((bytes) => arena.allocate(bytes));
    arena.u8.set(
      Array.from({ length: 1000 }, (_, i) => i % 251),
      block,
    );
    arena.free(gone);
    assert.equal(arena.settle(block), 4160);
    assert.deepEqual([...arena.u8.subarray(4160, 5160)], Array.from({ length: 1000 }, (_, i) => i % 251)); // prettier-ignore
  });

  it('does not grow for a move, and makes room for a large block without growing', () => {
    const arena = made();
    const half = MIB / 2;
    const [large, left] = [half, MIB / 4].map((bytes) => arena.allocate(bytes));
    arena.free(large);
    const [now, size] = [arena.settle(left), arena.memory.buffer.byteLength];
    assert.equal(now, 4160);
    assert.equal(arena.allocate(half + MIB / 8), now + MIB / 4 + 128);
    assert.deepEqual([arena.memory.buffer.byteLength, size], [MIB, MIB]);
  });

  it('grows by what is missing at the end, at least by a quarter, up to its limit', () => {
    const arena = made();
    arena.allocate(MIB - 4096 - 128);
    assert.equal(arena.memory.buffer.byteLength, MIB);
    assert.equal(arena.allocate(1), MIB + 64);
    assert.equal(arena.memory.buffer.byteLength, 1.25 * MIB);
    assert.throws(() => arena.allocate(3 * MIB), { code: 'out-of-memory' });
  });

  it('is settled by a scope for planes of its own, with their samples, before scratch', () => {
    const arena = made();
    const order = [];
    const runtime = { arena, pool: { settle: () => order.push(arena.used) } };
    const [scope, other] = [new Scope(runtime), new Scope(runtime)];
    const gone = scope.plane(64, 64, 'u8');
    const others = other.plane(16, 4, 'u8');
    const own = scope.plane(16, 4, 'u8');
    own.put(Uint8Array.from({ length: 64 }, (_, i) => i), 0); // prettier-ignore
    const place = others.address;
    scope.free(gone);
    scope.settle(others, own);
    assert.deepEqual([others.address, own.address, order], [place, 4160, [384]]);
    assert.deepEqual([...own.copy()], Array.from({ length: 64 }, (_, i) => i)); // prettier-ignore
    for (const one of [scope, other]) one.dispose();
    assert.equal(arena.used, 0);
  });
});
