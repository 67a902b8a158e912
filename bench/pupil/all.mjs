// Every pupil benchmark and the image stages one after the other; with --write the tables in docs/ are brought up to date.
import image from '../image/index.mjs';
import accuracy from './accuracy.mjs';
import confidence from './confidence.mjs';
import hard from './hard.mjs';
import levels from './levels.mjs';
import load from './load.mjs';
import lost from './lost.mjs';
import methods from './methods.mjs';
import page from './page.mjs';
import paper from './paper.mjs';
import robustFit from './robust-fit.mjs';
import silence from './silence.mjs';
import speed from './speed.mjs';
import tune from './tune.mjs';

// What is timed comes first, while the machine is as quiet as it was at the start.
const parts = {
  speed,
  load,
  page,
  image,
  paper,
  accuracy,
  confidence,
  methods,
  hard,
  robustFit,
  tune,
  silence,
  levels,
  lost,
};

export default async function all(given) {
  const failed = [];
  for (const [name, part] of Object.entries(parts)) {
    given.log(`\n==== ${name}\n`);
    try {
      await part(given);
    } catch (error) {
      failed.push(name);
      console.error(error);
    }
    await given.closeAll();
  }
  if (failed.length) throw new Error(`Failed: ${failed.join(', ')}.`);
}
