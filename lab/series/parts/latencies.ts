/** Bias of latencies and coverage of their intervals on rendered traces. */
import { onsetKinds, onsetTrace, type OnsetKind } from '../onset-trace.ts';
import { cleanSeries, lightReflex } from '../../../src/series/index.ts';
import { quantile } from '../../../bench/parts/numbers.ts';

export interface LatencyFigures {
  kind: string;
  traces: number;
  answered: number;
  /** Mean and median of signed errors, 90th percentile of their sizes, ms. */
  mean: number;
  bias: number;
  tenth: number;
  /** Intervals that contain the latency, and their median width, ms. */
  covered: number;
  width: number;
}

interface Answer {
  kind: string;
  error: number;
  held: boolean;
  width: number;
}

function answers(kind: OnsetKind, first: number, count: number, rate: number, weak: boolean): Answer[] {
  return Array.from({ length: count }, (_, i) => {
    const { samples, onset, latency } = onsetTrace(first + i, rate, kind, weak);
    const found = lightReflex(cleanSeries(samples), { onset });
    const held = found.latencyLow <= latency && latency <= found.latencyHigh;
    const width = found.latencyHigh - found.latencyLow;
    return { kind: weak ? 'weak' : kind, error: found.latency - latency, held, width };
  });
}

function figuresOf(kind: string, all: readonly Answer[]): LatencyFigures {
  const known = all.filter(({ error }) => Number.isFinite(error));
  const errors = known.map(({ error }) => error);
  return {
    ...{ kind, traces: all.length, answered: known.length },
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    bias: quantile(errors, 0.5),
    tenth: quantile(errors.map(Math.abs), 0.9),
    covered: known.filter(({ held }) => held).length,
    width: quantile(known.map(({ width }) => width), 0.5), // prettier-ignore
  };
}

/** Over `count` seeds for each kind of onset, starting at `first`: each kind, weak ones (every kind), and all. */
export function latencyFigures(first: number, count: number, rate: number): LatencyFigures[] {
  const clear = onsetKinds.flatMap((kind) => answers(kind, first, count, rate, false));
  const weak = onsetKinds.flatMap((kind) => answers(kind, first, Math.ceil(count / 4), rate, true));
  const rows = [...onsetKinds].map((kind) => figuresOf(kind, clear.filter((one) => one.kind === kind))); // prettier-ignore
  return [...rows, figuresOf('weak', weak), figuresOf('all', [...clear, ...weak])];
}
