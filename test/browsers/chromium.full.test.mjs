// The table of element tests in chromium.
import { elementTable } from './table.mjs';

elementTable('chromium');
