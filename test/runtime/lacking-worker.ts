// The tests' worker on a device that lacks what its address names.
import '../support/lacking-here.ts';
import './test-worker.ts';
