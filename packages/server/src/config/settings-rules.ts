import { OperatorError } from '../errors.ts';
import { bytes, choice, define, group, integer, number, text, toggle, url } from './setting.ts';

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
    unit: 'pixels',
    description: 'Maximum width × height of a picture, read from its header before it is decoded.',
  }),
  imageSide: define({
    name: 'WAJAH_MAX_IMAGE_SIDE',
    fallback: '16384',
    ...integer(100, 65_535),
    unit: 'pixels',
    description: 'Maximum longer side of a picture in pixels.',
  }),
  imageScans: define({
    name: 'WAJAH_MAX_IMAGE_SCANS',
    fallback: '100',
    ...integer(1, 10_000),
    unit: 'scans',
    description: 'Maximum number of scans of a JPEG. Cameras write one, programs for the web about ten.',
  }),
  imageWork: define({
    name: 'WAJAH_MAX_IMAGE_WORK',
    fallback: '1000000000',
    ...integer(1_000_000, 1_000_000_000_000),
    unit: 'samples',
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
    unit: 'ms',
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
    fallback: '256MiB',
    ...bytes(1024, 2 ** 36),
    description:
      'Maximum size of all request bodies whose calls are not answered yet; further calls are answered 503. The memory of a server follows from it, see reliability.md.',
  }),
  clientBodiesBytes: define({
    name: 'WAJAH_CLIENT_BODIES_BYTES',
    fallback: '192MiB',
    ...bytes(1024, 2 ** 36),
    description:
      'The same for the calls of one client. Callers without a token have one such share for all of them.',
  }),
  bodyRate: define({
    name: 'WAJAH_MIN_BODY_RATE',
    fallback: '8KiB',
    ...bytes(0, 2 ** 30),
    unit: 'bytes a second',
    description:
      'Least mean rate of a request body, and at which an answer is read, in bytes a second; one that is slower after ten seconds is refused, or its connection closed. 0 allows any.',
  }),
  connections: define({
    name: 'WAJAH_CONNECTIONS',
    fallback: '4096',
    ...integer(16, 1_000_000),
    unit: 'connections',
    description:
      'Maximum number of open connections. A further one takes the place of one of the network that has most of them, an idle one first.',
  }),
  networkConnections: define({
    name: 'WAJAH_NETWORK_CONNECTIONS',
    fallback: '512',
    ...integer(1, 1_000_000),
    unit: 'connections',
    description:
      'The same for one network, which is an IPv4 address or an IPv6 /64. A further one takes the place of an idle one of this network, or is answered 503. Trusted proxies (WAJAH_TRUST_PROXY) have no such limit.',
  }),
  minFaceEnrol: define({
    name: 'WAJAH_MIN_FACE_ENROL',
    fallback: '100',
    ...integer(1, 10_000),
    unit: 'pixels',
    description:
      'Smallest face that is enrolled without force_register, and the limit of the quality rule size: shorter side of its box in pixels.',
  }),
  singleFace: define({
    name: 'WAJAH_ENROL_SINGLE_FACE',
    fallback: 'false',
    ...toggle(),
    description: 'Treats every enrolment as if it were sent with check_single_face: true.',
  }),
  minFace: define({
    name: 'WAJAH_MIN_FACE',
    fallback: '40',
    ...integer(1, 10_000),
    unit: 'pixels',
    description:
      "Smallest face that is verified, identified or compared, and that CompreFace's profile enrols: shorter side of its box in pixels.",
  }),
  callsPerMinute: define({
    name: 'WAJAH_CALLS_PER_MINUTE',
    fallback: '6000',
    ...integer(1, 10_000_000),
    unit: 'calls a minute',
    description: 'Rate limit: authenticated calls of one client in a minute; further ones are answered 429.',
  }),
  failedLogins: define({
    name: 'WAJAH_FAILED_LOGINS',
    fallback: '10',
    ...integer(1, 10_000),
    unit: 'in 15 minutes',
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
    fallback: { text: 'accept, and refuse while no PAD networks are installed', value: null },
    ...choice(['accept', 'refuse']),
    description:
      'Value of is_spoof where there is no verdict: accept (false) or refuse (true). There is none for a picture that is too dark, small, tightly cropped, blurred or noisy, and none for any picture or session while no PAD networks are installed.',
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
    unit: 'degrees',
    description: 'Yaw and pitch, in degrees, below which a head pose is frontal.',
  }),
});

export const tokens = group('Tokens', {
  lifetimeSeconds: define({
    name: 'WAJAH_TOKEN_LIFETIME',
    fallback: '86400',
    ...integer(60, 31_536_000),
    unit: 's',
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
    fallback: '-1',
    ...quotaRange,
    unit: 'calls',
    description: 'Maximum number of calls; −1 is unlimited.',
  }),
  faces: define({
    name: 'WAJAH_QUOTA_FACES',
    fallback: '-1',
    ...quotaRange,
    unit: 'faces',
    description: 'Maximum number of enrolled faces; −1 is unlimited.',
  }),
  galleries: define({
    name: 'WAJAH_QUOTA_GALLERIES',
    fallback: '100',
    ...quotaRange,
    unit: 'galleries',
    description: 'Maximum number of galleries; −1 is unlimited.',
  }),
});
