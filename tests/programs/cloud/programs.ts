import { type Account, ask, askOrThrow, HttpError, type Told } from './transport.ts';

/**
 * Programs that run against the public cloud, written again from what is known of them: their requests, and what they
 * decide by the answers. Each is as careless as its model.
 */

const trx_id = 'alphanumericalstring1234';

/** The first entry of an identification, which they take without a look at the length of the list. */
function first(told: Told): Record<'user_id' | 'user_name' | 'confidence_level' | 'mask', string> {
  return (told['return'] as Record<string, string>[])[0] as ReturnType<typeof first>;
}

/** A program of one account with one gallery. */
class Program {
  protected readonly account: Account;
  protected readonly inGallery: { readonly facegallery_id: string; readonly trx_id: string };

  constructor(account: Account, facegallery_id: string) {
    this.account = account;
    this.inGallery = { facegallery_id, trx_id };
  }
}

/** Check-in of employees: verification, and the reference is taken anew each month. */
export class Employees extends Program {
  /** @throws Error unless there is a gallery afterwards */
  async prepare(): Promise<'created' | 'existed'> {
    const told = await this.#ask('POST /face-api/facegallery/create-facegallery', {});
    if (told.status.startsWith('2')) return 'created';
    if (told.status === '417' && /exist/i.test(told.status_message)) return 'existed';
    throw new Error(`no gallery: ${told.status_message}`);
  }

  /** Again for the same employee after a month. */
  async enrol(user_id: string, image: string): Promise<void> {
    const person = { user_id, user_name: `employee ${user_id}`, image, force_register: true };
    const told = await this.#ask('POST /face-api/facegallery/enroll-face', person);
    if (!told.status.startsWith('2')) throw new Error(`outage: ${told.status}`);
  }

  /** @throws Error when the answer says neither yes nor no */
  async checkIn(user_id: string, image: string): Promise<boolean> {
    const told = await this.#ask('POST /face-api/facegallery/verify-face', { user_id, image });
    if (!('verified' in told)) throw new Error(`outage: ${told.status}`);
    const similarity = Number(told['similarity']);
    return told['verified'] === true && (similarity > 1 ? similarity / 100 : similarity) >= 0.75;
  }

  #ask(route: `${string} /${string}`, fields: Readonly<Record<string, unknown>>): Promise<Told> {
    return ask(this.account, route, { fields: { ...this.inGallery, ...fields } });
  }
}

/** Visitors of a building; Python's requests, with `raise_for_status()` before the body is read. */
export class Visitors extends Program {
  enrol(user_id: string, user_name: string, image: string): Promise<Told> {
    return this.#ask('POST /face-api/facegallery/enroll-face', { user_id, user_name, image });
  }

  async list(): Promise<string[]> {
    const { faces } = await this.#ask('GET /face-api/facegallery/list-faces');
    return (faces as { user_id: string }[]).map(({ user_id }) => user_id);
  }

  remove(user_id: string): Promise<Told> {
    return this.#ask('POST /face-api/facegallery/delete-face', { user_id });
  }

  async whoIs(image: string): Promise<string> {
    return first(await this.#ask('POST /face-api/facegallery/identify-face', { image })).user_name;
  }

  /** @throws HttpError; Error with the number of the status, which the program shows */
  async #ask(route: `${string} /${string}`, fields: Readonly<Record<string, unknown>> = {}): Promise<Told> {
    const told = await askOrThrow(this.account, route, { fields: { ...this.inGallery, ...fields } });
    const status = Number.parseInt(told.status, 10);
    if (status !== 200) throw new Error(`error ${status}`);
    return told;
  }
}

/** Attendance at a school; axios. @returns the pupil; null: unknown @throws HttpError */
export async function pupilOn(
  account: Account,
  facegallery_id: string,
  image: string,
): Promise<string | null> {
  const route = 'POST /face-api/facegallery/identify-face';
  const best = first(await askOrThrow(account, route, { fields: { facegallery_id, image, trx_id } }));
  if (best.user_id === 'unregistered' || Number(best.confidence_level) < 0.75) return null;
  return best.user_id;
}

/** Login of students; Guzzle, whose exceptions become the status 999. */
export class Students extends Program {
  list(): Promise<Told> {
    return this.#ask('GET /face-api/facegallery/list-faces', {}, 'text/plain');
  }

  remove(user_id: string): Promise<Told> {
    return this.#ask('DELETE /face-api/facegallery/delete-face', { user_id });
  }

  /** @returns who is logged in; null: nobody */
  async login(jpeg: string): Promise<string | null> {
    const image = `data:image/jpeg;base64,${jpeg}`;
    const best = first(await this.#ask('POST /face-api/facegallery/identify-face', { image }));
    return Number(best.confidence_level) >= 0.95 ? best.user_id : null;
  }

  async #ask(route: `${string} /${string}`, fields: Readonly<Record<string, unknown>>, type?: string) {
    const call = { fields: { ...this.inGallery, ...fields }, ...(type && { type }) };
    return askOrThrow(this.account, route, call).catch((error: unknown): Told => {
      if (error instanceof HttpError) return { status: '999', status_message: error.message };
      throw error;
    });
  }
}

/** What the civil servant reads. */
const sentences: Readonly<Record<string, string>> = {
  '401': 'the account of the service is not valid',
  '411': 'the face is not that of the employee',
  '412': 'no face is in the picture',
  '413': 'the face is too far away',
  '415': 'the employee is not enrolled',
  '416': 'the office has no gallery',
};

/** Attendance of civil servants; Laravel, with a JSON body in every call. */
export class CivilServants extends Program {
  /** Whether the office has its gallery. */
  async isPrepared(): Promise<boolean> {
    const told = await ask(this.account, 'GET /face-api/facegallery/my-facegalleries', {
      fields: { trx_id },
    });
    return (
      told.status === '200' && (told['facegalleries'] as string[]).includes(this.inGallery.facegallery_id)
    );
  }

  async enrol(user_id: string, image: string): Promise<string> {
    const told = await this.#ask('POST /face-api/facegallery/enroll-face', {
      user_id,
      user_name: user_id,
      image,
    });
    return told.status === '200' ? 'enrolled' : sentenceOf(told);
  }

  async attend(user_id: string, image: string): Promise<string> {
    const told = await this.#ask('POST /face-api/facegallery/verify-face', { user_id, image });
    if (told.status !== '200') return sentenceOf(told);
    return Number(told['similarity']) >= 0.75 ? 'present' : 'not similar enough';
  }

  #ask(route: `${string} /${string}`, fields: Readonly<Record<string, unknown>>): Promise<Told> {
    return ask(this.account, route, { fields: { ...this.inGallery, ...fields } });
  }
}

function sentenceOf({ status }: Told): string {
  return sentences[status] ?? 'the service does not work';
}

/** Reception of a clinic; Laravel. @returns the name that is called; empty: nobody's */
export async function patientOn(account: Account, facegallery_id: string, image: string): Promise<string> {
  const route = 'POST /face-api/facegallery/identify-face';
  return first(await ask(account, route, { fields: { facegallery_id, image, trx_id } })).user_name;
}

/** Whether the clinic asks the patient to take off a mask. */
export async function wearsMask(
  account: Account,
  facegallery_id: string,
  { user_id, image }: { readonly user_id: string; readonly image: string },
): Promise<boolean> {
  const fields = { facegallery_id, user_id, image, trx_id };
  const { masker } = await ask(account, 'POST /face-api/facegallery/verify-face', { fields });
  return masker === 'true' || masker === true;
}
