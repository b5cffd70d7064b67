import { describe, expect, it } from 'vitest';
import { EngineError } from '../src/errors.ts';
import type { AnalyzeRequest } from '../src/types.ts';
import { acceptedBombs, ordinaryPhoto, otherFormats } from './support/bombs/bombs.ts';
import { sharedEngine } from './support/shared-engine.ts';

/** What most calls ask of a picture. */
const request: AnalyzeRequest = { attributes: ['embedding', 'mask'], maxFaces: 1, search: 'fast' };

const engine = await sharedEngine();

describe('other formats are refused by their names', () => {
  for (const [name, make] of Object.entries(otherFormats)) {
    it(name, async () => {
      await expect(engine.analyze(await make(), request)).rejects.toMatchObject({ code: 'imageType' });
    });
  }
});

describe('within the limits', () => {
  /** Processor time of this process, milliseconds. */
  async function cost(picture: Uint8Array): Promise<number> {
    const before = process.cpuUsage();
    await engine.analyze(picture, request).catch((error: unknown) => {
      if (!(error instanceof EngineError && error.code === 'imageBroken')) throw error;
    });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  for (const [name, make] of Object.entries(acceptedBombs)) {
    // The most is 20 times, see `npm run bench bombs`. A test only notices what is far beyond it on a busy machine.
    it(`${name}: analysed or refused, and not out of all proportion`, async () => {
      const bytes = await make();
      expect(bytes.length).toBeLessThan(10 << 20);
      const photo = await ordinaryPhoto();
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 5 && least > 60; run++) {
        const ordinary = await cost(photo);
        least = Math.min(least, (await cost(bytes)) / ordinary);
      }
      expect(least).toBeLessThan(60);
    });
  }
});
