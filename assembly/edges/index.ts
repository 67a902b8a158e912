export * from './canny';
export * from './canny-counts';
export * from './hysteresis';
