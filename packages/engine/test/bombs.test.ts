import { beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../server/test/support/long.ts';
import type { AnalyzeRequest, Engine } from '../src/types.ts';
import { acceptedBombs, ordinaryPhoto, otherFormats, refusedBombs } from './support/bombs/bombs.ts';
import { sharedEngine } from './support/shared-engine.ts';

/** What most calls ask of a picture. */
const request: AnalyzeRequest = { attributes: ['embedding', 'mask'], maxFaces: 1, search: 'fast' };

let engine: Engine;

beforeAll(async () => {
  engine = await sharedEngine();
});

describe('other formats are refused by their names', () => {
  for (const [name, make] of Object.entries(otherFormats)) {
    it(name, async () => {
      await expect(engine.analyze(await make(), request)).rejects.toMatchObject({ code: 'imageType' });
    });
  }
});

describe.runIf(long)('no file within the limits takes more than 10 × a photo of 12 megapixels', () => {
  let photo: number;
  // How much deflated data holds is known only when it is inflated: 9 to 13 times a photo were measured.
  const hidden = ['surplus pixel data', 'text chunks of 2 GB'];

  /** Processor time of this process, as other programs share the machine; the least of a few runs. Milliseconds. */
  async function cost(picture: Uint8Array, repeats: number): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < repeats; run++) {
      const before = process.cpuUsage();
      await engine.analyze(picture, request).catch(() => undefined);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  }

  beforeAll(async () => {
    photo = await cost(await ordinaryPhoto(), 5);
  });

  const refused = Object.entries(refusedBombs).map(([name, [, make]]) => [name, make] as const);
  for (const [name, make] of [...refused, ...Object.entries(acceptedBombs)]) {
    it(name, async () => {
      const bytes = await make();
      expect(bytes.length).toBeLessThan(10 << 20);
      const ratio = (await cost(bytes, 2)) / photo;
      console.log(`${name}: ${ratio.toFixed(1)} × a photo of 12 megapixels`);
      expect(ratio).toBeLessThan(hidden.includes(name) ? 20 : 10);
    });
  }
});
