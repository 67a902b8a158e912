/**
 * The worker that appends to one file of the origin private file system. Each request is answered when its data is on
 * the device.
 */
import type { Answer, Order } from './opfs.ts';

/** Missing in TypeScript's types of the page, because only workers have it. */
interface SyncAccess {
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
  getSize(): number;
}

let access: SyncAccess | null = null;
let size = 0;

async function open(path: string[]): Promise<void> {
  let folder = await navigator.storage.getDirectory();
  for (const name of path.slice(0, -1)) folder = await folder.getDirectoryHandle(name);
  const file = await folder.getFileHandle(path.at(-1)!, { create: true });
  access = await (file as unknown as { createSyncAccessHandle(): Promise<SyncAccess> }).createSyncAccessHandle();
  size = access.getSize();
}

function append(bytes: Uint8Array): void {
  try {
    if (access!.write(bytes, { at: size }) < bytes.length)
      throw new DOMException('Not all bytes were written.', 'QuotaExceededError');
    access!.flush();
    size += bytes.length;
  } catch (error) {
    access!.truncate(size); // keeps the existing data, which ends with a complete block
    access!.flush();
    throw error;
  }
}

async function obey(order: Order): Promise<void> {
  if ('open' in order) await open(order.open);
  else if ('append' in order) append(order.append);
  else access?.close();
}

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  const answer = (given: Answer) => (self as unknown as Worker).postMessage(given);
  obey(data).then(
    () => answer({}),
    ({ name, message }: DOMException) => answer({ error: { name, message } }),
  );
});
