import { patientFetch } from '../../src/index.ts';

// SHA-256 of a source's bytes, so that an export names the file it was made from.

/** Hex digits; null where the page is not secure, the bytes cannot be read, or there are too many of them. */
export async function sha256(bytes: Blob | string | undefined): Promise<string | null> {
  const largest = 2 ** 30; // digest() wants all bytes at once
  if (bytes === undefined || !globalThis.crypto?.subtle) return null;
  try {
    // The browser has just played it: from its cache where it kept it.
    const blob = typeof bytes === 'string' ? await (await patientFetch(bytes, { cache: 'force-cache' })).blob() : bytes;
    if (blob.size > largest) return null;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}

/** Hands a made file to the browser's downloads. */
export function download(content: Blob | string, name: string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the download must have begun
}

/** `sample-20260131-120000.csv`; with `what` `sample-mask-20260131-120000.png`. */
export function fileName(source: string, extension: string, what = ''): string {
  const stem =
    source
      .replace(/\.[^.]*$/, '')
      .replace(/[^\p{L}\p{N}_-]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'foveola';
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${stem}${what && `-${what}`}-${stamp}.${extension}`;
}

/** Hands a file named after the source that is shown to the browser's downloads. */
export function saveFile(
  { shown: { feed } }: { shown: { feed: { name: string } | null } },
  content: string | Blob,
  extension: string,
  type?: string,
  what?: string,
): void {
  download(content, fileName(feed?.name ?? '', extension, what), type);
}

/** A file of what was recorded. */
export interface RecordedFile {
  readonly extension: string;
  readonly type: string;
  /** Between the name of the source and the time. */
  readonly what?: string;
  make(): string | Promise<string>;
  /** Writes it otherwise; false: it did not. */
  save?(): Promise<boolean>;
  /** `make` can also be of the picture that is open. */
  readonly ofPicture?: true;
}
