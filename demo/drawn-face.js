// A face that is drawn, 640x480: it wanders a little, blinks and smiles.
export const [width, height] = [640, 480];

function blob(context, x, y, rx, ry, inner, outer) {
  context.save();
  context.translate(x, y);
  context.scale(rx, ry);
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  gradient.addColorStop(0, inner);
  gradient.addColorStop(1, outer);
  context.fillStyle = gradient;
  context.beginPath();
  context.arc(0, 0, 1, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}

/** About (0, 0), 200 pixels wide. */
function face(context, open, smile) {
  blob(context, 0, -22, 118, 150, '#3a2a20', '#3a2a20'); // hair
  blob(context, 0, 104, 52, 70, '#b98662', '#a87753'); // neck
  blob(context, 0, 0, 98, 128, '#eec3a0', '#d49b74');
  blob(context, 0, -70, 74, 36, 'rgb(255 226 200 / 80%)', 'rgb(255 226 200 / 0%)'); // forehead
  for (const side of [-1, 1]) {
    blob(context, side * 56, 36, 34, 30, 'rgb(255 214 186 / 75%)', 'rgb(255 214 186 / 0%)'); // cheek
    blob(context, side * 42, -22, 36, 22, 'rgb(94 56 36 / 75%)', 'rgb(94 56 36 / 0%)'); // socket
    context.fillStyle = '#2e2018';
    context.beginPath();
    context.ellipse(side * 43, -44, 29, 6, side * -0.03, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = '#f6efe8';
    context.beginPath();
    context.ellipse(side * 41, -19, 20, 10 * open, 0, 0, 2 * Math.PI);
    context.fill();
    if (open > 0.3) {
      blob(context, side * 41, -19, 9, 9 * open, '#1b120c', '#4a2d1a');
      blob(context, side * 41 + 3, -22, 2.4, 2.4, '#fff', '#fff');
    }
    context.strokeStyle = '#3a241a';
    context.lineWidth = 4;
    context.beginPath();
    context.ellipse(side * 41, -18, 21, 11 * open, 0, Math.PI, 2 * Math.PI);
    context.stroke();
  }
  blob(context, 0, 6, 12, 40, 'rgb(255 232 210 / 90%)', 'rgb(255 232 210 / 0%)'); // bridge of the nose
  blob(context, 0, 38, 24, 12, 'rgb(150 92 64 / 70%)', 'rgb(150 92 64 / 0%)');
  for (const side of [-1, 1]) blob(context, side * 9, 40, 5, 4, '#4a2a1c', '#5b3626');
  context.strokeStyle = '#8c3c37';
  context.lineWidth = 9;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(-34, 70 - 4 * smile);
  context.quadraticCurveTo(0, 76 + 20 * smile, 34, 70 - 4 * smile);
  context.stroke();
  context.strokeStyle = '#4c1f1c';
  context.lineWidth = 3;
  context.stroke();
  blob(context, 0, 96, 34, 10, 'rgb(140 88 60 / 40%)', 'rgb(140 88 60 / 0%)');
}

/** The whole picture at a time in milliseconds. */
export function drawFace(context, t) {
  const sky = context.createLinearGradient(0, 0, width, height);
  sky.addColorStop(0, '#b9c8d4');
  sky.addColorStop(1, '#7f93a3');
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  blob(context, width / 2, height + 60, 250, 160, '#35506a', '#2a4056');
  const blink = t % 3700 < 160 ? 0.1 : 1;
  context.save();
  context.translate(width / 2 + 60 * Math.sin(t / 2100), height / 2 - 20 + 18 * Math.sin(t / 1300));
  const size = 1 + 0.12 * Math.sin(t / 2600);
  context.scale(size, size);
  face(context, blink, 0.65 + 0.35 * Math.sin(t / 1900));
  context.restore();
}
