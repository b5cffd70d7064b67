import { expect, it } from 'vitest';
import { drawnFace } from './drawn/drawn-face.ts';
import { sharedEngine } from './support/shared-engine.ts';

const engine = await sharedEngine();

const states = ['open', 'closed'] as const;
const combinations = (['ani', 'budi', 'citra', 'darma'] as const).flatMap((person) =>
  states.flatMap((leftEye) =>
    states.flatMap((rightEye) => states.map((mouth) => ({ person, leftEye, rightEye, mouth }))),
  ),
);

it.each(combinations)('$person: left eye $leftEye, right eye $rightEye, mouth $mouth', async (drawn) => {
  const picture = await drawnFace(drawn);
  const request = { attributes: ['eyes', 'mouth'], maxFaces: 1, search: 'fast' } as const;
  const [face] = (await engine.analyze(picture, request)).faces;
  expect(face).toMatchObject({
    eyes: { left: { state: drawn.leftEye }, right: { state: drawn.rightEye } },
    mouth: { state: drawn.mouth },
  });
});
