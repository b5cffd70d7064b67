import { describe, expect, it } from 'vitest';
import { newGallery, openStore } from '../../test/support/store.ts';
import { OperatorError } from '../errors.ts';
import { serverCalibration } from '../services/galleries/calibration.ts';
import type { Store } from '../store/store.ts';
import type { OperationParts } from './command.ts';
import { createAdminOperations } from './table.ts';

const contract = {
  pack: 'p',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions: 4,
  normalisation: 'l2',
};
const curve = {
  pack: 'p',
  evidence: {},
  knots: [
    [0, 0],
    [1, -6],
  ],
};
const calibration = { contract, curve };
const server = { clientId: null, galleryId: null };
const main = { clientId: 'alice', galleryId: 'main' };

const operationsOn = (store: Store) =>
  createAdminOperations({ store, events: { administered: async () => null } } as unknown as OperationParts);

describe('operations on galleries', () => {
  it('sets a threshold, and refuses an invalid one or an unknown gallery', async () => {
    const store = openStore();
    await newGallery(store);
    const galleries = operationsOn(store);
    await galleries.setGalleryThreshold({ ...main, threshold: 0.9 });
    expect(await galleries.listGalleries({ clientId: 'alice' })).toMatchObject([
      { galleryId: 'main', threshold: 0.9 },
    ]);
    for (const wrong of [
      () => galleries.setGalleryThreshold({ ...main, threshold: 1.5 }),
      () => galleries.setGalleryThreshold({ ...main, galleryId: 'other', threshold: 0.5 }),
      () => galleries.setGalleryThreshold({ ...main, clientId: 'bob', threshold: 0.5 }),
      () => galleries.listGalleries({ clientId: 'bob' }),
    ]) {
      await expect(wrong()).rejects.toBeInstanceOf(OperatorError);
    }
  });

  it('installs a calibration for one gallery or for the server, and removes it', async () => {
    const store = openStore();
    await newGallery(store);
    const galleries = operationsOn(store);
    await galleries.installCalibration({ ...main, calibration });
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ curve: JSON.stringify(calibration) });
    expect(await serverCalibration(store.meta)).toBeUndefined();
    await galleries.installCalibration({ ...server, calibration });
    expect(await serverCalibration(store.meta)).toEqual({ contract, curve });
    await galleries.installCalibration({ ...server, calibration: null });
    expect(await serverCalibration(store.meta)).toBeUndefined();
    await expect(
      galleries.installCalibration({ ...main, galleryId: 'other', calibration: null }),
    ).rejects.toThrow(/no gallery/);
  });
});
