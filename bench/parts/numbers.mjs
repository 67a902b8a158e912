import { importTs } from '../../tools/import-ts.mjs';

export const { mean, meansAt, median, overlap, quantile } = await importTs('bench/parts/numbers.ts');
