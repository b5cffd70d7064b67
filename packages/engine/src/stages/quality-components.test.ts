import { describe, expect, it } from 'vitest';
import { sampler } from '../imaging/sampler.ts';
import type { Pose, QualityComponentName } from '../types.ts';
import { type Mesh, OUTLINE } from './mesh/mesh.ts';
import { qualityComponents } from './quality-components.ts';

const SIDE = 616;
const FRONTAL: Pose = { yaw: 0, pitch: 0, roll: 0 };
/** Points where the aligned face image has them: eyes 113 apart, chin 188 below, lids 10 and lips 4 apart. */
const POINTS: Readonly<Record<number, readonly [number, number]>> = {
  33: [231, 272],
  133: [271, 272],
  362: [344, 272],
  263: [384, 272],
  1: [308, 336],
  61: [262, 402],
  291: [355, 402],
  13: [308, 400],
  14: [308, 404],
  152: [307.5, 460],
  159: [251, 267],
  145: [251, 277],
  386: [364, 267],
  374: [364, 277],
};

function mesh(): Mesh {
  const points = new Float32Array(468 * 3);
  OUTLINE.forEach((index, i) => {
    const angle = (2 * Math.PI * i) / OUTLINE.length;
    points.set([308 + 110 * Math.cos(angle), 340 + 110 * Math.sin(angle), 0], index * 3);
  });
  for (const [index, [x, y]] of Object.entries(POINTS)) points.set([x, y, 0], Number(index) * 3);
  return { points, score: 1 };
}

type Colour = readonly [number, number, number];
const grey = (level: number): Colour => [level, level, level];

/** Components of a picture whose left and right halves have one colour each. */
function measure(left: Colour, right: Colour = left, pose = FRONTAL, faces = [box(100)]) {
  const pixels = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) pixels.set(i % SIDE < SIDE / 2 ? left : right, 3 * i);
  const size = { keptWidth: SIDE, keptHeight: SIDE, width: SIDE, height: SIDE, scale: 1 };
  const from = sampler({ pixels, ...size });
  const all = qualityComponents(from, { mesh: mesh(), pose, faces });
  return (name: QualityComponentName) => {
    const { native, score } = all.find((one) => one.name === name)!;
    return [native, score];
  };
}

const box = (side: number) => ({ x: 0, y: 0, width: side, height: side });
const near = (value: number, digits = 2) => expect.closeTo(value, digits);

describe('light', () => {
  it('mean, variance and entropy of two levels are what the formulas give by hand', () => {
    // sRGB 60 is 0.0452 in linear light, level 12; 200 is 0.578, level 147.
    const seen = measure(grey(60), grey(200));
    expect(seen('luminance_mean')).toEqual([near((0.5 * (12 + 147)) / 255), 90]);
    expect(seen('luminance_variance')).toEqual([near(((147 - 12) / 510) ** 2), 57]);
    expect(seen('dynamic_range')).toEqual([near(1, 4), 12]);
    expect(seen('under_exposure_prevention')).toEqual([near(0.5, 1), 100]);
    expect(seen('over_exposure_prevention')).toEqual([0, 100]);
    expect(seen('illumination_uniformity')).toEqual([0, 0]);
  });

  it('a uniform face has even light and no dynamic range', () => {
    const seen = measure(grey(180));
    expect(seen('illumination_uniformity')).toEqual([1, 100]);
    expect(seen('luminance_variance')).toEqual([near(0, 6), 0]);
    expect(seen('dynamic_range')).toEqual([near(0, 6), 0]);
  });

  it('dark and overexposed faces lower their component', () => {
    expect(measure(grey(20))('under_exposure_prevention')).toEqual([near(1, 6), 0]);
    expect(measure(grey(20))('luminance_mean')[1]).toBeLessThan(5);
    expect(measure(grey(255))('over_exposure_prevention')).toEqual([near(1, 6), 1]);
    expect(measure(grey(255), grey(180))('over_exposure_prevention')).toEqual([near(0.5, 1), 2]);
  });
});

it('natural colour is the distance from the range of skin', () => {
  expect(measure([200, 150, 125])('natural_colour')).toEqual([0, 100]);
  expect(measure(grey(128))('natural_colour')).toEqual([0, 100]);
  expect(measure([90, 120, 220])('natural_colour')).toEqual([100, 0]);
  const [native, score] = measure([255, 90, 90])('natural_colour');
  expect(native).toBeGreaterThan(20);
  expect(score).toBeLessThan(30);
});

it('position and resolution are distances over those of eyes and chin', () => {
  const seen = measure(grey(128));
  expect(seen('inter_eye_distance')).toEqual([113, 90]);
  expect(measure(grey(128), grey(128), { ...FRONTAL, yaw: 60 })('inter_eye_distance')[0]).toBeCloseTo(226, 3);
  expect(seen('head_size')).toEqual([near(188 / 616), 10]);
  expect(seen('leftward_crop_of_the_face_image')).toEqual([near(251 / 113), 100]);
  expect(seen('rightward_crop_of_the_face_image')).toEqual([near(252 / 113), 100]);
  expect(seen('margin_above_of_the_face_image')).toEqual([near(272 / 188), 61]);
  expect(seen('margin_below_of_the_face_image')).toEqual([near(344 / 188), 57]);
  expect(seen('eyes_open')).toEqual([near(10 / 188, 4), 97]);
  expect(seen('mouth_closed')).toEqual([near(4 / 188, 4), 95]);
});

it('a second face lowers single face present by its area, a turned head its angle', () => {
  const [native, score] = measure(grey(128), grey(128), FRONTAL, [box(50), box(100)])('single_face_present');
  expect([native, score]).toEqual([0.25, 75]);
  const turned = measure(grey(128), grey(128), { yaw: -60, pitch: 30, roll: 100 });
  expect(turned('head_pose_yaw')).toEqual([-60, 25]);
  expect(turned('head_pose_pitch')).toEqual([30, 75]);
  expect(turned('head_pose_roll')).toEqual([100, 0]);
});
