/** Reports when an element becomes visible or invisible: scrolled away, hidden, in a background tab. */
export class Presence {
  readonly #observer: IntersectionObserver;
  readonly #events = new AbortController();
  readonly #changed: () => void;
  #target: Element | null = null;
  #inView = true;

  constructor(changed: () => void) {
    this.#changed = changed;
    this.#observer = new IntersectionObserver((entries) => {
      const inView = entries[entries.length - 1]!.isIntersecting;
      if (inView === this.#inView) return;
      this.#inView = inView;
      changed();
    });
    document.addEventListener('visibilitychange', () => this.#changed(), { signal: this.#events.signal });
  }

  /** Whether the page is visible at all. */
  get pageShown(): boolean {
    return document.visibilityState !== 'hidden';
  }

  get inView(): boolean {
    return this.#inView;
  }

  watch(target: Element): void {
    if (target === this.#target) return;
    this.#observer.disconnect();
    this.#target = target;
    this.#observer.observe(target);
  }

  close(): void {
    this.#observer.disconnect();
    this.#events.abort();
  }
}
