export function squareAt(
  t: number,
  side?: number,
): {
  x: number;
  y: number;
  width: number;
  height: number;
  hidden: boolean;
  back: boolean;
};
export function renderScene(t: number, side?: number): { width: number; height: number; data: Uint8Array<ArrayBuffer> };
export function turningScene(angle: number): { width: number; height: number; data: Uint8Array<ArrayBuffer> };
