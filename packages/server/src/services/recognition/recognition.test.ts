import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { openTestEngine } from '../../../../engine/test/support/shared-engine.ts';
import { base64, enrolDefaults } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';

const facegalleryId = 'acme@trial';

const stand = await openStand();
const acme = await stand.registered('acme');
const ani = await base64(drawnFace({ person: 'ani' }));
const budi = await base64(drawnFace({ person: 'budi' }));
const nobody = await base64(drawnPicture({ width: 300, height: 300, faces: [] }));
await stand.enrol(acme, 'u1', 'Ani', ani);
await stand.enrol(acme, 'u2', 'Budi', budi);

describe('verification', () => {
  const verify = (userId: string, image: string, gallery = facegalleryId) =>
    stand.services.recognition.verify(acme, { facegalleryId: gallery, userId, image });

  it('checks gallery and user before the picture, and refuses a picture by its fault', async () => {
    await expect(verify('u1', '*', 'nowhere')).rejects.toMatchObject({ status: 'galleryNotFound' });
    await expect(verify('u9', '*')).rejects.toMatchObject({ status: 'userNotFound' });
    await expect(verify('u1', '*')).rejects.toMatchObject({ status: 'imageBase64' });
    await expect(verify('u1', nobody)).rejects.toMatchObject({ status: 'faceNotDetected' });
    const tiny = await base64(
      drawnPicture({ width: 300, height: 300, faces: [{ x: 150, y: 150, size: 62 }] }),
    );
    await expect(verify('u1', tiny)).rejects.toMatchObject({
      status: 'faceTooSmall',
      detail: expect.stringMatching(/^image: the face is 3\d px, the minimum is 40 px/),
    });
  });

  it('takes the largest of several faces', async () => {
    const faces = [
      { person: 'budi', x: 560, y: 200, size: 180 },
      { person: 'ani', x: 260, y: 300, size: 380 },
    ] as const;
    const image = await base64(drawnPicture({ width: 720, height: 640, faces }));
    expect(await verify('u1', image)).toMatchObject({ verified: true });
    expect(await verify('u2', image)).toMatchObject({ verified: false });
  });

  it('ends when the caller disconnects', async () => {
    const gone = stand.caller('acme', AbortSignal.abort());
    await expect(
      stand.services.recognition.verify(gone, { facegalleryId, userId: 'u1', image: ani }),
    ).rejects.toMatchObject({ name: 'EngineError', code: 'aborted' });
  });
});

describe('identification', () => {
  const identify = async (image: string, topK = 1, gallery = facegalleryId) =>
    (await stand.services.recognition.identify(acme, { facegalleryId: gallery, image, topK })).people;

  it('in an empty gallery finds nobody, but analyses the picture', async () => {
    await stand.services.galleries.create(acme, { facegalleryId: 'empty', requireLiveness: false });
    await expect(identify(ani, 1, 'empty')).rejects.toMatchObject({
      status: 'notRecognized',
      detail: expect.stringContaining('nobody is enrolled'),
      fields: { return: [] },
    });
    await expect(identify(nobody, 1, 'empty')).rejects.toMatchObject({ status: 'faceNotDetected' });
  });

  it('uses a higher threshold than verification', async () => {
    // So low that another person is verified: drawn faces are either almost equal or clearly different.
    const strict = await openStand({ WAJAH_IDENTIFY_FPIR: '0.000001', WAJAH_THRESHOLD: '0.1' });
    const { services, caller } = strict;
    const client = caller('acme');
    await services.clients.register(client);
    await strict.enrol(client, 'u2', 'Budi', budi);
    const probe = { facegalleryId, image: ani };
    const verified = await services.recognition.verify(client, { ...probe, userId: 'u2' });
    expect(verified).toMatchObject({ verified: true });
    await expect(services.recognition.identify(client, { ...probe, topK: 1 })).rejects.toMatchObject({
      status: 'notRecognized',
      detail: expect.stringContaining(`${formatSimilarity(verified.similarity)}, the threshold 0.9999`),
    });
  });

  it('does not fail nor return a removed user while users are enrolled and removed', async () => {
    await stand.services.galleries.create(acme, { facegalleryId: 'door', requireLiveness: false });
    const face = { facegalleryId: 'door', userId: 'u1', userName: 'Ani', image: ani, ...enrolDefaults };
    const comeAndGo = async () => {
      for (let round = 0; round < 4; round++) {
        await stand.services.enrolment.enrol(acme, face);
        await stand.services.faces.remove(acme, { facegalleryId: 'door', userId: 'u1' });
      }
    };
    const look = async () => {
      for (let round = 0; round < 6; round++) {
        const [outcome] = await Promise.allSettled([identify(ani, 1, 'door')]);
        if (outcome?.status === 'fulfilled')
          expect(outcome.value).toMatchObject([{ userId: 'u1', confidence: 1 }]);
        else expect(outcome?.reason).toMatchObject({ status: 'notRecognized' });
      }
    };
    await Promise.all([comeAndGo(), look(), look()]);
    await expect(identify(ani, 1, 'door')).rejects.toMatchObject({ status: 'notRecognized' });
  });
});

it('templates of another model pack are never compared', async () => {
  const other = { ...stand.deps.engine.embeddingSpec, version: '0.0.1' };
  await stand.services.galleries.create(acme, { facegalleryId: 'old', requireLiveness: false });
  const gallery = await stand.deps.store.galleries.get('acme', 'old');
  const template = stand.deps.vault.gallery(gallery!).seal('u1', new Float32Array(other.dimensions));
  const row = { userId: 'u1', userName: 'Ani', template, embeddingSpec: JSON.stringify(other) };
  await stand.deps.store.faces.put(gallery!.id, row, false);
  const { recognition, enrolment, liveness } = stand.services;
  const user = { facegalleryId: 'old', userId: 'u1' };
  for (const call of [
    () => recognition.verify(acme, { ...user, image: ani }),
    () => recognition.identify(acme, { facegalleryId: 'old', image: ani, topK: 1 }),
    () => enrolment.enrol(acme, { ...user, userId: 'u2', userName: 'Ani', image: ani, ...enrolDefaults }),
    () => liveness.single(acme, { ...user, image: ani, faceParameters: {} }),
  ]) {
    await expect(call()).rejects.toMatchObject({
      status: 'denied',
      detail: expect.stringContaining(`${other.pack} 0.0.1`),
    });
  }
});

it('a server that is draining refuses each call as busy, and writes nothing', async () => {
  const draining = await openStand({}, { engine: await openTestEngine() });
  const { services, caller, deps } = draining;
  const client = caller('acme');
  await services.clients.register(client);
  await deps.accounts.setQuota('acme', { faces: 100_000 });
  await deps.engine.close();
  const face = { facegalleryId, userId: 'u1', userName: 'Ani', image: ani };
  const item = {
    image: ani,
    faceParameter: 'eyes open',
    spoofDetection: true,
    faceVerification: true,
  } as const;
  for (const call of [
    () => services.recognition.identify(client, { facegalleryId, image: ani, topK: 1 }),
    () => services.recognition.compare(client, { sourceImage: ani, targetImage: ani }),
    () => services.enrolment.enrol(client, { ...face, ...enrolDefaults }),
    () => services.enrolment.enrolWithCard(client, { ...face, ktpImage: ani }),
    () => services.liveness.single(client, { image: ani, faceParameters: {} }),
    () => services.liveness.batch(client, { batch: [item, item] }),
  ]) {
    await expect(call()).rejects.toMatchObject({ status: 'busy' });
  }
  expect(await services.clients.counters(client)).toMatchObject({ faces: 100_000 });
});

describe('the threshold of a gallery', () => {
  it("applies to similarities of the gallery's own calibration curve", async () => {
    const { galleries } = stand.deps.store;
    const { embeddingSpec: contract } = stand.deps.engine;
    const curve = {
      pack: 'builtin',
      evidence: {},
      knots: [
        [-1, 0],
        [1, -0.8],
      ],
    };
    await galleries.updateSettings('acme', facegalleryId, { curve: JSON.stringify({ contract, curve }) });
    const budiAsAni = { facegalleryId, userId: 'u1', image: budi };
    const { similarity } = await stand.services.recognition.verify(acme, budiAsAni);
    expect(similarity).toBeGreaterThan(0.3);
    expect(similarity).toBeLessThan(0.35);
    const other = { contract: { ...contract, version: '0' }, curve };
    await galleries.updateSettings('acme', facegalleryId, { curve: JSON.stringify(other) });
    const usual = await stand.services.recognition.verify(acme, budiAsAni);
    expect(usual.similarity).not.toBe(similarity);
    await galleries.updateSettings('acme', facegalleryId, { curve: null });
  });
});
