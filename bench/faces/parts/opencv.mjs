// OpenCV.js in Node, for boxes to compare with.
import { createRequire } from 'node:module';

/** The library once it is ready; wrapped, because it has a `then` of its own. */
export async function openCv() {
  const cv = createRequire(import.meta.url)('@techstark/opencv-js');
  return new Promise((resolve) => {
    if (cv.Mat) resolve({ cv });
    else if (typeof cv.then === 'function') cv.then((ready) => resolve({ cv: ready }));
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
}

/** detect({ width, height, data }, { factor, neighbors, smallest }) with one cascade. */
export function cvDetector(cv, name, xml) {
  cv.FS_createDataFile('/', `${name}.xml`, xml, true, false, false);
  const classifier = new cv.CascadeClassifier();
  if (!classifier.load(`/${name}.xml`)) throw new Error(`OpenCV.js did not load ${name}`);
  return ({ width, height, data }, { factor = 1.1, neighbors = 3, smallest = 30 } = {}) => {
    const image = cv.matFromArray(height, width, cv.CV_8UC1, data);
    const found = new cv.RectVector();
    classifier.detectMultiScale(image, found, factor, neighbors, 0, new cv.Size(smallest, smallest));
    const boxes = Array.from({ length: found.size() }, (_, i) => {
      const { x, y, width: w, height: h } = found.get(i);
      return { x, y, width: w, height: h };
    });
    image.delete();
    found.delete();
    return boxes;
  };
}
