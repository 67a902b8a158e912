// The idea of a method as a picture between what was given and what was found, by the `idea` of its page.
import { svgOf } from './drawn.mjs';

const RAYS = 20;

/** Rays from a place inside the outline to the outline. */
function rays({ image }, { pupils: [{ ellipse }] }) {
  const { x, y, major, minor, angle } = ellipse;
  const start = { x: x + major / 8, y: y + minor / 8 };
  const shapes = Array.from({ length: RAYS }, (_, i) => {
    const t = (2 * Math.PI * i) / RAYS;
    const [along, across] = [(major / 2) * Math.cos(t), (minor / 2) * Math.sin(t)];
    const [px, py] = [
      x + along * Math.cos(angle) - across * Math.sin(angle),
      y + along * Math.sin(angle) + across * Math.cos(angle),
    ];
    return `<path d="M${start.x} ${start.y}L${px} ${py}" stroke="#ffd54f" stroke-width="1.5"/><circle cx="${px}" cy="${py}" r="3"/>`;
  });
  return { over: svgOf(image.width, image.height, shapes) };
}

/** What is darker than a level, white. */
async function dark({ image }, _, engine) {
  const { width, height, data } = await engine.threshold(image, { level: 60 });
  return { image: { width, height, data: data.map((value) => 255 - value) } };
}

const edges = async ({ image }, _, engine) => ({
  image: await engine.canny(image, { sigma: 2, size: 9, low: 30, high: 80 }),
});

export const ideas = {
  rays: { words: 'The idea: rays from inside stop at the border', draw: rays },
  dark: { words: 'The idea: the dark regions at one of the levels', draw: dark },
  edges: { words: 'The idea: edges, each of which votes', draw: edges },
  proposals: { words: 'The idea: smooth pieces of edges propose, and so do dark regions', draw: edges },
};
