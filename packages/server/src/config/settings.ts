import { join } from 'node:path';
import { featureSettings } from '../features/declared.ts';
import {
  choice,
  define,
  group,
  integer,
  key,
  line,
  list,
  path,
  profiles,
  type Setting,
  type SettingGroup,
  text,
  toggle,
  toggleOr,
  trustedProxies,
  url,
} from './setting.ts';
import { database, engine, matching, packs } from './settings-resources.ts';
import { limits, thresholds, tokens } from './settings-rules.ts';
import { sessions } from './settings-sessions.ts';

/** Every setting of a server, as a tree. `Config` has the same shape and the same names. */
export const settings = group(
  'Server',
  {
    host: define({
      name: 'WAJAH_HOST',
      fallback: '127.0.0.1',
      ...text(255),
      description: 'Address to listen on. 0.0.0.0 opens the server to the network: put TLS in front of it.',
    }),
    port: define({
      name: 'WAJAH_PORT',
      fallback: '8080',
      ...integer(0, 65_535),
      description: 'Port to listen on; 0 lets the system choose a free one.',
    }),
    publicUrl: define({
      name: 'WAJAH_PUBLIC_URL',
      fallback: { text: 'none', value: null },
      ...url(),
      description:
        'Address that browsers reach the server at, such as https://example.com/wajah: links to sign in and of hosted liveness sessions begin with it. Default: of a session the address that create-session was sent to.',
    }),
    dataDir: define({
      name: 'WAJAH_DATA_DIR',
      fallback: './data',
      ...path(),
      description:
        'Directory of all persistent data; one process owns it at a time. Not used with a database.',
    }),
    envFile: define({
      name: 'WAJAH_ENV_FILE',
      fallback: { text: '.env in the folder of the installation, if there is one', value: null },
      ...path(),
      description:
        'File of settings, a line NAME=value each; variables of the environment come first. Secrets can be in files of their own, which WAJAH_SECRET_KEY_FILE and WAJAH_DATABASE_URL_FILE name.',
    }),
    command: define({
      name: 'WAJAH_COMMAND',
      fallback: { text: 'as it was started', value: null },
      ...line(200),
      description:
        'How operators start the command line, as messages print it, such as `docker exec faces wajah`. Read from the environment only.',
    }),
    openBrowser: define({
      name: 'WAJAH_OPEN_BROWSER',
      fallback: 'true',
      ...toggle(),
      description:
        'Opens the browser of this desktop with the link that signs in the first client, by a file in the data directory that only this user can read.',
    }),
    samples: define({
      name: 'WAJAH_SAMPLES',
      fallback: 'true',
      ...toggle(),
      description:
        'Gives the client of the first start a gallery `samples` of drawn people, once; it counts in quotas, and is deleted as any other.',
    }),
    secretKey: define({
      name: 'WAJAH_SECRET_KEY',
      fallback: { text: 'generated at the first start, kept in the data directory', value: null },
      ...key(),
      secret: true,
      description:
        'Master key that templates are encrypted under. Without it no stored template can be decrypted.',
    }),
    keepFaceCrops: define({
      name: 'WAJAH_KEEP_FACE_CROPS',
      fallback: 'gallery',
      ...toggleOr('gallery'),
      description:
        'Stores an encrypted crop of each enrolled face, about 55 kB, so that the console shows faces and `wajah reembed` can migrate galleries to another model pack: `true` unless `keep_crops` of the gallery is false, `gallery` only where it is true, `false` in no gallery. Switching it off keeps the stored crops until `wajah crops erase`.',
    }),
    eventDays: define({
      name: 'WAJAH_EVENT_DAYS',
      fallback: '30',
      ...integer(0, 3650),
      unit: 'days',
      description:
        'Days that counts of calls, by endpoint and status, and of similarities are kept, and the latest 1,000 refused calls of each client with user_id and trx_id; never anything biometric. 0 keeps none.',
    }),
    auditDays: define({
      name: 'WAJAH_AUDIT_DAYS',
      fallback: '365',
      ...integer(0, 36_500),
      unit: 'days',
      description: 'Days that audit records are kept; 0 keeps them for ever.',
    }),
    metrics: define({
      name: 'WAJAH_METRICS',
      fallback: 'off',
      ...choice(['off', 'open', 'operator']),
      description:
        'Who may read `/metrics` in the Prometheus text format: nobody, everybody, or callers with the token of an operator.',
    }),
    compat: define({
      name: 'WAJAH_COMPAT',
      fallback: 'off',
      ...profiles(['risetai', 'compreface']),
      description:
        'Interfaces of other services, for programs that were written for them. `risetai`: bodies wrapped in `risetai`, the same routes below `/risetai`. `compreface`: the REST API of CompreFace below `/api/v1`. docs/compatibility.md has the rest.',
    }),
    compatHttp200: define({
      name: 'WAJAH_COMPAT_HTTP_200',
      fallback: 'true',
      ...toggle(),
      description:
        'With WAJAH_COMPAT=risetai: answers refusals with HTTP 200, as that service does, but 413 of a body that is too large, 429 and 503. false answers the HTTP code of each status.',
    }),
    logLevel: define({
      name: 'WAJAH_LOG_LEVEL',
      fallback: 'info',
      ...choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
      description: 'Lowest level that is logged, on the standard output.',
    }),
    corsOrigins: define({
      name: 'WAJAH_CORS_ORIGINS',
      fallback: { text: 'none', value: [] },
      ...list(),
      description:
        'Origins whose web pages may call the API from a browser; `https://*.example.com` is every subdomain, `capacitor://localhost` an app.',
    }),
    trustProxy: define({
      name: 'WAJAH_TRUST_PROXY',
      fallback: 'false',
      ...trustedProxies(),
      description:
        'Reverse proxies whose X-Forwarded-For is trusted: their networks, or how many stand in front of a server that callers reach through them only. true trusts whatever the header says: only behind a proxy that replaces it.',
    }),
    database,
    engine,
    packs,
    matching,
    limits,
    thresholds,
    sessions,
    ...featureSettings,
    tokens,
  },
  (values) => ({
    ...values,
    packs: { ...values.packs, folder: join(values.dataDir, 'packs') },
  }),
);

/** A setting and the title of its group. */
interface ListedSetting extends Setting<unknown> {
  readonly group: string;
}

/** Every setting, group by group. */
export const settingList: readonly ListedSetting[] = listed(settings);

function listed({ title, parts }: SettingGroup<unknown>): ListedSetting[] {
  return Object.values(parts).flatMap((part) =>
    'parts' in part ? listed(part) : [{ ...part, group: title }],
  );
}

/** The default of a setting as text. */
export function fallbackText({ fallback }: Setting<unknown>): string {
  return typeof fallback === 'string' ? fallback : fallback.text;
}
