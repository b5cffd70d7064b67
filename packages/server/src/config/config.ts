import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { nearest } from './nearest.ts';
import { fallbackText, type Setting, type SettingName, type SettingValue, settings } from './settings.ts';

/** The settings of a server, validated and frozen. Only this file reads the environment. */
export interface Config {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Master key (32 bytes); null: made on first start in the data directory. */
  readonly secretKey: Uint8Array | null;
  /** PostgreSQL; null: the embedded database of the data directory. */
  readonly database: {
    readonly url: string;
    readonly readUrl: string | null;
    readonly connections: number;
    readonly timeoutMs: number;
  } | null;
  /** Keep an encrypted picture with each face that is enrolled. */
  readonly keepFaceCrops: boolean;
  /** Days that audit records are kept; 0: for ever. */
  readonly auditDays: number;
  /** Days that activity is kept; 0: none is. */
  readonly eventDays: number;
  /** Who may read `/metrics`. */
  readonly metrics: 'off' | 'open' | 'operator';
  /** The service whose ways are imitated. */
  readonly compat: 'off' | 'risetai';
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly engine: {
    readonly workers: number;
    /** Calls that may wait for a worker before further ones are refused as busy. */
    readonly queue: number;
    /** A call that is not done by then is refused as busy. */
    readonly deadlineMs: number;
    /** Where converted models are kept; absolute path. */
    readonly cacheDir: string;
  };
  readonly packs: {
    /** Null: what the operator chose by command, else the built-in one. */
    readonly use: string | null;
    /** Absolute path. */
    readonly folder: string;
    readonly acceptNonCommercial: boolean;
  };
  readonly matching: {
    /** Of galleries held in memory. */
    readonly memoryBytes: number;
  };
  readonly limits: {
    readonly imageBytes: number;
    readonly imagePixels: number;
    readonly bodyBytes: number;
    /** Shorter side of the face box, pixels. */
    readonly minFaceEnrol: number;
    readonly minFace: number;
    /** Authenticated calls per client and minute. */
    readonly callsPerMinute: number;
    /** Failed logins per client and address in a quarter of an hour. */
    readonly failedLogins: number;
  };
  readonly thresholds: {
    /** Similarity; null: the pack's. */
    readonly verify: number | null;
    /** Accepted share of strangers that identification takes for somebody. */
    readonly identifyFpir: number;
    /** Spoof score; null: the pack's. */
    readonly spoof: number | null;
    /** Default minimum_similarity of KTP enrolment. */
    readonly card: number;
    /** Degrees below which a head counts as facing the front. */
    readonly frontAngle: number;
  };
  readonly sessions: {
    /** From create-session to the latest submission. */
    readonly seconds: number;
    /** How long frames are remembered. */
    readonly frameHours: number;
  };
  readonly tokens: {
    readonly lifetimeSeconds: number;
    /** An external issuer of tokens, beside our own. */
    readonly issuer: {
      readonly issuer: string;
      readonly audience: string;
      readonly jwksUrl: string;
      readonly clientClaim: string;
    } | null;
  };
  /** Quotas of a new client; −1 is unlimited. */
  readonly quota: { readonly hits: number; readonly faces: number; readonly galleries: number };
  readonly corsOrigins: readonly string[];
  /** Trust X-Forwarded-For of a reverse proxy. */
  readonly trustProxy: boolean;
  /** Seconds that running calls get to finish on shutdown. */
  readonly drainSeconds: number;
}

/** Where settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks every setting.
 * @param env the environment of the process unless a test gives another; an empty value counts as not set
 * @throws OperatorError for the first setting that is not allowed: its name, its value, what is allowed
 * @example const config = loadConfig({ WAJAH_PORT: '0', WAJAH_DATA_DIR: '/var/lib/wajah' });
 */
export function loadConfig(env: Environment = process.env): Config {
  const read = <N extends SettingName>(name: N) => readSetting(env, name);
  return deepFreeze({
    host: read('host'),
    port: read('port'),
    dataDir: read('dataDir'),
    secretKey: read('secretKey'),
    database: readDatabase(env),
    keepFaceCrops: read('keepFaceCrops'),
    ...readServed(env),
    logLevel: read('logLevel'),
    engine: {
      workers: read('engineWorkers'),
      queue: read('engineQueue'),
      deadlineMs: read('engineDeadline'),
      cacheDir: read('cacheDir'),
    },
    packs: {
      use: read('pack'),
      folder: read('packsDir') ?? join(read('dataDir'), 'packs'),
      acceptNonCommercial: read('acceptNonCommercial'),
    },
    matching: { memoryBytes: read('matchMemory') * 2 ** 20 },
    limits: {
      imageBytes: read('imageBytes'),
      imagePixels: read('imagePixels'),
      bodyBytes: read('bodyBytes'),
      minFaceEnrol: read('minFaceEnrol'),
      minFace: read('minFace'),
      callsPerMinute: read('callsPerMinute'),
      failedLogins: read('failedLogins'),
    },
    thresholds: {
      verify: read('threshold'),
      identifyFpir: read('identifyFpir'),
      spoof: read('spoofThreshold'),
      card: read('cardSimilarity'),
      frontAngle: read('frontAngle'),
    },
    sessions: { seconds: read('sessionSeconds'), frameHours: read('frameHours') },
    tokens: { lifetimeSeconds: read('tokenLifetime'), issuer: readIssuer(env) },
    quota: { hits: read('quotaHits'), faces: read('quotaFaces'), galleries: read('quotaGalleries') },
    corsOrigins: read('corsOrigins'),
    trustProxy: read('trustProxy'),
    drainSeconds: read('drainSeconds'),
  });
}

/** What is counted, shown and imitated. */
function readServed(env: Environment): Pick<Config, 'auditDays' | 'eventDays' | 'metrics' | 'compat'> {
  return {
    auditDays: readSetting(env, 'auditDays'),
    eventDays: readSetting(env, 'eventDays'),
    metrics: readSetting(env, 'metrics'),
    compat: readSetting(env, 'compat'),
  };
}

/** Names that look like settings but are none, each with the setting that was probably meant. */
export function unknownSettings(env: Environment = process.env): { name: string; nearest: string }[] {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.name));
  return Object.keys(env)
    .filter((name) => name.startsWith('WAJAH_') && !known.has(name))
    .sort()
    .map((name) => ({ name, nearest: nearest(name, [...known]) }));
}

/** Every setting as it is in force, secrets hidden: what `wajah config` prints. */
export function describeSettings(
  env: Environment = process.env,
): { name: string; value: string; source: 'environment' | 'default' }[] {
  return (Object.keys(settings) as SettingName[]).map((key) => {
    const setting: Setting<unknown> = settings[key];
    readSetting(env, key);
    const given = env[setting.name];
    if (!given) return { name: setting.name, value: fallbackText(setting), source: 'default' };
    return { name: setting.name, value: visible(setting, given), source: 'environment' };
  });
}

function readSetting<N extends SettingName>(env: Environment, key: N): SettingValue<N> {
  const setting: Setting<unknown> = settings[key];
  const given = env[setting.name] || undefined;
  if (given === undefined && typeof setting.fallback !== 'string') {
    return setting.fallback.value as SettingValue<N>;
  }
  const parsed = setting.schema.safeParse(given ?? setting.fallback);
  if (!parsed.success) {
    throw new OperatorError(`${setting.name} is ${shown(setting, given ?? '')}; allowed: ${setting.allowed}`);
  }
  return parsed.data as SettingValue<N>;
}

/** What may be printed of a given value. */
function visible({ secret }: Setting<unknown>, given: string): string {
  if (typeof secret === 'function') return secret(given);
  return secret ? '(hidden)' : given;
}

function readDatabase(env: Environment): Config['database'] {
  const url = readSetting(env, 'databaseUrl');
  const readUrl = readSetting(env, 'databaseReadUrl');
  if (url !== null) {
    const connections = readSetting(env, 'databasePool');
    return { url, readUrl, connections, timeoutMs: readSetting(env, 'databaseTimeout') };
  }
  if (readUrl === null) return null;
  throw new OperatorError(
    `${settings.databaseUrl.name} is not set; allowed: both, or no ${settings.databaseReadUrl.name}`,
  );
}

function readIssuer(env: Environment): Config['tokens']['issuer'] {
  const issuer = readSetting(env, 'issuer');
  const audience = readSetting(env, 'issuerAudience');
  const jwksUrl = readSetting(env, 'issuerJwksUrl');
  if (issuer && audience && jwksUrl) {
    return { issuer, audience, jwksUrl, clientClaim: readSetting(env, 'issuerClientClaim') };
  }
  if (issuer || audience || jwksUrl) {
    const parts = [settings.issuer.name, settings.issuerAudience.name, settings.issuerJwksUrl.name];
    const missing = parts.filter((name) => !env[name]);
    throw new OperatorError(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set; allowed: all of ${parts.join(', ')} or none`,
    );
  }
  return null;
}

/** A given value on one line, cut at 80 characters; of a secret only its length. */
function shown(setting: Setting<unknown>, given: string): string {
  if (setting.secret) return `(hidden, ${given.length} characters)`;
  return JSON.stringify(given.length > 80 ? `${given.slice(0, 80)}…` : given);
}

/** Typed arrays cannot be frozen and stay as they are. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
