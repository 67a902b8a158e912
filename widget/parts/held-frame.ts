/** A frame that waits for its turn. */
export type Held = VideoFrame | (HTMLCanvasElement & { close(): void });

/** The same where the browser has no VideoFrame: else those who find a free turn would leave none to all others. */
export function painted(video: HTMLVideoElement): Held | null {
  if (typeof VideoFrame !== 'undefined') return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return Object.assign(canvas, { close: () => void (canvas.width = 0) });
}
