import { type Endpoint, nameProblem, normaliseName, type Scope } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import { comprefacePrefix, type TokenBinding } from '@wajah/server/profile';
import { z } from 'zod';

const absent = (value: unknown): unknown => (value === null || value === '' ? undefined : value);

function lenientNumber(value: unknown): unknown {
  const given = absent(value);
  return typeof given === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(given) ? Number(given) : given;
}

function lenientFlag(value: unknown): unknown {
  const given = absent(value);
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : given;
}

/** The largest number that CompreFace takes, of 32 bits. */
const mostCount = 2 ** 31 - 1;

/** A whole number; absent: the default. */
const count = (least: number, byDefault: number) => {
  const error = `a whole number from ${least} to ${mostCount}`;
  const whole = z.int({ error }).min(least, { error }).max(mostCount, { error });
  return z.preprocess(lenientNumber, whole.default(byDefault));
};

const flag = (byDefault: boolean) =>
  z.preprocess(lenientFlag, z.boolean({ error: 'true or false' }).default(byDefault));

const fractionError = 'a number from 0 to 1';

/** Least detector score of a face. */
const minScore = z.preprocess(
  lenientNumber,
  z
    .number({ error: fractionError })
    .min(0, { error: fractionError })
    .max(1, { error: fractionError })
    .default(0),
);

/** Slugs, separated by commas; those that are unknown are ignored, as age and gender are. */
const plugins = z.preprocess(
  absent,
  z
    .string({ error: 'slugs of plugins, separated by commas' })
    .default('')
    .transform((given) => new Set(given.split(',').map((slug) => slug.trim().toLowerCase()))),
);

const scale = z.preprocess(
  absent,
  z.enum(['compreface', 'wajah'], { error: 'compreface or wajah' }).default('compreface'),
);

/** A picture as base64; that it is there was checked before. */
const picture = z.string({ error: 'a picture as a file of a form, or as base64' });

/** What all calls with faces take. */
const faceFields = {
  limit: count(0, 0),
  det_prob_threshold: minScore,
  face_plugins: plugins,
  status: flag(false),
  detect_faces: flag(true),
  similarity: scale,
};

const scoreField = { det_prob_threshold: minScore };

const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'a UUID' })
  .transform((given) => given.toLowerCase());

const emptyName = phrase('word', { word: 'Subject name cannot be empty' });

const nameType = z.string({ error: 'the name of a subject, 1 to 120 characters' }).check((context) => {
  const problem = context.value === '' ? emptyName : nameProblem(context.value);
  if (problem === null) return;
  context.issues.push({ code: 'custom', input: context.value, message: JSON.stringify(problem) });
});

const normalised = (value: unknown) => (typeof value === 'string' ? normaliseName(value) : value);

/** The name of a subject, which is its user_id. */
const subject = z.preprocess(normalised, nameType);

/** The name of a subject to come. Clients and proxies resolve . and .. in paths, and would erase all subjects instead. */
const newSubject = z.preprocess(
  normalised,
  nameType.refine((name) => !/^\.\.?$/.test(name), {
    error: 'a name other than . and .., which no path can have',
  }),
);

const optionalSubject = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? undefined : normalised(value)),
  nameType.optional(),
);

/** An endpoint of the profile: the service whose keys it takes, and the scope that it needs. */
export interface ComprefaceEndpoint<Request extends z.ZodObject = z.ZodObject> extends Endpoint<Request> {
  readonly service: TokenBinding['service'];
  readonly scope: Scope;
  /** Parameters that must be there. */
  readonly required: readonly string[];
}

const image = { image_id: uuid };
const empty = z.object({});

interface Needs {
  readonly scope: Scope;
  readonly pictures: number;
  readonly required?: readonly string[];
}

function define<Request extends z.ZodObject>(
  id: string,
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  request: Request,
  { scope, pictures, required = [] }: Needs,
): ComprefaceEndpoint<Request> {
  const [method = '', path = ''] = call.split(' ');
  const service = (/^\/(detection|verification)\//.exec(path)?.[1] ??
    'recognition') as TokenBinding['service'];
  return {
    id: `compreface${id}`,
    tag: 'face',
    profile: 'compreface',
    auth: 'token',
    summary: '',
    methods: [method as 'GET'],
    path: `${comprefacePrefix}${path}`,
    // Who has used up the quota can erase still.
    hit: method === 'DELETE' || id === 'DeletePictures' ? 'while left' : 'before',
    repeatable: method === 'GET',
    request,
    answer: z.unknown(),
    refusals: [],
    example: { request: {}, answer: {} },
    service,
    scope,
    pictures,
    required,
  };
}

/** The endpoints of CompreFace's REST API, below the prefix. */
export const comprefaceEndpoints = {
  createSubject: define('CreateSubject', 'POST /recognition/subjects', z.object({ subject: newSubject }), {
    scope: 'enrol',
    pictures: 0,
  }),
  listSubjects: define('ListSubjects', 'GET /recognition/subjects', empty, { scope: 'read', pictures: 0 }),
  renameSubject: define(
    'RenameSubject',
    'PUT /recognition/subjects/:name',
    z.object({ name: subject, subject: newSubject }),
    { scope: 'enrol', pictures: 0 },
  ),
  deleteSubject: define('DeleteSubject', 'DELETE /recognition/subjects/:name', z.object({ name: subject }), {
    scope: 'enrol',
    pictures: 0,
  }),
  deleteSubjects: define('DeleteSubjects', 'DELETE /recognition/subjects', empty, {
    scope: 'enrol',
    pictures: 0,
  }),
  addPicture: define(
    'AddPicture',
    'POST /recognition/faces',
    z.object({ subject: newSubject, file: picture, ...scoreField }),
    { scope: 'enrol', pictures: 1, required: ['subject'] },
  ),
  listPictures: define(
    'ListPictures',
    'GET /recognition/faces',
    z.object({ subject: optionalSubject, page: count(0, 0), size: count(0, 20) }),
    { scope: 'read', pictures: 0 },
  ),
  deletePictures: define(
    'DeletePicturesOf',
    'DELETE /recognition/faces',
    z.object({ subject: optionalSubject }),
    { scope: 'enrol', pictures: 0 },
  ),
  deletePicture: define('DeletePicture', 'DELETE /recognition/faces/:image_id', z.object(image), {
    scope: 'enrol',
    pictures: 0,
  }),
  deleteSeveral: define(
    'DeletePictures',
    'POST /recognition/faces/delete',
    z.object({
      ids: z.array(uuid, { error: 'a list of image ids' }).max(1000, { error: 'a list of at most 1,000' }),
    }),
    { scope: 'enrol', pictures: 0 },
  ),
  downloadPicture: define('DownloadPicture', 'GET /recognition/faces/:image_id/img', z.object(image), {
    scope: 'pictures',
    pictures: 0,
  }),
  staticPicture: define('StaticPicture', 'GET /static/:api_key/images/:image_id', z.object({ ...image }), {
    scope: 'pictures',
    pictures: 0,
  }),
  recognise: define(
    'Recognise',
    'POST /recognition/recognize',
    z.object({ file: picture, prediction_count: count(1, 1), ...faceFields }),
    { scope: 'recognise', pictures: 1 },
  ),
  verifyPicture: define(
    'VerifyPicture',
    'POST /recognition/faces/:image_id/verify',
    z.object({ ...image, file: picture, ...faceFields }),
    { scope: 'recognise', pictures: 1 },
  ),
  detect: define('Detect', 'POST /detection/detect', z.object({ file: picture, ...faceFields }), {
    scope: 'recognise',
    pictures: 1,
  }),
  verify: define(
    'Verify',
    'POST /verification/verify',
    z.object({ source_image: picture, target_image: picture, ...faceFields }),
    { scope: 'recognise', pictures: 2 },
  ),
  recogniseEmbeddings: define('RecogniseEmbeddings', 'POST /recognition/embeddings/recognize', empty, {
    scope: 'recognise',
    pictures: 0,
  }),
  verifyEmbeddings: define('VerifyEmbeddings', 'POST /recognition/embeddings/faces/:image_id/verify', empty, {
    scope: 'recognise',
    pictures: 0,
  }),
  compareEmbeddings: define('CompareEmbeddings', 'POST /verification/embeddings/verify', empty, {
    scope: 'recognise',
    pictures: 0,
  }),
} as const;
