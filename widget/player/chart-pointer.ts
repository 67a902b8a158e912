/** Pointer input on a chart: pointing, clicking, dragging, the wheel, two fingers. */

export interface ChartGestures {
  /** Position of the pointer, in CSS pixels from the left of the canvas. Null: it has left. */
  point(x: number | null): void;
  click(x: number): void;
  /** Pixels to the right since the last call. */
  drag(by: number): void;
  /** `share`: new time span relative to the current one, zoomed about this position. */
  zoom(share: number, x: number): void;
}

/** Maximum movement of a finger in pixels that still counts as a click. */
const still = 4;

/** Returns a function that stops it. */
export function followPointers(canvas: HTMLCanvasElement, act: ChartGestures): () => void {
  const events = new AbortController();
  const { signal } = events;
  const down = new Map<number, number>();
  let begun = 0;
  let moving = false;
  const x = ({ clientX }: MouseEvent) => clientX - canvas.getBoundingClientRect().left;
  const spread = () => Math.abs([...down.values()].reduce((a, b) => a - b));
  canvas.style.touchAction = 'pan-y';
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, (begun = x(event)));
      moving = down.size > 1;
    },
    { signal },
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const at = x(event);
      const before = down.get(event.pointerId);
      if (before === undefined) return act.point(at);
      if (down.size > 1) {
        const wide = spread();
        down.set(event.pointerId, at);
        const now = spread();
        if (wide > 0 && now > 0) act.zoom(wide / now, [...down.values()].reduce((a, b) => a + b) / 2);
        return;
      }
      moving ||= Math.abs(at - begun) > still;
      down.set(event.pointerId, at);
      if (moving) act.drag(at - before);
      act.point(at);
    },
    { signal },
  );
  const up = (event: PointerEvent) => {
    const clicked = down.delete(event.pointerId) && !moving && event.type === 'pointerup';
    if (clicked) act.click(x(event));
  };
  canvas.addEventListener('pointerup', up, { signal });
  canvas.addEventListener('pointercancel', up, { signal });
  canvas.addEventListener('pointerleave', () => down.size || act.point(null), { signal });
  canvas.addEventListener(
    'wheel',
    (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const focused = (canvas.getRootNode() as ShadowRoot).activeElement === canvas;
      // The page scrolls over a chart without focus. Two fingers on a touchpad arrive with Ctrl.
      if (!sideways && !event.ctrlKey && !focused) return;
      event.preventDefault();
      if (sideways) act.drag(-event.deltaX);
      else act.zoom(1.002 ** event.deltaY, x(event));
    },
    { signal, passive: false },
  );
  return () => events.abort();
}
