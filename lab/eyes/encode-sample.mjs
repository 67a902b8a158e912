/**
 * Renders the sample clip and encodes it:  node lab/eyes/encode-sample.mjs
 * Writes demo/media/sample.webm (VP9) and demo/media/sample.truth.json. Needs an ffmpeg with libvpx-vp9 (FFMPEG=path).
 * The frames are full-range gray; the file is video range (Y 16..235) and tagged so, with neutral chroma, so that
 * every player shows the same gray and the luma plane expands by (Y - 16) * 255 / 219.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTs } from '../../tools/import-ts.mjs';

const { SAMPLE, sampleClip } = await importTs('lab/eyes/index.ts');
const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../demo/media');
mkdirSync(folder, { recursive: true });
const video = path.join(folder, 'sample.webm');

const tags = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
const args = ['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${SAMPLE.width}x${SAMPLE.height}`];
args.push('-r', String(SAMPLE.rate), '-i', '-');
args.push('-vf', 'scale=in_range=full:out_range=tv:flags=accurate_rnd,format=yuv420p', ...tags);
args.push('-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', process.env.CRF ?? '25', '-g', '60', '-deadline', 'good');
args.push('-cpu-used', '2', '-row-mt', '1', '-threads', '2', '-fflags', '+bitexact', '-flags:v', '+bitexact', video);

const ffmpeg = spawn(process.env.FFMPEG ?? 'ffmpeg', args, { stdio: ['pipe', 'inherit', 'inherit'] });
ffmpeg.on('error', (error) => {
  console.error(`ffmpeg could not be started (${error.message}): install it or set FFMPEG to its path`);
  process.exit(1);
});

const round = (value, digits) => Number(value.toFixed(digits));
const rows = [];
for (const { data, truth } of sampleClip()) {
  if (!ffmpeg.stdin.write(data)) await once(ffmpeg.stdin, 'drain');
  const e = truth.ellipse;
  const state = truth.blink ? 2 : truth.partial ? 1 : 0;
  const axes = [round(e.major, 2), round(e.minor, 2), round(e.angle, 4)];
  rows.push([round(e.x, 2), round(e.y, 2), ...axes, round(truth.occluded, 2), state]);
}
ffmpeg.stdin.end();
const [code] = await once(ffmpeg, 'close');
if (code !== 0) process.exit(code ?? 1);

const header = {
  width: SAMPLE.width,
  height: SAMPLE.height,
  rate: SAMPLE.rate,
  pxPerMm: SAMPLE.pxPerMm,
  columns: ['x', 'y', 'major', 'minor', 'angle', 'occluded', 'state'],
  state: ['open', 'partial: lids over 30 to 80 % of the pupil, not to be scored', 'blink: over 80 %'],
  convention: 'pixels, first pixel center (0, 0); full axes; radians from +x towards +y',
};
const text = `${JSON.stringify(header).slice(0, -1)},"frames":[\n${rows.map((r) => JSON.stringify(r)).join(',\n')}\n]}\n`;
writeFileSync(path.join(folder, 'sample.truth.json'), text);
console.log(`${video}: ${(statSync(video).size / 1000).toFixed(0)} kB, ${rows.length} frames`);
