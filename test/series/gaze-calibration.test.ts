import { expect } from 'chai';
import { calibrateGaze, degreesOnScreen, gazeOf, type CalibrationPoint } from '../../src/gaze.ts';
import { cameraDirection, frontalDiameter } from '../../src/series/index.ts';
import { refused } from './support.ts';

/** Vector from glint to pupil for a gaze in degrees: linear and a cross term, as 5 points can know. */
const vector = (x: number, y: number) => ({ x: 3 + 1.5 * x + 0.1 * y, y: -2 + 1.4 * y });
const lookAt = (x: number, y: number, bend = 0): CalibrationPoint => {
  const { x: dx, y: dy } = vector(x + bend * x * x, y);
  return { glint: { x: 200, y: 150 }, pupil: { x: 200 + dx, y: 150 + dy }, target: { x, y } };
};
const five = [
  [0, 0],
  [-10, -6],
  [10, -6],
  [-10, 6],
  [10, 6],
] as const;
const nine = [-10, 0, 10].flatMap((x) => [-6, 0, 6].map((y) => [x, y] as const));

describe('calibrateGaze', () => {
  it('takes vectors from glint to pupil to where the eye looked', () => {
    const calibration = calibrateGaze(five.map(([x, y]) => lookAt(x, y)));
    expect(calibration.residual).to.be.below(1e-9);
    const [gaze, lost] = gazeOf(calibration, [
      { timestamp: 5, ...lookAt(4, -3) },
      { timestamp: 6, pupil: null, glint: { x: 1, y: 1 } },
    ]);
    expect(gaze!.timestamp).to.equal(5);
    expect(gaze!.x).to.be.closeTo(4, 1e-9);
    expect(gaze!.y).to.be.closeTo(-3, 1e-9);
    expect([lost!.x, lost!.y]).to.deep.equal([NaN, NaN]);
  });

  it('does not move with the head, which moves pupil and glint alike', () => {
    const calibration = calibrateGaze(five.map(([x, y]) => lookAt(x, y)));
    const { pupil, glint } = lookAt(4, -3);
    const shifted = { pupil: { x: pupil.x + 30, y: pupil.y - 9 }, glint: { x: glint.x + 30, y: glint.y - 9 } };
    expect(gazeOf(calibration, [{ timestamp: 0, ...shifted }])[0]!.x).to.be.closeTo(4, 1e-9);
  });

  it('takes squares from nine points on', () => {
    const bent = (points: readonly (readonly [number, number])[]) =>
      calibrateGaze(points.map(([x, y]) => lookAt(x, y, 0.01)));
    expect(bent(nine).x.length).to.equal(6);
    expect(bent(five).x.length).to.equal(4);
    expect(bent(nine).residual).to.be.below(0.15);
    expect(bent(five).residual).to.be.greaterThan(0.3);
  });

  it('tells how far it is off, also where each point is left out', () => {
    const points = nine.map(([x, y]) => lookAt(x, y));
    points[4] = { ...points[4]!, target: { x: 0.9, y: 0 } };
    const { residual, largest, distances, residualLeftOut } = calibrateGaze(points);
    expect(largest).to.equal(Math.max(...distances));
    expect(distances.indexOf(largest)).to.equal(4);
    expect(residual).to.be.closeTo(Math.hypot(...distances) / 3, 1e-12);
    expect(residualLeftOut).to.be.greaterThan(residual);
    expect(calibrateGaze(five.map(([x, y]) => lookAt(x, y))).residualLeftOut).to.be.NaN; // 4 points carry no fit of 4
  });

  it('refuses what carries no fit', () => {
    refused(() => calibrateGaze(five.slice(1).map(([x, y]) => lookAt(x, y))), /at least 5/);
    refused(() => calibrateGaze(five.map(() => lookAt(1, 1))), /do not spread/);
    refused(() => calibrateGaze([-4, -2, 0, 2, 4].map((x) => lookAt(x, 0))), /do not spread/);
    const broken = five.map(([x, y]) => lookAt(x, y));
    broken[2]!.glint.x = NaN;
    refused(() => calibrateGaze(broken), /points\[2\]/);
  });

  it('takes pixels of a screen to degrees', () => {
    const screen = { center: { x: 960, y: 540 }, millimetresPerPixel: 0.25, distance: 600 };
    const { x, y } = degreesOnScreen({ x: 960 + 2400, y: 540 }, screen); // 600 mm to the side
    expect(x).to.be.closeTo(45, 1e-9);
    expect(y).to.equal(0);
    refused(() => degreesOnScreen({ x: 0, y: 0 }, { ...screen, distance: 0 }), /above 0/);
  });
});

describe('frontalDiameter', () => {
  const ratio = (degrees: number) => 0.992 * Math.cos((degrees * Math.PI) / 180 / 1.121);
  const seen = (degrees: number) => ({ major: 80, minor: 80 * ratio(degrees) });

  it('takes foreshortening out of the area, at any angle', () => {
    for (const angle of [0, 10, 25, 45]) {
      const found = frontalDiameter(seen(angle), { x: angle, y: 0 }, { x: 0, y: 0 })!;
      expect(found.diameter).to.be.closeTo(80, 1e-9);
      expect(found.angle).to.be.closeTo((angle * Math.PI) / 180, 1e-12);
      expect(found.ratio).to.be.closeTo(found.expectedRatio, 1e-12);
    }
    expect(frontalDiameter(seen(10), { x: 70, y: 0 }, { x: 0, y: 0 })).to.equal(null);
    expect(frontalDiameter(seen(10), { x: NaN, y: 0 }, { x: 0, y: 0 })).to.equal(null);
    refused(() => frontalDiameter({ major: 5, minor: 6 }, { x: 0, y: 0 }, { x: 0, y: 0 }), /major not below minor/);
    refused(() => frontalDiameter(seen(0), { x: 0, y: 0 }, { x: NaN, y: 0 }), /camera must be/);
  });

  it('finds where the camera lies from frames of a calibration', () => {
    const camera = { x: -7, y: 12 };
    const rad = Math.PI / 180;
    const frames = nine.map(([x, y]) => {
      // The angle between two directions whose tangents are given.
      const [a, b] = [
        [Math.tan(x * rad), Math.tan(y * rad), 1],
        [Math.tan(camera.x * rad), Math.tan(camera.y * rad), 1],
      ] as const;
      const dot = a[0] * b[0] + a[1] * b[1] + 1;
      const angle = Math.acos(Math.min(1, dot / Math.hypot(...a) / Math.hypot(...b))) / rad;
      return { ellipse: seen(angle), gaze: { x, y } };
    });
    const found = cameraDirection(frames);
    expect(found.x).to.be.closeTo(camera.x, 0.1);
    expect(found.y).to.be.closeTo(camera.y, 0.1);
    expect(found.residual).to.be.below(1e-4);
    refused(() => cameraDirection(frames.slice(0, 4)), /at least 5/);
    refused(() => cameraDirection(frames.map((one) => ({ ...one, gaze: { x: 1, y: 1 } }))), /spread/);
  });
});
