import sharp from 'sharp';
import { expect, it } from 'vitest';
import { boxAround } from '../../../test/drawn/painted.ts';
import { saved, scene } from '../../../test/support/saved.ts';
import { cueOf } from '../../../test/support/signal-of.ts';
import { compression } from './compression.ts';

const box = boxAround(240, 240, 260);

it('sees the grid of a strong compression', async () => {
  const plain = await cueOf(compression, scene, box);
  const strong = await cueOf(compression, await saved(scene, 40), box);
  expect(strong['jpeg-grid']! - plain['jpeg-grid']!).toBeGreaterThan(0.3);
});

it('sees an earlier compression whose grid lay elsewhere', async () => {
  const once = await cueOf(compression, await saved(scene, 92), box);
  const twice = await cueOf(compression, await saved(await saved(scene, 60), 92, 3), box);
  expect(twice['jpeg-shifted-grid']! - once['jpeg-shifted-grid']!).toBeGreaterThan(1);
});

it('sees an earlier compression with the same grid', async () => {
  const once = await cueOf(compression, await saved(scene, 85), box);
  const twice = await cueOf(compression, await saved(await saved(scene, 60), 85), box);
  expect(twice['jpeg-steps-again']! - once['jpeg-steps-again']!).toBeGreaterThan(0.2);
});

it('sees blur', async () => {
  const { data, width, height } = scene;
  const blurred = await sharp(data, { raw: { width, height, channels: 3 } })
    .blur(2)
    .raw()
    .toBuffer();
  const sharpOne = await cueOf(compression, scene, box);
  const soft = await cueOf(compression, { data: blurred, width, height }, box);
  expect(soft['blur-across']! - sharpOne['blur-across']!).toBeGreaterThan(0.2);
  expect(soft['blur-down']! - sharpOne['blur-down']!).toBeGreaterThan(0.2);
});
