import { z } from 'zod';
import { termsFields } from '../../endpoints/consent.ts';
import { endpoint } from '../../endpoints/endpoint.ts';
import { envelope, gallery, ok, trx, user } from '../../endpoints/envelope.ts';
import { shortList } from '../../endpoints/liveness.ts';
import { flag, message, name, names, optionalCount, optionalName, optionalWord } from '../../fields.ts';
import { hostedPath, linkMinutes, linkTries } from '../../values.ts';
import { mostAtOnce, mostExpected, mostLinks } from './values.ts';

/** People of a page. */
const page = { usual: 100, most: 1000 } as const;

const listedPerson = z.object(
  { user_id: user, user_name: name('Name of the person.') },
  { error: message('objectWithTwo', { one: 'user_id', other: 'user_name' }) },
);

const setRequest = z.object({
  facegallery_id: gallery,
  people: shortList(listedPerson, mostAtOnce).meta({
    description: `1 to ${mostAtOnce} people, each user_id once. A list has ${mostExpected} at most.`,
  }),
  add: flag('Adds them to the list, or gives them their new names, instead of replacing the list.', false),
  trx_id: trx,
});

const listRequest = z.object({
  facegallery_id: gallery,
  missing: flag('Only those who have no face.', false),
  limit: optionalCount(
    `Most people in the answer; further ones follow with \`next_cursor\`. Default ${page.usual}.`,
    1,
    page.most,
  ),
  cursor: optionalName('`next_cursor` of the previous page.', 1_000),
  trx_id: trx,
});

const { retention_days: _, ...consentFields } = termsFields;

const linkRequest = z.object({
  facegallery_id: gallery,
  user_ids: names(
    `Identifiers of 1 to ${mostLinks} people of the list; whoever has a face gets no link.`,
    mostLinks,
  ),
  valid_minutes: optionalCount(
    `Minutes until a session must begin. Default ${linkMinutes.most}.`,
    linkMinutes.least,
    linkMinutes.most,
  ),
  lang: optionalWord('Language of the page. Default: that of the browser.', ['en', 'id']),
  ...consentFields,
  trx_id: trx,
});

const forgetRequest = z.object({ facegallery_id: gallery, trx_id: trx });

const counts = {
  n_expected: z.int().meta({ description: 'People of the list.' }),
  n_missing: z.int().meta({ description: 'Those of them who have no face in the gallery.' }),
};

const moment = z.string();

const listAnswer = envelope.extend({
  ...counts,
  people: z
    .array(
      z.object({
        user_id: z.string(),
        user_name: z.string(),
        enrolled: z.boolean().meta({ description: 'The gallery has a face of the user_id.' }),
        link: z
          .object({
            expires_at: moment.meta({ description: 'Until when a session must begin, ISO 8601.' }),
            failed: z.string().nullable().meta({
              description:
                'Why nobody was enrolled: `liveness`, no try was passed; else `error` of the refusal of the enrolment; null: it has not failed.',
            }),
            failed_tries: z
              .int()
              .meta({ description: `Tries of the link that were judged and not passed, of ${linkTries}.` }),
          })
          .nullable()
          .meta({ description: 'The latest enrolment link; null: there is none.' }),
      }),
    )
    .meta({ description: 'In the order of their user_id.' }),
  next_cursor: z.string().optional().meta({ description: 'Present if a limit cut the list.' }),
});

const linkAnswer = envelope.extend({
  links: z.array(
    z.object({
      user_id: z.string(),
      session_id: z.string(),
      url: z.string().meta({
        description:
          'Address of the page: who has it can enrol a face as this person. It is in this answer alone.',
      }),
      qr: z.string().meta({ description: 'The address as a QR code, an SVG picture.' }),
      expires_at: moment.meta({ description: 'Until when a session must begin, ISO 8601.' }),
    }),
  ),
});

/** Lists of a client that a person stands on, in an export. */
export const expectedExport = {
  expected: z
    .array(
      z.object({
        facegallery_id: z.string(),
        user_name: z.string(),
        link_expires_at: moment.nullable().meta({ description: 'ISO 8601; null: there is no link.' }),
      }),
    )
    .meta({ description: 'Lists of expected people that have the user.' }),
};

export const expectedExportExample = { expected: [] };

const common = { tag: 'facegallery', methods: ['POST'] } as const;
const galleryRefusals = ['galleryIdNull', 'galleryNotFound'] as const;
const example = { facegallery_id: 'office' };
const expires_at = '2026-03-03T08:01:12.000Z';
const sessionId = '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';

/** People who are to have a face in a gallery. */
export const expectedExtensions = {
  setExpected: endpoint({
    ...common,
    path: '/face-api/facegallery/set-expected',
    access: 'enrol',
    repeatable: false,
    hit: 'before',
    audits: 'expected_set',
    summary: 'Sets the list of people who are to have a face in a gallery, and counts who has none.',
    request: setRequest,
    answer: envelope.extend(counts),
    refusals: galleryRefusals,
    example: {
      request: { ...example, people: [{ user_id: '3174002', user_name: 'Budi Santoso' }] },
      answer: { ...ok, n_expected: 1, n_missing: 1 },
    },
  }),
  listExpected: endpoint({
    ...common,
    path: '/face-api/facegallery/list-expected',
    access: 'read',
    repeatable: true,
    hit: 'before',
    audits: null,
    summary: 'Lists the expected people of a gallery, and who of them has no face.',
    request: listRequest,
    answer: listAnswer,
    refusals: galleryRefusals,
    example: {
      request: { ...example, missing: true },
      answer: {
        ...ok,
        n_expected: 60,
        n_missing: 1,
        people: [{ user_id: '3174002', user_name: 'Budi Santoso', enrolled: false, link: null }],
      },
    },
  }),
  linkExpected: endpoint({
    ...common,
    path: '/face-api/facegallery/link-expected',
    access: 'enrol',
    repeatable: false,
    hit: 'before',
    audits: 'expected_linked',
    summary:
      'Makes an enrolment link for each of these people: whoever passes its liveness session is enrolled from it, after the checks of an enrolment. The former link of a person ends.',
    request: linkRequest,
    answer: linkAnswer,
    refusals: [...galleryRefusals, 'userNotFound', 'consentMissing'],
    example: {
      request: { ...example, user_ids: ['3174002'] },
      answer: {
        ...ok,
        links: [
          {
            user_id: '3174002',
            session_id: sessionId,
            url: `https://wajah.example${hostedPath}#${sessionId}.wls_…`,
            qr: '<svg…',
            expires_at,
          },
        ],
      },
    },
  }),
  forgetExpected: endpoint({
    ...common,
    methods: ['DELETE', 'POST'],
    path: '/face-api/facegallery/forget-expected',
    access: 'enrol',
    repeatable: false,
    hit: 'while left',
    audits: 'expected_forgotten',
    summary:
      'Erases the list of expected people of a gallery, and ends their links. Nobody who is enrolled is erased.',
    request: forgetRequest,
    answer: envelope,
    refusals: galleryRefusals,
    example: { request: example, answer: ok },
  }),
};
