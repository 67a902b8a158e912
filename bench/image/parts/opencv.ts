/**
 * The same operations in OpenCV.js (@techstark/opencv-js), inputs and outputs as Mats that exist before. Names as in
 * native.py. `bytesOf` gives the result's samples where they can be compared with ours.
 */
import { rgbaOf } from './operations.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- OpenCV.js is a global without types here */
export interface PeerCall {
  call: () => void;
  bytesOf?: () => ArrayBufferView[];
}

/** The library once it is ready; wrapped, because it has a `then` of its own that never comes to an end in `await`. */
export function openCv(): Promise<{ cv: any }> {
  const { cv } = globalThis as any;
  return new Promise((resolve) => {
    if (cv.Mat) resolve({ cv });
    else if (typeof cv.then === 'function') cv.then((ready: any) => resolve({ cv: ready }));
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
}

export function peerOperations(cv: any, gray: Uint8Array, width: number, height: number): Record<string, PeerCall> {
  const mat = (type: number, data?: ArrayLike<number>, field = 'data') => {
    const made = new cv.Mat(height, width, type);
    if (data) made[field].set(data);
    return made;
  };
  const source = mat(cv.CV_8UC1, gray);
  const colors = mat(cv.CV_8UC4, rgbaOf(gray, width, height));
  const floats = mat(cv.CV_32FC1, Float32Array.from(gray), 'data32F');
  const mask = mat(
    cv.CV_8UC1,
    gray.map((value) => (value > 110 ? 255 : 0)),
  );
  const [u8, dx, dy, fx, fy] = [cv.CV_8UC1, cv.CV_16SC1, cv.CV_16SC1, cv.CV_32FC1, cv.CV_32FC1].map((t) => mat(t));
  const [half, sums, squares, labels, statistics, centroids, counts, none] = Array.from(
    { length: 8 },
    () => new cv.Mat(),
  );
  const square = cv.Mat.ones(19, 19, cv.CV_8UC1);
  const anchor = new cv.Point(-1, -1);
  const images = new cv.MatVector();
  images.push_back(source);
  const same = cv.BORDER_REPLICATE;
  const gives = (call: () => void, bytesOf: () => ArrayBufferView[]): PeerCall => ({ call, bytesOf });
  const of8 = (call: () => void) => gives(call, () => [u8.data]);
  const both = (name: 'Sobel' | 'Scharr', from: any, depth: number, x: any, y: any) => () => {
    const size = name === 'Sobel' ? [3] : [];
    cv[name](from, x, depth, 1, 0, ...size, 1, 0, same);
    cv[name](from, y, depth, 0, 1, ...size, 1, 0, same);
  };
  return {
    'gray from RGBA': of8(() => cv.cvtColor(colors, u8, cv.COLOR_RGBA2GRAY)),
    'Gaussian 5x5, sigma 2': of8(() => cv.GaussianBlur(source, u8, new cv.Size(5, 5), 2, 2, same)),
    'Gaussian 9x9, sigma 1.7': of8(() => cv.GaussianBlur(source, u8, new cv.Size(9, 9), 1.7, 1.7, same)),
    'median 3': of8(() => cv.medianBlur(source, u8, 3)),
    'median 7': of8(() => cv.medianBlur(source, u8, 7)),
    'median 11': of8(() => cv.medianBlur(source, u8, 11)),
    'erosion 19': of8(() => cv.erode(source, u8, square, anchor, 1)),
    'dilation 19': of8(() => cv.dilate(source, u8, square, anchor, 1)),
    'top-hat 19': of8(() => cv.morphologyEx(source, u8, cv.MORPH_TOPHAT, square)),
    threshold: of8(() => cv.threshold(source, u8, 110, 255, cv.THRESH_BINARY)),
    'Sobel dx and dy, 16 bits': gives(both('Sobel', source, cv.CV_16S, dx, dy), () => [dx.data, dy.data]),
    'Scharr dx and dy, 16 bits': gives(both('Scharr', source, cv.CV_16S, dx, dy), () => [dx.data, dy.data]),
    'Sobel dx and dy, floats': gives(both('Sobel', floats, cv.CV_32F, fx, fy), () => [fx.data, fy.data]),
    integral: gives(
      () => cv.integral(source, sums, cv.CV_32S),
      () => [sums.data],
    ),
    'integral and squares': { call: () => cv.integral2(source, sums, squares, cv.CV_32S, cv.CV_64F) },
    components: { call: () => cv.connectedComponents(mask, labels, 8, cv.CV_32S) },
    'components, statistics': {
      call: () => cv.connectedComponentsWithStats(mask, labels, statistics, centroids, 8, cv.CV_32S),
    },
    'pyramid level': gives(
      () => cv.pyrDown(source, half),
      () => [half.data],
    ),
    histogram: { call: () => cv.calcHist(images, [0], none, counts, [256], [0, 256]) },
    'minimum, maximum and sum': { call: () => (cv.minMaxLoc(source, none), cv.mean(source)) },
  };
}
