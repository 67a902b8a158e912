// Gray frames of a recording, by ffmpeg.
import { spawnSync } from 'node:child_process';

/** Every `every`-th frame, at most `most`, scaled to width x height where given; null without ffmpeg. */
export function grayFrames(file, { width, height, every = 1, most = 100, filter = '' }) {
  const chain = [`select=not(mod(n\\,${every}))`, ...(filter ? [filter] : [`scale=${width}:${height}`])].join(',');
  const args = ['-v', 'error', '-i', file, '-vf', chain, '-vsync', '0', '-frames:v', String(most)];
  const { stdout, status } = spawnSync('ffmpeg', [...args, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'], {
    maxBuffer: 1 << 30,
  });
  if (status !== 0) return null;
  const size = width * height;
  return Array.from({ length: Math.floor(stdout.length / size) }, (_, i) => ({
    width,
    height,
    data: new Uint8Array(stdout.subarray(i * size, (i + 1) * size)),
  }));
}
