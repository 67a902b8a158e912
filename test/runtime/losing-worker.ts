// The real worker, whose context a test loses.
import './losing-here.ts';
import '../../src/worker.ts';
