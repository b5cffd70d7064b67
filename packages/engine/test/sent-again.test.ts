import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../server/test/support/long.ts';
import { IMAGE_SIDE } from '../src/series/hash-cells.ts';
import { perceptualHashQuery } from '../src/series/perceptual-hash-query.ts';
import type { Engine, PerceptualHash } from '../src/types.ts';
import { drawnFace, PERSONS, type PersonName } from './drawn/drawn-face.ts';
import { headOf, photograph } from './drawn/drawn-head.ts';
import { changed, changeNames } from './support/changed.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';
import { uneven } from './support/uneven.ts';

const people = Object.keys(PERSONS) as PersonName[];

let engine: Engine;
beforeAll(async () => {
  engine = await sharedEngine();
});

const look = (picture: Uint8Array) => faceIn(engine, picture, ['mesh', 'perceptualHash']);

const print = async (picture: Uint8Array) => (await look(picture)).perceptualHash!;
const finds = (probe: PerceptualHash, remembered: PerceptualHash) =>
  perceptualHashQuery(probe.image).isSameFrame(remembered.bits);

describe('a frame that is sent again', () => {
  it('is recognised after re-encoding, 9 of 10', async () => {
    const lost: string[] = [];
    let all = 0;
    for (const [p, person] of people.entries()) {
      const picture = await uneven(await drawnFace({ person }));
      const remembered = await print(picture);
      // Every other change of each person, all of them in the long run.
      for (const change of changeNames.filter((_, i) => long || (i + p) % 2 === 0)) {
        all++;
        const other = await changed(picture, change);
        if (!finds(await print(other), remembered)) lost.push(`${person} ${change}`);
      }
    }
    console.info(`not seen again: ${lost.join(', ') || 'none'} of ${all}`);
    expect(lost.length / all).toBeLessThanOrEqual(0.1);
  });

  it('is not found in another frame of the same person', async () => {
    const drawn = async (how: object) => uneven(await drawnFace({ person: 'darma', ...how }));
    const picture = await drawn({});
    const head = await headOf(picture, (await look(picture)).mesh!);
    const prints: PerceptualHash[] = [];
    for (const way of [{}, { yaw: 14 }, { pitch: 14 }, { yaw: -14 }]) {
      prints.push(await print(await photograph(head, way)));
    }
    const [blink, gape] = [
      await print(await drawn({ leftEye: 'closed', rightEye: 'closed' })),
      await print(await drawn({ mouth: 'open' })),
    ];
    const all = [...prints, blink, gape];
    for (const [i, a] of all.entries()) {
      for (const [j, b] of all.entries()) expect([i, j, finds(a, b)]).toEqual([i, j, i === j]);
    }
  });
});

describe('a probe', () => {
  const plane = IMAGE_SIDE * IMAGE_SIDE;
  const view = (luma: Uint8Array) => ({ luma, inside: new Uint8Array(plane).fill(1) });

  it('takes hashes of 128 bytes only', () => {
    const probe = perceptualHashQuery(view(new Uint8Array(plane)));
    for (const bytes of [0, 127, 129]) {
      expect(() => probe.isSameFrame(new Uint8Array(bytes))).toThrow(RangeError);
    }
  });

  it('matches neither an empty image nor noise', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 128, maxLength: 128 }),
        fc.integer({ min: 0, max: 255 }),
        (bits, grey) => {
          expect(perceptualHashQuery(view(new Uint8Array(plane).fill(grey))).isSameFrame(bits)).toBe(false);
          const noise = Uint8Array.from({ length: plane }, (_, i) => (i * 7919 * (grey + 1)) % 251);
          expect(perceptualHashQuery(view(noise)).isSameFrame(bits)).toBe(false);
        },
      ),
      { numRuns: 20 },
    );
  });
});
