/** The script of the engine's worker and of its helper threads. */
import './capabilities.ts';
import { readers } from './engine-home.ts';
import { startWorker } from './runtime/engine/worker.ts';

startWorker(readers);
