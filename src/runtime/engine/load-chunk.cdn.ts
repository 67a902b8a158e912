/**
 * For the CDN scripts: parts that are not inside come from the script's own folder (or `data-assets`) when they are
 * needed, each pinned by the hash of its file. They bring their own copy of FoveolaError, whose errors become ours.
 */
import pins from 'virtual:pins';
import type { ReaderParts } from '../../frames/reader-worker.ts';
import { chunkFolder } from './assets.cdn.ts';
import { FoveolaError } from '../error.ts';
import { isSilence, networkFault, within } from '../patience.ts';
import { sourceInPolicy, watchPolicy } from './policy.ts';
import { scriptTag } from './script-tag.ts';
import { trustedScriptUrl } from './trusted-url.ts';

const loaded = new Map<string, Promise<unknown>>();

/** Loads a module whose hash must be `integrity`: import() takes no hash, so a script element fetches it first. */
async function pinned(url: string, integrity: string): Promise<unknown> {
  const script = document.createElement('script');
  script.type = 'module';
  script.crossOrigin = scriptTag?.crossOrigin ?? 'anonymous';
  if (scriptTag?.nonce) script.nonce = scriptTag.nonce;
  script.integrity = integrity;
  try {
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new Error('not found, forbidden, or of another version')));
      script.src = trustedScriptUrl(url);
      document.head.append(script);
    });
  } finally {
    script.remove();
  }
  return import(/* @vite-ignore */ url); // what the script element has fetched
}

/**
 * @param need what cannot be done without it
 * @param instead what to do without it
 * @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked'
 */
export async function loadChunk<T>(file: string, need: string, instead: string): Promise<T> {
  const url = new URL(file, chunkFolder());
  const policy = watchPolicy();
  let module = loaded.get(url.href) as Promise<T> | undefined;
  if (!module) {
    module = within(pinned(url.href, pins[file]!) as Promise<T>);
    loaded.set(url.href, module);
    module.catch(() => loaded.delete(url.href));
  }
  try {
    return await module;
  } catch (cause) {
    const directive = await policy.blocked(url);
    if (isSilence(cause))
      throw new FoveolaError(
        'asset-blocked',
        `${need}: ${url.href} did not come: ${networkFault(cause)}. Check the network and try again, or ${instead}.`,
        { cause },
      );
    throw directive
      ? new FoveolaError(
          'asset-blocked',
          `${need}: the page's Content-Security-Policy does not allow ${url.href}; add ${sourceInPolicy(url)} to script-src, or ${instead}.`,
          { cause },
        )
      : new FoveolaError(
          'asset-missing',
          `${need}: ${url.href} was not found, broke off on its way, or is not that of this version. Put ${file} of the same version beside the script, name its folder with data-assets on the script tag, or ${instead}.`,
          { cause },
        );
  } finally {
    policy.end();
  }
}

/** What a file that reads others is given, for the worker that it starts from itself. */
export const readerParts = (file: string): ReaderParts => ({ trusted: trustedScriptUrl, integrity: pins[file] });
