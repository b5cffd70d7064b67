import { drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { drawPictures } from '../../support/test-app.ts';
import { type ComprefaceServer, formOf } from './server.ts';

/** What was answered to a call of the table. */
export interface Answered {
  readonly http: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1. */
  readonly path: string;
  readonly key?: keyof ComprefaceServer['keys'] | { readonly value: string };
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

type Earlier = Readonly<Record<string, Answered>>;

const unknownId = '6b135f5b-a365-4522-b1f1-4c9ac2dd0728';
const allPlugins = 'face_plugins=age,gender,landmarks,calculator,pose,mask&status=true';

/** Pictures of the table: `both` shows ani, larger, and budi. */
async function picturesOfCalls() {
  const faces = [
    { person: 'ani' as const, x: 230, y: 250, size: 220 },
    { person: 'budi' as const, x: 650, y: 250, size: 180 },
  ];
  return { ...(await drawPictures()), both: await base64(drawnPicture({ width: 900, height: 500, faces })) };
}

type Pictures = Awaited<ReturnType<typeof picturesOfCalls>>;

/** The calls of the table, in their order, by name. */
function callsOf(pictures: Pictures, token: string): Readonly<Record<string, (earlier: Earlier) => Call>> {
  const { ani, aniAgain, budi, both, nobody, small } = pictures;
  const faces = '/recognition/faces';
  const subjects = '/recognition/subjects';
  const recognize = '/recognition/recognize';
  const idOf = (earlier: Earlier, name: string): string => earlier[name]?.body.image_id;
  const post = (path: string, more: Omit<Call, 'method' | 'path'>) => () =>
    ({ method: 'POST', path, ...more }) as const;
  const get = (path: string) => () => ({ method: 'GET', path }) as const;
  const remove = (path: string) => () => ({ method: 'DELETE', path }) as const;
  return {
    'recognize, empty collection': post(recognize, { json: { file: ani } }),
    'add subject': post(subjects, { json: { subject: 'cici' } }),
    'add subject again': post(subjects, { json: { subject: 'cici' } }),
    'add subject, blank': post(subjects, { json: { subject: ' ' } }),
    'add subject, none': post(subjects, { json: {} }),
    'add subject, no JSON': post(subjects, { json: '{' }),
    'add example, form': post(`${faces}?subject=ani`, { form: { file: ani } }),
    'add example, base64': post(`${faces}?subject=ani&det_prob_threshold=0.5`, { json: { file: aniAgain } }),
    'add example of another': post(`${faces}?subject=budi`, { form: { file: budi } }),
    'add example, two faces': post(`${faces}?subject=ani`, { form: { file: both } }),
    'add example, no face': post(`${faces}?subject=ani`, { form: { file: nobody } }),
    'add example, small face': post(`${faces}?subject=ani`, { form: { file: small } }),
    'add example, no subject': post(faces, { form: { file: ani } }),
    'add example, blank subject': post(`${faces}?subject=%20`, { form: { file: ani } }),
    'add example, no file': post(`${faces}?subject=ani`, { form: { other: ani } }),
    'add example, no base64': post(`${faces}?subject=ani`, { json: {} }),
    'add example, wrong base64': post(`${faces}?subject=ani`, { json: { file: '###' } }),
    'add example, not a picture': post(`${faces}?subject=ani`, { json: { file: 'R0lGODlhAQABAAAAACw=' } }),
    'add example, threshold': post(`${faces}?subject=ani&det_prob_threshold=0.9999`, { form: { file: ani } }),
    'list examples': get(faces),
    'list examples, page': get(`${faces}?page=1&size=2`),
    'list examples, subject': get(`${faces}?subject=ani`),
    'list examples, unknown subject': get(`${faces}?subject=nobody`),
    'list examples, wrong page': get(`${faces}?page=-1`),
    'list subjects': get(subjects),
    'list subjects, slash': get(`${subjects}/`),
    'recognize, form': post(`${recognize}?limit=0&prediction_count=2&det_prob_threshold=0.5&${allPlugins}`, {
      form: { file: both },
    }),
    'recognize, base64': post(recognize, { json: { file: both } }),
    'recognize, limit': post(`${recognize}?limit=1`, { form: { file: both } }),
    'recognize, raw': post(`${recognize}?limit=1&similarity=wajah`, { form: { file: both } }),
    'recognize, cropped face': post(`${recognize}?detect_faces=false`, { json: { file: ani } }),
    'recognize, no face': post(recognize, { form: { file: nobody } }),
    'recognize, wrong limit': post(`${recognize}?limit=-1`, { form: { file: ani } }),
    'recognize, wrong count': post(`${recognize}?prediction_count=0`, { form: { file: ani } }),
    'recognize, wrong threshold': post(`${recognize}?det_prob_threshold=high`, { form: { file: ani } }),
    'recognize, no file': post(recognize, { form: { other: ani } }),
    'recognize, no base64': post(recognize, { json: { file: null } }),
    'recognize, no body': post(recognize, {}),
    'recognize, no key': post(recognize, { form: { file: ani }, key: { value: '' } }),
    'recognize, unknown key': post(recognize, { form: { file: ani }, key: { value: unknownId } }),
    'recognize, own token': post(recognize, { form: { file: ani }, key: { value: token } }),
    'recognize, key of detection': post(recognize, { form: { file: ani }, key: 'detection' }),
    'verify example, form': (earlier) => ({
      ...{
        method: 'POST',
        path: `${faces}/${idOf(earlier, 'add example, form')}/verify?limit=0&${allPlugins}`,
      },
      form: { file: both },
    }),
    'verify example, base64': (earlier) => ({
      ...{ method: 'POST', path: `${faces}/${idOf(earlier, 'add example, form')}/verify?limit=1` },
      json: { file: both },
    }),
    'verify example, unknown': post(`${faces}/${unknownId}/verify`, { form: { file: ani } }),
    'verify example, no id': post(`${faces}/first/verify`, { form: { file: ani } }),
    'verify example, no file': post(`${faces}/${unknownId}/verify`, { form: {} }),
    'download example': (earlier) => ({
      method: 'GET',
      path: `${faces}/${idOf(earlier, 'add example, form')}/img`,
    }),
    'download example, unknown': get(`${faces}/${unknownId}/img`),
    'download example, direct': (earlier) => ({
      ...{ method: 'GET', path: `/static/{key}/images/${idOf(earlier, 'add example, form')}` },
      key: { value: '' },
    }),
    'detect, form': post(`/detection/detect?limit=0&det_prob_threshold=0.5&${allPlugins}`, {
      ...{ form: { file: both }, key: 'detection' },
    }),
    'detect, base64': post('/detection/detect?limit=1', { json: { file: both }, key: 'detection' }),
    'detect, no face': post('/detection/detect', { form: { file: nobody }, key: 'detection' }),
    'detect, no file': post('/detection/detect', { form: {}, key: 'detection' }),
    'detect, key of recognition': post('/detection/detect', { form: { file: ani } }),
    'verify, form': post(`/verification/verify?limit=0&${allPlugins}`, {
      ...{ form: { source_image: ani, target_image: both }, key: 'verification' },
    }),
    'verify, base64': post('/verification/verify?limit=1', {
      ...{ json: { source_image: budi, target_image: both }, key: 'verification' },
    }),
    'verify, two faces in the source': post('/verification/verify', {
      ...{ form: { source_image: both, target_image: both }, key: 'verification' },
    }),
    'verify, no face': post('/verification/verify', {
      ...{ form: { source_image: nobody, target_image: both }, key: 'verification' },
    }),
    'verify, no source': post('/verification/verify', { form: { target_image: ani }, key: 'verification' }),
    'verify, no target': post('/verification/verify', { json: { source_image: ani }, key: 'verification' }),
    'recognize, embedding': post('/recognition/embeddings/recognize', { json: { embeddings: [[0.1, 0.2]] } }),
    'verify example, embedding': post(`/recognition/embeddings/faces/${unknownId}/verify`, {
      json: { embeddings: [[0.1]] },
    }),
    'verify, embedding': post('/verification/embeddings/verify', {
      ...{ json: { source: [0.1], targets: [[0.1]] }, key: 'verification' },
    }),
    'rename subject': () => ({ method: 'PUT', path: `${subjects}/ani`, json: { subject: 'Ani Lestari' } }),
    'rename subject, same name': () => ({
      method: 'PUT',
      path: `${subjects}/budi`,
      json: { subject: 'budi' },
    }),
    'rename subject, unknown': () => ({ method: 'PUT', path: `${subjects}/nobody`, json: { subject: 'x' } }),
    'rename subject, none': () => ({ method: 'PUT', path: `${subjects}/budi`, json: {} }),
    'rename subject without example': () => ({
      method: 'PUT',
      path: `${subjects}/cici`,
      json: { subject: 'dedi' },
    }),
    'list examples, renamed': get(faces),
    'merge subjects': () => ({ method: 'PUT', path: `${subjects}/budi`, json: { subject: 'Ani Lestari' } }),
    'list examples, merged': get(faces),
    'delete example': (earlier) => ({
      method: 'DELETE',
      path: `${faces}/${idOf(earlier, 'add example, form')}`,
    }),
    'delete example again': (earlier) => ({
      method: 'DELETE',
      path: `${faces}/${idOf(earlier, 'add example, form')}`,
    }),
    'download deleted example': (earlier) => ({
      method: 'GET',
      path: `${faces}/${idOf(earlier, 'add example, form')}/img`,
    }),
    'delete examples': (earlier) => ({
      ...{ method: 'POST', path: `${faces}/delete` },
      json: [unknownId, idOf(earlier, 'add example, base64')],
    }),
    'delete examples, no list': post(`${faces}/delete`, { json: { ids: 'all' } }),
    'delete examples of a subject': remove(`${faces}?subject=Ani%20Lestari`),
    'delete examples of an unknown subject': remove(`${faces}?subject=nobody`),
    'delete subject': remove(`${subjects}/dedi`),
    'delete subject again': remove(`${subjects}/dedi`),
    'delete subject, bad name': remove(`${subjects}/%E0%A4%A`),
    'add one more': post(`${faces}?subject=ani`, { form: { file: ani } }),
    'delete all examples': remove(faces),
    'add another one': post(`${faces}?subject=ani`, { form: { file: ani } }),
    'add a last subject': post(subjects, { json: { subject: 'cici' } }),
    'delete all subjects': remove(subjects),
    'list subjects, none': get(subjects),
    'unknown path': get('/recognition/nothing'),
    'unknown method': () => ({ method: 'PUT', path: recognize, json: {} }),
    'path above': get(''),
  };
}

/** Makes all calls of the table in turn. */
export async function makeCalls({ server, keys, client }: ComprefaceServer): Promise<Earlier> {
  const answers: Record<string, Answered> = {};
  for (const [name, callOf] of Object.entries(callsOf(await picturesOfCalls(), client.token))) {
    const { method, path, key = 'recognition', json, form } = callOf(answers);
    const value = typeof key === 'string' ? keys[key] : key.value;
    const body = form ? await formOf(form) : { payload: json as object };
    const isText = typeof json === 'string';
    const answer = await server.app.inject({
      ...{ method, url: `/api/v1${path.replace('{key}', keys.recognition)}` },
      headers: {
        ...(value === '' ? {} : { 'x-api-key': value }),
        ...(isText ? { 'content-type': 'application/json' } : {}),
        ...('headers' in body ? body.headers : {}),
      },
      ...(form || json !== undefined ? { payload: body.payload } : {}),
    });
    const type = String(answer.headers['content-type']);
    answers[name] = {
      ...{ http: answer.statusCode, type },
      body: type.startsWith('application/json') ? answer.json() : answer.rawPayload,
    };
  }
  return answers;
}
