import { z } from 'zod';
import {
  message,
  name,
  optionalCount,
  optionalFlag,
  optionalInstant,
  optionalName,
  optionalPicture,
  optionalWord,
  optionalWords,
  picture,
  word,
} from '../fields.ts';
import { aPicture, linkMinutes, linkTries, sessionFace, sessionSteps } from '../values.ts';
import { endpoint } from './endpoint.ts';
import {
  attributes,
  box,
  calibration,
  envelope,
  exampleImage,
  type Fields,
  ok,
  outcome,
  similarity,
  trx,
  unjudged,
  verified,
} from './envelope.ts';
import { identity, pairGiven, parameters, shortAngles, shortList } from './liveness.ts';

/** Greatest number of frames in a submission. */
export const maxFrames = 20;
/** What a step of a session asks for. */
export type Step = (typeof parameters)[number];

const createSessionRequest = z
  .object({
    ...identity,
    steps: optionalCount(
      `Number of steps between the first and the last frontal one, at least. Default ${sessionSteps.byDefault}.`,
      sessionSteps.least,
      sessionSteps.most,
    ),
    min_face: optionalCount(
      `Least size of the face, pixels of the shorter side of its box: the more, the nearer people must come. Default ${sessionFace.byDefault}.`,
      sessionFace.least,
      sessionFace.most,
    ),
    subject: optionalName(
      'Opaque name of the end user, chosen by the backend; it binds tries to one person. Default: user_id with facegallery_id.',
    ),
    wait: optionalFlag('begin-session draws the steps, and the time begins then.', false),
    hosted: optionalFlag('This server shows the session at `url`. Implies wait.', false),
    valid_minutes: optionalCount(
      `With hosted or wait: minutes until the session must begin. Default ${linkMinutes.byDefault}.`,
      linkMinutes.least,
      linkMinutes.most,
    ),
    redirect_url: optionalName(
      'With hosted: https address that the person is led to after the judgement, with session_id and nonce; http on localhost.',
      2000,
    ),
    lang: optionalWord('With hosted: language of the page. Default: that of the browser.', ['en', 'id']),
    keep_frame: optionalFlag(
      'Keep the best frontal frame for use_session_frame of enroll-face; frontal frames are then submitted as pictures.',
      false,
    ),
    trx_id: trx,
  })
  .check(pairGiven);

const sessionRequest = z.object({
  session_id: name('Identifier of the session, from create-session.'),
  trx_id: trx,
});

const sessionAnswer = envelope.extend({
  session_id: z.string(),
  steps: z
    .array(z.enum(parameters))
    .meta({ description: 'Steps that the person must do, in this order; empty until the session begins.' }),
  nonce: z.string().meta({ description: 'Returned as the claim `nonce` of the liveness_token.' }),
  expires_at: z.string().meta({ description: 'Deadline for the frames, ISO 8601.' }),
  expires_in: z.int().meta({ description: 'Seconds until the deadline, from this answer on.' }),
  front_angle: z.number().meta({
    description:
      'Yaw and pitch in degrees below which a head faces the front, for programs that check frames before sending.',
  }),
  keep_frame: z
    .boolean()
    .optional()
    .meta({ description: 'Whether frontal frames are submitted as pictures.' }),
  url: z.string().optional().meta({
    description:
      'With hosted: address of the page. Who has it can do this session, and nothing else; its fragment is the secret.',
  }),
  qr: z.string().optional().meta({ description: 'With hosted: the address as a QR code, an SVG picture.' }),
});

const begunAnswer = sessionAnswer.omit({ nonce: true, url: true, qr: true });

const triesLeft = z
  .int()
  .optional()
  .meta({ description: `Of a hosted session: tries that may still begin, of ${linkTries}.` });

const sessionStateAnswer = envelope.extend({
  session_id: z.string(),
  state: z.enum(['waiting', 'open', 'passed', 'failed', 'expired', 'ended']).meta({
    description:
      'waiting: it has not begun, or its next try has not · open: its frames are awaited or judged · ended: by a newer link for the same person, with the list of expected people or the gallery that its link was of, or because the person has a face there meanwhile.',
  }),
  expires_at: z.string().meta({ description: 'Deadline for the beginning or for the frames, ISO 8601.' }),
  nonce: z.string().optional().meta({ description: 'Not to the page.' }),
  tries_left: triesLeft,
  reasons: z.array(z.string()).optional().meta({ description: 'Of a failed try, as of submit-session.' }),
  liveness_token: z.string().optional().meta({
    description: 'Of a passed session, while it is neither spent nor expired; not to the page.',
  }),
  expires_in: z.int().optional().meta({ description: 'Seconds until the liveness_token expires.' }),
  redirect_url: z.string().optional().meta({ description: 'To the page, of a judged session.' }),
  enrols: z
    .object({ user_name: z.string(), facegallery_id: z.string(), keeps_crop: z.boolean() })
    .optional()
    .meta({
      description:
        'To the page of an enrolment link that can still pass: whose face is enrolled then, where, and whether a crop of it is kept.',
    }),
});

/** What a hint is about. */
const hinted = ['pose', 'eyes', 'mouth'] as const;

const hintRequest = z.object({
  session_id: name('Identifier of the session, from create-session.'),
  image: picture(`The picture: base64 of a ${aPicture}; 640 pixels suffice.`),
  attributes: optionalWords('What to measure. Default: all.', hinted),
  trx_id: trx,
});

const hintAnswer = envelope.extend({
  faces: z
    .array(
      attributes
        .pick({
          yaw: true,
          pitch: true,
          roll: true,
          left_eye: true,
          right_eye: true,
          left_eye_score: true,
          right_eye_score: true,
          mouth: true,
          mouth_score: true,
        })
        .extend({ box }),
    )
    .meta({
      description:
        'At most two, the largest first; empty when nobody is in view. A mask is told whatever is asked for.',
    }),
  image: z.object({ width: z.int(), height: z.int() }),
  next_in: z.number().meta({
    description:
      'Seconds after which the next hint is given: at least 0.2 between the beginnings of two, more where they take long.',
  }),
});

const frame = z.object(
  {
    step: word('Step of this frame.', parameters, shortAngles),
    image: optionalPicture(`The picture: base64 of a ${aPicture}.`),
    digest: optionalName('In place of image: the digest that send-frame answered for this picture.'),
    captured_at: optionalInstant('Time of capture, ISO 8601; frames must be in order of time.'),
  },
  { error: message('objectWithTwo', { one: 'step', other: 'image' }) },
);

const submitSessionRequest = z.object({
  session_id: name('Identifier of the session, from create-session.'),
  frames: shortList(frame, maxFrames).meta({
    description: 'The frames in the order of their capture; several may belong to one step.',
  }),
  nonce: optionalName('Nonce of the session; checked when it is sent.'),
  trx_id: trx,
});

const sendFrameRequest = z.object({
  session_id: name('Identifier of the session, from create-session.'),
  image: picture(`The picture: base64 of a ${aPicture}.`),
  step: optionalWord(
    'Step that the frame will be submitted for, to analyse it for that alone. Default: it is analysed for any.',
    parameters,
    shortAngles,
  ),
  trx_id: trx,
});

const sendFrameAnswer = envelope.extend({
  digest: z.string().meta({
    description: 'SHA-256 of the picture, hexadecimal: what submit-session takes in place of the picture.',
  }),
});

const stepResult = attributes.extend({
  step: z.enum(parameters),
  match: z.boolean().meta({ description: 'Whether a frame shows what the step requires.' }),
  frame: z
    .int()
    .optional()
    .meta({ description: 'Index of the frame that the result describes, the best of the step.' }),
  error: envelope
    .extend({ detail: z.string() })
    .optional()
    .meta({ description: 'Why no frame of this step could be judged.' }),
});

const submitSessionAnswer = envelope.extend({
  calibration,
  detail: unjudged,
  liveness: outcome,
  verified: verified.optional(),
  similarity: similarity.optional(),
  reasons: z.array(z.string()).optional().meta({
    description:
      'Why the session is not passed: the name of each check that failed, a colon, and what to do.',
  }),
  diagnostics: z
    .array(z.object({ name: z.string(), detail: z.string() }))
    .optional()
    .meta({ description: 'Only with the scope diagnostics: what was found and measured, for each reason.' }),
  results: z.array(stepResult).meta({ description: 'One entry for each step, in order.' }),
  liveness_token: z.string().optional().meta({
    description:
      'If passed: proof for one later call about the same face; not to the page of a hosted session.',
  }),
  redirect_url: z
    .string()
    .optional()
    .meta({ description: 'To the page of a hosted session: where the person is led.' }),
  tries_left: triesLeft,
  expires_in: z.int().optional().meta({ description: 'Lifetime of the liveness_token in seconds.' }),
});

export type SessionRequest = Fields<typeof sessionRequest>;

/** Of the picture of a session that is open. */
const frameRefusals = [
  'sessionNotFound',
  'sessionJudged',
  'sessionExpired',
  'imageNull',
  'imageBase64',
  'imageType',
  'imageBroken',
] as const;

const sessionId = '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';

/** Liveness sessions: a challenge that the server draws and judges. */
export const sessionEndpoints = {
  createLivenessSession: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/create-session',
    access: 'recognise',
    repeatable: false,
    hit: 'before',
    audits: 'session_opened',
    summary: 'Opens a liveness session: returns the steps, their order and the deadline.',
    request: createSessionRequest,
    answer: sessionAnswer,
    refusals: ['userIdNull', 'galleryIdNull', 'userNotFound', 'userSuspended', 'galleryNotFound'],
    example: {
      request: { steps: 2 },
      answer: {
        ...ok,
        session_id: sessionId,
        steps: ['face front', 'face left', 'eyes closed', 'face front'],
        nonce: 'mHnFpkZ3v1e5nXoV3b0v2g',
        expires_at: '2026-01-31T12:01:00.000Z',
        expires_in: 60,
        front_angle: 12,
      },
    },
  }),
  beginLivenessSession: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/begin-session',
    access: 'recognise',
    hosted: true,
    repeatable: true,
    hit: 'never',
    audits: 'session_opened',
    summary:
      'Begins a session that waits, or the next try of a hosted one; of what has begun, returns the same steps and deadline.',
    request: sessionRequest,
    answer: begunAnswer,
    refusals: ['sessionNotFound', 'sessionJudged', 'sessionExpired'],
    example: {
      request: { session_id: sessionId },
      answer: {
        ...ok,
        session_id: sessionId,
        steps: ['face front', 'face left', 'eyes closed', 'face front'],
        expires_at: '2026-01-31T12:01:00.000Z',
        expires_in: 60,
        front_angle: 12,
      },
    },
  }),
  getLivenessSession: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/get-session',
    access: 'recognise',
    hosted: true,
    repeatable: true,
    hit: 'never',
    audits: null,
    summary: 'Returns the state of a session; of a passed one, its liveness_token.',
    request: sessionRequest,
    answer: sessionStateAnswer,
    refusals: ['sessionNotFound'],
    example: {
      request: { session_id: sessionId },
      answer: {
        ...ok,
        session_id: sessionId,
        state: 'passed',
        expires_at: '2026-01-31T12:01:00.000Z',
        nonce: 'mHnFpkZ3v1e5nXoV3b0v2g',
        liveness_token: 'eyJhbGciOiJFZERTQSIs…',
        expires_in: 290,
      },
    },
  }),
  hintLivenessFrame: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/hint-frame',
    access: 'recognise',
    hosted: true,
    repeatable: true,
    pictures: 1,
    hit: 'never',
    audits: null,
    summary:
      'Measures a picture of a session for hints to the person, one at a time, at most five a second; stores and judges nothing.',
    request: hintRequest,
    answer: hintAnswer,
    refusals: frameRefusals,
    example: {
      request: { session_id: sessionId, image: exampleImage },
      answer: {
        ...ok,
        faces: [{ box: { x: 210.4, y: 130.9, width: 180.2, height: 201.7 }, yaw: 4.5 }],
        image: { width: 640, height: 480 },
        next_in: 0.16,
      },
    },
  }),
  sendLivenessFrame: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/send-frame',
    access: 'recognise',
    hosted: true,
    repeatable: false,
    pictures: 1,
    hit: 'never',
    audits: null,
    summary:
      'Analyses a frame of an open session before its submission, and answers nothing about what it shows.',
    request: sendFrameRequest,
    answer: sendFrameAnswer,
    refusals: frameRefusals,
    example: {
      request: { session_id: sessionId, image: exampleImage, step: 'face left' },
      answer: { ...ok, digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    },
  }),
  submitLivenessSession: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/submit-session',
    access: 'recognise',
    hosted: true,
    repeatable: false,
    pictures: maxFrames,
    hit: 'before',
    audits: 'liveness_judged',
    diagnostics: ['diagnostics', 'results.is_spoof', 'results.spoof_score', 'results.spoof_verdict'],
    // A backend may pass the answer on to the person who tries.
    diagnosticsOfDenial: ['similarity'],
    summary: 'Judges the frames of a liveness session, once; a passed session returns a liveness_token.',
    request: submitSessionRequest,
    answer: submitSessionAnswer,
    refusals: [
      'sessionNotFound',
      'sessionJudged',
      'sessionExpired',
      'userNotFound',
      'userSuspended',
      'galleryNotFound',
      'imageBroken',
    ],
    example: {
      request: {
        session_id: sessionId,
        frames: [
          { step: 'face front', image: exampleImage, captured_at: '2026-01-31T12:00:10.000Z' },
          { step: 'face left', image: exampleImage, captured_at: '2026-01-31T12:00:13.500Z' },
          { step: 'eyes closed', image: exampleImage, captured_at: '2026-01-31T12:00:16.000Z' },
          { step: 'face front', image: exampleImage, captured_at: '2026-01-31T12:00:19.000Z' },
        ],
      },
      answer: {
        ...ok,
        liveness: 'passed',
        results: [
          { step: 'face front', match: true, frame: 0, masker: false, roll: 1.2, pitch: -3.4, yaw: 1.5 },
          { step: 'face left', match: true, frame: 1, masker: false, roll: 1.2, pitch: -3.4, yaw: 24.5 },
          {
            step: 'eyes closed',
            match: true,
            frame: 2,
            masker: false,
            left_eye: 'closed',
            right_eye: 'closed',
            left_eye_score: 0.98,
            right_eye_score: 0.97,
          },
          { step: 'face front', match: true, frame: 3, masker: false, roll: 0.8, pitch: -2.1, yaw: -0.5 },
        ],
        liveness_token: 'eyJhbGciOiJFZERTQSIs…',
        expires_in: 300,
      },
    },
  }),
};
