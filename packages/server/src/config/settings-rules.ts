import { sessionSteps } from '@wajah/contract';
import { OperatorError } from '../errors.ts';
import { bytes, choice, integer, mebibytes, number, text, toggle, url } from './kinds.ts';
import { define, group } from './setting.ts';

const none = { text: 'none', value: null };
const packDefault = { text: "the model pack's", value: null };

export const limits = group('Limits', {
  imageBytes: define({
    name: 'WAJAH_MAX_IMAGE_BYTES',
    fallback: '10MiB',
    ...bytes(1024, 2 ** 30),
    description: 'Maximum size of a picture, after base64 is decoded.',
  }),
  imagePixels: define({
    name: 'WAJAH_MAX_IMAGE_PIXELS',
    fallback: '50000000',
    ...integer(10_000, 1_000_000_000),
    description: 'Maximum width × height of a picture, read from its header before it is decoded.',
  }),
  imageSide: define({
    name: 'WAJAH_MAX_IMAGE_SIDE',
    fallback: '16384',
    ...integer(100, 65_535),
    description: 'Maximum longer side of a picture in pixels.',
  }),
  imageScans: define({
    name: 'WAJAH_MAX_IMAGE_SCANS',
    fallback: '100',
    ...integer(1, 10_000),
    description: 'Maximum number of scans of a JPEG. Cameras write one, programs for the web about ten.',
  }),
  imageWork: define({
    name: 'WAJAH_MAX_IMAGE_WORK',
    fallback: '1000000000',
    ...integer(1_000_000, 1_000_000_000_000),
    description:
      'Maximum work of decoding a picture: samples of all scans of a JPEG; bytes of all rows of a PNG, six times with 16 bits, eight times when interlaced. 12 megapixels of a camera are 18 million.',
  }),
  imageMetadata: define({
    name: 'WAJAH_MAX_IMAGE_METADATA',
    fallback: '2MiB',
    ...bytes(1024, 2 ** 30),
    description:
      'Maximum size of colour profile, EXIF and comments of a JPEG together, and of all ancillary chunks of a PNG. Previews and films inside of a JPEG do not count.',
  }),
  imageMs: define({
    name: 'WAJAH_MAX_IMAGE_MS',
    fallback: '8000',
    ...integer(100, 600_000),
    description:
      'Maximum time of a worker, in milliseconds, that one look at a picture takes; one that takes longer by itself is answered 493, and sending it again does not help. Below WAJAH_ENGINE_DEADLINE_MS, which includes waiting and is answered 503.',
  }),
  bodyBytes: define({
    name: 'WAJAH_MAX_BODY_BYTES',
    fallback: '112MiB',
    ...bytes(1024, 2 ** 30),
    description:
      'Maximum size of a request body. By default a batch of eight pictures of the maximum size fits, in base64.',
  }),
  bodiesBytes: define({
    name: 'WAJAH_BODIES_BYTES',
    fallback: '512MiB',
    ...bytes(1024, 2 ** 36),
    description:
      'Maximum size of all request bodies whose calls are not answered yet; further calls are answered 503. The memory of a server follows from it, see reliability.md.',
  }),
  clientBodiesBytes: define({
    name: 'WAJAH_CLIENT_BODIES_BYTES',
    fallback: '256MiB',
    ...bytes(1024, 2 ** 36),
    description:
      'The same for the calls of one client. Callers without a token have one such share for all of them.',
  }),
  bodyRate: define({
    name: 'WAJAH_MIN_BODY_RATE',
    fallback: '8KiB',
    ...bytes(0, 2 ** 30),
    description:
      'Least mean rate of a request body in bytes a second; one that is slower after ten seconds is refused. 0 allows any.',
  }),
  minFaceEnrol: define({
    name: 'WAJAH_MIN_FACE_ENROL',
    fallback: '100',
    ...integer(1, 10_000),
    description: 'Smallest face that is enrolled without force_register: shorter side of its box in pixels.',
  }),
  minFace: define({
    name: 'WAJAH_MIN_FACE',
    fallback: '40',
    ...integer(1, 10_000),
    description: 'Smallest face that is verified, identified or compared: shorter side of its box in pixels.',
  }),
  callsPerMinute: define({
    name: 'WAJAH_CALLS_PER_MINUTE',
    fallback: '6000',
    ...integer(1, 10_000_000),
    description: 'Rate limit: authenticated calls of one client in a minute; further ones are answered 429.',
  }),
  failedLogins: define({
    name: 'WAJAH_FAILED_LOGINS',
    fallback: '10',
    ...integer(1, 10_000),
    description: 'Failed logins that one client and address may make in 15 minutes.',
  }),
});

export const thresholds = group('Decisions', {
  verify: define({
    name: 'WAJAH_THRESHOLD',
    fallback: packDefault,
    ...number(0, 1),
    description:
      'Similarity score at or above which two faces match. Each 0.125 is a factor of ten in the false match rate (FMR).',
  }),
  identifyFpir: define({
    name: 'WAJAH_IDENTIFY_FPIR',
    fallback: '0.01',
    ...number(0.000_001, 1),
    description: 'False positive identification rate (FPIR) of identification, for galleries of every size.',
  }),
  spoof: define({
    name: 'WAJAH_SPOOF_THRESHOLD',
    fallback: packDefault,
    ...number(0, 1),
    description:
      'spoof_score at or above which a face is judged a presentation attack, and the mean of a session. By default a mean of three frames or more has a lower threshold.',
  }),
  unclearSpoof: define({
    name: 'WAJAH_UNCLEAR_SPOOF',
    fallback: 'accept',
    ...choice(['accept', 'refuse']),
    description:
      'Value of is_spoof for a picture that is too dark, small, tightly cropped, blurred or noisy for a verdict: accept (false) or refuse (true).',
  }),
  card: define({
    name: 'WAJAH_CARD_SIMILARITY',
    fallback: '0.6',
    ...number(0, 1),
    description: 'minimum_similarity of enroll-face-ktp when the call names none.',
  }),
  frontAngle: define({
    name: 'WAJAH_FRONT_ANGLE',
    fallback: '12',
    ...number(1, 45),
    description: 'Yaw and pitch, in degrees, below which a head pose is frontal.',
  }),
});

export const sessions = group('Liveness sessions', {
  seconds: define({
    name: 'WAJAH_SESSION_SECONDS',
    fallback: '60',
    ...integer(10, 300),
    description:
      'Lifetime of a liveness session in seconds, from create-session to the submission of its frames.',
  }),
  frameHours: define({
    name: 'WAJAH_FRAME_HOURS',
    fallback: '24',
    ...integer(1, 8760),
    description:
      'Hours that sealed traces of the frames of passed sessions are kept, to refuse their replay in another session.',
  }),
  minSteps: define({
    name: 'WAJAH_SESSION_MIN_STEPS',
    fallback: '2',
    ...integer(sessionSteps.least, sessionSteps.most),
    description: 'Fewest random steps of a challenge; a session that is requested with fewer gets this many.',
  }),
  failures: define({
    name: 'WAJAH_SESSION_FAILURES',
    fallback: '5',
    ...integer(1, 100),
    description:
      'Sessions of a subject that may fail or expire in an hour, since the last passed one, before a pause.',
  }),
  pauseMinutes: define({
    name: 'WAJAH_SESSION_PAUSE_MINUTES',
    fallback: '10',
    ...integer(1, 60),
    description: 'Minutes after which a subject may try again, from its last failure.',
  }),
  light: define({
    name: 'WAJAH_LIGHT_CHALLENGE',
    fallback: 'off',
    ...choice(['off', 'optional', 'required']),
    description:
      'Whether a session may show colours on the screen and check that the face reflects them: `optional` where create-session asks for it with `light: true`, `required` in every session. No real device has been measured yet; see light-challenge.md.',
  }),
  open: define({
    name: 'WAJAH_SESSION_OPEN',
    fallback: '500',
    ...integer(20, 5000),
    description:
      'Open sessions without a subject that a client may have at a time; those with a subject do not count. A session that takes half a minute allows 1,000 people a minute by default; opening one reads them all, about 1 ms for each hundred.',
  }),
});

export const recording = group('Recorded sessions', {
  on: define({
    name: 'WAJAH_RECORD_SESSIONS',
    fallback: 'false',
    ...toggle(),
    description:
      'Records the frames and the judgement of liveness sessions that are submitted with `consent: true`, encrypted, so that `wajah sessions` can measure error rates on your own cameras and people. Switching it off keeps what is recorded until it expires or `wajah sessions erase`.',
  }),
  days: define({
    name: 'WAJAH_RECORD_DAYS',
    fallback: '30',
    ...integer(1, 365),
    description: 'Days after which a recorded session is erased.',
  }),
  bytes: define({
    name: 'WAJAH_RECORD_MB',
    fallback: '1024',
    ...mebibytes(1, 1_048_576),
    description:
      'Maximum size of all recorded sessions in MiB; a session has about 1. When it is reached nothing more is recorded until some expire or are erased, and the log says so.',
  }),
});

export const tokens = group('Tokens', {
  lifetimeSeconds: define({
    name: 'WAJAH_TOKEN_LIFETIME',
    fallback: '86400',
    ...integer(60, 31_536_000),
    description: 'Lifetime of an access token in seconds.',
  }),
  issuer: group(
    'Tokens',
    {
      issuer: define({
        name: 'WAJAH_ISSUER',
        fallback: none,
        ...url(),
        description:
          'External issuer whose tokens are accepted in addition to the tokens of the server; requires WAJAH_ISSUER_AUDIENCE and WAJAH_ISSUER_JWKS_URL.',
      }),
      audience: define({
        name: 'WAJAH_ISSUER_AUDIENCE',
        fallback: none,
        ...text(255),
        description: 'Audience (aud) that a token of the external issuer must have.',
      }),
      jwksUrl: define({
        name: 'WAJAH_ISSUER_JWKS_URL',
        fallback: none,
        ...url(),
        description: 'URL of the JSON Web Key Set of the external issuer.',
      }),
      clientClaim: define({
        name: 'WAJAH_ISSUER_CLIENT_CLAIM',
        fallback: 'sub',
        ...text(120),
        description: 'Claim of an external token that holds the client_id.',
      }),
    },
    ({ issuer, audience, jwksUrl, clientClaim }) => {
      if (issuer && audience && jwksUrl) return { issuer, audience, jwksUrl, clientClaim };
      const needed = {
        WAJAH_ISSUER: issuer,
        WAJAH_ISSUER_AUDIENCE: audience,
        WAJAH_ISSUER_JWKS_URL: jwksUrl,
      };
      const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
      if (missing.length === 3) return null;
      throw new OperatorError(
        `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set; allowed: all of ${Object.keys(needed).join(', ')} or none`,
      );
    },
  ),
});

const quotaRange = integer(-1, 2_147_483_647);

export const quota = group('Quotas of a new client', {
  hits: define({
    name: 'WAJAH_QUOTA_HITS',
    fallback: '1000000',
    ...quotaRange,
    description: 'Maximum number of calls; −1 is unlimited.',
  }),
  faces: define({
    name: 'WAJAH_QUOTA_FACES',
    fallback: '100000',
    ...quotaRange,
    description: 'Maximum number of enrolled faces; −1 is unlimited.',
  }),
  galleries: define({
    name: 'WAJAH_QUOTA_GALLERIES',
    fallback: '100',
    ...quotaRange,
    description: 'Maximum number of galleries; −1 is unlimited.',
  }),
});
