export function squareAt(t: number): {
  x: number;
  y: number;
  width: number;
  height: number;
  hidden: boolean;
  back: boolean;
};
export function renderScene(t: number): { width: number; height: number; data: Uint8Array<ArrayBuffer> };
export function turningScene(angle: number): { width: number; height: number; data: Uint8Array<ArrayBuffer> };
