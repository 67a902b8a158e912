/**
 * Points of a mean face in space: index among the 68, and position (x to the right of the image, y up, z out of the
 * face). Half the distance between the outer eye corners is 90. Learned from rendered faces, written by
 * lab/faces/head-shape.mjs.
 */
// prettier-ignore
const places = [
  -152, -5, -93,
  -150, -43, -86,
  -146, -80, -77,
  -138, -117, -69,
  -122, -150, -54,
  -100, -181, -39,
  -71, -206, -18,
  -38, -224, 7,
  0, -231, 16,
  38, -224, 7,
  71, -206, -17,
  100, -181, -37,
  122, -150, -53,
  138, -117, -67,
  147, -80, -75,
  151, -43, -83,
  152, -5, -90,
  -122, 23, -26,
  -101, 39, 11,
  -76, 49, 29,
  -51, 48, 40,
  -26, 39, 44,
  26, 39, 44,
  51, 48, 40,
  77, 49, 29,
  101, 39, 12,
  122, 23, -25,
  0, 7, 49,
  0, -17, 66,
  0, -40, 82,
  0, -66, 90,
  -28, -86, 48,
  -14, -91, 59,
  0, -92, 62,
  14, -91, 59,
  29, -86, 47,
  -90, 0, 0,
  -37, -3, 14,
  37, -3, 14,
  90, 0, 0,
  -57, -134, 26,
  0, -120, 64,
  57, -134, 25,
];

export const headShape = /* @__PURE__ */ [...Array(37).keys(), 39, 42, 45, 48, 51, 54].map(
  (point, i) => [point, ...places.slice(3 * i, 3 * i + 3)] as unknown as readonly [number, number, number, number],
);
