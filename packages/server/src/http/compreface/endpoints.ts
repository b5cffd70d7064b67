import type { Endpoint, Scope } from '@wajah/contract';
import { z } from 'zod';
import type { TokenBinding } from '../../store/token-store.ts';
import { comprefacePrefix } from '../compreface-errors.ts';
import {
  count,
  faceFields,
  newSubject,
  optionalSubject,
  picture,
  scoreField,
  subject,
  uuid,
} from './fields.ts';

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
