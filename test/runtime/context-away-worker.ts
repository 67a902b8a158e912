// The tests' worker where the browser keeps the WebGL context away.
import '../support/context-away.ts';
import './test-worker.ts';
