// Stands for Node's modules in browser tests; see web-test-runner.config.js.
export {};
