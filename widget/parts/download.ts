import { patientFetch } from '../../src/index.ts';

// SHA-256 of a source's bytes, so that an export identifies the file that it was made from.

/** Hex digits. Null if the page is not secure, the bytes cannot be read, or the file is too large. */
export async function sha256(bytes: Blob | string | undefined): Promise<string | null> {
  const largest = 2 ** 30; // digest() needs all bytes at once
  if (bytes === undefined || !globalThis.crypto?.subtle) return null;
  try {
    // The browser has just played it, so the file may still be in its cache.
    const blob = typeof bytes === 'string' ? await (await patientFetch(bytes, { cache: 'force-cache' })).blob() : bytes;
    if (blob.size > largest) return null;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}

/** Downloads a generated file. */
export function download(content: Blob | string, name: string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the download must have started
}

/** Returns `sample-20260131-120000.csv`, or with `what` `sample-mask-20260131-120000.png`. */
export function fileName(source: string, extension: string, what = ''): string {
  const stem =
    source
      .replace(/\.[^.]*$/, '')
      .replace(/[^\p{L}\p{N}_-]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'foveola';
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${stem}${what && `-${what}`}-${stamp}.${extension}`;
}

/** Downloads a file that is named after the open source. */
export function saveFile(
  { shown: { feed } }: { shown: { feed: { name: string } | null } },
  content: string | Blob,
  extension: string,
  type?: string,
  what?: string,
): void {
  download(content, fileName(feed?.name ?? '', extension, what), type);
}

/** A file with recorded data. */
export interface RecordedFile {
  readonly extension: string;
  readonly type: string;
  /** Part of the file name between source and time. */
  readonly what?: string;
  make(): string | Promise<string>;
  /** Writes the file another way. False: it did not. */
  save?(): Promise<boolean>;
  /** `make` can also export the open image. */
  readonly ofPicture?: true;
}
