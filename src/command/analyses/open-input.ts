/** Opens the file of a job, and says afterwards what was read of it. */
import {
  FoveolaError,
  frames,
  kindOf,
  readImage,
  type AnalysisNote,
  type DecodedTimedFrame,
} from '../../node/index.ts';
import { fileAt } from '../regular-file.ts';
import type { About, Analysis, Input, Outcome } from './analysis.ts';

/** By which a file's kind is known. */
const HEADER = 4096;

/** What a recording says of itself comes with its frames. */
async function* noting(file: AsyncIterable<DecodedTimedFrame>, about: About): AsyncGenerator<DecodedTimedFrame, void> {
  for await (const timed of file) {
    if (timed.file) Object.assign(about, { notes: timed.file.notes, pages: timed.file.pages, read: timed.file.frames });
    else Object.assign(about, { notes: timed.notes });
    yield timed;
  }
}

function recordingOf(file: string, signal?: AbortSignal): Input {
  const about: About = { notes: [], pages: 1, read: 1 };
  return { kind: 'recording', frames: noting(frames(file, { signal }), about), about };
}

/**
 * A recording, or one picture; stacks and animations are recordings for every analysis that takes these.
 * @param bytes of a file that was read as a whole
 * @throws {FoveolaError} (rejects) 'source-unsupported' where the analysis takes another kind of file; as `readImage`
 */
export async function openInput(
  name: string,
  { takes }: Analysis,
  file: string,
  { bytes, signal }: { bytes: Uint8Array | null; signal?: AbortSignal },
): Promise<Input> {
  const head = bytes ? new Blob([bytes.subarray(0, HEADER) as Uint8Array<ArrayBuffer>]) : await fileAt(file);
  const found = await kindOf(head);
  if (found.kind === 'video' && takes.includes('recording')) return recordingOf(file, signal);
  if (found.kind === 'image') {
    const image = await readImage(bytes ?? file, { signal });
    if (image.frames > 1 && takes.includes('recording')) return recordingOf(file, signal);
    const { notes, pages } = image;
    if (takes.includes('image')) return { kind: 'image', file: image, about: { notes, pages, read: 1 } };
  }
  const wanted = takes.map((one) => (one === 'image' ? 'an image' : 'a recording')).join(' or ');
  throw new FoveolaError('source-unsupported', `${name} takes ${wanted}; this is ${found.name}.`);
}

/** What a result says of the file: notes of its levels, and how many of its pages were read. */
export function readOf(
  { about: { notes, pages, read } }: Input,
  { lastMediaTime }: Pick<Outcome, 'lastMediaTime'>,
): { notes?: string[]; analysis?: AnalysisNote } {
  const left = pages - read;
  const note: AnalysisNote = {
    ...{ everyFrame: read > 1 || pages === 1, complete: left === 0, lastMediaTime, jumps: [], repeated: 0 },
    reason: left ? `${left} of ${pages} pages were left out.` : null,
    ...(pages > 1 && { pages: `${read} of ${pages}` }),
  };
  return {
    ...(notes.length && { notes: [...notes] }),
    ...((lastMediaTime !== null || pages > 1) && { analysis: note }),
  };
}
