import {
  type Endpoint,
  message,
  name,
  optionalFraction,
  optionalName,
  optionalPicture,
  picture,
  type RequestOf,
  type Scope,
} from '@wajah/contract';
import { z } from 'zod';

export const prefix = '/v1';

/** Pictures of one registration at most. */
const mostPictures = 5;

const key = { api_key: optionalName('An API token.', 4000) };
const image = { ...key, image: picture('The picture.') };
const userid = name('The name of the person.');
const confidence = { min_confidence: optionalFraction('Least confidence.') };

/** Programs take a person of this name for nobody. */
const registered = userid.refine((given) => given.toLowerCase() !== 'unknown', {
  error: message('nameOfPeople'),
});

/** Field names of the pictures of a registration. */
const registeredPictures = ['image', ...Array.from({ length: mostPictures }, (_, at) => `image${at + 1}`)];

const registration = z.object({
  ...key,
  userid: registered,
  ...Object.fromEntries(registeredPictures.map((field) => [field, optionalPicture('A picture.')])),
});

/**
 * @param pictures of a call; forms are taken only where there are some
 * @param hit who has used up the quota can erase still
 */
function define<Request extends z.ZodObject>(
  path: string,
  request: Request,
  needs: Partial<Pick<Endpoint, 'hit' | 'pictures'>> & { readonly scope: Scope | null },
): Endpoint<Request> {
  return {
    id: `cameras${path.replaceAll('/', ' ').replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase())}`,
    tag: 'face',
    profile: 'cameras',
    auth: needs.scope === null ? 'none' : 'token',
    summary: '',
    methods: [needs.scope === null ? 'GET' : 'POST'],
    path: `${prefix}${path}`,
    repeatable: false,
    hit: 'before',
    pictures: 1,
    request,
    answer: z.unknown(),
    refusals: [],
    example: { request: {}, answer: {} },
    ...needs,
  };
}

export const cameraEndpoints = {
  detect: define('/vision/face', z.object({ ...image, ...confidence }), { scope: 'recognise' }),
  recognise: define('/vision/face/recognize', z.object({ ...image, ...confidence }), { scope: 'recognise' }),
  match: define(
    '/vision/face/match',
    z.object({ ...key, image1: picture('A picture.'), image2: picture('The other.') }),
    { scope: 'recognise', pictures: 2 },
  ),
  register: define('/vision/face/register', registration, { scope: 'enrol', pictures: mostPictures }),
  list: define('/vision/face/list', z.object(key), { scope: 'read' }),
  remove: define('/vision/face/delete', z.object({ ...key, userid }), { scope: 'enrol', hit: 'while left' }),
  ping: define('/status/ping', z.object({}), { scope: null, hit: 'never', pictures: 0 }),
};

/** The pictures of a registration, in the order of their names. */
export const picturesOf = (fields: Readonly<Record<string, unknown>>) =>
  registeredPictures.flatMap((field) => {
    const given = fields[field] as RequestOf<'enrolFace'>['image'];
    return given === undefined ? [] : [{ field, image: given }];
  });
