import type { Endpoint, Scope } from '@wajah/contract';
import { z } from 'zod';
import type { TokenBinding } from '../../store/token-store.ts';
import { comprefacePrefix } from './errors.ts';
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

function define<Request extends z.ZodObject>(
  id: string,
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  request: Request,
  { scope, required = [] }: { readonly scope: Scope; readonly required?: readonly string[] },
): ComprefaceEndpoint<Request> {
  const [method = '', path = ''] = call.split(' ');
  const service = (/^\/(detection|verification)\//.exec(path)?.[1] ??
    'recognition') as TokenBinding['service'];
  return {
    ...{ id: `compreface${id}`, tag: 'face', profile: 'compreface', auth: 'token', summary: '' },
    methods: [method as 'GET'],
    path: `${comprefacePrefix}${path}`,
    // Who has used up the quota can erase still.
    hit: method === 'DELETE' || id === 'DeletePictures' ? 'while left' : 'before',
    ...{ request, answer: z.unknown(), refusals: [], example: { request: {}, answer: {} } },
    ...{ service, scope, required },
  };
}

/** The endpoints of CompreFace's REST API, below the prefix. */
export const comprefaceEndpoints = {
  createSubject: define('CreateSubject', 'POST /recognition/subjects', z.object({ subject: newSubject }), {
    scope: 'enrol',
  }),
  listSubjects: define('ListSubjects', 'GET /recognition/subjects', empty, { scope: 'read' }),
  renameSubject: define(
    'RenameSubject',
    'PUT /recognition/subjects/:name',
    z.object({ name: subject, subject: newSubject }),
    { scope: 'enrol' },
  ),
  deleteSubject: define('DeleteSubject', 'DELETE /recognition/subjects/:name', z.object({ name: subject }), {
    scope: 'enrol',
  }),
  deleteSubjects: define('DeleteSubjects', 'DELETE /recognition/subjects', empty, { scope: 'enrol' }),
  addPicture: define(
    'AddPicture',
    'POST /recognition/faces',
    z.object({ subject: newSubject, file: picture, ...scoreField }),
    { scope: 'enrol', required: ['subject'] },
  ),
  listPictures: define(
    'ListPictures',
    'GET /recognition/faces',
    z.object({ subject: optionalSubject, page: count(0, 0), size: count(0, 20) }),
    { scope: 'read' },
  ),
  deletePictures: define(
    'DeletePicturesOf',
    'DELETE /recognition/faces',
    z.object({ subject: optionalSubject }),
    { scope: 'enrol' },
  ),
  deletePicture: define('DeletePicture', 'DELETE /recognition/faces/:image_id', z.object(image), {
    scope: 'enrol',
  }),
  deleteSeveral: define(
    'DeletePictures',
    'POST /recognition/faces/delete',
    z.object({
      ids: z.array(uuid, { error: 'a list of image ids' }).max(1000, { error: 'a list of at most 1,000' }),
    }),
    { scope: 'enrol' },
  ),
  downloadPicture: define('DownloadPicture', 'GET /recognition/faces/:image_id/img', z.object(image), {
    scope: 'pictures',
  }),
  staticPicture: define('StaticPicture', 'GET /static/:api_key/images/:image_id', z.object({ ...image }), {
    scope: 'pictures',
  }),
  recognise: define(
    'Recognise',
    'POST /recognition/recognize',
    z.object({ file: picture, prediction_count: count(1, 1), ...faceFields }),
    { scope: 'recognise' },
  ),
  verifyPicture: define(
    'VerifyPicture',
    'POST /recognition/faces/:image_id/verify',
    z.object({ ...image, file: picture, ...faceFields }),
    { scope: 'recognise' },
  ),
  detect: define('Detect', 'POST /detection/detect', z.object({ file: picture, ...faceFields }), {
    scope: 'recognise',
  }),
  verify: define(
    'Verify',
    'POST /verification/verify',
    z.object({ source_image: picture, target_image: picture, ...faceFields }),
    { scope: 'recognise' },
  ),
  recogniseEmbeddings: define('RecogniseEmbeddings', 'POST /recognition/embeddings/recognize', empty, {
    scope: 'recognise',
  }),
  verifyEmbeddings: define('VerifyEmbeddings', 'POST /recognition/embeddings/faces/:image_id/verify', empty, {
    scope: 'recognise',
  }),
  compareEmbeddings: define('CompareEmbeddings', 'POST /verification/embeddings/verify', empty, {
    scope: 'recognise',
  }),
} as const;
