// Everything the engine can do, with its parameter tables, for the pages of the site.
import '../../src/capabilities.ts';

export { operations, trackerMethods } from '../../src/runtime/capability.ts';
