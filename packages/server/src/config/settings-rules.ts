import { OperatorError } from '../errors.ts';
import { bytes, choice, define, group, integer, number, text, url } from './setting.ts';

const none = { text: 'none', value: null };
const packDefault = { text: "the model pack's", value: null };

export const limits = group('Limits', {
  imageBytes: define({
    name: 'WAJAH_MAX_IMAGE_BYTES',
    fallback: '10MiB',
    ...bytes(1024, 2 ** 30),
    description: 'Maximum size of a picture, after base64 is decoded.',
  }),
  bodiesBytes: define({
    name: 'WAJAH_BODIES_BYTES',
    fallback: '256MiB',
    ...bytes(1024, 2 ** 36),
    description:
      'Maximum size of all request bodies whose calls are not answered yet; further calls are answered 503. The memory of a server follows from it.',
  }),
  leastRate: define({
    name: 'WAJAH_LEAST_RATE',
    fallback: '8KiB',
    ...bytes(0, 2 ** 20),
    unit: 'bytes a second',
    description:
      'Least mean rate after ten seconds at which a body is sent and an answer is read; a slower connection is cut, since it holds memory. Lower it for senders on slow networks, such as cameras with a GSM module; 0: any rate.',
  }),
  minFaceEnrol: define({
    name: 'WAJAH_MIN_FACE_ENROL',
    fallback: '100',
    ...integer(1, 10_000),
    unit: 'pixels',
    description:
      'Smallest face that is enrolled without force_register, and the limit of the quality rule size: shorter side of its box in pixels.',
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
