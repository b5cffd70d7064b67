import { EnrolError, type Gallery, isWajahError, WajahError } from '@wajah/client';
import { endpoints, maxImagePixels as maxPixels, parseRequest } from '@wajah/contract';
import { type RefusalCode, toldRefusal } from '@wajah/contract/refusals';
import type { Terminal } from '@wajah/server/commands';
import type { Server } from './server.ts';
import type { PictureLimits } from './source.ts';

interface DryRun extends PictureLimits {
  readonly terminal: Pick<Terminal, 'note'>;
  readonly createGallery: boolean;
  readonly replace: boolean;
}

type Fields = Parameters<Gallery['enrol']>[0];

/** No picture: the server refuses it last, after all that it requires of token, gallery, person and quotas. */
const noPicture = 'AA==';

/**
 * The gallery of a dry run. Fields are checked as the server does it, pictures are decoded, and what the gallery requires
 * the server is asked, by enrolments without a picture. No picture is sent, and no face is looked for.
 * @throws WajahError what would end the import
 */
export async function withoutWriting({ wajah, gallery }: Server, dryRun: DryRun): Promise<Gallery> {
  const { facegallery_id } = gallery;
  const { terminal, maxBytes, createGallery, replace } = dryRun;
  const { remaining_limit: remaining } = await wajah.getCounters({});
  const isNew = (error: unknown) => createGallery && codeOf(error) === 'galleryNotFound';
  const enrolled = new Set<string>();
  const people: Gallery['people'] = async function* (options) {
    try {
      for await (const person of gallery.people(options)) {
        enrolled.add(person.user_id);
        yield person;
      }
    } catch (error) {
      if (!isNew(error)) throw error;
      if (remaining.n_facegallery < 1)
        throw new WajahError('403', { detail: detailOf('galleryQuotaUsedUp') });
      terminal.note(`There is no gallery ${JSON.stringify(facegallery_id)} yet; it would be created.`);
    }
  };
  // An id that no gallery has: whether the token may create one is looked at before.
  if (createGallery) await refusedBy('galleryIdNull', wajah.createGallery({ facegallery_id: '' }));
  if (replace) for await (const _ of people({ pageSize: 10_000 }));
  const admit = admission((person) => gallery.enrol({ ...person, image: noPicture }), { isNew, enrolled });
  const left = { calls: remaining.n_api_hits, people: remaining.n_face };
  return {
    ...gallery,
    people,
    async enrol({ image, ...person }) {
      const parsed = parseRequest(endpoints.enrolFace.request, {
        ...person,
        facegallery_id,
        image: noPicture,
      });
      if (!parsed.ok)
        throw new WajahError('400', { detail: parsed.detail, error: parsed.code, params: parsed.params });
      await admit(person);
      await decode(image as Uint8Array, maxBytes);
      left.calls -= 1;
      if (left.calls < 0) throw new Error(detailOf('callQuotaUsedUp'));
      if (enrolled.has(person.user_id) || person.if_exists === 'append') return taken;
      left.people -= 1;
      if (left.people < 0) throw new Error(detailOf('faceQuotaUsedUp'));
      return taken;
    },
  };
}

const taken = { status: '200', status_message: '', trx_id: '' } as const;

const detailOf = (code: RefusalCode) => toldRefusal(code, {}).detail;

const codeOf = (error: unknown) => (isWajahError(error) ? error.code : undefined);

/** Waits for a call that is refused. @throws any other error */
async function refusedBy(code: string, call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (codeOf(error) !== code) throw error;
  });
}

/** @throws EnrolError what the server would say of the picture */
async function decode(image: Uint8Array, maxBytes: number): Promise<void> {
  // Loaded when it is needed: other imports decode no picture.
  const { decodeImage } = await import('@wajah/engine/decode');
  try {
    await decodeImage(image, { maxBytes, maxPixels }, undefined, 0);
  } catch (error) {
    const sentence = (error as Error).message.replace(/\.$/, '');
    throw new EnrolError('unreadable', sentence, { cause: error });
  }
}

/** Asks whether a person would be taken: once for all who differ in ids and texts only, but for those who are enrolled. */
function admission(
  ask: (person: Fields) => Promise<unknown>,
  { isNew, enrolled }: { isNew(error: unknown): boolean; readonly enrolled: ReadonlySet<string> },
) {
  const answers = new Map<string, Promise<void>>();
  return async (person: Fields): Promise<void> => {
    const { user_id, consent_reference, consent_purpose, consent_given_at, consent_until } = person;
    const texts = [consent_reference, consent_purpose].map((text) => text !== undefined);
    const key = JSON.stringify([enrolled.has(user_id) && user_id, texts, consent_given_at, consent_until]);
    const answer = answers.get(key) ?? refusedBy('imageType', ask(person));
    answers.set(key, answer);
    await answer.catch((error: unknown) => {
      if (isNew(error)) return;
      if (isWajahError(error) && error.retryable) answers.delete(key);
      throw error;
    });
  };
}
