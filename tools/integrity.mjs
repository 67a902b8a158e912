import { createHash } from 'node:crypto';

/** The hash of a file as `integrity` attributes and fetch() take it. */
export const integrity = (content) => `sha384-${createHash('sha384').update(content).digest('base64')}`;

/** A shorter one, for hashes inside of scripts. */
export const shortIntegrity = (content) => `sha256-${createHash('sha256').update(content).digest('base64')}`;
