/** The image stages: whatever two capabilities need. */
export { gray } from './gray.ts';
