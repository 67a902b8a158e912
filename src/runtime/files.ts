import { FoveolaError } from './error.ts';

/**
 * Node's fetch does not read files. The module is requested at run time, so that bundlers for browsers do not see it.
 */
export function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs)
    throw new FoveolaError('asset-blocked', `${url.href} cannot be read here. Set assetBase to an http address.`);
  return new Uint8Array(fs.readFileSync(url));
}
