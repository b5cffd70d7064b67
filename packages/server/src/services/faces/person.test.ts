import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../test/support/requests.ts';
import { openStand } from '../../../test/support/stand.ts';

const facegalleryId = 'people@trial';
const of = (userId: string) => ({ facegalleryId, userId });

const stand = await openStand({ WAJAH_KEEP_FACE_CROPS: 'true' });
const caller = stand.caller('people');
await stand.services.clients.register(caller);

const enrol = async (userId: string, picture: Promise<Buffer>, append = false) =>
  stand.enrol(caller, userId, 'Ani', await base64(picture), { append });
const describeUser = (userId: string) => stand.services.faces.describe(caller, of(userId));
const rename = (userId: string, userName: string) =>
  stand.services.faces.rename(caller, { ...of(userId), userName });

describe('a person', () => {
  it('is described by name, times and number of pictures', async () => {
    await enrol('u1', drawnFace({ person: 'ani' }));
    await enrol('u1', drawnFace({ person: 'ani', tilt: 8 }), true);
    const { face, pictures } = await describeUser('u1');
    expect([face.userName, pictures]).toEqual(['Ani', 2]);
    expect(face.updatedAt.getTime()).toBeGreaterThanOrEqual(face.createdAt.getTime());
  });

  it('has the new name everywhere, with the same pictures, after a change of the name', async () => {
    const image = await base64(drawnFace({ person: 'ani' }));
    const identify = async () =>
      (await stand.services.recognition.identify(caller, { facegalleryId, image })).people[0];
    const before = await identify();
    const crop = await stand.services.facePictures.crop(caller, of('u1'));
    await rename('u1', 'Ani Lestari');
    const { face, pictures } = await describeUser('u1');
    expect([face.userName, pictures]).toEqual(['Ani Lestari', 2]);
    expect(await identify()).toEqual({ ...before, userName: 'Ani Lestari' });
    expect(await stand.services.facePictures.crop(caller, of('u1'))).toEqual(crop);
    expect(stand.eventNames()).toContain('face_changed');
  });

  it('must be enrolled', async () => {
    const missing = { status: 'userNotFound' };
    await expect(describeUser('nobody')).rejects.toMatchObject(missing);
    await expect(rename('nobody', 'Nobody')).rejects.toMatchObject(missing);
  });

  it('is enrolled with the largest of several faces, and the answer says which and of how many', async () => {
    const faces = [
      { person: 'budi', x: 180, y: 240, size: 200 },
      { person: 'ani', x: 520, y: 240, size: 320 },
    ] as const;
    const { found, face } = await enrol('u2', drawnPicture({ width: 760, height: 480, faces: [...faces] }));
    expect(found).toBe(2);
    expect(face.box.x + face.box.width / 2).toBeCloseTo(520, -2);
  });
});
