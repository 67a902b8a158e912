/**
 * Colors of the canvases, from the style sheet. A custom property returns its text unchanged, including
 * `light-dark(...)`. Only a real color property is resolved. So each name has a probe element whose `color` is set to
 * that custom property.
 */
const every = 2000;

export class Palette<N extends string> {
  readonly #probes: [N, CSSStyleDeclaration][];
  readonly #holder = document.createElement('span');
  #colors: Record<N, string> | null = null;
  #until = 0;

  constructor(place: Node, names: readonly N[]) {
    this.#holder.hidden = true;
    // Forced colors would replace each color by the text color. The style sheet also has colors for that mode.
    this.#holder.style.setProperty('forced-color-adjust', 'none');
    place.appendChild(this.#holder);
    this.#probes = names.map((name) => {
      const probe = document.createElement('span');
      probe.style.color = `var(--_${name})`;
      this.#holder.append(probe);
      return [name, getComputedStyle(probe)];
    });
  }

  /**
   * A theme may change at any time. Reading the colors for each frame would be expensive, so they are read every two
   * seconds.
   */
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
