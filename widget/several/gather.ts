/**
 * Collects the images and recordings among dropped or chosen files and folders, sorted by the numbers in their names.
 */

/** Items of a drop: files, and entries, which may be folders. */
export type Dropped = File | FileSystemEntry;

/** A file and its path inside the drop, for example `eyes/0012.png`. */
export interface Gathered {
  name: string;
  file: File;
}

const media = /\.(png|jpe?g|gif|webp|avif|bmp|svg|tiff?|dcm|dicom|mp4|m4v|mov|webm|mkv|avi|ogv)$/i;
// DICOM files in folders often have neither a type nor an extension.
const wanted = ({ type, name }: File) =>
  !name.startsWith('.') && (/^(image|video)\//.test(type) || media.test(name) || !name.includes('.'));

const filesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // Each call returns only some of the entries. An empty list marks the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...some);
  }
};

async function unpacked(one: Dropped, folder: string): Promise<Gathered[]> {
  if (one instanceof File) return [{ name: folder + one.name, file: one }];
  const name = folder + one.name;
  if (one.isFile) {
    const entry = one as FileSystemFileEntry;
    return [{ name, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  }
  const inside = await filesOf(one as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map((entry) => unpacked(entry, `${name}/`)))).flat();
}

const byNumber = new Intl.Collator('en', { numeric: true });

export async function gather(dropped: readonly Dropped[]): Promise<{ media: Gathered[]; settings: File | null }> {
  const all = (await Promise.all(dropped.map((one) => unpacked(one, '')))).flat();
  const settings = all.find(({ file }) => /json$/i.test(file.type || file.name));
  const found = all.filter(({ file }) => wanted(file) && file !== settings?.file);
  return { media: found.sort((a, b) => byNumber.compare(a.name, b.name)), settings: settings?.file ?? null };
}
