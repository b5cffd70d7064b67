import { endpoints } from '@wajah/contract';
import { SPOOF_THRESHOLD } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { hasPadFiles, openPadEngine } from '../../../../engine/test/support/pad-pack.ts';
import { drawPictures, startTestApp } from '../../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);
const client = await server.client({ hits: 100_000 });
const drawn = await drawnPicture({
  width: 900,
  height: 500,
  faces: [
    { person: 'budi', x: 200, y: 250, size: 150 },
    { person: 'ani', x: 600, y: 250, size: 300 },
  ],
});
const two = drawn.toString('base64');

const detect = (fields: object) =>
  server.call(client.diagnosticsToken, endpoints.detectFaces, { image: two, ...fields });

describe('detect-faces', () => {
  it('returns every attribute of each face, the largest first, in pixels of the picture', async () => {
    const { body } = await detect({});
    expect(body).toMatchObject({ status: '200', found: 2, image: { width: 900, height: 500 } });
    const [ani, budi] = body.faces;
    expect(ani.box.width).toBeGreaterThan(budi.box.width);
    const middle = ani.box.x + ani.box.width / 2;
    expect(middle).toBeGreaterThan(550);
    expect(middle).toBeLessThan(650);
    for (const name of ['roll', 'pitch', 'yaw', 'left_eye', 'right_eye_score', 'mouth', 'masker']) {
      expect(ani).toHaveProperty(name);
    }
    expect(body.spoof_threshold).toBe(SPOOF_THRESHOLD);
    // Without PAD networks nothing is known of a presentation, and what nobody judged does not pass.
    expect(ani).toMatchObject({ is_spoof: true, spoof_score: 0.5, spoof_cues: [] });
    expect(ani.quality.map(({ rule }: { rule: string }) => rule)).toContain('sharpness');
    for (const { ok, reason } of ani.quality) expect(reason === undefined).toBe(ok);
    expect(ani).not.toHaveProperty('landmarks');
  });

  it.skipIf(!hasPadFiles)('returns what each kind of networks says', async () => {
    const engine = await openPadEngine();
    const own = await startTestApp({}, { engine });
    const { diagnosticsToken } = await own.client();
    const { body } = await own.call(diagnosticsToken, endpoints.detectFaces, { image: two });
    for (const { is_spoof, spoof_score, spoof_cues } of body.faces) {
      expect(is_spoof).toBe(spoof_score >= body.spoof_threshold);
      expect(spoof_cues.map(({ name }: { name: string }) => name)).toEqual(['near', 'close']);
    }
    await engine.close();
  });

  it('has spoof figures only with the scope diagnostics', async () => {
    const { body } = await client.call(endpoints.detectFaces, { image: two });
    expect(body.status).toBe('200');
    expect(body.faces[0]).toHaveProperty('yaw');
    expect(JSON.stringify(body)).not.toMatch(/spoof/);
  });

  it('refuses to name spoof without the scope diagnostics: nothing is left out without a word', async () => {
    const { http, body } = await client.call(endpoints.detectFaces, {
      image: two,
      attributes: ['spoof', 'pose'],
    });
    expect(http).toBe(403);
    expect(body).toMatchObject({
      status: '403',
      error: 'attributeScope',
      params: { attribute: 'spoof', scope: 'diagnostics' },
    });
    expect(body.detail).toMatch(/^attributes: spoof .*diagnostics/);
    expect((await detect({ attributes: ['spoof'] })).body.faces[0]).toHaveProperty('spoof_score');
  });

  it('computes only the requested attributes', async () => {
    const { body } = await detect({ attributes: ['pose'] });
    expect(Object.keys(body.faces[0]).sort()).toEqual(['box', 'pitch', 'roll', 'score', 'yaw']);
    expect(body).not.toHaveProperty('spoof_threshold');
    const boxes = await detect({ attributes: [] });
    expect(Object.keys(boxes.body.faces[0]).sort()).toEqual(['box', 'score']);
    const words = await detect({ attributes: 'mask, eyes' });
    expect(words.body.faces[0]).toMatchObject({ masker: false, left_eye: 'open' });
    expect(words.body.faces[0]).not.toHaveProperty('yaw');
  });

  it("returns five landmarks by the person's own sides, or the mesh", async () => {
    const five = await detect({ attributes: [], landmarks: 'five' });
    const { box, landmarks } = five.body.faces[0];
    // The own left is at the right of the picture.
    expect(landmarks.left_eye.x).toBeGreaterThan(landmarks.right_eye.x);
    expect(landmarks.mouth_left.x).toBeGreaterThan(landmarks.mouth_right.x);
    expect(landmarks.nose.y).toBeGreaterThan(landmarks.left_eye.y);
    const mesh = (await detect({ attributes: [], landmarks: 'mesh' })).body.faces[0].landmarks;
    expect(mesh).toHaveLength(468);
    for (const [x, y] of mesh) {
      expect(x).toBeGreaterThan(box.x - box.width);
      expect(x).toBeLessThan(box.x + 2 * box.width);
      expect(y).toBeGreaterThan(box.y - box.height);
      expect(y).toBeLessThan(box.y + 2 * box.height);
    }
  });

  it('returns at most the requested number of faces, and the number found', async () => {
    const { body } = await detect({ attributes: [], max_faces: '1' });
    expect([body.faces.length, body.found]).toEqual([1, 2]);
  });

  it('finds small faces of a large picture if it searches its parts', async () => {
    const drawn = await drawnPicture({
      width: 2400,
      height: 1600,
      faces: [
        { person: 'ani', x: 600, y: 800, size: 700 },
        { person: 'budi', x: 2100, y: 300, size: 90 },
      ],
    });
    const image = drawn.toString('base64');
    const found = async (thorough: boolean) => (await detect({ image, attributes: [], thorough })).body.found;
    expect(await found(true)).toBe(2);
    expect(await found(false)).toBe(1);
  });

  it('refuses a picture without a face', async () => {
    expect(await detect({ image: pictures.nobody })).toMatchObject({ http: 422, body: { status: '412' } });
  });

  it('costs one hit and stores nothing of the face', async () => {
    const left = async () => (await client.call(endpoints.getCounters)).body.remaining_limit;
    const before = await left();
    await detect({});
    expect(await left()).toEqual({ ...before, n_api_hits: before.n_api_hits - 1 });
  });
});
