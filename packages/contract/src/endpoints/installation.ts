import { z } from 'zod';
import { flag, name, optionalFlag, optionalName, word } from '../fields.ts';
import type { Command } from './command.ts';
import { type Definition, endpoint, type None } from './endpoint.ts';
import { envelope, gallery, receipt, trx } from './envelope.ts';

interface Row<Request extends z.ZodObject, Answer extends z.ZodObject> {
  readonly path: string;
  readonly summary: string;
  readonly command?: string | Command;
  readonly audits?: 'administered';
  readonly request: Request;
  readonly answer: Answer;
}

/** An endpoint that the operator of the installation calls on its socket: it is not served on the network. */
function forOperator<Request extends z.ZodObject, Answer extends z.ZodObject>({
  path,
  audits,
  ...row
}: Row<Request, Answer>): Definition<Request, Answer, None, None> {
  return endpoint({
    ...row,
    tag: 'system',
    methods: ['POST'],
    path: `/operator-api/${path}`,
    access: 'operate',
    hit: 'never',
    repeatable: audits === undefined,
    audits: audits ?? null,
    refusals: ['clientNotFound', 'galleryNotFound'],
    example: { request: {}, answer: {} },
  });
}

const client = name('The client.');
const someGalleries = {
  client_id: optionalName('Only the galleries of this client.'),
  facegallery_id: optionalName('Only this gallery of the client.'),
};
const ofGalleries = { client_id: 'client <client_id>', facegallery_id: 'gallery <facegallery_id>' };

const rightRequest = z.object({
  client_id: client,
  operator: flag('Whether the client may read the status and the audit trail of the server.', true),
  trx_id: trx,
});
const linkRequest = z.object({ client_id: client, trx_id: trx });
const keyRequest = z.object({
  at_once: optionalFlag('Refuses all tokens of the former key from now on. Default: until they expire.'),
  trx_id: trx,
});
const cohortRequest = z.object({
  client_id: client,
  facegallery_id: gallery,
  action: word('auto follows the gallery, off uses the curve of the pack.', ['show', 'auto', 'off']),
  trx_id: trx,
});
const damageRequest = z.object({
  ...someGalleries,
  erase: optionalFlag('Erases the people whose templates are damaged, and damaged face crops.'),
  trx_id: trx,
});
const cropsRequest = z.object({ ...someGalleries, trx_id: trx });
const backupRequest = z.object({ bytes: z.int() });
const calibrationRequest = z.object({
  ...someGalleries,
  calibration: z
    .object({
      contract: z.record(z.string(), z.union([z.string(), z.number()])),
      curve: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});
const spec = z.string().min(1);
const impostorsRequest = z.object({ ...someGalleries, embedding_spec: spec });

/** What only the operator of the installation does. */
export const installationEndpoints = {
  setClientOperator: forOperator({
    path: 'set-client-operator',
    summary: 'Allows or forbids a client to read the status and the audit trail of the server.',
    command: 'client set-operator <client_id> <operator>',
    audits: 'administered',
    request: rightRequest,
    answer: envelope,
  }),
  createSignInLink: forOperator({
    path: 'create-sign-in-link',
    summary:
      'Prints a link that signs a client in to the console, without its password; it works once, within 15 minutes, and replaces the former link.',
    command: 'client sign-in-link <client_id>',
    audits: 'administered',
    request: linkRequest,
    answer: envelope.extend({ path: z.string() }),
  }),
  rotateSigningKey: forOperator({
    path: 'rotate-signing-key',
    summary: 'Replaces the key that signs access tokens, while servers run.',
    command: { usage: 'keys rotate', options: { at_once: 'at-once' } },
    audits: 'administered',
    request: keyRequest,
    answer: envelope.extend({ kid: z.string(), former_until: z.string() }),
  }),
  setCohortMode: forOperator({
    path: 'set-cohort-mode',
    summary: 'Shows or sets how similarities are normalised by the people of a gallery.',
    command: 'gallery calibration <client_id> <facegallery_id> <action>',
    audits: 'administered',
    request: cohortRequest,
    answer: envelope.extend({ cohort_mode: z.string(), cohort_version: z.int(), cohort_people: z.int() }),
  }),
  checkGalleries: forOperator({
    path: 'check-galleries',
    summary:
      'Opens every template and face crop, and lists those that do not open because they were damaged or moved in the database, and rows with values that this program does not write: they are left out or refused.',
    command: {
      usage: 'gallery check',
      options: { ...ofGalleries, erase: 'erase' },
      confirm: {
        when: 'erase',
        question: 'Erase everything that does not open? People can be enrolled again.',
      },
    },
    request: damageRequest,
    answer: envelope.extend({
      facegalleries: z.array(
        z.object({
          client_id: z.string(),
          facegallery_id: z.string(),
          n_face: z.int(),
          key_damaged: z.boolean().meta({ description: 'Nothing in the gallery opens.' }),
          templates: z.array(z.string()),
          crops: z.array(z.object({ name: z.string() })),
          erased: z.boolean(),
          receipt,
        }),
      ),
      rows: z.array(z.string()).meta({ description: 'Rows of any table that cannot be read, and why.' }),
    }),
  }),
  eraseCrops: forOperator({
    path: 'erase-crops',
    summary: 'Erases stored face crops; the faces stay enrolled.',
    command: {
      usage: 'crops erase',
      options: ofGalleries,
      confirm: {
        question: 'Erase the face crops of {facegallery_id|client_id|all clients}? This cannot be undone.',
      },
    },
    audits: 'administered',
    request: cropsRequest,
    answer: envelope.extend({ n_facegallery: z.int(), n_crop: z.int() }),
  }),
  recordBackup: forOperator({
    path: 'record-backup',
    summary: 'Records that a backup was written.',
    audits: 'administered',
    request: backupRequest,
    answer: envelope,
  }),
  installCalibration: forOperator({
    path: 'install-calibration',
    summary:
      'Installs a calibration curve: for the server, in force from its next start on, or for a gallery, at once; null removes it.',
    audits: 'administered',
    request: calibrationRequest,
    answer: envelope,
  }),
  measureImpostors: forOperator({
    path: 'measure-impostors',
    summary: 'Counts the inner products between the people of galleries.',
    request: impostorsRequest,
    answer: envelope.extend({
      galleries: z.int(),
      other_galleries: z.int(),
      people: z.int(),
      bins: z.array(z.tuple([z.number(), z.int()])),
    }),
  }),
};
