import { createHash } from 'node:crypto';

/** The hash of a file as `integrity` attributes and fetch() take it. */
export const integrity = (content) => `sha384-${createHash('sha384').update(content).digest('base64')}`;
