import { z } from 'zod';
import { featureExportExamples, featureExports } from '../features/endpoints.ts';
import { message, optionalCount, optionalFlag, optionalName } from '../fields.ts';
import { changedTermsFields, exampleTerms, termsAnswer } from './consent.ts';
import { endpoint } from './endpoint.ts';
import { envelope, exampleReceipt, type Fields, gallery, ok, receipt, trx, user } from './envelope.ts';
import { galleryRefusals } from './faces.ts';

const someGallery = optionalName(
  'Name of the gallery. Default: every gallery of the client that has the user.',
);

const updateRequest = z
  .object({ user_id: user, facegallery_id: gallery, ...changedTermsFields, trx_id: trx })
  .check(({ value, issues }) => {
    if (value.consent_reference !== undefined || value.retention_days !== undefined) return;
    const problem = message('noTermsChanged');
    issues.push({ code: 'custom', input: undefined, path: ['consent_reference'], message: problem });
  });
const personRequest = z.object({ user_id: user, facegallery_id: someGallery, trx_id: trx });
const exportRequest = z.object({
  user_id: user,
  pictures: optionalFlag(
    'With the face crops that are stored, base64. The token needs the scope `pictures`.',
    false,
  ),
  trx_id: trx,
});
const eraseRequest = z.object({ user_id: user, trx_id: trx });
const expiringRequest = z.object({
  days: optionalCount('Those who are erased within so many days. Default 30.', 0, 36_500),
  facegallery_id: someGallery.meta({ description: 'Only people of this gallery.' }),
  limit: optionalCount('Most people in the answer. Default 100.', 1, 1000),
  cursor: optionalName('`next_cursor` of the previous page.', 1000),
  trx_id: trx,
});

const time = z.string().meta({ description: 'ISO 8601.' });
const galleries = z
  .array(z.string())
  .meta({ description: 'Names of the galleries that it was done in, in order.' });

const exportedGallery = z.object({
  facegallery_id: z.string(),
  user_name: z.string(),
  created_at: time,
  updated_at: time,
  ...termsAnswer,
  n_picture: z
    .int()
    .meta({ description: 'Templates that the person is enrolled with, one of each picture.' }),
  pack: z.string().meta({ description: 'Model pack and version of the templates.' }),
  picture_ids: z
    .array(z.string())
    .meta({ description: 'Ids of the pictures, in their order; only some interfaces give them.' }),
  crops: z
    .array(
      z.object({
        bytes: z.int(),
        image: z.string().optional().meta({ description: 'JPEG as base64, with `pictures`.' }),
      }),
    )
    .meta({ description: 'Stored face crops, the oldest first.' }),
  different_from: z
    .array(z.string())
    .meta({ description: 'Users who are marked as other people than this one.' }),
});

const exportAnswer = envelope.extend({
  user_id: z.string(),
  exported_at: time,
  galleries: z.array(exportedGallery),
  liveness_sessions: z.array(
    z.object({
      session_id: z.string(),
      facegallery_id: z.string().nullable(),
      created_at: time,
      expires_at: time,
      submitted_at: time.nullable(),
      passed: z.boolean().nullable(),
    }),
  ),
  remembered_frames: z.int().meta({
    description:
      'Frames of passed sessions, and of tries of links, of which traces are kept against replays.',
  }),
  ...featureExports,
});

/** The same for each thing that features keep of a person. */
const ofTraces = <T>(value: T) =>
  Object.fromEntries(Object.keys(featureExports).map((field) => [field, value])) as {
    readonly [Field in keyof typeof featureExports]: T;
  };

const eraseAnswer = envelope.extend({
  facegallery_ids: galleries,
  liveness_sessions: z.int(),
  remembered_frames: z.int(),
  ...ofTraces(z.int()),
  receipt,
});

const expiring = z.object({
  facegallery_id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  expires_at: time,
});
const expiringAnswer = envelope.extend({
  until: time,
  people: z.array(expiring).meta({ description: 'The next to be erased first.' }),
  next_cursor: z.string().optional().meta({ description: 'Present if a limit cut the list.' }),
});

/** What features keep of a person, as an export shows it, and how much of it was erased. */
export type ExportedTraces = {
  readonly [Field in keyof typeof featureExports]: z.output<(typeof featureExports)[Field]>;
};

export type ErasedTraces = { readonly [Field in keyof typeof featureExports]: number };

export type PersonRequest = Fields<typeof personRequest>;

const common = { tag: 'person', hit: 'never' } as const;
const inGallery = { facegallery_id: 'gallery <facegallery_id>' };
const personRefusals = ['userIdNull', 'galleryNotFound', 'userNotFound'] as const;
const sri = { user_id: '3174001', facegallery_id: 'office' };
const { consent, expires_at } = exampleTerms;

/** Consent, retention, suspension, export and erasure of people. */
export const peopleExtensions = {
  updatePerson: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/person/update-person',
    command: {
      usage: 'person update <client_id> <facegallery_id> <user_id>',
      options: {
        consent_reference: 'consent <reference>',
        consent_purpose: 'purpose <text>',
        consent_given_at: 'given <time>',
        consent_until: 'until <time>',
        retention_days: 'retention-days <days>',
      },
    },
    access: 'enrol',
    repeatable: false,
    audits: 'person_changed',
    summary: 'Records the consent of an enrolled user, or sets when the user is erased.',
    request: updateRequest,
    answer: envelope.extend(termsAnswer),
    refusals: [...galleryRefusals, 'userIdNull', 'userNotFound'],
    example: {
      request: { ...sri, consent_reference: consent.reference, consent_purpose: consent.purpose },
      answer: { ...ok, ...exampleTerms },
    },
  }),
  suspendPerson: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/person/suspend-person',
    command: { usage: 'person suspend <client_id> <user_id>', options: inGallery },
    access: 'enrol',
    repeatable: false,
    audits: 'person_suspended',
    summary:
      'Suspends a user, who stays stored and is not matched: neither identified nor verified (424). Only find-duplicates and check_duplicate compare the face, so that nobody enrols the person again unnoticed.',
    request: personRequest,
    answer: envelope.extend({ facegallery_ids: galleries }),
    refusals: personRefusals,
    example: { request: sri, answer: { ...ok, facegallery_ids: ['office'] } },
  }),
  resumePerson: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/person/resume-person',
    command: { usage: 'person resume <client_id> <user_id>', options: inGallery },
    access: 'enrol',
    repeatable: false,
    audits: 'person_resumed',
    summary: 'Ends the suspension of a user.',
    request: personRequest,
    answer: envelope.extend({ facegallery_ids: galleries }),
    refusals: personRefusals,
    example: { request: sri, answer: { ...ok, facegallery_ids: ['office'] } },
  }),
  exportPerson: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/face-api/person/export-person',
    command: { usage: 'person export <client_id> <user_id>', options: { pictures: 'pictures' }, out: true },
    access: 'read',
    repeatable: true,
    audits: 'person_exported',
    summary:
      'What is known of one user in all galleries of the client, without the numbers of templates; recorded in the audit trail.',
    request: exportRequest,
    answer: exportAnswer,
    refusals: ['userIdNull', 'userNotFound'],
    example: {
      request: { user_id: sri.user_id },
      answer: {
        ...ok,
        user_id: sri.user_id,
        exported_at: '2026-03-02T10:00:00.000Z',
        galleries: [
          {
            facegallery_id: 'office',
            user_name: 'Sri Rahayu',
            created_at: '2026-01-31T12:00:00.000Z',
            updated_at: '2026-03-02T09:30:00.000Z',
            ...exampleTerms,
            n_picture: 2,
            pack: 'builtin 4',
            picture_ids: [],
            crops: [{ bytes: 18_211 }, { bytes: 17_430 }],
            different_from: [],
          },
        ],
        liveness_sessions: [],
        remembered_frames: 0,
        ...featureExportExamples,
      },
    },
  }),
  erasePerson: endpoint({
    ...common,
    methods: ['DELETE', 'POST'],
    path: '/face-api/person/erase-person',
    command: {
      usage: 'person erase <client_id> <user_id>',
      confirm: { question: 'Erase {user_id} from all galleries of {client_id}? This cannot be undone.' },
      file: {
        field: 'user_id',
        question:
          'Erase the {count} people of {file} from all galleries of {client_id}? This cannot be undone.',
      },
    },
    access: 'enrol',
    repeatable: false,
    audits: 'person_erased',
    summary:
      'Erases a user from all galleries of the client, with liveness sessions, remembered frames, refused calls and events that are kept to be sent.',
    request: eraseRequest,
    answer: eraseAnswer,
    refusals: ['userIdNull', 'userNotFound'],
    example: {
      request: { user_id: sri.user_id },
      answer: {
        ...ok,
        facegallery_ids: ['office', 'warehouse'],
        liveness_sessions: 1,
        remembered_frames: 6,
        ...ofTraces(3),
        receipt: exampleReceipt,
      },
    },
  }),
  listExpiring: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/face-api/person/list-expiring',
    command: {
      usage: 'person expiring',
      options: { days: 'days <days>', client_id: 'client <client_id>', ...inGallery },
      follow: 'cursor',
    },
    operator: { client: 'optional', answer: { people: z.array(expiring.extend({ client_id: z.string() })) } },
    access: 'read',
    repeatable: true,
    audits: null,
    summary: 'Lists the users who will be erased soon, because their retention or consent ends.',
    request: expiringRequest,
    answer: expiringAnswer,
    refusals: ['galleryNotFound'],
    example: {
      request: { days: 30, limit: 1 },
      answer: {
        ...ok,
        until: '2027-02-15T00:00:00.000Z',
        people: [{ ...sri, user_name: 'Sri Rahayu', expires_at }],
      },
    },
  }),
};
