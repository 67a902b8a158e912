/** Writes a long text into a file of the user's choice, piece by piece, so that no more of it is in memory than a piece. */
import type { ExportFormat } from '../../src/index.ts';
import { download } from '../parts/download.ts';

const types = { csv: 'text/csv', json: 'application/json' } as const;

type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** The pieces as one Blob: browsers keep the larger ones on the disk. */
export async function blobOf(parts: AsyncIterable<string>, format: ExportFormat): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const part of parts) blobs.push(new Blob([part]));
  return new Blob(blobs, { type: types[format] });
}

/** Null: the browser has no dialog for it, or not in this frame. */
async function chosenFile(name: string, format: ExportFormat): Promise<FileSystemFileHandle | 'cancelled' | null> {
  const pick = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (!pick) return null;
  try {
    return await pick({ suggestedName: name, types: [{ accept: { [types[format]]: [`.${format}`] } }] });
  } catch (error) {
    return (error as DOMException).name === 'AbortError' ? 'cancelled' : null;
  }
}

/**
 * Into a file that the user chooses (File System Access), where the browser has that; else a download. Called by a click.
 * False: the user has cancelled it.
 */
export async function saveParts(parts: AsyncIterable<string>, name: string, format: ExportFormat): Promise<boolean> {
  const file = await chosenFile(name, format);
  if (file === 'cancelled') return false;
  if (!file) {
    download(await blobOf(parts, format), name);
    return true;
  }
  const writable = await file.createWritable();
  try {
    for await (const part of parts) await writable.write(part);
  } catch (error) {
    await writable.abort().catch(() => {});
    throw error;
  }
  await writable.close();
  return true;
}
