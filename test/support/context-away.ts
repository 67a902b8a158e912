/**
 * In a worker: a browser that keeps the WebGL context away. `?none`: it gives none. Else the context is lost while it is
 * looked at, and comes back when `giveBack` is called on the page.
 */
const CHANNEL = 'context-away';

export const giveBack = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
};

if (typeof document === 'undefined') {
  const { getContext } = OffscreenCanvas.prototype as {
    getContext(this: OffscreenCanvas, ...given: unknown[]): unknown;
  };
  OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...given: unknown[]) {
    if (given[0] !== 'webgl2') return getContext.apply(this, given);
    if (location.search === '?none') return null;
    const gl = getContext.apply(this, given) as WebGL2RenderingContext;
    const extension = gl.getExtension('WEBGL_lose_context')!;
    const { fenceSync } = gl;
    gl.fenceSync = (...what) => {
      gl.fenceSync = fenceSync;
      const fence = gl.fenceSync(...what);
      extension.loseContext();
      return fence;
    };
    new BroadcastChannel(CHANNEL).onmessage = () => extension.restoreContext();
    return gl;
  } as typeof OffscreenCanvas.prototype.getContext;
}
