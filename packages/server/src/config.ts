/** The settings of a server, validated and frozen. Only this file reads the environment. */
export interface Config {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Master key (32 bytes); null: made on first start in the data directory. */
  readonly secretKey: Uint8Array | null;
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
