import { phrase, type RefusalCode, type RefusalParamsArgument, refusals, toldRefusal } from '../refusals.ts';
import type { RefusalRow, Sentence, SentenceParams } from './sentence.ts';
import type { StatusName } from './statuses.ts';

interface Example {
  readonly error: RefusalCode;
  readonly params: SentenceParams;
  readonly detail: Sentence;
}

function refused<Code extends RefusalCode>(error: Code, ...[params]: RefusalParamsArgument<Code>): Example {
  const { detail, params: shown } = toldRefusal(error, params ?? {});
  return { error, params: shown, detail };
}

const missing = (field: string, most: number) => {
  const allowed = phrase('textFromTo', { least: 1, most });
  const problem = phrase('foundAllowed', { found: phrase('nothing'), allowed });
  return { problems: [phrase('fieldProblem', { field, problem })] };
};
const empty = (field: string) => ({ field });
const notBase64 = (field: string) => ({
  field,
  problem: phrase('characterAt', { character: '.', code_point: 'U+002E', position: 4 }),
});
const gif = (field: string) => ({ field, reason: 'it is a GIF; send a JPEG, PNG, WebP or AVIF' });

/** Of statuses whose refusals all have values, and of those whose first one is rare. */
const chosen: Partial<Record<StatusName, Example>> = {
  unauthorized: refused('tokenMissing'),
  denied: refused('scopeMissing', { needed: 'enrol', held: 'recognise' }),
  routeNotFound: refused('routeNotFound'),
  methodNotAllowed: refused('methodNotAllowed', { method: 'PATCH', allowed: 'POST' }),
  malformed: refused('fieldsMalformed', missing('user_name', 120)),
  faceNotDetected: refused('faceNotDetected', { field: 'image', width: 640, height: 480 }),
  faceTooSmall: refused('faceTooSmall', {
    field: 'image',
    face: phrase('theFace'),
    size: 62,
    minimum: 100,
  }),
  qualityTooLow: refused('severalFaces', { field: 'image', found: 2, faces: ['120x150 px', '96x118 px'] }),
  clientNotFound: refused('clientNotFound', { client: 'demo' }),
  clientExists: refused('clientExists', { client: 'demo' }),
  tooManyRequests: refused('tooManyCalls', { most: 600, seconds: 12 }),
  imageNull: refused('imageEmpty', empty('image')),
  userIdNull: refused('userIdNull', missing('user_id', 120)),
  userNameNull: refused('userNameNull', missing('user_name', 120)),
  galleryIdNull: refused('galleryIdNull', missing('facegallery_id', 120)),
  targetImageNull: refused('targetImageEmpty', empty('target_image')),
  sourceImageNull: refused('sourceImageEmpty', empty('source_image')),
  imageBase64: refused('imageBase64', notBase64('image')),
  targetImageBase64: refused('targetImageBase64', notBase64('target_image')),
  sourceImageBase64: refused('sourceImageBase64', notBase64('source_image')),
  imageType: refused('imageType', gif('image')),
  sourceImageType: refused('sourceImageType', gif('source_image')),
  imageBroken: refused('pictureTooLarge', { field: 'image', bytes: 12_000_000, most: 10_485_760 }),
  busy: refused('shuttingDown'),
};

const needsNothing = ([, { sentence }]: [string, RefusalRow]) => !/\{\w+(:\w+)?\}/.test(sentence);

/** A refusal of a row of the status table: what an answer has beside the row. */
export function exampleRefusal(name: StatusName): Example {
  const rows = Object.entries<RefusalRow>(refusals).filter(([, { status }]) => status === name);
  const [code] = rows.find(needsNothing) ?? [];
  const example = chosen[name] ?? (code === undefined ? undefined : refused(code as 'serverError'));
  if (example === undefined) throw new Error(`status ${name} has no example of a refusal`);
  return example;
}
