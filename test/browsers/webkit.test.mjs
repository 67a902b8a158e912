// The table of element tests in webkit.
import { elementTable } from './table.mjs';

elementTable('webkit');
