/**
 * Resolves when the pixels of the frame that a video shows can be read. A busy Chromium tells 'loadeddata' before that: for
 * some milliseconds the video has its first frame and gives none. After two seconds it is left to whoever reads it.
 */
export async function pictured(video: HTMLVideoElement): Promise<void> {
  for (let turn = 0; turn < 100; turn++)
    try {
      return (await createImageBitmap(video, 0, 0, 1, 1)).close();
    } catch (error) {
      if ((error as DOMException).name !== 'InvalidStateError') return; // of another origin: reported elsewhere
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
