// A scene that the page draws itself: a patch wanders over a meadow of dots, turns, and passes behind a bar.
import { tell } from './told.js';

const element = document.getElementById('demo');
const canvas = document.createElement('canvas');
const [width, height, side] = [640, 400, 72];
canvas.width = width;
canvas.height = height;
const context = canvas.getContext('2d');

let state = 5;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const dots = Array.from({ length: 420 }, () => {
  const green = 70 + Math.round(70 * random());
  return {
    x: width * random(),
    y: height * random(),
    r: 2 + 7 * random(),
    colour: `rgb(${green - 30} ${green} ${green - 40})`,
  };
});
const cells = Array.from(
  { length: 36 },
  () => `hsl(${[18, 40, 200, 330][Math.floor(4 * random())]} 70% ${25 + 55 * random()}%)`,
);

const place = (t) => ({
  x: width / 2 + 200 * Math.sin(t / 2900) - side / 2,
  y: height / 2 + 100 * Math.sin(t / 1700) - side / 2,
  turn: 0.3 * Math.sin(t / 2300),
});

function draw(t) {
  context.fillStyle = '#33502c';
  context.fillRect(0, 0, width, height);
  for (const { x, y, r, colour } of dots) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fill();
  }
  const { x, y, turn } = place(t);
  context.save();
  context.translate(x + side / 2, y + side / 2);
  context.rotate(turn);
  cells.forEach((colour, i) => {
    context.fillStyle = colour;
    context.fillRect(
      (i % 6) * (side / 6) - side / 2,
      Math.floor(i / 6) * (side / 6) - side / 2,
      side / 6 + 0.5,
      side / 6 + 0.5,
    );
  });
  context.restore();
  context.fillStyle = '#6b5741';
  context.fillRect(432, 0, 96, height);
  context.fillStyle = '#59472f';
  for (let line = 0; line < height; line += 26) context.fillRect(432, line, 96, 3);
}

draw(0);
const stream = canvas.captureStream(30);
// It stands until the first frame is processed: the box belongs to where the patch begins.
const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
let begun = null;
element.addEventListener('foveola-result', () => (begun ??= still ? null : performance.now()));
const tick = (now) => {
  draw(begun === null ? 0 : now - begun);
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);

tell(element, () => stream);
const { x, y } = place(0);
element.box = { x, y, width: side, height: side };
element.source = stream;
