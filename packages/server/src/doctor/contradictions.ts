import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type DoctorFinding, doubtful } from './findings.ts';

/** Settings that are allowed each and make no sense together. */
export function checkContradictions(config: Config): DoctorFinding[] {
  return rules.flatMap(({ names, applies, fault }) => (applies(config) ? [doubtful(names, fault)] : []));
}

interface Rule {
  readonly names: string;
  readonly applies: (config: Config) => boolean;
  /** What happens, and what to do. */
  readonly fault: string;
}

/** Bytes of a picture in base64, in JSON with a little around it. */
const encoded = (bytes: number) => Math.ceil(bytes / 3) * 4 + 1024;
const isLocal = (host: string) => /^(localhost|127\.|::1$)/.test(host);

const rules: readonly Rule[] = [
  {
    names: 'WAJAH_MAX_IMAGE_MS, WAJAH_ENGINE_DEADLINE_MS',
    applies: ({ limits, engine }) => limits.imageMs >= engine.deadlineMs,
    fault:
      'a picture that is too expensive is answered 503 "try again" instead of 493; set WAJAH_MAX_IMAGE_MS below WAJAH_ENGINE_DEADLINE_MS',
  },
  {
    names: 'WAJAH_MAX_IMAGE_BYTES, WAJAH_MAX_BODY_BYTES',
    applies: ({ limits }) => encoded(limits.imageBytes) > limits.bodyBytes,
    fault:
      'a picture of the allowed size does not fit into an allowed body in base64; set WAJAH_MAX_BODY_BYTES to at least 4/3 of WAJAH_MAX_IMAGE_BYTES',
  },
  {
    names: 'WAJAH_MAX_BODY_BYTES, WAJAH_BODIES_BYTES',
    applies: ({ limits }) => limits.bodyBytes > Math.min(limits.bodiesBytes, limits.clientBodiesBytes),
    fault:
      'a body of the allowed size is always refused with 503; raise WAJAH_BODIES_BYTES and WAJAH_CLIENT_BODIES_BYTES, or lower WAJAH_MAX_BODY_BYTES',
  },
  {
    names: 'WAJAH_CLIENT_BODIES_BYTES, WAJAH_BODIES_BYTES',
    applies: ({ limits }) => limits.clientBodiesBytes > limits.bodiesBytes,
    fault: 'one client can take the memory of all; set WAJAH_CLIENT_BODIES_BYTES below WAJAH_BODIES_BYTES',
  },
  {
    names: 'WAJAH_MIN_FACE, WAJAH_MIN_FACE_ENROL',
    applies: ({ limits }) => limits.minFace > limits.minFaceEnrol,
    fault:
      'people are enrolled by faces that are too small to be verified; set WAJAH_MIN_FACE to at most WAJAH_MIN_FACE_ENROL',
  },
  {
    names: 'WAJAH_COMPAT_HTTP_200',
    applies: ({ compat, compatHttp200 }) => compatHttp200 && !compat.includes('risetai'),
    fault: 'has no effect without WAJAH_COMPAT=risetai; set both, or remove it',
  },
  {
    names: 'WAJAH_TRUST_PROXY, WAJAH_HOST',
    applies: ({ trustProxy, host }) => trustProxy === true && !isLocal(host),
    fault:
      'every caller can write any address into X-Forwarded-For and so evade rate limits and login limits; name the networks of the proxies (WAJAH_TRUST_PROXY=10.0.0.0/8), or listen on 127.0.0.1',
  },
  {
    names: 'WAJAH_DATABASE_URL, WAJAH_DATA_DIR',
    applies: ({ database, dataDir }) => database !== null && existsSync(join(dataDir, 'wajah.db')),
    fault:
      'the data directory has a database that is not used; move it with `wajah migrate-store --from data --to database`, or move the file away',
  },
];
