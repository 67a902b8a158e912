/** Picture in picture with the overlay. The browser's picture-in-picture would show the bare video. */

export class FloatingPicture {
  readonly #canvas = document.createElement('canvas');
  readonly #video = document.createElement('video');
  readonly #paint: (canvas: HTMLCanvasElement) => void;
  readonly #ended: () => void;
  #open = false;

  /** `paint` draws the image with its overlay. `ended`: the window was closed. */
  constructor(paint: (canvas: HTMLCanvasElement) => void, ended: () => void) {
    this.#paint = paint;
    this.#ended = ended;
    this.#video.muted = true;
    this.#video.addEventListener('leavepictureinpicture', () => this.#end());
  }

  static get possible(): boolean {
    return document.pictureInPictureEnabled === true && 'captureStream' in HTMLCanvasElement.prototype;
  }

  get open(): boolean {
    return this.#open;
  }

  async toggle(): Promise<void> {
    if (this.#open) return this.close();
    this.#open = true;
    try {
      this.draw();
      this.#video.srcObject = this.#canvas.captureStream();
      this.draw(); // a stream starts with the first painting after its creation
      await this.#video.play();
      await this.#video.requestPictureInPicture();
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Redraws after a change of the image. */
  draw(): void {
    if (this.#open) this.#paint(this.#canvas);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    if (document.pictureInPictureElement === this.#video) await document.exitPictureInPicture();
    this.#end();
  }

  #end(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const track of (this.#video.srcObject as MediaStream | null)?.getTracks() ?? []) track.stop();
    this.#video.srcObject = null;
    this.#ended();
  }
}
