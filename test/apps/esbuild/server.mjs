// A server renders pages without a browser's globals: the imports themselves must not need them.
import { createEngine } from 'foveola';
import 'foveola/elements';
import 'foveola/elements/pupil.js';

if (typeof createEngine !== 'function') throw new Error('foveola has no createEngine');
