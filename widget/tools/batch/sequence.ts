/** Collects the images and recordings among chosen files, and opens numbered images as one recording. */
import type { FoveolaError, FoveolaErrorCode, readImage } from '../../../src/index.ts';
import type { WriterModule } from '../player/exporting.ts';
import type { PictureWriter } from '../player/video-writer.ts';

// Collects the images and recordings among dropped or chosen files and folders, sorted by the numbers in their
// names.

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

// Opens numbered images as one recording. They are written to a video that preserves their gray values. Like any
// other recording it has a timeline, a chart and an analysis of every frame.

/** Modules that are loaded for it, and how it fails. */
export interface SequenceGiven {
  readonly readImage: typeof readImage;
  loadVideoWriter(): Promise<WriterModule>;
  error(code: FoveolaErrorCode, message: string): FoveolaError;
}

export const isPicture = ({ file }: Gathered): boolean =>
  !/^video\//.test(file.type) && !/\.(mp4|m4v|mov|webm|mkv|avi|ogv)$/i.test(file.name);

/** Turns `eye0001.png` and its successors into `eye (240).webm`. */
function nameOf(pictures: readonly Gathered[]): string {
  const stem = pictures[0]!.name.split('/').at(-1)!.replace(/\.[^.]*$/, '').replace(/[\s_-]*\d+$/, ''); // prettier-ignore
  return `${stem || 'pictures'} (${pictures.length}).webm`;
}

/**
 * `rate` is in images per second. `report` gets the number of images done. Rejects with a FoveolaError, also 'aborted'.
 */
export async function recordingOf(
  pictures: readonly Gathered[],
  rate: number,
  given: SequenceGiven,
  signal: AbortSignal,
  report: (done: number) => void,
): Promise<File> {
  const { error } = given;
  const { PictureWriter: Writer } = await given.loadVideoWriter();
  let writer: PictureWriter | null = null;
  let [width, height] = [0, 0];
  try {
    for (const [done, { name, file }] of pictures.entries()) {
      report(done);
      const { image } = await given.readImage(file, { signal });
      if (!writer) {
        ({ width, height } = image);
        writer = await Writer.open(width, height, rate);
        if (!writer)
          throw error(
            'source-unsupported',
            'This browser cannot write a lossless recording (WebCodecs with VP9). Use another browser, or analyze the images separately.',
          );
      }
      if (image.width !== width || image.height !== height)
        throw error(
          'invalid-argument',
          `${name} has ${image.width}x${image.height} pixels, and ${pictures[0]!.name} has ${width}x${height}. All images must have the same size.`,
        );
      await writer.add(image);
      if (signal.aborted) throw error('aborted', 'Reading the images was cancelled.');
    }
    if (!writer) throw error('invalid-argument', 'These files contain no image.');
    return new File([await writer.end()], nameOf(pictures), { type: 'video/webm' });
  } catch (cause) {
    await writer?.cancel().catch(() => {}); // report the first error
    throw cause;
  }
}
