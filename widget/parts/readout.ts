/** The numbers below the picture: written straight into their places five times a second, without a render. */
import type { FrameTiming, PupilResult } from '../../src/index.ts';

const every = 200;

export class Readout {
  #writtenAt = -Infinity;
  #arrivals: number[] = [];
  #dropped = 0;

  clear(): void {
    this.#writtenAt = -Infinity;
    this.#arrivals = [];
    this.#dropped = 0;
  }

  show(result: PupilResult, timing: FrameTiming, box: HTMLElement | null): void {
    const now = performance.now();
    this.#arrivals.push(now);
    while (this.#arrivals[0]! < now - 1000) this.#arrivals.shift();
    this.#dropped += timing.dropped;
    if (!box || now - this.#writtenAt < every) return;
    this.#writtenAt = now;
    const write = (name: string, text: string) => {
      const place = box.querySelector(`[data-value=${name}]`);
      if (place && place.textContent !== text) place.textContent = text;
    };
    const { pupils } = result;
    const each = (value: (pupil: (typeof pupils)[number]) => string) =>
      pupils.map((pupil) => (pupil.found ? value(pupil) : '–')).join(' | ');
    write(
      'diameter',
      each((p) => (p.diameterMm === null ? p.diameter.toFixed(1) : p.diameterMm.toFixed(2))),
    );
    write(
      'centre',
      each((p) => `${p.x.toFixed(1)}, ${p.y.toFixed(1)}`),
    );
    write(
      'confidence',
      each((p) => Math.round(p.confidence * 100).toString()),
    );
    write('rate', this.#arrivals.length > 1 ? String(this.#arrivals.length) : '–');
    write('dropped', String(this.#dropped));
  }
}
