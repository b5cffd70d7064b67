import { availableParallelism } from 'node:os';
import { bytes, choice, integer, key, list, number, path, text, toggle, url } from './kinds.ts';
import { machineMemory } from './machine-memory.ts';
import { define, type Setting } from './setting.ts';
import { activitySettings } from './settings-activity.ts';
import { databaseSettings } from './settings-database.ts';
import { packSettings } from './settings-packs.ts';
import { sessionSettings } from './settings-sessions.ts';

export type { Setting } from './setting.ts';

const packs = { says: "the model pack's", value: null };
/** MiB. */
const matchMemory = Math.max(1024, Math.floor(machineMemory() / 4 / 2 ** 20));
const none = { says: 'none', value: null };

/** Every setting of a server, by the name that `loadConfig` knows it by. */
export const settings = {
  host: define({
    name: 'WAJAH_HOST',
    group: 'Server',
    fallback: '127.0.0.1',
    ...text(255),
    about: 'Address to listen on. 0.0.0.0 opens the server to the network: put TLS in front of it.',
  }),
  port: define({
    name: 'WAJAH_PORT',
    group: 'Server',
    fallback: '8080',
    ...integer(0, 65_535),
    about: 'Port to listen on; 0 asks the system for a free one.',
  }),
  dataDir: define({
    name: 'WAJAH_DATA_DIR',
    group: 'Server',
    fallback: './data',
    ...path(),
    about:
      'Where everything that must survive is kept; one process owns it at a time. Not used with a database.',
  }),
  secretKey: define({
    name: 'WAJAH_SECRET_KEY',
    group: 'Server',
    fallback: { says: 'made on first start, kept in the data directory', value: null },
    ...key(),
    secret: true,
    about: 'Master key that templates are encrypted under. Losing it loses every face.',
  }),
  keepFaceCrops: define({
    name: 'WAJAH_KEEP_FACE_CROPS',
    group: 'Server',
    fallback: 'false',
    ...toggle(),
    about:
      'Keeps an encrypted picture of each face that is enrolled, about 40 kB, so that `wajah reembed` can move galleries to another model pack. What was kept stays when this is switched off, until `wajah crops erase`.',
  }),
  ...databaseSettings,
  ...activitySettings,
  logLevel: define({
    name: 'WAJAH_LOG_LEVEL',
    group: 'Server',
    fallback: 'info',
    ...choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    about: 'How much is logged, as JSON lines on the standard output.',
  }),
  corsOrigins: define({
    name: 'WAJAH_CORS_ORIGINS',
    group: 'Server',
    fallback: { says: 'none', value: [] },
    ...list(),
    about: 'Origins whose web pages may call the API from a browser.',
  }),
  trustProxy: define({
    name: 'WAJAH_TRUST_PROXY',
    group: 'Server',
    fallback: 'false',
    ...toggle(),
    about: 'Believe X-Forwarded-For. Only behind a reverse proxy that sets it.',
  }),
  drainSeconds: define({
    name: 'WAJAH_DRAIN_SECONDS',
    group: 'Server',
    fallback: '10',
    ...integer(0, 600),
    about: 'Seconds that running calls get to finish when the server stops.',
  }),
  engineWorkers: define({
    name: 'WAJAH_ENGINE_WORKERS',
    group: 'Engine',
    fallback: { says: 'cores − 1, at least 1', value: Math.max(1, availableParallelism() - 1) },
    ...integer(1, 64),
    about: 'Threads that look at pictures; each holds its own copy of the models.',
  }),
  engineQueue: define({
    name: 'WAJAH_ENGINE_QUEUE',
    group: 'Engine',
    fallback: '64',
    ...integer(0, 10_000),
    about: 'Pictures that may wait for a thread; further calls are answered 503 at once.',
  }),
  engineDeadline: define({
    name: 'WAJAH_ENGINE_DEADLINE_MS',
    group: 'Engine',
    fallback: '10000',
    ...integer(100, 600_000),
    about: 'Milliseconds after which a picture that is not done is given up and answered 503.',
  }),
  cacheDir: define({
    name: 'WAJAH_CACHE_DIR',
    group: 'Engine',
    fallback: './.cache',
    ...path(),
    about: 'Where converted models are kept. May be deleted at any time: it is made again at the next start.',
  }),
  ...packSettings,
  matchMemory: define({
    name: 'WAJAH_MATCH_MEMORY_MB',
    group: 'Matching',
    fallback: {
      says: "a quarter of the machine's or the container's memory, at least 1024",
      value: matchMemory,
    },
    ...integer(1, 1_048_576),
    about:
      'MiB for the galleries that are searched in memory: about 1.4 for a thousand faces of 256 dimensions. The gallery searched longest ago makes room; one that is larger alone is searched on disk, slowly.',
  }),
  imageBytes: define({
    name: 'WAJAH_MAX_IMAGE_BYTES',
    group: 'Limits',
    fallback: '10MiB',
    ...bytes(1024, 2 ** 30),
    about: 'Largest picture, after base64 is decoded.',
  }),
  imagePixels: define({
    name: 'WAJAH_MAX_IMAGE_PIXELS',
    group: 'Limits',
    fallback: '50000000',
    ...integer(10_000, 1_000_000_000),
    about: 'Largest picture, width × height, judged by its header before it is decoded.',
  }),
  bodyBytes: define({
    name: 'WAJAH_MAX_BODY_BYTES',
    group: 'Limits',
    fallback: '32MiB',
    ...bytes(1024, 2 ** 30),
    about: 'Largest request body; a batch of eight pictures has to fit.',
  }),
  minFaceEnrol: define({
    name: 'WAJAH_MIN_FACE_ENROL',
    group: 'Limits',
    fallback: '100',
    ...integer(1, 10_000),
    about: 'Smallest face that is enrolled without force_register: shorter side of its box in pixels.',
  }),
  minFace: define({
    name: 'WAJAH_MIN_FACE',
    group: 'Limits',
    fallback: '40',
    ...integer(1, 10_000),
    about: 'Smallest face that is verified, identified or compared: shorter side of its box in pixels.',
  }),
  callsPerMinute: define({
    name: 'WAJAH_CALLS_PER_MINUTE',
    group: 'Limits',
    fallback: '6000',
    ...integer(1, 10_000_000),
    about: 'Authenticated calls that one client may make in a minute; further ones are answered 429.',
  }),
  failedLogins: define({
    name: 'WAJAH_FAILED_LOGINS',
    group: 'Limits',
    fallback: '10',
    ...integer(1, 10_000),
    about: 'Wrong passwords that one client and address may send in a quarter of an hour.',
  }),
  threshold: define({
    name: 'WAJAH_THRESHOLD',
    group: 'Decisions',
    fallback: packs,
    ...number(0, 1),
    about: 'Similarity at or above which two faces are the same person. Each 0.125 is a factor of ten.',
  }),
  identifyFpir: define({
    name: 'WAJAH_IDENTIFY_FPIR',
    group: 'Decisions',
    fallback: '0.01',
    ...number(0.000_001, 1),
    about: 'Share of strangers that identification may take for somebody, whatever the size of the gallery.',
  }),
  spoofThreshold: define({
    name: 'WAJAH_SPOOF_THRESHOLD',
    group: 'Decisions',
    fallback: packs,
    ...number(0, 1),
    about: 'spoof_score at or above which a face is taken for a picture or a mask.',
  }),
  cardSimilarity: define({
    name: 'WAJAH_CARD_SIMILARITY',
    group: 'Decisions',
    fallback: '0.6',
    ...number(0, 1),
    about: 'minimum_similarity of enroll-face-ktp when the call names none.',
  }),
  frontAngle: define({
    name: 'WAJAH_FRONT_ANGLE',
    group: 'Decisions',
    fallback: '12',
    ...number(1, 45),
    about: 'Degrees of yaw and pitch below which a head faces the front.',
  }),
  ...sessionSettings,
  tokenLifetime: define({
    name: 'WAJAH_TOKEN_LIFETIME',
    group: 'Tokens',
    fallback: '86400',
    ...integer(60, 31_536_000),
    about: 'Seconds that an access token lives.',
  }),
  issuer: define({
    name: 'WAJAH_ISSUER',
    group: 'Tokens',
    fallback: none,
    ...url(),
    about: 'External issuer whose tokens are accepted beside our own; needs the next two.',
  }),
  issuerAudience: define({
    name: 'WAJAH_ISSUER_AUDIENCE',
    group: 'Tokens',
    fallback: none,
    ...text(255),
    about: 'Audience (aud) that tokens of the external issuer must carry.',
  }),
  issuerJwksUrl: define({
    name: 'WAJAH_ISSUER_JWKS_URL',
    group: 'Tokens',
    fallback: none,
    ...url(),
    about: 'Where the public keys of the external issuer are.',
  }),
  issuerClientClaim: define({
    name: 'WAJAH_ISSUER_CLIENT_CLAIM',
    group: 'Tokens',
    fallback: 'sub',
    ...text(120),
    about: 'Claim of an external token that holds the client_id.',
  }),
  quotaHits: define({
    name: 'WAJAH_QUOTA_HITS',
    group: 'Quotas of a new client',
    fallback: '1000000',
    ...integer(-1, 2_147_483_647),
    about: 'Calls; −1 is unlimited.',
  }),
  quotaFaces: define({
    name: 'WAJAH_QUOTA_FACES',
    group: 'Quotas of a new client',
    fallback: '100000',
    ...integer(-1, 2_147_483_647),
    about: 'Faces enrolled at a time; −1 is unlimited.',
  }),
  quotaGalleries: define({
    name: 'WAJAH_QUOTA_GALLERIES',
    group: 'Quotas of a new client',
    fallback: '100',
    ...integer(-1, 2_147_483_647),
    about: 'Galleries at a time; −1 is unlimited.',
  }),
};

/** Name by which `loadConfig` knows a setting. */
export type SettingName = keyof typeof settings;

/** What a setting reads as. */
export type SettingValue<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never;

/** The words for what holds when the setting is not given. */
export function fallbackText(setting: Setting<unknown>): string {
  return typeof setting.fallback === 'string' ? setting.fallback : setting.fallback.says;
}
