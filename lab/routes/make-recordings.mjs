// node lab/routes/make-recordings.mjs [FILE...]: writes test/media/routes/, or only these files of it: small recordings of
// many kinds that three routes read alike or refuse alike (test/pages/three-routes.full.test.mjs). Needs the program ffmpeg with
// libx264, libx265, libvpx, libaom and libtheora.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { withCleanAperture, withEdits, withMatrix } from './boxes.mjs';
import { drawnEye, samplesOf } from './drawn-eye.mjs';

/** Names of the files to be made, where not all are. */
const wanted = process.argv.slice(2);
const skipped = (name) => wanted.length > 0 && !wanted.includes(name);

const folder = fileURLToPath(new URL('../../test/media/routes/', import.meta.url));
const at = (name) => path.join(folder, name);

function ffmpeg(name, args, input) {
  if (skipped(name)) return;
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, '-bitexact', '-fflags', '+bitexact', at(name)], { input });
}

/** Frames of the drawn eye through an encoder. `before`: arguments of the input. */
function encode(name, args, given = {}) {
  const { format = 'gray', bits, width = 160, height = 120, frames = 10, rate = 10, before = [], dark } = given;
  if (skipped(name)) return;
  const light = (i) => (dark && i === 0 ? 0.2 : 1);
  const pictures = Array.from({ length: frames }, (_, i) =>
    samplesOf(
      drawnEye(width, height, i).map((level) => level * light(i)),
      format,
      bits,
    ),
  );
  const raw = ['-f', 'rawvideo', '-pix_fmt', format, '-s', `${width}x${height}`, '-r', String(rate), ...before];
  ffmpeg(name, [...raw, '-i', 'pipe:0', ...args], Buffer.concat(pictures));
}

const small = { frames: 3, width: 96, height: 72 };
const h264 = (...more) => ['-c:v', 'libx264', '-preset', 'fast', '-crf', '18', '-pix_fmt', 'yuv420p', ...more];
const simple = h264('-bf', '0');
const vp9 = (...more) => ['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '20', '-threads', '1', ...more];
const av1 = (...more) => ['-c:v', 'libaom-av1', '-cpu-used', '6', '-crf', '25', '-threads', '1', ...more];

const copied = (from, name, args = [], before = []) => ffmpeg(name, [...before, '-i', at(from), '-c', 'copy', ...args]);
const changed = (from, name, change) => {
  if (!skipped(name)) writeFileSync(at(name), change(readFileSync(at(from))));
};
const cut = (from, name, share) => changed(from, name, (bytes) => bytes.subarray(0, Math.round(share * bytes.length)));

function mp4() {
  encode('h264.mp4', simple);
  encode('bframes.mp4', h264('-bf', '2', '-x264-params', 'b-adapt=0'));
  copied('bframes.mp4', 'bframes-no-edit.mp4', ['-use_editlist', '0']);
  copied('bframes.mp4', 'negative-offsets.mp4', ['-movflags', 'negative_cts_offsets']);
  copied('bframes.mp4', 'fragments.mp4', ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']);
  changed('h264.mp4', 'rot90.mp4', (bytes) => withMatrix(bytes, [0, 1, -1, 0]));
  changed('h264.mp4', 'rot180.mp4', (bytes) => withMatrix(bytes, [-1, 0, 0, -1]));
  changed('bframes.mp4', 'rot270.mp4', (bytes) => withMatrix(bytes, [0, -1, 1, 0]));
  changed('h264.mp4', 'mirror.mp4', (bytes) => withMatrix(bytes, [-1, 0, 0, 1]));
  changed('h264.mp4', 'upside-down.mp4', (bytes) => withMatrix(bytes, [1, 0, 0, -1]));
  changed('h264.mp4', 'mirror-rot90.mp4', (bytes) => withMatrix(bytes, [0, 1, 1, 0]));
  // Movie 1000 ticks a second, track 10240.
  const edited = (name, edits) => changed('bframes.mp4', name, (bytes) => withEdits(bytes, edits));
  edited('edit-start.mp4', [[500, 2048 + 2 * 1024 + 512]]);
  edited('edit-end.mp4', [[500, 2048]]);
  edited('edit-empty.mp4', [
    [300, -1],
    [1000, 2048],
  ]);
  edited('edit-two.mp4', [
    [300, 2048],
    [400, 2048 + 6 * 1024],
  ]);
  changed('h264.mp4', 'clean-aperture.mp4', (bytes) => withCleanAperture(bytes, 120, 80));
  encode('odd-size.mp4', simple, { width: 162, height: 118 });
  changed('odd-size.mp4', 'odd-rot270.mp4', (bytes) => withMatrix(bytes, [0, -1, 1, 0]));
  encode('wide-pixels.mp4', [...simple, '-vf', 'setsar=2/1'], { width: 96 });
  encode('tall-pixels.mp4', [...simple, '-vf', 'setsar=1/2'], { height: 72 });
  encode('variable-rate.mp4', [...simple, '-vf', "setpts='(N+N*N/20)/10/TB'", '-vsync', 'vfr']);
  encode('interlaced.mp4', h264('-flags', '+ildct+ilme', '-x264-params', 'tff=1', '-bf', '0'));
  encode('full-range.mp4', [...simple, '-pix_fmt', 'yuvj420p', '-color_range', 'pc']);
  encode('color.mp4', [...simple, '-colorspace', 'bt709', '-vf', 'scale=out_color_matrix=bt709'], { format: 'rgb24' });
  encode('gray.mp4', [...simple, '-pix_fmt', 'gray', '-profile:v', 'high']);
  encode('ten-bits.mp4', [...simple, '-pix_fmt', 'yuv420p10le'], { format: 'gray16le' });
  encode('yuv422.mp4', [...simple, '-pix_fmt', 'yuv422p'], { format: 'rgb24' });
  changed('yuv422.mp4', 'yuv422-rot90.mp4', (bytes) => withMatrix(bytes, [0, 1, -1, 0]));
  changed('ten-bits.mp4', 'ten-bits-rot90.mp4', (bytes) => withMatrix(bytes, [0, 1, -1, 0]));
  changed('wide-pixels.mp4', 'wide-pixels-rot90.mp4', (bytes) => withMatrix(bytes, [0, 1, -1, 0]));
  copied('bframes.mp4', 'late-start.mp4', ['-output_ts_offset', '2']);
  encode('yuv444.mp4', [...simple, '-pix_fmt', 'yuv444p'], { format: 'rgb24' });
  encode('hevc.mp4', ['-c:v', 'libx265', '-preset', 'fast', '-x265-params', 'log-level=none:info=0', '-tag:v', 'hvc1']);
  encode('av1.mp4', av1());
  encode('av1-ten-bits.mp4', av1('-pix_fmt', 'yuv420p10le'), { format: 'gray16le' });
  encode('av1-gray.mp4', av1('-pix_fmt', 'gray'));
  ffmpeg('sound.mp4', ['-f', 'lavfi', '-i', 'sine=d=0.3', '-c:a', 'aac', '-b:a', '16k']);
  copied(
    'h264.mp4',
    'with-sound.mp4',
    ['-map', '1:v', '-map', '0:a', '-movflags', '+faststart'],
    ['-i', at('sound.mp4')],
  );
}

function otherBoxes() {
  copied('h264.mp4', 'h264.mov');
  changed('h264.mov', 'no-type.mov', (bytes) => {
    bytes.write('free', 4, 'latin1');
    return bytes;
  });
  encode('mjpeg.mov', ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'], small);
  encode('prores.mov', ['-c:v', 'prores_ks', '-profile:v', '0', '-pix_fmt', 'yuv422p10le'], small);
  encode('png-16-bits.mov', ['-c:v', 'png', '-pix_fmt', 'gray16be'], { ...small, format: 'gray16le', bits: 12 });
  encode('phone.3gp', ['-c:v', 'h263', '-q:v', '3'], { frames: 5, width: 176, height: 144 });
}

function matroska() {
  encode('vp8.webm', ['-c:v', 'libvpx', '-b:v', '300k', '-auto-alt-ref', '1', '-lag-in-frames', '5']);
  encode('vp9.webm', vp9('-pix_fmt', 'yuv420p'));
  encode('vp9-ten-bits.webm', vp9('-pix_fmt', 'yuv420p10le'), { format: 'gray16le' });
  encode('vp9-full-range.webm', vp9('-pix_fmt', 'yuv420p', '-color_range', 'pc', '-vf', 'scale=out_range=pc'));
  encode('vp9-444.webm', vp9('-pix_fmt', 'yuv444p'), { format: 'rgb24' });
  copied('bframes.mp4', 'h264.mkv');
  copied('vp9.webm', 'late-start.mkv', ['-output_ts_offset', '7']);
  encode('wide-pixels.mkv', [...vp9('-pix_fmt', 'yuv420p'), '-vf', 'setsar=4/3'], { width: 120 });
  const deep = (name, format, bits) => encode(name, ['-c:v', 'ffv1'], { ...small, format, bits });
  encode('ffv1-gray.mkv', ['-c:v', 'ffv1'], small);
  deep('mono10.mkv', 'gray16le', 10);
  encode('mono10-dark-start.mkv', ['-c:v', 'ffv1'], { ...small, format: 'gray16le', bits: 10, dark: true });
  deep('mono12.mkv', 'gray16le', 12);
  deep('mono16.mkv', 'gray16le', 16);
  encode('gray10.mkv', ['-c:v', 'ffv1', '-pix_fmt', 'gray10le'], { ...small, format: 'gray16le' });
  encode('color-12-bits.mkv', ['-c:v', 'ffv1', '-pix_fmt', 'rgb48le'], { ...small, format: 'rgb48le', bits: 12 });
  encode('yuv-12-bits.mkv', ['-c:v', 'ffv1', '-pix_fmt', 'yuv420p12le'], { ...small, format: 'rgb48le' });
}

function others() {
  encode('raw-gray.avi', ['-c:v', 'rawvideo', '-pix_fmt', 'gray'], { ...small, frames: 2 });
  encode('raw-yuyv.avi', ['-c:v', 'rawvideo', '-pix_fmt', 'yuyv422'], { ...small, frames: 2, width: 64, height: 48 });
  encode('raw-bgr.avi', ['-c:v', 'rawvideo', '-pix_fmt', 'bgr24'], { ...small, frames: 2, width: 64, height: 48 });
  encode('mono10.nut', ['-c:v', 'rawvideo'], { ...small, frames: 2, format: 'gray16le', bits: 10 });
  encode('mjpeg.avi', ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'], small);
  encode('bframes.avi', ['-c:v', 'mpeg4', '-bf', '2', '-q:v', '3']);
  copied('bframes.mp4', 'h264-bframes.avi', ['-bsf:v', 'h264_mp4toannexb']);
  copied('bframes.mp4', 'h264.m2t', ['-bsf:v', 'h264_mp4toannexb', '-f', 'mpegts']);
  copied('h264.mp4', 'h264.m2ts', ['-bsf:v', 'h264_mp4toannexb', '-mpegts_m2ts_mode', '1']);
  encode('mpeg2.m2t', ['-c:v', 'mpeg2video', '-q:v', '3', '-f', 'mpegts'], { rate: 25 });
  encode('mpeg2.mpg', ['-c:v', 'mpeg2video', '-q:v', '3', '-bf', '2', '-f', 'vob'], { rate: 25 });
  encode('mpeg1.mpg', ['-c:v', 'mpeg1video', '-q:v', '3'], { rate: 25 });
  encode('mpeg2.m2v', ['-c:v', 'mpeg2video', '-q:v', '3', '-bf', '2', '-f', 'mpeg2video'], { rate: 25 });
  encode('wmv2.wmv', ['-c:v', 'wmv2', '-q:v', '3']);
  copied('bframes.mp4', 'bframes.h264', ['-bsf:v', 'h264_mp4toannexb']);
  copied('hevc.mp4', 'stream.hevc', ['-bsf:v', 'hevc_mp4toannexb']);
  copied('bframes.mp4', 'h264.flv');
  encode('theora.ogv', ['-c:v', 'libtheora', '-q:v', '7']);
  copied('vp9.webm', 'vp9.ivf');
  encode('raw.y4m', ['-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'], { ...small, frames: 2 });
  copied('mpeg2.m2v', 'mpeg2.mxf', ['-r', '25']);
}

function broken() {
  copied('h264.mp4', 'index-first.mp4', ['-movflags', '+faststart']);
  cut('index-first.mp4', 'cut.mp4', 0.7);
  rmSync(at('index-first.mp4'), { force: true });
  cut('h264.mp4', 'no-index.mp4', 0.6);
  cut('vp9.webm', 'cut.webm', 0.7);
  cut('bframes.avi', 'cut.avi', 0.93);
  cut('mpeg2.m2t', 'cut.m2t', 0.7);
}

/** Pictures that change their size, and such that are too large. */
function sizes() {
  const flat = (size) => ['-f', 'lavfi', '-i', `color=gray:s=${size}:r=10`, '-frames:v', '1'];
  ffmpeg('large.webm', [...flat('16000x8000'), ...vp9('-pix_fmt', 'yuv420p', '-cpu-used', '8')]);
  encode('twice.webm', vp9('-pix_fmt', 'yuv420p'), { width: 320, height: 240, frames: 5 });
  const joined = (name, ...parts) => {
    const list = at('list.txt');
    writeFileSync(list, parts.map((part) => `file ${part}\n`).join(''));
    ffmpeg(name, ['-f', 'concat', '-i', list, '-c', 'copy']);
    rmSync(list);
  };
  joined('grows.webm', 'vp9.webm', 'twice.webm');
  ffmpeg('above.webm', [...flat('8192x4616'), ...vp9('-pix_fmt', 'yuv420p', '-cpu-used', '8')]);
  joined('too-large-later.webm', 'vp9.webm', 'above.webm');
  for (const part of ['twice.webm', 'above.webm']) rmSync(at(part), { force: true });
}

if (!wanted.length) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const make of [mp4, otherBoxes, matroska, others, broken, sizes]) make();
const names = execFileSync('ls', [folder], { encoding: 'utf8' }).trim().split('\n');
const bytes = names.reduce((sum, name) => sum + statSync(at(name)).size, 0);
console.log(`${names.length} recordings, ${Math.round(bytes / 1000)} kB in ${path.relative('.', folder)}`);
