import { OperatorError, Refusal } from '../errors.ts';
import type { Events } from '../events.ts';
import type { FaceEraser } from '../services/faces/face-eraser.ts';
import { termsOf } from '../services/faces/terms.ts';
import type { People } from '../services/people/people.ts';
import { processingRecords } from '../services/people/processing.ts';
import type { Store } from '../store/store.ts';
import type { AdminInput } from './inputs.ts';

/** What is known of a person, as plain JSON. */
export type PlainExport = Awaited<ReturnType<ReturnType<typeof personOperations>['exportPerson']>>;

interface Parts {
  readonly people: People;
  readonly eraser: Pick<FaceEraser, 'erasePerson'>;
  readonly store: Pick<Store, 'clients' | 'galleries' | 'people' | 'audit' | 'tokens'>;
  readonly events: Pick<Events, 'administered'>;
  readonly config: Parameters<typeof processingRecords>[0]['config'];
}

/** Operations on people across the galleries of a client. */
export function personOperations({ people, eraser, store, events, config }: Parts) {
  return {
    updatePerson: ({ clientId, galleryId, userId, ...fields }: AdminInput<'updatePerson'>) =>
      refusable(async () => {
        const given = Object.entries(fields).filter(
          ([name, value]) => value !== null || name === 'retentionDays',
        );
        return plain(
          await people.update({ clientId, userId }, galleryId, termsOf(Object.fromEntries(given))),
        );
      }),
    /** @returns names of the galleries */
    suspendPerson: ({ clientId, galleryId, userId, suspended }: AdminInput<'suspendPerson'>) =>
      refusable(() =>
        people.suspend({ clientId, userId }, galleryId ?? undefined, suspended ? new Date() : null),
      ),
    exportPerson: ({ clientId, userId, pictures }: AdminInput<'exportPerson'>) =>
      refusable(async () => plain(await people.export({ clientId, userId }, { pictures }))),
    /** The receipt is null when no audit record could be written. */
    erasePerson: ({ clientId, userId }: AdminInput<'erasePerson'>) =>
      refusable(async () => {
        const { galleryIds, ...counts } = await eraser.erasePerson({ clientId, userId }, null);
        const facts = { operation: 'erase-person', galleries: galleryIds.length, ...counts };
        return plain({ galleryIds, ...counts, receipt: await events.administered(clientId, facts) });
      }),
    listExpiring: ({ galleryId, cursor, ...query }: AdminInput<'listExpiring'>) =>
      refusable(async () =>
        plain(
          await people.expiring({
            ...query,
            galleryId: galleryId ?? undefined,
            cursor: cursor ?? undefined,
          }),
        ),
      ),
    /** Of one client, or of all. */
    processingRecords: async ({ clientId, from, to }: AdminInput<'processingRecords'>) => {
      const all = (await store.clients.list()).map((client) => client.clientId);
      const asked = clientId === null ? all : all.filter((one) => one === clientId);
      if (asked.length === 0 && clientId !== null) throw noClient(clientId);
      const period = { from: new Date(from), to: new Date(to) };
      return Promise.all(
        asked.map(async (one) => plain(await processingRecords({ store, config }, one, period))),
      );
    },
  };
}

/** @throws OperatorError in place of a refusal */
async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? new OperatorError(error.detail, { cause: error }) : error;
  }
}

/** As JSON has it: times as ISO 8601, bytes as base64. */
type Plain<T> = T extends Date
  ? string
  : T extends Uint8Array
    ? string
    : T extends readonly (infer Item)[]
      ? Plain<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: Plain<T[Name]> }
        : T;

function plain<T>(value: T): Plain<T> {
  if (value instanceof Date) return value.toISOString() as Plain<T>;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64') as Plain<T>;
  if (Array.isArray(value)) return value.map(plain) as Plain<T>;
  if (typeof value !== 'object' || value === null) return value as Plain<T>;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) as Plain<T>;
}

function noClient(clientId: string): OperatorError {
  return new OperatorError(`client_id: there is no client ${JSON.stringify(clientId)}; list the clients`);
}
