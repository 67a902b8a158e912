/** How long a recording is that does not say so: recorders that write while they record do not know its end. */

/**
 * Seconds. A browser finds the end when it is sent far beyond it; a video of its own is sent there, since the one that is
 * shown would be seen to jump. NaN where it cannot be found.
 */
export async function findDuration(source: Blob | string, crossOrigin: string | null): Promise<number> {
  const video = document.createElement('video');
  const address = typeof source === 'string' ? source : URL.createObjectURL(source);
  video.muted = true;
  video.preload = 'metadata';
  video.crossOrigin = crossOrigin;
  const event = (name: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error('unreadable')), { once: true });
    });
  try {
    const loaded = event('loadedmetadata');
    video.src = address;
    await loaded;
    if (video.duration === Infinity) {
      const found = event('durationchange');
      video.currentTime = 1e7;
      await found;
    }
    return Number.isFinite(video.duration) ? video.duration : NaN;
  } catch {
    return NaN;
  } finally {
    video.removeAttribute('src');
    video.load();
    if (typeof source !== 'string') URL.revokeObjectURL(address);
  }
}
