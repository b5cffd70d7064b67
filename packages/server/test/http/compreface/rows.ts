/** A call of the table, a path in its answer, and what is there. */
export type Row = readonly [call: string, field: string, expected: Expected];

/** A value, or a kind of value. */
export type Expected =
  | { readonly kind: 'uuid' | 'probability' | 'integer' | 'number' | 'text' | 'absent' | 'empty' | 'picture' }
  | { readonly value: unknown }
  | { readonly contains: string }
  | { readonly between: readonly [number, number] };

const uuid = { kind: 'uuid' } as const;
const probability = { kind: 'probability' } as const;
const integer = { kind: 'integer' } as const;
const number = { kind: 'number' } as const;
const text = { kind: 'text' } as const;
const absent = { kind: 'absent' } as const;
const is = (value: unknown) => ({ value }) as const;
const contains = (part: string) => ({ contains: part }) as const;
const between = (least: number, most: number) => ({ between: [least, most] }) as const;

/** The HTTP code and the fields of an error. */
const error = (call: string, http: number, code: number, message: string): Row[] => [
  [call, 'http', is(http)],
  [call, 'code', is(code)],
  [call, 'message', contains(message)],
];

const noFace = 'No face is found in the given image';

/** What a face has with all plugins; `at` is its path. */
const face = (call: string, at: string): Row[] => [
  [call, `${at}.box.probability`, probability],
  ...['x_max', 'y_max', 'x_min', 'y_min'].map((side): Row => [call, `${at}.box.${side}`, integer]),
  [call, `${at}.landmarks.length`, is(5)],
  [call, `${at}.landmarks.0.length`, is(2)],
  [call, `${at}.landmarks.4.1`, integer],
  ...['pitch', 'roll', 'yaw'].map((angle): Row => [call, `${at}.pose.${angle}`, number]),
  [call, `${at}.mask.value`, is('without_mask')],
  [call, `${at}.mask.probability`, probability],
  ...['detector', 'calculator', 'pose', 'mask'].map(
    (plugin): Row => [call, `${at}.execution_time.${plugin}`, number],
  ),
  ...['age', 'gender', 'embedding', 'execution_time.age', 'execution_time.gender'].map(
    (field): Row => [call, `${at}.${field}`, absent],
  ),
];

/** What a face has without plugins. */
const bareFace = (call: string, at: string): Row[] => [
  [call, `${at}.box.x_max`, integer],
  ...['landmarks', 'pose', 'mask', 'age', 'gender', 'embedding', 'execution_time'].map(
    (field): Row => [call, `${at}.${field}`, absent],
  ),
];

const versions = (call: string, at: string): Row[] => [
  ...['detector', 'calculator', 'pose', 'mask'].map(
    (plugin): Row => [call, `${at}.${plugin}`, contains('wajah')],
  ),
  ...['age', 'gender'].map((plugin): Row => [call, `${at}.${plugin}`, absent]),
];

const subjects: Row[] = [
  ['add subject', 'http', is(201)],
  ['add subject', 'subject', is('cici')],
  ...error('add subject again', 400, 43, 'Subject already exists'),
  ...error('add subject, blank', 400, 26, 'Subject name cannot be empty'),
  ...error('add subject, none', 400, 26, 'subject'),
  ...error('add subject, no JSON', 400, 0, 'JSON'),
  ['list subjects', 'http', is(200)],
  ['list subjects', 'subjects', is(['ani', 'budi', 'cici'])],
  ['list subjects, slash', 'subjects', is(['ani', 'budi', 'cici'])],
  ['rename subject', 'http', is(200)],
  ['rename subject', 'updated', is(true)],
  ['rename subject, same name', 'updated', is(false)],
  ...error('rename subject, unknown', 404, 42, 'Subject nobody not found'),
  ...error('rename subject, none', 400, 26, 'subject'),
  ['rename subject without example', 'updated', is(true)],
  ['merge subjects', 'http', is(200)],
  ['merge subjects', 'updated', is(true)],
  ['delete subject', 'http', is(200)],
  ['delete subject', 'subject', is('dedi')],
  ...error('delete subject again', 404, 42, 'Subject dedi not found'),
  ...error('delete subject, bad name', 400, 0, 'the URL'),
  ['delete all subjects', 'http', is(200)],
  ['delete all subjects', 'deleted', is(2)],
  ['list subjects, none', 'subjects', is([])],
];

const examples: Row[] = [
  ['add example, form', 'http', is(201)],
  ['add example, form', 'image_id', uuid],
  ['add example, form', 'subject', is('ani')],
  ['add example, base64', 'http', is(201)],
  ['add example, base64', 'image_id', uuid],
  ['add example of another', 'subject', is('budi')],
  ...error('add example, two faces', 400, 31, 'More than one face'),
  ...error('add example, no face', 400, 28, noFace),
  ...error('add example, small face', 400, 28, '100 px'),
  ...error('add example, no subject', 400, 33, 'Required parameter subject is missing'),
  ...error('add example, blank subject', 400, 26, 'Subject name is empty'),
  ...error('add example, no file', 400, 34, 'Required part file is missing'),
  ...error('add example, no base64', 400, 5, 'file'),
  ...error('add example, wrong base64', 400, 21, 'base64'),
  ...error('add example, not a picture', 400, 21, 'GIF'),
  ...error('add example, threshold', 400, 28, noFace),
  ['list examples', 'http', is(200)],
  ['list examples', 'faces.length', is(3)],
  ['list examples', 'faces.0.image_id', uuid],
  ['list examples', 'faces.0.subject', is('ani')],
  ['list examples', 'faces.2.subject', is('budi')],
  ['list examples', 'page_number', is(0)],
  ['list examples', 'page_size', is(20)],
  ['list examples', 'total_pages', is(1)],
  ['list examples', 'total_elements', is(3)],
  ['list examples, page', 'faces.length', is(1)],
  ['list examples, page', 'page_number', is(1)],
  ['list examples, page', 'page_size', is(2)],
  ['list examples, page', 'total_pages', is(2)],
  ['list examples, page', 'total_elements', is(3)],
  ['list examples, subject', 'faces.length', is(2)],
  ['list examples, subject', 'total_elements', is(2)],
  ['list examples, unknown subject', 'http', is(200)],
  ['list examples, unknown subject', 'faces', is([])],
  ...error('list examples, wrong page', 400, 26, 'page'),
  ['list examples, renamed', 'faces.1.subject', is('Ani Lestari')],
  ['list examples, renamed', 'total_elements', is(3)],
  ['list examples, merged', 'faces.length', is(3)],
  ['list examples, merged', 'faces.2.subject', is('Ani Lestari')],
  ['download example', 'http', is(200)],
  ['download example', 'type', is('image/jpeg')],
  ['download example', 'bytes', { kind: 'picture' }],
  ['download example, direct', 'http', is(200)],
  ['download example, direct', 'bytes', { kind: 'picture' }],
  ['download example, unknown', 'http', is(200)],
  ['download example, unknown', 'bytes', { kind: 'empty' }],
  ['delete example', 'http', is(200)],
  ['delete example', 'image_id', uuid],
  ['delete example', 'subject', is('Ani Lestari')],
  ...error('delete example again', 404, 44, 'not found'),
  ['download deleted example', 'bytes', { kind: 'empty' }],
  ['delete examples', 'http', is(200)],
  ['delete examples', 'length', is(1)],
  ['delete examples', '0.image_id', uuid],
  ['delete examples', '0.subject', is('Ani Lestari')],
  ...error('delete examples, no list', 400, 26, 'image ids'),
  ['delete examples of a subject', 'http', is(200)],
  ['delete examples of a subject', 'deleted', is(1)],
  ['delete examples of an unknown subject', 'deleted', is(0)],
  ['delete all examples', 'http', is(200)],
  ['delete all examples', 'deleted', is(1)],
];

const recognize: Row[] = [
  ['recognize, empty collection', 'http', is(200)],
  ['recognize, empty collection', 'result.length', is(1)],
  ['recognize, empty collection', 'result.0.subjects', is([])],
  ['recognize, form', 'http', is(200)],
  ['recognize, form', 'result.length', is(2)],
  ...face('recognize, form', 'result.0'),
  ...face('recognize, form', 'result.1'),
  ['recognize, form', 'result.0.subjects.length', is(2)],
  ['recognize, form', 'result.0.subjects.0.subject', is('ani')],
  ['recognize, form', 'result.0.subjects.0.similarity', between(0.9, 1)],
  ['recognize, form', 'result.0.subjects.1.subject', is('budi')],
  ['recognize, form', 'result.0.subjects.1.similarity', between(0, 0.5)],
  ['recognize, form', 'result.1.subjects.0.subject', is('budi')],
  ...versions('recognize, form', 'plugins_versions'),
  ['recognize, base64', 'result.length', is(2)],
  ['recognize, base64', 'result.0.subjects.length', is(1)],
  ['recognize, base64', 'plugins_versions', absent],
  ...bareFace('recognize, base64', 'result.0'),
  ['recognize, limit', 'result.length', is(1)],
  ['recognize, limit', 'result.0.subjects.0.subject', is('ani')],
  ['recognize, raw', 'result.0.subjects.0.similarity', between(0.7, 1)],
  ['recognize, cropped face', 'result.0.subjects.0.subject', is('ani')],
  ...error('recognize, no face', 400, 28, noFace),
  ...error('recognize, wrong limit', 400, 26, 'limit'),
  ...error('recognize, wrong count', 400, 26, 'prediction_count'),
  ...error('recognize, wrong threshold', 400, 26, 'det_prob_threshold'),
  ...error('recognize, no file', 400, 34, 'Required part file is missing'),
  ...error('recognize, no base64', 400, 5, 'file'),
  ...error('recognize, no body', 400, 5, 'file'),
  ...error('recognize, no key', 400, 20, 'Missing header: x-api-key'),
  ...error('recognize, unknown key', 404, 10, 'Recognition service with API Key'),
  ...error('recognize, own token', 404, 10, 'Recognition service with API Key'),
  ...error('recognize, key of detection', 404, 10, 'Recognition service with API Key'),
];

const verifyExample: Row[] = [
  ['verify example, form', 'http', is(200)],
  ['verify example, form', 'result.length', is(2)],
  ...face('verify example, form', 'result.0'),
  ['verify example, form', 'result.0.subject', is('ani')],
  ['verify example, form', 'result.0.similarity', between(0.9, 1)],
  ['verify example, form', 'result.1.similarity', between(0, 0.5)],
  ...versions('verify example, form', 'plugins_versions'),
  ['verify example, base64', 'result.length', is(1)],
  ...bareFace('verify example, base64', 'result.0'),
  ['verify example, base64', 'plugins_versions', absent],
  ...error('verify example, unknown', 404, 44, 'Image 6b135f5b-a365-4522-b1f1-4c9ac2dd0728 not found'),
  ...error('verify example, no id', 400, 26, 'image_id'),
  ...error('verify example, no file', 400, 34, 'Required part file is missing'),
];

const detection: Row[] = [
  ['detect, form', 'http', is(200)],
  ['detect, form', 'result.length', is(2)],
  ...face('detect, form', 'result.0'),
  ...versions('detect, form', 'plugins_versions'),
  ['detect, form', 'result.0.subjects', absent],
  ['detect, base64', 'result.length', is(1)],
  ...bareFace('detect, base64', 'result.0'),
  ['detect, base64', 'plugins_versions', absent],
  ...error('detect, no face', 400, 28, noFace),
  ...error('detect, no file', 400, 34, 'Required part file is missing'),
  ...error('detect, key of recognition', 404, 10, 'Detection service with API Key'),
];

const verification: Row[] = [
  ['verify, form', 'http', is(200)],
  ['verify, form', 'result.length', is(1)],
  ...face('verify, form', 'result.0.source_image_face'),
  ['verify, form', 'result.0.source_image_face.similarity', absent],
  ['verify, form', 'result.0.face_matches.length', is(2)],
  ...face('verify, form', 'result.0.face_matches.0'),
  ['verify, form', 'result.0.face_matches.0.similarity', between(0.9, 1)],
  ['verify, form', 'result.0.face_matches.1.similarity', between(0, 0.5)],
  ...versions('verify, form', 'result.0.plugins_versions'),
  ['verify, base64', 'result.0.face_matches.length', is(1)],
  ...bareFace('verify, base64', 'result.0.source_image_face'),
  ['verify, base64', 'result.0.plugins_versions', absent],
  ...error('verify, two faces in the source', 400, 31, 'More than one face in the source image'),
  ...error('verify, no face', 400, 28, noFace),
  ...error('verify, no source', 400, 34, 'Required part source_image is missing'),
  ...error('verify, no target', 400, 5, 'target_image'),
];

const others: Row[] = [
  ...error('recognize, embedding', 400, 36, 'embeddings'),
  ...error('verify example, embedding', 400, 36, 'embeddings'),
  ...error('verify, embedding', 400, 36, 'embeddings'),
  ...error('unknown path', 404, 0, 'no endpoint'),
  ...error('unknown method', 404, 0, 'no endpoint'),
  ...error('path above', 404, 0, 'no endpoint'),
  ['unknown path', 'status', absent],
  ['unknown path', 'trx_id', absent],
  ['unknown path', 'type', text],
];

/** Every endpoint that CompreFace documents, with each field of its answers, and its errors. */
export const rows: readonly Row[] = [
  ...subjects,
  ...examples,
  ...recognize,
  ...verifyExample,
  ...detection,
  ...verification,
  ...others,
];
