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

/** Hands a file named after the source to the browser's downloads. */
export function saveFile(
  { shown: { recordedName, feed } }: { shown: { recordedName: string; feed: { name: string } | null } },
  content: string | Blob,
  extension: string,
  type?: string,
  what?: string,
): void {
  download(content, fileName(recordedName || feed?.name || '', extension, what), type);
}
