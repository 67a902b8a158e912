/**
 * An engine whose blocks of memory lie between guard zones: every block of the arena is filled with a pattern when it is
 * lent, the bytes before and after it too. Kernels may load from the zones and write nowhere in them; that is looked at when
 * a block is given back, and for all of them after every trial. The pattern of the blocks themselves shows what reads memory
 * that nobody has written: the same call under another pattern must give the same result.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readers } from '../../src/engine-home.ts';
import { toPacket } from '../../src/frames/to-packet.ts';
import type { Engine } from '../../src/index.ts';
import { EngineBase } from '../../src/runtime/engine/engine.ts';
import { Connection } from '../../src/runtime/engine/connection.ts';
import { Host } from '../../src/runtime/engine/host.ts';
import { Port } from '../../src/runtime/engine/port.ts';
import { Arena } from '../../src/runtime/wasm/arena.ts';

/** As in arena.ts: what lies beside each block. */
const ZONE = 64;
const GUARD = 0xa5;

export { Arena };

let filled = 0xcd;
const bytesOf = new Map<number, number>();
let arena: Arena | null = null;
let written: string | null = null;

function look({ u8 }: Arena, address: number): void {
  const bytes = bytesOf.get(address)!;
  const end = address + ((Math.max(1, bytes) + 63) & ~63);
  for (let i = 0; i < ZONE; i++)
    if (u8[address - ZONE + i] !== GUARD || u8[end + i] !== GUARD)
      written ??= `a kernel wrote ${u8[end + i] === GUARD ? 'before' : 'behind'} a block of ${bytes} bytes`;
}

const keep = (used: Arena): void => void (arena = used);

const { allocate, free } = Arena.prototype;
/** From now on, of every arena; one at a time. */
export function watch(): void {
  Arena.prototype.allocate = function (bytes) {
    const address = allocate.call(this, bytes);
    const end = address + ((Math.max(1, bytes) + 63) & ~63);
    this.u8
      .fill(GUARD, address - ZONE, address)
      .fill(filled, address, end)
      .fill(GUARD, end, end + ZONE);
    bytesOf.set(address, bytes);
    keep(this);
    return address;
  };
  Arena.prototype.free = function (address) {
    if (bytesOf.has(address)) look(this, address);
    bytesOf.delete(address);
    free.call(this, address);
  };
}

/** Throws where a zone was written to since the last call. */
export function checkZones(): void {
  if (arena) for (const address of bytesOf.keys()) look(arena, address);
  const found = written;
  written = null;
  if (!found) return;
  for (const address of arena ? bytesOf.keys() : []) {
    const end = address + ((Math.max(1, bytesOf.get(address)!) + 63) & ~63);
    arena!.u8.fill(GUARD, address - ZONE, address).fill(GUARD, end, end + ZONE);
  }
  throw new Error(found);
}

/** What blocks that are lent from now on are filled with. */
export const fillWith = (pattern: number): void => void (filled = pattern);

export async function guardedEngine(root: string): Promise<Engine> {
  watch();
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const init = { module, threads: 1, backend: 'wasm' as const, places: { models: {}, page: 'file:///' }, reasons: [] };
  const host = await Host.create(init as never, { ...readers, worker: false });
  const port = Port.here(host.handlers);
  const started = { port, capabilities: host.capabilities, end: () => port.request('dispose', null) };
  return new EngineBase(await Connection.open(async () => started, toPacket)) as object as Engine;
}
