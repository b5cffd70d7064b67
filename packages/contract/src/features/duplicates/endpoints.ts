import { z } from 'zod';
import { termsAnswer } from '../../endpoints/consent.ts';
import { endpoint } from '../../endpoints/endpoint.ts';
import {
  calibration,
  envelope,
  fraction,
  gallery,
  ok,
  similarity,
  trx,
  user,
} from '../../endpoints/envelope.ts';
import { flag, name, optionalAmount, optionalName } from '../../fields.ts';

const findDuplicatesRequest = z.object({
  facegallery_id: gallery,
  cursor: optionalName('`cursor` of the previous answer; absent: begins with the first pair.', 1_000),
  expected_false_pairs: optionalAmount(
    'Expected pairs of different people among all pairs of the gallery; the similarity threshold follows. Default 0.1.',
    1e-6,
    1e6,
  ),
  trx_id: trx,
});

const markDifferentRequest = z.object({
  facegallery_id: gallery,
  user_id: user,
  other_user_id: name('Identifier of the other user.'),
  different: flag('false takes the mark back.', true),
  trx_id: trx,
});

const enrolledUser = z.object({
  user_id: z.string(),
  user_name: z.string(),
  created_at: z.string().meta({ description: 'Time of the enrolment, ISO 8601.' }),
  suspended_at: termsAnswer.suspended_at,
});

const rate = z.number().min(0).max(1);

const findDuplicatesAnswer = envelope.extend({
  pairs: z
    .array(
      z.object({
        users: z
          .array(enrolledUser)
          .meta({ description: 'The two users; the one whose face is newer first.' }),
        similarity,
        false_match_rate: rate.meta({ description: 'FMR that the similarity claims; never below 1e-6.' }),
        score: z
          .number()
          .meta({ description: 'Orders the pairs of several answers, larger first. Not calibrated.' }),
      }),
    )
    .meta({ description: 'Pairs found by this call, best first.' }),
  cursor: z.string().meta({
    description:
      'The position reached. Sent again, the search continues; after it is complete, only faces that were written since are compared.',
  }),
  complete: z.boolean().meta({ description: 'Every pair of the gallery was compared.' }),
  progress: fraction.meta({ description: 'Share of the pairs that were compared.' }),
  people: z.int().meta({ description: 'People in the gallery.' }),
  people_compared: z.int().meta({ description: 'People who were compared with all others before them.' }),
  threshold: fraction.meta({ description: 'Similarity threshold of the pairs.' }),
  false_match_rate: rate.meta({ description: 'FMR at the threshold.' }),
  expected_false_pairs: z.number().meta({
    description:
      'Expected pairs of different people at the threshold, among all pairs. More than requested where the FMR that this needs is below 1e-6, the least that a similarity claims.',
  }),
  cohort_version: z
    .int()
    .meta({ description: 'Version of the statistics that the similarities are normalised by; 0: none.' }),
  cohort_people: z.int().meta({ description: 'People that were measured for them.' }),
  calibration,
});

const exampleDuplicates = {
  pairs: [
    {
      users: [
        {
          user_id: '3174099',
          user_name: 'Sri R.',
          created_at: '2026-03-02T09:30:00.000Z',
          suspended_at: null,
        },
        {
          user_id: '3174001',
          user_name: 'Sri Rahayu',
          created_at: '2026-01-31T12:00:00.000Z',
          suspended_at: null,
        },
      ],
      similarity: 0.9412,
      false_match_rate: 0.00000295,
      score: 0.6123,
    },
  ],
  cursor: 'NyAxMjQgMTI0',
  complete: true,
  progress: 1,
  people: 120,
  people_compared: 120,
  threshold: 0.8566,
  false_match_rate: 0.000014,
  expected_false_pairs: 0.1,
  cohort_version: 124,
  cohort_people: 120,
};

/** The duplicates of a gallery. */
export const duplicateExtensions = {
  findDuplicates: endpoint({
    tag: 'facegallery',
    methods: ['POST'],
    path: '/face-api/facegallery/find-duplicates',
    access: 'read',
    repeatable: false,
    hit: 'before',
    audits: 'duplicates_searched',
    summary:
      'Finds pairs of users of a gallery who may be the same person. Each call compares a part of the pairs, about a second of work; repeat it with its cursor until it is complete.',
    request: findDuplicatesRequest,
    answer: findDuplicatesAnswer,
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: { request: { facegallery_id: 'office' }, answer: { ...ok, ...exampleDuplicates } },
  }),
  markDifferent: endpoint({
    tag: 'facegallery',
    hit: 'never',
    methods: ['POST'],
    path: '/face-api/facegallery/mark-different',
    access: 'enrol',
    repeatable: false,
    audits: 'people_marked_different',
    summary:
      'Marks two users of a gallery as different people, so that find-duplicates leaves them out, until one of them is deleted.',
    request: markDifferentRequest,
    answer: envelope,
    refusals: ['galleryIdNull', 'galleryNotFound', 'userIdNull', 'userNotFound'],
    example: {
      request: { facegallery_id: 'office', user_id: '3174099', other_user_id: '3174001' },
      answer: ok,
    },
  }),
};
