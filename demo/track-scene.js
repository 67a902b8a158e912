// A scene that the page draws itself: a patch wanders over a meadow of dots, turns, and passes behind a bar.
export const canvas = document.createElement('canvas');
const [width, height] = [640, 400];
export const side = 72;
/** Narrow enough to come out of on both sides: what only peeks out is not found again. */
export const bar = { x: 376, width: 84 };
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
    color: `rgb(${green - 30} ${green} ${green - 40})`,
  };
});
const cells = Array.from(
  { length: 36 },
  () => `hsl(${[18, 40, 200, 330][Math.floor(4 * random())]} 70% ${25 + 55 * random()}%)`,
);

/** Where the patch is after so many milliseconds. It has been seen from all sides before it hides. */
export const place = (t) => ({
  x: width / 2 - 200 * Math.sin(t / 2900) - side / 2,
  y: height / 2 + 100 * Math.sin(t / 1700) - side / 2,
  turn: 0.3 * Math.sin(t / 2300),
});

export function draw(t) {
  context.fillStyle = '#33502c';
  context.fillRect(0, 0, width, height);
  for (const { x, y, r, color } of dots) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fill();
  }
  const { x, y, turn } = place(t);
  context.save();
  context.translate(x + side / 2, y + side / 2);
  context.rotate(turn);
  cells.forEach((color, i) => {
    context.fillStyle = color;
    context.fillRect(
      (i % 6) * (side / 6) - side / 2,
      Math.floor(i / 6) * (side / 6) - side / 2,
      side / 6 + 0.5,
      side / 6 + 0.5,
    );
  });
  context.restore();
  context.fillStyle = '#6b5741';
  context.fillRect(bar.x, 0, bar.width, height);
  context.fillStyle = '#59472f';
  for (let line = 0; line < height; line += 26) context.fillRect(bar.x, line, bar.width, 3);
}
