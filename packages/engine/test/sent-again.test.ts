// Left out of npm test, unless it is named.
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { long } from '../../server/test/support/long.ts';
import { DETAIL_BYTES, frameDetailOf } from '../src/series/frames/frame-detail.ts';
import { hashWords, MOVED_LIMIT, movedDistance } from '../src/series/frames/hash-distance.ts';
import { sameFrameQuery, samePictureQuery } from '../src/series/frames/same-picture.ts';
import { IMAGE_SIDE } from '../src/stages/hash-cells.ts';
import type { PerceptualHash } from '../src/types.ts';
import { drawnFace, PERSONS, type PersonName } from './drawn/drawn-face.ts';
import { headOf, photograph } from './drawn/drawn-head.ts';
import { changed, changeNames } from './support/changed.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';
import { uneven } from './support/uneven.ts';

const people = Object.keys(PERSONS) as PersonName[];

const engine = await sharedEngine();

const look = (picture: Uint8Array) => faceIn(engine, picture, ['mesh', 'perceptualHash']);

const print = async (picture: Uint8Array) => (await look(picture)).perceptualHash!;
/** As the search of remembered frames decides: whether small moves bring the hashes together, then by the detail. */
const finds = (probe: PerceptualHash, { bits, image }: PerceptualHash) =>
  [false, true].some((mirrored) => movedDistance(probe.image, mirrored)(hashWords(bits)) <= MOVED_LIMIT) &&
  sameFrameQuery(probe.image)({ bits, detail: frameDetailOf(image) });

/** Through a lens: the edges of a drawing are sharper than those of any photograph. */
const photographed = (drawing: Uint8Array) => sharp(drawing).blur(2).jpeg({ quality: 95 }).toBuffer();

describe('a frame that is sent again', () => {
  it('is recognised after re-encoding, 9 of 10', async () => {
    const lost: string[] = [];
    let all = 0;
    for (const [p, person] of people.entries()) {
      const picture = await photographed(await uneven(await drawnFace({ person })));
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

describe('a query', () => {
  const plane = IMAGE_SIDE * IMAGE_SIDE;
  const view = (luma: Uint8Array) => ({ luma, inside: new Uint8Array(plane).fill(1) });
  const noise = (seed: number) => Uint8Array.from({ length: plane }, (_, i) => (i * 7919 * (seed + 1)) % 251);

  it('takes hashes of 128 bytes and details of 2,592 bytes only', () => {
    const query = sameFrameQuery(view(noise(1)));
    for (const bytes of [0, 127, 129]) {
      const trace = { bits: new Uint8Array(bytes), detail: new Uint8Array(DETAIL_BYTES) };
      expect(() => query(trace)).toThrow(RangeError);
    }
    for (const bytes of [0, DETAIL_BYTES - 1]) {
      expect(() => samePictureQuery(view(noise(1))).isSamePicture(new Uint8Array(bytes))).toThrow(RangeError);
    }
  });

  it('matches neither an empty image nor noise', () => {
    const grey = fc.integer({ min: 0, max: 255 });
    const any = fc.uint8Array({ minLength: DETAIL_BYTES, maxLength: DETAIL_BYTES });
    fc.assert(
      fc.property(any, grey, (detail, value) => {
        const flat = view(new Uint8Array(plane).fill(value));
        expect(samePictureQuery(flat).isSamePicture(detail)).toBe(false);
        expect(samePictureQuery(flat).isSamePicture(frameDetailOf(flat))).toBe(false);
        expect(samePictureQuery(view(noise(value))).isSamePicture(detail)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });
});
