// The table of element tests in firefox.
import { elementTable } from './table.mjs';

elementTable('firefox');
