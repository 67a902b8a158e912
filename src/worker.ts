/** The script of the engine's worker and of its helper threads. */
import './capabilities.ts';
import { toPlane } from './frames/to-plane.ts';
import { startWorker } from './runtime/engine-worker.ts';

startWorker(toPlane);
