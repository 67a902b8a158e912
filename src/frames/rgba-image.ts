/** An ImageData where there are such, else (Node) an object of its shape. */
export const rgbaImage = (width: number, height: number, data: Uint8ClampedArray): ImageData =>
  typeof ImageData === 'undefined'
    ? ({ width, height, data, colorSpace: 'srgb' } as ImageData)
    : new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height);
