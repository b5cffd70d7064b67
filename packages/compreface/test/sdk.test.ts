import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CompreFace } from '@exadel/compreface-js-sdk';
import { expect, it, onTestFinished, vi } from 'vitest';
import { serveHttp } from '../../server/test/support/http-server.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { portOf, startCompreface } from './server.ts';

// The library has types for a part of its functions only.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Library = any;

it('the JavaScript SDK of CompreFace works unchanged', async () => {
  const compreface = await startCompreface();
  const pictures = await drawPictures();
  const folder = temporaryDirectory();
  for (const name of ['ani', 'aniAgain', 'budi', 'nobody'] as const)
    writeFileSync(join(folder, `${name}.jpg`), Buffer.from(pictures[name], 'base64'));
  /** Serves the folder: the library fetches pictures of URLs. */
  const files = await serveHttp((request, response) => {
    response.setHeader('Content-Type', 'image/jpeg').end(readFileSync(join(folder, request.url ?? '')));
  });
  /** The library takes a text for a path when it begins with a dot. */
  const pathOf = (name: string) => relative(process.cwd(), join(folder, name));
  const urlOf = (name: string) => `${files.url}/${name}`;
  const library: Library = new CompreFace('http://127.0.0.1', await portOf(compreface), { limit: 0 });
  // It prints its keys.
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());

  const service = library.initFaceRecognitionService(compreface.keys.recognition);
  // Its objects append to their own URL with each call.
  const [faces, subjects] = [() => service.getFaceCollection(), () => service.getSubjects()];
  expect(await subjects().add('cici')).toEqual({ subject: 'cici' });
  expect(await subjects().list()).toEqual({ subjects: ['cici'] });
  expect(await subjects().rename('cici', 'dedi')).toEqual({ updated: true });
  expect(await subjects().delete('dedi')).toEqual({ subject: 'dedi' });

  const added = await faces().add(pathOf('ani.jpg'), 'ani', { det_prob_threshold: 0.8 });
  const image_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(added).toEqual({ image_id, subject: 'ani' });
  const fromUrl = await faces().add(urlOf('aniAgain.jpg'), 'ani', {});
  const encoded = await faces().add(pictures.budi, 'budi', {});
  expect((await faces().list()).faces).toEqual([added, fromUrl, encoded]);

  const plugins = { face_plugins: 'mask,landmarks', status: 'true' };
  const options = { limit: 5, det_prob_threshold: 0.5, prediction_count: 2, ...plugins };
  for (const picture of [pathOf('aniAgain.jpg'), urlOf('aniAgain.jpg'), pictures.aniAgain]) {
    const { result, plugins_versions } = await service.recognize(picture, options);
    expect(result[0].subjects.map(({ subject }: { subject: string }) => subject)).toEqual(['ani', 'budi']);
    expect(result[0]).toMatchObject({ mask: { value: 'without_mask' }, landmarks: { length: 5 } });
    expect(plugins_versions).toHaveProperty('detector');
  }
  // Without a limit it sends several question marks.
  const verified = await faces().verify(pathOf('aniAgain.jpg'), added.image_id, {
    det_prob_threshold: 0.5,
    ...plugins,
  });
  expect(verified.result[0]).toMatchObject({ subject: 'ani', mask: { value: 'without_mask' } });

  expect(await faces().delete(added.image_id)).toEqual(added);
  expect(await faces().delete_multiple_images([fromUrl.image_id])).toEqual([fromUrl]);
  expect(await faces().delete_all_subject('budi')).toEqual({ deleted: 1 });
  await faces().add(pathOf('ani.jpg'), 'ani', {});
  expect(await faces().delete_all()).toEqual({ deleted: 1 });
  await subjects().add('cici');
  expect(await subjects().deleteAll()).toEqual({ deleted: 1 });

  const detection = library.initFaceDetectionService(compreface.keys.detection);
  const box = { probability: expect.any(Number), x_max: expect.any(Number) };
  for (const picture of [pathOf('ani.jpg'), urlOf('ani.jpg'), pictures.ani]) {
    expect((await detection.detect(picture, { limit: 1 })).result).toMatchObject([{ box }]);
  }
  const verification = library.initFaceVerificationService(compreface.keys.verification);
  const pairs = [
    [pathOf('ani.jpg'), pathOf('aniAgain.jpg')],
    [urlOf('ani.jpg'), urlOf('aniAgain.jpg')],
    [urlOf('ani.jpg'), pathOf('aniAgain.jpg')],
    [pathOf('ani.jpg'), urlOf('aniAgain.jpg')],
    [pictures.ani, pictures.aniAgain],
  ];
  for (const [source, target] of pairs) {
    const { result } = await verification.verify(source, target, { limit: 0 });
    expect(result[0].face_matches[0].similarity).toBeGreaterThan(0.9);
  }
  const refused = await detection.detect(pathOf('nobody.jpg'), {}).catch((error: Library) => error.response);
  expect([refused.status, refused.data]).toEqual([
    400,
    { message: 'No face is found in the given image', code: 28 },
  ]);
  // In Node it sends the bytes of a picture without the boundary of the form.
  const bytes = Buffer.from(pictures.ani, 'base64');
  const without = await detection.detect(bytes, {}).catch((error: Library) => error.response);
  expect([without.status, without.data.message]).toEqual([400, expect.stringContaining('boundary')]);
});
