// Diagrams of docs/images as SVG texts: the light reflex, calibration, foreshortening, flow of data, steps of the methods.
import { cleanSeries, lightReflex, millimetresPerPixel } from '../../dist/node.js';
import { importTs } from '../import-ts.mjs';
import { escaped } from './html.mjs';

const [INK, SOFT, LINE, BLUE, RED] = ['#1b2733', '#445566', '#7c93a8', '#0a655b', '#b3261e'];

export const svg = (width, height, shapes) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="14" fill="${INK}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${shapes.flat(9).join('\n')}
</svg>
`;
const round = (value) => Math.round(value * 10) / 10;
export const words = (x, y, text, { anchor = 'middle', size = 14, fill = INK, weight = 400 } = {}) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}" fill="${fill}" font-weight="${weight}">${escaped(text)}</text>`;
const line = (x1, y1, x2, y2, { stroke = SOFT, dash = '', width = 1 } = {}) =>
  `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="${stroke}" stroke-width="${width}"${dash && ` stroke-dasharray="${dash}"`} fill="none"/>`;
const box = (x, y, width, height, fill = '#eef3f8') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="${LINE}"/>`;
function arrow(x1, y1, x2, y2, stroke = SOFT) {
  const [length, head] = [Math.hypot(x2 - x1, y2 - y1), 8];
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - head * ux, y2 - head * uy];
  return [
    line(x1, y1, bx, by, { stroke, width: 1.5 }),
    `<path d="M${round(x2)} ${round(y2)}L${round(bx - 4 * uy)} ${round(by + 4 * ux)}L${round(bx + 4 * uy)} ${round(by - 4 * ux)}z" fill="${stroke}"/>`,
  ];
}

/** A rendered reflex, measured by lightReflex, with its values. */
export async function reflex() {
  const { pupilTrace } = await importTs('lab/series/pupil-trace.ts');
  const { samples, truth } = pupilTrace(12, 60);
  const found = lightReflex(cleanSeries(samples, { lowPass: 0 }), { onset: truth.onset, duration: truth.duration });
  const shown = samples.filter(({ timestamp, diameter }) => timestamp > 1000 && timestamp < 7000 && diameter > 0);
  const [low, high] = [found.minimum - 0.3, found.baseline + 0.3];
  const x = (time) => 60 + ((time - 1000) / 6000) * 660;
  const y = (value) => 40 + ((high - value) / (high - low)) * 270;
  const bottom = truth.onset + found.timeToMinimum;
  const first = truth.onset + found.latency;
  const t50 = bottom + found.t50;
  const across = (value) => line(60, y(value), 720, y(value), { stroke: LINE, dash: '4 4' });
  const down = (time, value) => line(x(time), y(value), x(time), 330, { stroke: LINE, dash: '4 4' });
  return svg(760, 424, [
    `<rect x="${round(x(truth.onset))}" y="30" width="${round(x(truth.onset + truth.duration) - x(truth.onset))}" height="300" fill="#fdeab8"/>`,
    words(x(truth.onset + truth.duration / 2), 22, `flash, ${truth.duration} ms`, { size: 12 }),
    [across(found.baseline), across(found.minimum), down(first, found.baseline), down(bottom, found.minimum)],
    [down(truth.onset, found.baseline), down(t50, found.minimum + found.amplitude / 2)],
    shown.map(({ timestamp, diameter }) => `<circle cx="${round(x(timestamp))}" cy="${round(y(diameter))}" r="1.6" fill="${BLUE}"/>`),
    words(64, y(found.baseline) - 14, `baseline ${found.baseline.toFixed(2)} mm`, { anchor: 'start', size: 13 }),
    words(64, y(found.minimum) + 16, `minimum ${found.minimum.toFixed(2)} mm`, { anchor: 'start', size: 13 }),
    arrow(690, y(found.baseline), 690, y(found.minimum), RED),
    words(684, y(found.baseline - found.amplitude * 0.85), `amplitude ${found.amplitudePercent.toFixed(0)} %`, { anchor: 'end', fill: RED, size: 13 }),
    [
      [`latency ${found.latency.toFixed(0)} ms`, truth.onset, first],
      [`time to minimum ${found.timeToMinimum.toFixed(0)} ms`, truth.onset, bottom],
      [`t50 ${found.t50.toFixed(0)} ms`, bottom, t50],
    ].map(([text, from, to], i) => [
      arrow(x(from), 343 + 20 * i, x(to), 343 + 20 * i, RED),
      words(x(to) + 8, 347 + 20 * i, text, { anchor: 'start', fill: RED, size: 13 }),
    ]),
    words(390, 414, 'each point is one frame of a rendered pupil at 60 Hz', { size: 12, fill: SOFT }),
  ]); // prettier-ignore
}

/** Two discs of 10 mm, one of them tilted: the long axis is the same. */
export function calibration() {
  const [major, minor] = [160, 104];
  const scale = millimetresPerPixel({ major, minor, angle: 0 }, 10);
  const disc = (x, ry, text) => [
    `<ellipse cx="${x}" cy="130" rx="${major / 2}" ry="${ry}" fill="${INK}"/>`,
    arrow(x, 235, x - major / 2, 235, RED),
    arrow(x, 235, x + major / 2, 235, RED),
    words(x, 256, `${major} px = 10 mm`, { fill: RED }),
    words(x, 30, text, { weight: 600 }),
  ];
  return svg(760, 300, [
    disc(190, major / 2, 'disc that faces the camera'),
    disc(560, minor / 2, 'tilted disc: the long axis counts'),
    words(380, 286, `both: ${scale} millimetres per pixel`, { fill: SOFT, size: 13 }),
  ]);
}

/** A pupil of 4 mm from the front and from the side. */
export function foreshortening() {
  const at = [0, 20, 40];
  return svg(760, 280, [
    at.map((angle, i) => {
      const x = 140 + 240 * i;
      const ratio = 0.992 * Math.cos((angle / 1.121) * (Math.PI / 180));
      const frontal = angle ? '' : 'frontal view';
      return [
        `<circle cx="${x}" cy="120" r="78" fill="#dfe8ee" stroke="${LINE}"/>`,
        `<ellipse cx="${x}" cy="120" rx="${round(50 * (angle ? ratio : 1))}" ry="50" fill="${INK}"/>`,
        line(x, 70, x, 170, { stroke: '#ffd54f', width: 2 }),
        words(x, 26, frontal || `looks ${angle}° aside`, { weight: 600 }),
        words(x, 222, 'major axis 100 %'),
        words(x, 244, `area ${angle ? Math.round(100 * ratio) : 100} %`, { fill: RED }),
      ];
    }),
    words(380, 270, 'diameter is the major axis (yellow); frontalDiameter also corrects the area', { fill: SOFT, size: 13 }), // prettier-ignore
  ]);
}

/** Which ways data have, and which not. */
export function dataFlow() {
  const crossed = (x, y) => [line(x - 8, y - 8, x + 8, y + 8, { stroke: RED, width: 3 }), line(x - 8, y + 8, x + 8, y - 8, { stroke: RED, width: 3 })]; // prettier-ignore
  return svg(760, 300, [
    `<rect x="200" y="20" width="370" height="250" rx="10" fill="#f5f9f8" stroke="${BLUE}" stroke-dasharray="6 4"/>`,
    words(385, 44, 'your page, in the browser', { weight: 600 }),
    [box(20, 70, 130, 50), words(85, 100, 'camera')],
    [box(20, 170, 130, 50), words(85, 200, 'file on disk')],
    [box(225, 120, 140, 60, '#e6f0e8'), words(295, 146, 'foveola'), words(295, 166, 'page and worker', { size: 12, fill: SOFT })], // prettier-ignore
    [box(415, 70, 135, 50), words(482, 100, 'results, events')],
    [box(415, 190, 135, 50), words(482, 212, 'browser storage'), words(482, 230, 'if you turn it on', { size: 12, fill: SOFT })], // prettier-ignore
    [box(610, 70, 135, 50), words(677, 92, 'download'), words(677, 110, 'when you press it', { size: 12, fill: SOFT })],
    [box(610, 190, 135, 50, '#fdecea'), words(677, 220, 'any server')],
    [arrow(150, 95, 222, 138), arrow(150, 195, 222, 162), arrow(365, 140, 412, 100), arrow(365, 160, 412, 205)],
    [arrow(550, 95, 607, 95), line(295, 180, 295, 258, { stroke: RED }), line(295, 258, 677, 258, { stroke: RED }), arrow(677, 258, 677, 242, RED), crossed(590, 258)], // prettier-ignore
    words(385, 290, 'foveola only fetches its own files and the source that you name. It uploads nothing.', { size: 13, fill: SOFT }), // prettier-ignore
  ]);
}

const steps = {
  robust: [
    'gray, resized',
    'edge segments, dark regions, last outline',
    'sub-pixel ellipse each',
    'classifier picks one',
  ],
  starburst: ['gray, resized', 'rays from a dark region', 'RANSAC circle', 'sub-pixel ellipse, confidence'],
  threshold: ['gray, resized', 'dark components at several levels', 'RANSAC circle', 'sub-pixel ellipse, confidence'],
  hough: ['gray, resized', 'Canny edges', 'votes for centers and radii', 'sub-pixel ellipse, confidence'],
};

/** The steps of each pupil method. */
export const methods = () =>
  svg(900, 290, [
    Object.entries(steps).map(([name, list], row) => [
      words(14, 46 + 66 * row, name, { anchor: 'start', weight: 600 }),
      list.map((text, i) => {
        const [width, x, y] = [184, 100 + 202 * i, 18 + 66 * row];
        const [first, rest] = text.length > 26 ? [text.slice(0, text.lastIndexOf(' ', 24)), text.slice(text.lastIndexOf(' ', 24) + 1)] : [text]; // prettier-ignore
        return [
          box(x, y, width, 46, i === 3 ? '#e6f0e8' : '#eef3f8'),
          words(x + width / 2, y + (rest ? 20 : 28), first, { size: 12 }),
          rest ? words(x + width / 2, y + 36, rest, { size: 12 }) : '',
          i ? arrow(x - 18, y + 23, x - 1, y + 23) : '',
        ];
      }),
    ]),
  ]);
