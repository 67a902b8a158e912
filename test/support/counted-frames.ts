/** Every VideoFrame that is made here, so that a test can see which of them nobody closed. */
export interface CountedFrames {
  /** Frames that are neither closed nor given away, by where they were made. */
  open(): string[];
  restore(): void;
}

export function countFrames(): CountedFrames {
  const Frame = globalThis.VideoFrame;
  const { clone } = Frame.prototype;
  const made: [VideoFrame, string][] = [];
  const note = (frame: VideoFrame) => {
    made.push([frame, new Error('made').stack!.split('\n').slice(3, 6).join(' < ')]);
    return frame;
  };
  globalThis.VideoFrame = new Proxy(Frame, { construct: (of, given) => note(Reflect.construct(of, given)) });
  Frame.prototype.clone = function counted(this: VideoFrame) {
    return note(clone.call(this));
  };
  return {
    // One that was closed or transferred has no size.
    open: () => made.filter(([frame]) => frame.codedWidth > 0).map(([, where]) => where),
    restore() {
      globalThis.VideoFrame = Frame;
      Frame.prototype.clone = clone;
    },
  };
}
