import { z } from 'zod';
import { termsFields } from '../../endpoints/consent.ts';
import { endpoint } from '../../endpoints/endpoint.ts';
import { envelope, exampleImage, gallery, ok, trx, user } from '../../endpoints/envelope.ts';
import { flag, name, optionalCount, optionalName } from '../../fields.ts';

/** Unknown people of a page. */
const page = { usual: 20, most: 50 } as const;

const listRequest = z.object({
  facegallery_id: gallery,
  limit: optionalCount(
    `Most unknown people in the answer; further ones follow with \`next_cursor\`. Default ${page.usual}.`,
    1,
    page.most,
  ),
  cursor: optionalName('`next_cursor` of the previous page.', 1_000),
  trx_id: trx,
});

const unknown_id = name('The unknown person, from identify-face or list-unknown.');

const assignRequest = z.object({
  facegallery_id: gallery,
  unknown_id,
  user_id: user,
  user_name: name('Name of the person; who is enrolled keeps the name.'),
  force_register: flag('Adds the face also to a person whose pictures it differs from.', false),
  ...termsFields,
  trx_id: trx,
});

const forgetRequest = z.object({ facegallery_id: gallery, unknown_id, trx_id: trx });

const moment = z.string();
const listAnswer = envelope.extend({
  unknown: z
    .array(
      z.object({
        unknown_id: z.string(),
        first_seen_at: moment.meta({ description: 'ISO 8601.' }),
        last_seen_at: moment.meta({ description: 'ISO 8601.' }),
        n_seen: z.int().meta({ description: 'Faces of calls that were taken for this person.' }),
        expires_at: moment.meta({ description: 'When it is erased, ISO 8601.' }),
        image: z.string().nullable().meta({
          description: 'The face as it was first seen, a small JPEG as base64; null: no crop is kept.',
        }),
      }),
    )
    .meta({ description: 'The one who was seen last first.' }),
  next_cursor: z.string().optional().meta({ description: 'Present if a limit cut the list.' }),
});

const assignAnswer = envelope.extend({
  appended: z.boolean().meta({ description: 'The face was added to those of a person who was enrolled.' }),
});

const common = { tag: 'facegallery', methods: ['POST'] } as const;
const galleryRefusals = ['galleryIdNull', 'galleryNotFound'] as const;
const example = { facegallery_id: 'office', unknown_id: '0d7a2c2e-3f59-4a57-9d3a-6f4a1c9b7e21' };

/** Faces that were not identified. */
export const unknownExtensions = {
  listUnknown: endpoint({
    ...common,
    path: '/face-api/facegallery/list-unknown',
    access: 'pictures',
    repeatable: true,
    hit: 'before',
    audits: 'unknown_listed',
    summary: 'Lists the unknown people of a gallery, who are kept with keep_unknown_hours.',
    request: listRequest,
    answer: listAnswer,
    refusals: galleryRefusals,
    example: {
      request: { facegallery_id: 'office' },
      answer: {
        ...ok,
        unknown: [
          {
            unknown_id: example.unknown_id,
            first_seen_at: '2026-03-02T08:01:12.000Z',
            last_seen_at: '2026-03-02T17:12:40.000Z',
            n_seen: 4,
            expires_at: '2026-03-03T08:01:12.000Z',
            image: exampleImage,
          },
        ],
      },
    },
  }),
  assignUnknown: endpoint({
    ...common,
    path: '/face-api/facegallery/assign-unknown',
    access: 'enrol',
    repeatable: false,
    hit: 'before',
    audits: 'unknown_assigned',
    summary:
      'Enrols an unknown person, or adds the face to a person who is enrolled, after the checks of an enrolment; the person is then unknown no more.',
    request: assignRequest,
    answer: assignAnswer,
    refusals: [
      ...galleryRefusals,
      'userIdNull',
      'userNotFound',
      'userExists',
      'userSuspended',
      'consentMissing',
      'notRecognized',
      'livenessNotProven',
    ],
    example: {
      request: { ...example, user_id: '3174002', user_name: 'Budi Santoso' },
      answer: { ...ok, appended: false },
    },
  }),
  forgetUnknown: endpoint({
    ...common,
    methods: ['DELETE', 'POST'],
    path: '/face-api/facegallery/forget-unknown',
    access: 'enrol',
    repeatable: false,
    hit: 'while left',
    audits: 'unknown_forgotten',
    summary: 'Erases an unknown person.',
    request: forgetRequest,
    answer: envelope,
    refusals: [...galleryRefusals, 'userNotFound'],
    example: { request: example, answer: ok },
  }),
};
