/**
 * The colors of the canvases, from the style sheet. A custom property gives its text back, `light-dark(...)` and all;
 * only a real color property is resolved. So each name has a probe whose `color` is that custom property.
 */
const every = 2000;

export class Palette<N extends string> {
  readonly #probes: [N, CSSStyleDeclaration][];
  readonly #holder = document.createElement('span');
  #colors: Record<N, string> | null = null;
  #until = 0;

  constructor(place: Node, names: readonly N[]) {
    this.#holder.hidden = true;
    // Forced colors would make each of them that of text; those of the style sheet are chosen for that mode, too.
    this.#holder.style.setProperty('forced-color-adjust', 'none');
    place.appendChild(this.#holder);
    this.#probes = names.map((name) => {
      const probe = document.createElement('span');
      probe.style.color = `var(--_${name})`;
      this.#holder.append(probe);
      return [name, getComputedStyle(probe)];
    });
  }

  /** A theme may change at any time; asking each frame would cost, so this asks every other second. */
  get colors(): Record<N, string> {
    const now = performance.now();
    if (!this.#colors || now > this.#until) {
      this.#colors = Object.fromEntries(this.#probes.map(([name, style]) => [name, style.color])) as Record<N, string>;
      this.#until = now + every;
    }
    return this.#colors;
  }

  close(): void {
    this.#holder.remove();
  }
}
