import { expect, it } from 'vitest';
import { drawnPicture } from '../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { comprefaceEndpoints } from '../src/endpoints.ts';
import { type ComprefaceAnswer, type ComprefaceCall, startCompreface, unknownId } from './server.ts';

const { server, client, keys, call } = await startCompreface();

/** Pictures of the table, which stand in it by name: `both` shows ani, larger, and budi; `tiny` a face below 40 pixels. */
const pictures: Readonly<Record<string, string>> = {
  ...(await drawPictures()),
  tiny: await base64(drawnPicture({ width: 300, height: 300, faces: [{ x: 150, y: 150, size: 62 }] })),
  both: await base64(
    drawnPicture({
      width: 900,
      height: 500,
      faces: [
        { person: 'ani', x: 230, y: 250, size: 220 },
        { person: 'budi', x: 650, y: 250, size: 180 },
      ],
    }),
  ),
};

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const probability = between(0.5, 1);
const integer = expect.toSatisfy(Number.isInteger);
const number = expect.any(Number);
const wajah = expect.stringContaining('wajah');

function between(least: number, most: number) {
  return expect.toSatisfy((value: number) => value >= least && value <= most);
}

/** An answer of this code and body: no field more, none less. */
const is = (http: number, body: object) => ({ http, body });
const refused = (http: number, code: number, message: string) =>
  is(http, { code, message: expect.stringContaining(message) });
const picture = {
  http: 200,
  type: 'image/jpeg',
  body: expect.toSatisfy((bytes: Buffer) => bytes.subarray(0, 2).toString('hex') === 'ffd8'),
};
const noPicture = { http: 200, body: Buffer.alloc(0) };
const noFace = refused(400, 28, 'No face is found in the given image');
const noFile = refused(400, 34, 'Required part file is missing');
const noKey = refused(404, 10, 'Recognition service with API Key');

const box = { probability, x_max: integer, y_max: integer, x_min: integer, y_min: integer };
/** A face with all plugins. */
const face = {
  box,
  landmarks: Array(5).fill([integer, integer]),
  pose: { pitch: number, roll: number, yaw: number },
  mask: { value: 'without_mask', probability },
  execution_time: { detector: number, calculator: number, pose: number, mask: number },
};
const plugins_versions = { detector: wajah, calculator: wajah, pose: wajah, mask: wajah };
const allPlugins = 'face_plugins=age,gender,landmarks,calculator,pose,mask&status=true';
const aniIs = (similarity: unknown) => ({ subject: 'ani', similarity });
const budiIs = (similarity: unknown) => ({ subject: 'budi', similarity });
const [same, other] = [between(0.9, 1), between(0, 0.5)];
const examples = (list: readonly string[], page: object = {}) =>
  is(200, {
    faces: list.map((subject) => ({ image_id: uuid, subject })),
    page_number: 0,
    page_size: 20,
    total_pages: 1,
    total_elements: list.length,
    ...page,
  });

const faces = '/recognition/faces';
const subjects = '/recognition/subjects';
const recognize = 'POST /recognition/recognize';
const detect = 'POST /detection/detect';
const verify = 'POST /verification/verify';
const form = (file: string) => ({ form: { file } });
const json = (file: unknown) => ({ json: { file } });
const subject = (name: string) => ({ json: { subject: name } });

type Sent = Omit<ComprefaceCall, 'method' | 'path'> & {
  /** The answer's image_id, for `{name}` of later paths. */ id?: string;
};

/** Every endpoint that CompreFace documents, with each field of its answers, and its errors, in the order of the calls. */
const table: readonly [request: string, sent: Sent, answer: Partial<ComprefaceAnswer>][] = [
  [recognize, json('ani'), is(200, { result: [{ box, subjects: [] }] })],
  [`POST ${subjects}`, subject('cici'), is(201, { subject: 'cici' })],
  [`POST ${subjects}`, subject('cici'), refused(400, 43, 'Subject already exists')],
  [`POST ${subjects}`, subject(' '), refused(400, 26, 'Subject name cannot be empty')],
  [`POST ${subjects}`, { json: {} }, refused(400, 26, 'subject')],
  [`POST ${subjects}`, { json: '{' }, refused(400, 0, 'JSON')],
  [`POST ${faces}?subject=ani`, { ...form('ani'), id: 'first' }, is(201, { image_id: uuid, subject: 'ani' })],
  [
    `POST ${faces}?subject=ani&det_prob_threshold=0.5`,
    { ...json('aniAgain'), id: 'second' },
    is(201, { image_id: uuid, subject: 'ani' }),
  ],
  [`POST ${faces}?subject=budi`, form('budi'), is(201, { image_id: uuid, subject: 'budi' })],
  [`POST ${faces}?subject=ani`, form('both'), refused(400, 31, 'More than one face')],
  [`POST ${faces}?subject=ani`, form('nobody'), noFace],
  [`POST ${faces}?subject=far`, form('small'), is(201, { image_id: uuid, subject: 'far' })],
  [`DELETE ${subjects}/far`, {}, is(200, { subject: 'far' })],
  [`POST ${faces}?subject=ani`, form('tiny'), refused(400, 28, ', 40 are needed')],
  [`POST ${faces}`, form('ani'), refused(400, 33, 'Required parameter subject is missing')],
  [`POST ${faces}?subject=%20`, form('ani'), refused(400, 26, 'Subject name is empty')],
  [`POST ${faces}?subject=ani`, { form: { other: 'ani' } }, noFile],
  [`POST ${faces}?subject=ani`, { json: {} }, refused(400, 5, 'file')],
  [`POST ${faces}?subject=ani`, json('###'), refused(400, 21, 'file: ')],
  [
    `POST ${faces}?subject=ani`,
    json('R0lGODlhAQABAAAAACw='),
    refused(400, 21, 'file: The bytes look like a GIF'),
  ],
  [`POST ${faces}?subject=ani&det_prob_threshold=0.9999`, form('ani'), noFace],
  [`GET ${faces}`, {}, examples(['ani', 'ani', 'budi'])],
  [
    `GET ${faces}?page=1&size=2`,
    {},
    examples(['budi'], { page_number: 1, page_size: 2, total_pages: 2, total_elements: 3 }),
  ],
  [`GET ${faces}?subject=ani`, {}, examples(['ani', 'ani'])],
  [`GET ${faces}?subject=nobody`, {}, examples([], { total_pages: 0 })],
  [`GET ${faces}?page=-1`, {}, refused(400, 26, 'page')],
  [`GET ${subjects}`, {}, is(200, { subjects: ['ani', 'budi', 'cici'] })],
  [`GET ${subjects}/`, {}, is(200, { subjects: ['ani', 'budi', 'cici'] })],
  [
    `${recognize}?limit=0&prediction_count=2&det_prob_threshold=0.5&${allPlugins}`,
    form('both'),
    is(200, {
      result: [
        { ...face, subjects: [aniIs(same), budiIs(other)] },
        { ...face, subjects: [budiIs(same), aniIs(other)] },
      ],
      plugins_versions,
    }),
  ],
  [
    recognize,
    json('both'),
    is(200, {
      result: [
        { box, subjects: [aniIs(same)] },
        { box, subjects: [budiIs(same)] },
      ],
    }),
  ],
  [`${recognize}?limit=1`, form('both'), is(200, { result: [{ box, subjects: [aniIs(same)] }] })],
  [
    `${recognize}?limit=1&similarity=wajah`,
    form('both'),
    is(200, { result: [{ box, subjects: [aniIs(between(0.7, 1))] }] }),
  ],
  [`${recognize}?detect_faces=false`, json('ani'), is(200, { result: [{ box, subjects: [aniIs(same)] }] })],
  [recognize, form('nobody'), noFace],
  [`${recognize}?limit=-1`, form('ani'), refused(400, 26, 'limit')],
  [`${recognize}?prediction_count=0`, form('ani'), refused(400, 26, 'prediction_count')],
  [`${recognize}?det_prob_threshold=high`, form('ani'), refused(400, 26, 'det_prob_threshold')],
  [recognize, { form: { other: 'ani' } }, noFile],
  [recognize, json(null), refused(400, 5, 'file')],
  [recognize, {}, refused(400, 5, 'file')],
  [recognize, { ...form('ani'), key: '' }, refused(400, 20, 'Missing header: x-api-key')],
  [recognize, { ...form('ani'), key: unknownId }, noKey],
  [recognize, { ...form('ani'), key: client.token }, noKey],
  [recognize, { ...form('ani'), key: keys.detection }, noKey],
  [
    `POST ${faces}/{first}/verify?limit=0&${allPlugins}`,
    form('both'),
    is(200, {
      result: [
        { ...face, ...aniIs(same) },
        { ...face, ...aniIs(other) },
      ],
      plugins_versions,
    }),
  ],
  [`POST ${faces}/{first}/verify?limit=1`, json('both'), is(200, { result: [{ box, ...aniIs(same) }] })],
  [`POST ${faces}/${unknownId}/verify`, form('ani'), refused(404, 44, `Image ${unknownId} not found`)],
  [`POST ${faces}/first/verify`, form('ani'), refused(400, 26, 'image_id')],
  [`POST ${faces}/${unknownId}/verify`, { form: {} }, noFile],
  [`GET ${faces}/{first}/img`, {}, picture],
  [`GET ${faces}/${unknownId}/img`, {}, noPicture],
  ['GET /static/{key}/images/{first}', { key: '' }, picture],
  [
    `${detect}?limit=0&det_prob_threshold=0.5&${allPlugins}`,
    form('both'),
    is(200, { result: [face, face], plugins_versions }),
  ],
  [`${detect}?limit=1`, json('both'), is(200, { result: [{ box }] })],
  [detect, form('nobody'), noFace],
  [detect, { form: {} }, noFile],
  [detect, { ...form('ani'), key: keys.recognition }, refused(404, 10, 'Detection service with API Key')],
  [
    `${verify}?limit=0&${allPlugins}`,
    { form: { source_image: 'ani', target_image: 'both' } },
    is(200, {
      result: [
        {
          source_image_face: face,
          face_matches: [
            { ...face, similarity: same },
            { ...face, similarity: other },
          ],
          plugins_versions,
        },
      ],
    }),
  ],
  [
    `${verify}?limit=1`,
    { json: { source_image: 'budi', target_image: 'both' } },
    is(200, { result: [{ source_image_face: { box }, face_matches: [{ box, similarity: other }] }] }),
  ],
  [
    verify,
    { form: { source_image: 'both', target_image: 'both' } },
    refused(400, 31, 'More than one face in the source image'),
  ],
  [verify, { form: { source_image: 'nobody', target_image: 'both' } }, noFace],
  [verify, { form: { target_image: 'ani' } }, refused(400, 34, 'Required part source_image is missing')],
  [verify, { json: { source_image: 'ani' } }, refused(400, 5, 'target_image')],
  [
    'POST /recognition/embeddings/recognize',
    { json: { embeddings: [[0.1, 0.2]] } },
    refused(400, 36, 'embeddings'),
  ],
  [
    `POST /recognition/embeddings/faces/${unknownId}/verify`,
    { json: { embeddings: [[0.1]] } },
    refused(400, 36, 'embeddings'),
  ],
  [
    'POST /verification/embeddings/verify',
    { json: { source: [0.1], targets: [[0.1]] } },
    refused(400, 36, 'embeddings'),
  ],
  [`PUT ${subjects}/ani`, subject('Ani Lestari'), is(200, { updated: true })],
  [`PUT ${subjects}/budi`, subject('budi'), is(200, { updated: false })],
  [`PUT ${subjects}/nobody`, subject('x'), refused(404, 42, 'Subject nobody not found')],
  [`PUT ${subjects}/budi`, { json: {} }, refused(400, 26, 'subject')],
  [`PUT ${subjects}/cici`, subject('dedi'), is(200, { updated: true })],
  [`GET ${faces}`, {}, examples(['Ani Lestari', 'Ani Lestari', 'budi'])],
  [`PUT ${subjects}/budi`, subject('Ani Lestari'), is(200, { updated: true })],
  [`GET ${faces}`, {}, examples(['Ani Lestari', 'Ani Lestari', 'Ani Lestari'])],
  [`DELETE ${faces}/{first}`, {}, is(200, { image_id: uuid, subject: 'Ani Lestari' })],
  [`DELETE ${faces}/{first}`, {}, refused(404, 44, 'not found')],
  [`GET ${faces}/{first}/img`, {}, noPicture],
  [
    `POST ${faces}/delete`,
    { json: [unknownId, '{second}'] },
    is(200, [{ image_id: uuid, subject: 'Ani Lestari' }]),
  ],
  [`POST ${faces}/delete`, { json: { ids: 'all' } }, refused(400, 26, 'image ids')],
  [`DELETE ${faces}?subject=Ani%20Lestari`, {}, is(200, { deleted: 1 })],
  [`DELETE ${faces}?subject=nobody`, {}, is(200, { deleted: 0 })],
  [`DELETE ${subjects}/dedi`, {}, is(200, { subject: 'dedi' })],
  [`DELETE ${subjects}/dedi`, {}, refused(404, 42, 'Subject dedi not found')],
  [`DELETE ${subjects}/%E0%A4%A`, {}, refused(400, 0, 'the URL')],
  [`POST ${faces}?subject=ani`, form('ani'), { http: 201 }],
  [`DELETE ${faces}`, {}, is(200, { deleted: 1 })],
  [`POST ${faces}?subject=ani`, form('ani'), { http: 201 }],
  [`POST ${subjects}`, subject('cici'), { http: 201 }],
  [`DELETE ${subjects}`, {}, is(200, { deleted: 2 })],
  [`GET ${subjects}`, {}, is(200, { subjects: [] })],
  ['GET /recognition/nothing', {}, refused(404, 0, 'no endpoint')],
  ['PUT /recognition/recognize', { json: {} }, refused(404, 0, 'no endpoint')],
  ['GET ', {}, refused(404, 0, 'no endpoint')],
];

const ids: Record<string, string> = { key: keys.recognition };
const filled = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name) => ids[name] ?? whole));
/** Names of pictures are replaced by them. */
const drawn = (fields: unknown) =>
  typeof fields !== 'object' || fields === null || Array.isArray(fields)
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          (name === 'subject' ? undefined : pictures[String(value)]) ?? value,
        ]),
      );

it.each(table)('%s %j', async (request, { form: sentForm, json: sentJson, id, ...sent }, expected) => {
  const [method = '', path = ''] = filled(request).split(' ');
  const service = /^\/(detection|verification)\//.exec(path)?.[1] as 'detection' | undefined;
  const answer = await call({
    key: keys[service ?? 'recognition'],
    ...sent,
    method,
    path,
    ...(sentForm && { form: drawn(sentForm) as Record<string, string> }),
    ...(sentJson !== undefined && { json: filled(drawn(sentJson)) }),
  });
  const { body = answer.body, ...rest } = expected;
  expect(answer).toMatchObject(rest);
  expect(answer.body).toEqual(body);
  // None is in the envelope of the own interface.
  expect(Object.keys(answer.body)).not.toContain('status_message');
  if (id !== undefined) ids[id] = answer.body.image_id;
});

it('has a call of every endpoint', () => {
  const made = table.map(([request]) => request.replace(/\?.*/, '').replace(/(\S+) /, '$1 /api/v1'));
  const missing = Object.values(comprefaceEndpoints).filter(({ methods, path }) => {
    const pattern = new RegExp(`^${methods[0]} ${path.replace(/:\w+/g, '[^/]+')}$`);
    return !made.some((request) => pattern.test(request));
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

it('logs no key, picture or name of a subject, and counts every call', async () => {
  const log = server.log();
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(70);
  const texts = [...Object.values(keys).map((key) => key.slice(-20)), 'lestari', 'cici', 'budi'];
  expect(texts.filter((text) => log.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
  expect(log).not.toMatch(/[A-Za-z\d+/]{80,}/);
  const { used } = (await server.context.store.clients.get(client.id))!;
  expect(used.hits).toBeGreaterThan(70);
  expect(used.faces).toBe(0);
});
