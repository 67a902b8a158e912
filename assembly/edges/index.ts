export * from './canny';
export * from './canny-counts';
export * from './circle-votes';
export * from './edge-octants';
export * from './hysteresis';
export * from './line-votes';
export * from './tiles';
