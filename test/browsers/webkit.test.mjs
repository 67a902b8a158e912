// Full run only: another browser, if it is installed.
// The table of element tests in webkit.
import { elementTable } from './table.mjs';

elementTable('webkit');
