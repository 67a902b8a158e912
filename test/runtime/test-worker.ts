// The real worker with the tests' own tracker and operations.
import './engine-dummies.ts';
import '../../src/worker.ts';
