// A photograph, or a face that the page draws itself and that moves.
import { drawFace, height, width } from './drawn-face.js';
import { offerSources, showEngine } from './engine-status.js';

const element = document.getElementById('demo');
const canvas = document.createElement('canvas');
canvas.width = width;
canvas.height = height;
const context = canvas.getContext('2d');

const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const tick = (now) => {
  drawFace(context, still ? 600 : now);
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
drawFace(context, 600);
const stream = canvas.captureStream(30);
const photograph = 'media/portrait.jpg';
showEngine(element);
offerSources(element, { photograph, drawn: stream });
element.source = photograph;
