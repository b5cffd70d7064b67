import { type Endpoint, endpointList, endpoints } from '@wajah/contract';

/** The Collection Format of Postman, version 2.1.0. */
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** What a reader fills in, and what scripts of answers set. */
const variables = {
  url: 'http://127.0.0.1:8080',
  client: 'demo',
  password: '',
  token: '',
  gallery: 'postman',
  session_id: '',
  token_id: '',
};

/** Requests of the first folder, in an order in which each one succeeds. */
const firstSteps: readonly Endpoint[] = [
  endpoints.clientToken,
  endpoints.createGallery,
  endpoints.enrolFace,
  endpoints.verifyFace,
  endpoints.identifyFace,
  endpoints.detectFaces,
  endpoints.listFaces,
  endpoints.createLivenessSession,
  endpoints.deleteFace,
  endpoints.deleteGallery,
];

/** Variables that answers set: endpoint → variable → field. */
const learned: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  clientToken: { token: 'access_token' },
  token: { token: 'access_token' },
  createLivenessSession: { session_id: 'session_id' },
  createApiToken: { token_id: 'token_id' },
};

/** Fields of examples that are variables of the collection. */
const filled: Readonly<Record<string, string>> = {
  client_id: '{{client}}',
  password: '{{password}}',
  client_secret: '{{password}}',
  facegallery_id: '{{gallery}}',
  session_id: '{{session_id}}',
  token_id: '{{token_id}}',
};

/** docs/postman.json: every endpoint with its example as a request of Postman. */
export function postmanCollection(): object {
  const tags = [...new Set(endpointList.map(({ tag }) => tag))];
  return {
    info: {
      name: 'Wajah',
      description:
        'Fill in the variables url, client and password. The folder "First steps" runs from the login to the erasure; pictures are files that you choose.',
      schema,
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Accesstoken' },
        { key: 'value', value: '{{token}}' },
        { key: 'in', value: 'header' },
      ],
    },
    item: [
      { name: 'First steps', item: firstSteps.map((one) => item(one, succeeds)) },
      ...tags.map((tag) => ({
        name: tag,
        item: endpointList.filter((one) => one.tag === tag).map((one) => item(one)),
      })),
    ],
  };
}

const succeeds = [
  "pm.test('succeeds', () => {",
  '  pm.response.to.have.status(200);',
  "  pm.expect(pm.response.json().status ?? '200').to.equal('200');",
  '});',
];

function item(one: Endpoint, tests: readonly string[] = []): object {
  const set = Object.entries(learned[one.id] ?? {}).map(
    ([variable, field]) => `pm.collectionVariables.set('${variable}', pm.response.json().${field});`,
  );
  const exec = [...tests, ...set];
  return {
    name: one.id,
    ...(exec.length > 0 && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    }),
    request: {
      method: one.methods[0],
      description: one.summary,
      ...(one.auth === 'token' ? {} : { auth: { type: 'noauth' } }),
      ...inputOf(one),
    },
  };
}

/** Address and body of the example. */
function inputOf(one: Endpoint): object {
  const fields = leaves(one.example.request);
  const inQuery = one.methods[0] === 'POST' ? [] : fields;
  const url = urlOf(one, inQuery);
  if (fields.length === 0 || inQuery.length > 0) return { url };
  if (one.pictures > 0) return { url, body: { mode: 'formdata', formdata: fields.map(formField) } };
  if (one.auth === 'credentials') {
    return { url, body: { mode: 'urlencoded', urlencoded: fields.map(([key, value]) => ({ key, value })) } };
  }
  const raw = JSON.stringify(one.example.request, (name, value) => filled[name] ?? value, 2);
  return { url, body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

function urlOf({ path }: Endpoint, fields: readonly [string, string][]): object {
  const query = fields.map(([key, value]) => ({ key, value }));
  const text = query.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{url}}${path}${text && `?${text}`}`,
    host: ['{{url}}'],
    path: path.slice(1).split('/'),
    ...(query.length > 0 && { query }),
  };
}

function formField([key, value]: readonly [string, string]): object {
  return /image$/.test(key) ? { key, type: 'file', src: 'face.jpg' } : { key, type: 'text', value };
}

/** The fields of an example as texts, named as in a form: `frames[0].step`. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value) && typeof value[0] !== 'object') return [[path, value.join(',')]];
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [[path, filled[path] ?? String(value)]];
  return Object.entries(value).flatMap(([name, one]) => leaves(one, path === '' ? name : `${path}.${name}`));
}
