import { type Endpoint, message, nameProblem, normaliseName, pictureType, type Scope } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import { type CompatibleService, comprefacePrefix } from '@wajah/server/profile';
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
  const error = message('wholeNumber', { least, most: mostCount });
  const whole = z.int({ error }).min(least, { error }).max(mostCount, { error });
  return z.preprocess(lenientNumber, whole.default(byDefault));
};

const flag = (byDefault: boolean) =>
  z.preprocess(lenientFlag, z.boolean({ error: message('trueOrFalse') }).default(byDefault));

const fractionError = message('number', { least: 0, most: 1 });

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
    .string({ error: message('pluginSlugs') })
    .default('')
    .transform((given) => new Set(given.split(',').map((slug) => slug.trim().toLowerCase()))),
);

const scale = z.preprocess(
  absent,
  z.enum(['compreface', 'wajah'], { error: message('comprefaceOrWajah') }).default('compreface'),
);

/** That it is there was checked before. */
const picture = pictureType(message('pictureFile'));

/** What all calls with faces take. */
const faceFields = {
  limit: count(0, 0),
  det_prob_threshold: minScore,
  face_plugins: plugins,
  status: flag(false),
  detect_faces: flag(true),
  similarity: scale,
};

const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: message('aUuid') })
  .transform((given) => given.toLowerCase());

const emptyName = phrase('emptySubjectName');

const nameType = z.string({ error: message('subjectNameNeeded') }).check((context) => {
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
    error: message('nameOfNoPath'),
  }),
);

const optionalSubject = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? undefined : normalised(value)),
  nameType.optional(),
);

/** An endpoint of the profile: the service whose keys it takes, and the scope that it needs. */
export interface ComprefaceEndpoint<Request extends z.ZodObject = z.ZodObject> extends Endpoint<Request> {
  readonly service: CompatibleService;
  readonly scope: Scope;
  /** Parameters that must be there. */
  readonly required: readonly string[];
}

const empty = z.object({});
const onePicture = z.object({ image_id: uuid });

/**
 * @param call method and path below the prefix
 * @param needs scope, number of pictures (default: none), parameters that must be there
 */
function define<Request extends z.ZodObject>(
  id: string,
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  request: Request,
  needs: { readonly scope: Scope; readonly pictures?: number; readonly required?: readonly string[] },
): ComprefaceEndpoint<Request> {
  const [method = '', path = ''] = call.split(' ');
  const [, service = 'recognition'] = /^\/(detection|verification)\//.exec(path) ?? [];
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
    service: service as CompatibleService,
    scope: needs.scope,
    pictures: needs.pictures ?? 0,
    required: needs.required ?? [],
  };
}

const [enrol, read, show] = [{ scope: 'enrol' }, { scope: 'read' }, { scope: 'pictures' }] as const;
const recognise = (pictures: number) => ({ scope: 'recognise', pictures }) as const;

const names = '/recognition/subjects';
const faces = '/recognition/faces';

/** The endpoints of CompreFace's REST API, below the prefix. */
export const comprefaceEndpoints = {
  createSubject: define('CreateSubject', `POST ${names}`, z.object({ subject: newSubject }), enrol),
  listSubjects: define('ListSubjects', `GET ${names}`, empty, read),
  renameSubject: define(
    'RenameSubject',
    `PUT ${names}/:name`,
    z.object({ name: subject, subject: newSubject }),
    enrol,
  ),
  deleteSubject: define('DeleteSubject', `DELETE ${names}/:name`, z.object({ name: subject }), enrol),
  deleteSubjects: define('DeleteSubjects', `DELETE ${names}`, empty, enrol),
  addPicture: define(
    'AddPicture',
    `POST ${faces}`,
    z.object({ subject: newSubject, file: picture, det_prob_threshold: minScore }),
    { scope: 'enrol', pictures: 1, required: ['subject'] },
  ),
  listPictures: define(
    'ListPictures',
    `GET ${faces}`,
    z.object({ subject: optionalSubject, page: count(0, 0), size: count(0, 20) }),
    read,
  ),
  deletePictures: define(
    'DeletePicturesOf',
    `DELETE ${faces}`,
    z.object({ subject: optionalSubject }),
    enrol,
  ),
  deletePicture: define('DeletePicture', `DELETE ${faces}/:image_id`, onePicture, enrol),
  deleteSeveral: define(
    'DeletePictures',
    `POST ${faces}/delete`,
    z.object({
      ids: z.array(uuid, { error: message('imageIds') }).max(1000, { error: message('imageIdsUpTo') }),
    }),
    enrol,
  ),
  downloadPicture: define('DownloadPicture', `GET ${faces}/:image_id/img`, onePicture, show),
  staticPicture: define('StaticPicture', 'GET /static/:api_key/images/:image_id', onePicture, show),
  recognise: define(
    'Recognise',
    'POST /recognition/recognize',
    z.object({ file: picture, prediction_count: count(1, 1), ...faceFields }),
    recognise(1),
  ),
  verifyPicture: define(
    'VerifyPicture',
    `POST ${faces}/:image_id/verify`,
    z.object({ image_id: uuid, file: picture, ...faceFields }),
    recognise(1),
  ),
  detect: define(
    'Detect',
    'POST /detection/detect',
    z.object({ file: picture, ...faceFields }),
    recognise(1),
  ),
  verify: define(
    'Verify',
    'POST /verification/verify',
    z.object({ source_image: picture, target_image: picture, ...faceFields }),
    recognise(2),
  ),
  recogniseEmbeddings: define(
    'RecogniseEmbeddings',
    'POST /recognition/embeddings/recognize',
    empty,
    recognise(0),
  ),
  verifyEmbeddings: define(
    'VerifyEmbeddings',
    'POST /recognition/embeddings/faces/:image_id/verify',
    empty,
    recognise(0),
  ),
  compareEmbeddings: define('CompareEmbeddings', 'POST /verification/embeddings/verify', empty, recognise(0)),
} as const;
