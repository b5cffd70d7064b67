import { z } from 'zod';
import { featureGalleryAnswer, featureGalleryExample, featureGallerySettings } from '../features/fields.ts';
import {
  flag,
  message,
  optionalCount,
  optionalFlag,
  optionalName,
  resettableCount,
  resettableFraction,
} from '../fields.ts';
import type { Command } from './command.ts';
import { galleryRetention } from './consent.ts';
import { endpoint } from './endpoint.ts';
import { bareRequest, envelope, exampleReceipt, fraction, gallery, ok, receipt, trx } from './envelope.ts';
import { specified } from './specified.ts';

const galleryRequest = z.object({ facegallery_id: gallery, trx_id: trx });

const createGalleryRequest = z.object({
  facegallery_id: gallery,
  trx_id: trx,
  require_liveness: flag('Extension: enrolment and verification require a liveness_token.', false),
  require_consent: optionalFlag(
    'Extension: enrolment requires a consent_reference, of the call or stored.',
    false,
  ),
  retention_days: optionalCount(
    'Extension: days after the first enrolment after which people are erased. Default: none.',
    galleryRetention.least,
    galleryRetention.most,
  ),
  keep_crops: optionalFlag(
    'Extension: keeps a sealed crop of each face that is enrolled, by which people are shown. Where the operator forbids it, true is refused. Default: as the operator has set it.',
  ),
  ...featureGallerySettings,
});

const described = z.object({
  facegallery_id: z.string(),
  n_face: z.int().meta({ description: 'Number of enrolled users.' }),
  threshold: fraction.nullable().meta({ description: "Threshold of the gallery; null for the server's." }),
  verify_threshold: fraction.meta({ description: 'Threshold of verification in force.' }),
  identify_threshold: fraction.meta({
    description: 'Threshold of identification in force, at the present size.',
  }),
  require_liveness: z.boolean(),
  require_consent: z
    .boolean()
    .meta({ description: 'Enrolment requires a consent_reference, of the call or stored.' }),
  retention_days: z
    .int()
    .nullable()
    .meta({ description: 'Days after the first enrolment after which people are erased; null: none.' }),
  keep_crops: z.boolean().meta({ description: 'A sealed crop of each face that is enrolled is kept.' }),
  ...featureGalleryAnswer,
  pack: z
    .string()
    .nullable()
    .meta({ description: 'Model pack and version of its templates; null without faces.' }),
  comparable: z.boolean().meta({
    description: "Whether its templates are of the server's model pack.",
  }),
  cohort_mode: z.enum(['auto', 'off']).meta({
    description:
      'Whether similarities are normalised by the people of the gallery: by statistics that follow it, or not.',
  }),
  cohort_version: z
    .int()
    .meta({ description: 'Version of the gallery that the statistics are of; 0 without statistics.' }),
  cohort_people: z.int().meta({ description: 'People that were measured for them.' }),
  calibrated_by: z.enum(['gallery', 'server']).meta({
    description: 'Whose calibration curve its similarities have: its own, or that of the server.',
  }),
  calibration_pairs: z
    .int()
    .nullable()
    .meta({ description: 'Pairs of different people that its own curve was fitted to; null without one.' }),
  provisional: z.boolean().meta({
    description:
      'Its similarities come from published operating points of the model pack, not from a measurement.',
  }),
  minimum_face: z.number().meta({
    description: 'Least size of a face that is enrolled, pixels; the limit of the quality rule `size` too.',
  }),
  created_at: z.string().meta({ description: 'ISO 8601.' }),
});

const describeGalleriesRequest = z.object({
  limit: optionalCount(
    'Most galleries in the answer; further ones follow with `next_cursor`. Default: all.',
    1,
    10_000,
  ),
  cursor: optionalName('`next_cursor` of the previous page.', 1_000),
  trx_id: trx,
});

const describeGalleriesAnswer = envelope.extend({
  facegalleries: z.array(described),
  next_cursor: z.string().optional().meta({ description: 'Present if a limit cut the list.' }),
  face_crops: z.enum(['kept', 'optional', 'forbidden']).meta({
    description:
      'How the operator has it: crops of faces are kept unless keep_crops of a gallery is false, only where it is true, or nowhere.',
  }),
});

const featureSettings = Object.keys(featureGallerySettings) as (keyof typeof featureGallerySettings)[];

const updateGalleryRequest = z
  .object({
    facegallery_id: gallery,
    threshold: resettableFraction("Similarity threshold of this gallery; null for the server's."),
    require_liveness: optionalFlag('Enrolment and verification require a liveness_token.'),
    require_consent: optionalFlag(
      'Enrolment requires a consent_reference, of the call or stored. People who are enrolled stay.',
    ),
    retention_days: resettableCount(
      'Days after the first enrolment after which people are erased, also those who are enrolled already; null: none.',
      galleryRetention.least,
      galleryRetention.most,
    ),
    keep_crops: optionalFlag(
      'Keeps a sealed crop of each face that is enrolled from now on; false erases those that are kept, for good.',
    ),
    erase_expired: optionalFlag(
      'People who were enrolled longer ago than retention_days may be erased within minutes; without it such a retention is refused.',
      false,
    ),
    ...featureGallerySettings,
    trx_id: trx,
  })
  .check(({ value, issues }) => {
    const { threshold, require_liveness, require_consent, retention_days, keep_crops, ...others } = value;
    const given = [
      threshold,
      require_liveness,
      require_consent,
      retention_days,
      keep_crops,
      ...featureSettings.map((name) => others[name]),
    ];
    if (given.some((one) => one !== undefined)) return;
    const problem = message('noSettingChanged');
    issues.push({ code: 'custom', input: undefined, path: ['threshold'], message: problem });
  });

const updateGalleryAnswer = envelope.extend(described.shape);

/** Bins of a gallery's scores: each 0.0125 wide, a tenth of a decade of the false match rate. */
export const galleryScoreBins = 80;

const galleryScoresRequest = z.object({
  facegallery_id: gallery,
  days: optionalCount('Days in the answer, with today. Default 30.', 1, 3650),
  trx_id: trx,
});

const scoreCounts = z.array(z.int());

const galleryScoresAnswer = envelope.extend({
  from: z.string().meta({ description: 'Beginning of the first day, UTC, ISO 8601.' }),
  verify: scoreCounts.meta({
    description: `Calls of verify-face by their similarity: ${galleryScoreBins} counts, of equal intervals of 0 to 1.`,
  }),
  identify: scoreCounts.meta({
    description:
      'The same of the faces that were searched for in the gallery, by the similarity of the best candidate.',
  }),
});

export const galleryAnswer = envelope.extend(specified({ facegallery_id: z.string() }));

export const galleriesAnswer = envelope.extend(specified({ facegallery_id: z.array(z.string()) }));

/** Galleries. */
export const galleryEndpoints = {
  listGalleries: endpoint({
    tag: 'facegallery',
    methods: ['GET'],
    path: '/face-api/facegallery/my-facegalleries',
    access: 'read',
    repeatable: true,
    hit: 'before',
    audits: null,
    summary: "Lists the client's galleries.",
    request: bareRequest,
    answer: galleriesAnswer,
    message: 'Success - FaceGalleries Listed',
    example: {
      request: {},
      answer: {
        status: '200',
        status_message: 'Success - FaceGalleries Listed',
        facegallery_id: ['demo@trial'],
      },
    },
  }),
  createGallery: endpoint({
    tag: 'facegallery',
    methods: ['POST'],
    path: '/face-api/facegallery/create-facegallery',
    access: 'manage',
    repeatable: false,
    hit: 'before',
    audits: 'gallery_created',
    summary: 'Creates a gallery.',
    request: createGalleryRequest,
    answer: galleryAnswer,
    refusals: ['galleryIdNull', 'galleryExists'],
    example: { request: { facegallery_id: 'office' }, answer: { ...ok, facegallery_id: 'office' } },
  }),
  deleteGallery: endpoint({
    tag: 'facegallery',
    methods: ['DELETE'],
    path: '/face-api/facegallery/delete-facegallery',
    access: 'manage',
    repeatable: false,
    audits: 'gallery_removed',
    summary: 'Deletes a gallery with all its faces; what is bound to it, as a token, ends.',
    hit: 'while left',
    request: galleryRequest,
    answer: galleryAnswer.extend({ receipt }),
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: {
      request: { facegallery_id: 'office' },
      answer: { ...ok, facegallery_id: 'office', receipt: exampleReceipt },
    },
  }),
};

const office = {
  facegallery_id: 'office',
  n_face: 120,
  threshold: 0.7,
  verify_threshold: 0.7,
  identify_threshold: 0.7599,
  require_liveness: false,
  require_consent: false,
  retention_days: null,
  keep_crops: false,
  ...featureGalleryExample,
  pack: 'builtin 4',
  comparable: true,
  cohort_mode: 'auto',
  cohort_version: 124,
  cohort_people: 120,
  calibrated_by: 'server',
  calibration_pairs: null,
  provisional: false,
  minimum_face: 100,
  created_at: '2026-01-31T12:00:00.000Z',
};
const noScores: number[] = Array.from({ length: galleryScoreBins }, () => 0);
const common = { tag: 'facegallery', hit: 'never' } as const;

const rule = { options: {}, words: ['required', 'optional'] } as const;
const place = '<client_id> <facegallery_id>';
const settings: readonly Command[] = [
  {
    usage: `gallery set-threshold ${place} <threshold>`,
    about: 'Sets the similarity score at or above which faces of a gallery match.',
    options: {},
  },
  {
    ...rule,
    usage: `gallery set-liveness ${place} <require_liveness>`,
    about: 'Requires a liveness token to enrol and verify faces of a gallery, or makes it optional.',
  },
  {
    ...rule,
    usage: `gallery set-consent ${place} <require_consent>`,
    about: 'Requires a consent reference to enrol people in a gallery, or makes it optional.',
  },
  {
    usage: `gallery set-retention ${place} <retention_days>`,
    about: 'Sets the days after the first enrolment after which people of a gallery are erased.',
    options: {},
    confirm: {
      when: 'retention_days',
      question:
        'People of {facegallery_id} who were enrolled more than {retention_days} days ago are erased within minutes. Set it?',
      sets: 'erase_expired',
    },
  },
];

/** The settings of galleries. */
export const galleryExtensions = {
  describeGalleries: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/face-api/facegallery/describe-facegalleries',
    command: { usage: 'gallery list <client_id>', options: {}, defaults: { limit: 500 }, follow: 'cursor' },
    operator: {
      answer: { facegalleries: z.array(described.extend({ embedder: z.string().nullable() })) },
    },
    access: 'read',
    repeatable: true,
    audits: null,
    summary: "Lists the client's galleries with their sizes and thresholds, by name.",
    request: describeGalleriesRequest,
    answer: describeGalleriesAnswer,
    example: { request: {}, answer: { ...ok, facegalleries: [office], face_crops: 'optional' } },
  }),
  updateGallery: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/facegallery/update-facegallery',
    command: settings,
    access: 'manage',
    repeatable: false,
    audits: 'gallery_changed',
    summary: 'Changes the settings of a gallery; fields that are absent keep their value.',
    request: updateGalleryRequest,
    answer: updateGalleryAnswer,
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: {
      request: { facegallery_id: 'office', threshold: 0.7 },
      answer: { ...ok, ...office },
    },
  }),
  getGalleryScores: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/face-api/facegallery/get-scores',
    access: 'read',
    repeatable: true,
    audits: null,
    summary:
      'Counts of the similarities that probes of a gallery reached, by which a threshold is chosen. They refer to no person.',
    request: galleryScoresRequest,
    answer: galleryScoresAnswer,
    refusals: ['galleryIdNull', 'galleryNotFound'],
    example: {
      request: { facegallery_id: 'office' },
      answer: {
        ...ok,
        from: '2026-01-02T00:00:00.000Z',
        verify: noScores.map((_, bin) => (bin === 71 ? 812 : 0)),
        identify: noScores.map((_, bin) => (bin === 68 ? 240 : 0)),
      },
    },
  }),
};
