/** An ImageData if the platform has the class, otherwise (Node) an object with its shape. */
export const rgbaImage = (width: number, height: number, data: Uint8ClampedArray): ImageData =>
  typeof ImageData === 'undefined'
    ? ({ width, height, data, colorSpace: 'srgb' } as ImageData)
    : new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height);
