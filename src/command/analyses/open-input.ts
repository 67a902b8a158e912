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

/** What a recording says of itself comes with its frames, and ends with the last one that can be read. */
async function* noting(file: AsyncIterable<DecodedTimedFrame>, about: About): AsyncGenerator<DecodedTimedFrame, void> {
  const frames = file[Symbol.asyncIterator]();
  let some = false;
  const next = () =>
    frames.next().catch((error: unknown) => {
      if (!some || !(error instanceof FoveolaError) || error.code !== 'decode-failed') throw error;
      about.broken = error;
      return { done: true } as const;
    });
  try {
    for (let step = await next(); !step.done; step = await next()) {
      const { value } = step;
      some = true;
      if (value.file)
        Object.assign(about, { notes: value.file.notes, pages: value.file.pages, read: value.file.frames });
      else Object.assign(about, { notes: value.notes });
      yield value;
    }
  } finally {
    await frames.return?.(undefined);
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
  { about: { notes, pages, read, broken } }: Input,
  { lastMediaTime }: Pick<Outcome, 'lastMediaTime'>,
): { notes?: string[]; analysis?: AnalysisNote } {
  const left = pages - read;
  const note: AnalysisNote = {
    ...{ everyFrame: read > 1 || pages === 1, complete: left === 0 && !broken, lastMediaTime, jumps: [] },
    ...{ repeated: 0, reason: broken?.message ?? (left ? `${left} of ${pages} pages were left out.` : null) },
    ...(pages > 1 && { pages: `${read} of ${pages}` }),
  };
  return {
    ...(notes.length && { notes: [...notes] }),
    ...((lastMediaTime !== null || pages > 1) && { analysis: note }),
  };
}
