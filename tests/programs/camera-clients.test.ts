// Programs of cameras in Python send what the library requests makes of these calls: so do deepstack-python and Viseron.

import { spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { drawPictures, startTestApp } from '../../packages/server/test/support/test-app.ts';

const python = ['/usr/bin/python3', 'python3'].find(
  (one) => spawnSync(one, ['-c', 'import requests']).status === 0,
);

const program = `
import base64, json, requests, sys
given = json.load(sys.stdin)
ani, again = (base64.b64decode(given[name]) for name in ('ani', 'aniAgain'))
def post(path, files=None, **data):
    data['api_key'] = given['key']
    answer = requests.post(given['url'] + path, files=files, data=data, timeout=60)
    return [answer.status_code, answer.json()]
print(json.dumps([
    post('/register', {'image1': ani, 'image2': again}, userid='Ani Lestari'),
    post('/recognize', {'image': again}, min_confidence=0.45),
    post('', {'image': ('frame.jpg', ani, 'image/jpeg')}, min_confidence=0.45),
    post('/match', {'image1': ani, 'image2': again}),
    post('/list'),
    post('/delete', userid='Ani Lestari'),
    post('/list'),
]))
`;

it.skipIf(!python)('requests of Python registers, recognises, compares, lists and deletes', async () => {
  const server = await startTestApp({ WAJAH_CAMERAS_GALLERY: 'client-1@trial' });
  const { token: key } = await server.client();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  const child = spawn(python!, ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(
    JSON.stringify({ ...(await drawPictures()), key, url: `http://127.0.0.1:${port}/v1/vision/face` }),
  );
  const corners = {
    x_min: expect.any(Number),
    y_min: expect.any(Number),
    x_max: expect.any(Number),
    y_max: expect.any(Number),
  };
  const confidence = expect.any(Number);
  expect(JSON.parse(await text(child.stdout))).toEqual([
    [200, { success: true, message: 'face added' }],
    [200, { success: true, predictions: [{ userid: 'Ani Lestari', confidence, ...corners }] }],
    [200, { success: true, predictions: [{ confidence, ...corners }] }],
    [200, { success: true, similarity: confidence }],
    [200, { success: true, faces: ['Ani Lestari'] }],
    [200, { success: true }],
    [200, { success: true, faces: [] }],
  ]);
});
