import { describe, expect, it } from 'vitest';
import { newGallery, openStore } from '../../../test/support/store.ts';
import { OperatorError } from '../../errors.ts';
import { serverCalibration } from '../recognition/calibration.ts';
import { createGalleryAdministration } from './gallery-administration.ts';

const contract = {
  ...{ pack: 'p', version: '1', embedder: 'e' },
  ...{ alignment: 'a', dimensions: 4, normalisation: 'l2' },
};
const curve = {
  pack: 'p',
  evidence: {},
  knots: [
    [0, 0],
    [1, -6],
  ],
};
const calibration = JSON.stringify({ contract, curve });

describe('the administration of galleries', () => {
  it('sets a threshold, and refuses an invalid one or an unknown gallery', async () => {
    const store = openStore();
    await newGallery(store);
    const galleries = createGalleryAdministration(store);
    await galleries.setThreshold('alice', 'main', 0.9);
    expect(await galleries.list('alice')).toMatchObject([{ galleryId: 'main', threshold: 0.9 }]);
    for (const wrong of [
      () => galleries.setThreshold('alice', 'main', 1.5),
      () => galleries.setThreshold('alice', 'other', 0.5),
      () => galleries.setThreshold('bob', 'main', 0.5),
      () => galleries.list('bob'),
    ]) {
      await expect(wrong()).rejects.toBeInstanceOf(OperatorError);
    }
  });

  it('installs a calibration for one gallery or for the server, and removes it', async () => {
    const store = openStore();
    await newGallery(store);
    const galleries = createGalleryAdministration(store);
    await galleries.installCalibration('alice', 'main', calibration);
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ curve: calibration });
    expect(await serverCalibration(store.meta)).toBeUndefined();
    await galleries.installCalibration(null, null, calibration);
    expect(await serverCalibration(store.meta)).toEqual({ contract, curve });
    await galleries.installCalibration(null, null, null);
    expect(await serverCalibration(store.meta)).toBeUndefined();
    await expect(galleries.installCalibration('alice', 'other', null)).rejects.toThrow(/no gallery/);
  });
});
