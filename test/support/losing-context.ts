/**
 * A WebGL context that is lost at the call that a test names: of a page, or of a worker that a page steers. Calls are those
 * that draw, read or bring pixels.
 */

export interface Losing {
  /** Counts calls from now on; loses the context at this one, and gives it back soon where that is wanted. */
  arm(loseAt: number, restore?: boolean): Promise<void>;
  /** Calls since then, and whether the context went. */
  counts(): Promise<{ calls: number; lost: boolean }>;
  /** Resolves when the context is there. */
  restored(): Promise<void>;
  end(): void;
}

interface Context {
  readonly gl: WebGL2RenderingContext;
  readonly extension: WEBGL_lose_context;
  calls: number;
  loseAt: number;
  restore: boolean;
  lost: boolean;
}

/** Of the newest context on this thread. */
export function loseHere(): Losing {
  let context: Context | null = null;
  const known = new Set<WebGL2RenderingContext>();
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...given: [never, never]) {
    const gl = getContext.apply(this, given) as WebGL2RenderingContext | null;
    if (given[0] !== 'webgl2' || !gl || known.has(gl)) return gl;
    known.add(gl);
    const extension = gl.getExtension('WEBGL_lose_context')!; // a lost context gives none
    const own: Context = (context = { gl, extension, calls: 0, loseAt: Infinity, restore: false, lost: false });
    for (const name of ['drawArrays', 'readPixels', 'getBufferSubData', 'texSubImage2D'] as const) {
      const real = gl[name] as (...given: unknown[]) => void;
      (gl as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
        if (own.calls++ === own.loseAt) {
          own.lost = true;
          extension.loseContext();
          if (own.restore) setTimeout(() => extension.restoreContext(), 5);
        }
        real.apply(gl, args);
      };
    }
    return gl;
  } as typeof getContext;
  return {
    arm: async (loseAt, restore = false) => void Object.assign(context!, { calls: 0, loseAt, lost: false, restore }),
    counts: async () => ({ calls: context!.calls, lost: context!.lost }),
    restored: () =>
      new Promise((resolve) => {
        const { gl, extension, restore } = context!;
        context!.loseAt = Infinity;
        if (!gl.isContextLost()) return resolve();
        gl.canvas.addEventListener('webglcontextrestored', () => resolve(), { once: true });
        // A task later: the browser first hears that somebody wants it back.
        if (!restore) setTimeout(() => extension.restoreContext(), 5);
      }),
    end: () => void (OffscreenCanvas.prototype.getContext = getContext),
  };
}

type Order = { id: number; call: 'arm' | 'counts' | 'restored'; given: unknown[] };

/** In the worker: does what the page asks for on this channel. */
export function obeyLosses(channel: BroadcastChannel): void {
  const losing = loseHere();
  channel.onmessage = async ({ data: { id, call, given } }: MessageEvent<Order>) => {
    const work = losing[call] as (...given: unknown[]) => Promise<unknown>;
    channel.postMessage({ id, value: await work(...given) });
  };
}

/** In the page: the same of the worker that has this channel. */
export function loseThere(name: string): Losing {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<number, (value: unknown) => void>();
  let last = 0;
  channel.onmessage = ({ data }: MessageEvent<{ id: number; value: unknown }>) => {
    waiting.get(data.id)?.(data.value);
    waiting.delete(data.id);
  };
  const ask = <T>(call: Order['call'], ...given: unknown[]) =>
    new Promise<T>((resolve) => {
      waiting.set(++last, resolve as (value: unknown) => void);
      channel.postMessage({ id: last, call, given } satisfies Order);
    });
  return {
    arm: (...given) => ask('arm', ...given),
    counts: () => ask('counts'),
    restored: () => ask('restored'),
    end: () => channel.close(),
  };
}
