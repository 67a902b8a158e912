/**
 * For foveola.cdn.js: parts that are not inside come from `data-assets` on the script tag when they are needed. They bring
 * their own copy of FoveolaError, whose errors become ours.
 */
import { assetFolder } from './assets.cdn.ts';
import { FoveolaError, type FoveolaErrorCode } from './error.ts';

/**
 * @param need what cannot be done without it
 * @param instead what to do without it
 * @throws {FoveolaError} (rejects) 'source-unsupported'
 */
export async function loadChunk<T>(file: string, need: string, instead: string): Promise<T> {
  const fault = (text: string, cause?: unknown) =>
    new FoveolaError('source-unsupported', `${need}, which ${text}`, { cause });
  if (!assetFolder)
    throw fault(
      `are not inside foveola.cdn.js. Add data-assets="URL of the dist folder/" to its script tag, or ${instead}.`,
    );
  const url = new URL(file, assetFolder).href;
  try {
    return (await import(/* @vite-ignore */ url)) as T;
  } catch (cause) {
    throw fault(
      `could not be loaded from ${url}. Correct data-assets on the script tag, and allow the address in script-src.`,
      cause,
    );
  }
}

/** An error of the loaded part as one of this file's. */
export function asOurs(error: unknown): unknown {
  const { name, code, message, partial } = error as FoveolaError;
  if (name !== 'FoveolaError' || error instanceof FoveolaError) return error;
  return new FoveolaError(code as FoveolaErrorCode, message, { cause: error, partial });
}
