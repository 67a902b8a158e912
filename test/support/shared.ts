// Tests over the media in ../shared, which the test server shows under /shared/. Where that folder is absent they are
// counted as skipped, never as passed.
const answer = await fetch('/shared/api.md', { method: 'HEAD' });

export const hasShared = answer.ok;

/** `describe` for a suite that needs /shared/; skipped with all of its tests where it is absent. */
export const describeShared = hasShared ? describe : describe.skip;

/** The bytes of a file below ../shared, for instance sharedFile('data/pupil/SOURCES.md'). */
export async function sharedFile(path: string): Promise<Response> {
  const response = await fetch(`/shared/${path}`);
  if (!response.ok) throw new Error(`/shared/${path}: ${response.status}`);
  return response;
}
