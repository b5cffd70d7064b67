import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { checkNativeParts } from '../../cli/native-parts.ts';
import {
  type Config,
  type Environment,
  loadConfig,
  readableSecrets,
  unknownSettings,
} from '../../config/config.ts';
import {
  attempt,
  bad,
  doubtful,
  type Fault,
  type Finding,
  failed,
  good,
  unknownSetting,
} from '../../config/finding.ts';
import { listeningFails } from '../../lib/listening.ts';
import { machineCores, machineMemory } from '../../lib/machine.ts';
import { version } from '../../version.ts';
import { loadFeatureStores } from '../stores.ts';

/** Checks that load native parts of the installation are imported on use: one of them may be missing. */
const sections = {
  machine: (config, env) => checkMachine(config, env),
  contradictions: (config) => checkContradictions(config),
  port: (config) => checkPort(config),
  issuer: (config) => checkIssuer(config),
  launcher: async (config) => (await import('./engine.ts')).checkLauncher(config),
  model_pack: async (config) => (await import('./engine.ts')).checkPack(config),
  pad_pack: async (config) => (await import('./engine.ts')).checkPadPack(config),
  async store(config) {
    await loadFeatureStores();
    return config.database
      ? (await import('./postgres.ts')).checkPostgres(config.database, config)
      : (await import('./data-directory.ts')).checkDataDirectory(config);
  },
  server: (config) => askServer(config),
} satisfies Record<string, (config: Config, env?: Environment) => Finding[] | Promise<Finding[]>>;

/** A group of checks. */
export type DoctorSection = keyof typeof sections;

/**
 * Checks what a server needs, without changing anything, and says what a running one finds besides.
 * @param only the groups of checks to run after the settings; default: all
 */
export async function runDoctor(
  env?: Environment,
  only: readonly DoctorSection[] = Object.keys(sections) as DoctorSection[],
): Promise<Finding[]> {
  const broken = await checkNativeParts();
  const parts = [good('node', process.versions.node), ...broken];
  if (broken.length > 0) return parts;
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    return [...parts, failed('settings', error)];
  }
  const findings = [...parts, good('settings', 'all are allowed')];
  for (const name of only) {
    const title = name === 'store' ? (config.database ? 'database' : 'data_directory') : name;
    const faulty = new Set(findings.filter(({ severity }) => severity !== 'good').map(({ id }) => id));
    const found = await attempt(title, () => sections[name](config, env));
    findings.push(...(name === 'server' ? found.filter(({ id }) => !faulty.has(id)) : found));
  }
  return findings;
}

/** What the running server of the installation finds; nothing where none can be asked. */
async function askServer(config: Config): Promise<Fault[]> {
  const { connectToOwner } = await import('../../store/data-directory.ts');
  // Who may not read the directory is told so by its check.
  const socket = await connectToOwner(config.dataDir).catch(() => null);
  if (socket === null) return [];
  socket.release();
  const { callAsOperator } = await import('../../operations/operator-calls.ts');
  const status = await callAsOperator(config, (call) => call(endpoints.getStatus));
  if (Array.isArray(status.findings)) return status.findings;
  const found = `the running server is of another version (${status.version ?? 'unknown'}; this is ${version}), and does not say what it finds`;
  return [doubtful('server', found, 'restart it')];
}

/** Whether the keys of the external issuer can be fetched. */
async function checkIssuer({ tokens: { issuer } }: Config): Promise<Finding[]> {
  if (issuer === null) return [];
  const { issuerFault } = await import('../../security/tokens/external-issuer.ts');
  const fault = await issuerFault(issuer);
  const [what, { jwksUrl }] = ['issuer', issuer];
  if (fault === null) return [good(what, `its keys are at ${jwksUrl}`)];
  return [
    bad(
      what,
      `calls with its tokens are answered 503: no keys at ${jwksUrl} (WAJAH_ISSUER_JWKS_URL): ${fault}`,
      'set the address of its keys, and let this machine reach it',
    ),
  ];
}

/** Whether a server can listen, or the one of this installation does. */
async function checkPort({ host, port, database, dataDir }: Config): Promise<Finding[]> {
  const code = port === 0 ? null : await listeningFails(host, port);
  const what = 'port';
  const place = `${host}:${port} (WAJAH_HOST, WAJAH_PORT)`;
  if (code === null) return [good(what, port === 0 ? 'a free one' : `${place} is free`)];
  if (code !== 'EADDRINUSE') {
    const reason = { EACCES: 'needs more rights', EADDRNOTAVAIL: 'is no address of this machine' }[code];
    return [bad(what, `${place} ${reason ?? `cannot be used (${code})`}`, 'choose another one')];
  }
  const { readOwner } = await import('../../store/data-directory.ts');
  const url = database || !existsSync(dataDir) ? undefined : readOwner(dataDir)?.url;
  if (url?.endsWith(`:${port}`)) return [good(what, `${place}: the server of this installation listens`)];
  const found = `${place} is taken by another program, or by the server of another installation`;
  const remedy = 'stop it, or set WAJAH_PORT';
  return database
    ? [doubtful(what, `${found}, unless it is the server of this one`, remedy)]
    : [bad(what, found, remedy)];
}

const gib = 2 ** 30;

/** Unknown settings, cores, memory and file descriptors. */
function checkMachine({ engine, matching, database }: Config, env?: Environment): Finding[] {
  const { workers } = engine;
  const cores = machineCores();
  const memory = machineMemory();
  const ofMemory = `${(memory / gib).toFixed(1)} GiB, of which matching may use ${(matching.memoryBytes / gib).toFixed(1)}`;
  return [
    ...unknownSettings(env).map(unknownSetting),
    ...readableSecrets(env).map(({ name, path, mode }) =>
      doubtful(
        name,
        `every user of this machine can read ${path} (mode ${mode})`,
        'run chmod o-rwx on it, unless only a container sees it',
      ),
    ),
    workers > cores
      ? doubtful(
          'cores',
          `${cores}, but WAJAH_ENGINE_WORKERS is ${workers}: calls wait for each other`,
          'lower it',
        )
      : good('cores', `${cores}, ${workers} engine workers`),
    matching.memoryBytes + workers * 0.5 * gib > memory
      ? doubtful('memory', ofMemory, 'lower WAJAH_MATCH_MEMORY_MB')
      : good('memory', ofMemory),
    ...checkDescriptors(neededDescriptors + (database?.connections ?? 0)),
  ];
}

/** Sockets of callers, which a server may hold by the thousand, beside files, pipes of workers and the database. */
const neededDescriptors = 4096;

/** Node raises the soft limit to the hard one at its start. */
function checkDescriptors(wanted: number): Finding[] {
  const what = 'file_descriptors';
  const limit = descriptorLimit();
  if (limit === null) return [];
  if (limit >= wanted) return [good(what, `${limit}`)];
  return [
    doubtful(
      what,
      `${limit}: more callers than about ${Math.max(0, limit - 100)} at once are refused`,
      `raise the hard limit to ${wanted} (LimitNOFILE= of the unit, ulimit -H -n)`,
    ),
  ];
}

/** Null: unknown, as beside Linux. */
function descriptorLimit(): number | null {
  try {
    const [, limit] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return null;
  }
}

const isLocal = (host: string) => /^(localhost|127\.|::1$)/.test(host);

/** Settings that are allowed each and make no sense together, or weaken what is checked. */
function checkContradictions(config: Config): Finding[] {
  const { limits, compat, compatHttp200, trustProxy, host, database, dataDir, sessions } = config;
  const rules: readonly (readonly [applies: boolean, names: string, found: string, remedy: string])[] = [
    [
      limits.minFace > limits.minFaceEnrol,
      'WAJAH_MIN_FACE, WAJAH_MIN_FACE_ENROL',
      'people are enrolled by faces that are too small to be verified',
      'set WAJAH_MIN_FACE to at most WAJAH_MIN_FACE_ENROL',
    ],
    [
      !compatHttp200 && !compat.includes('risetai'),
      'WAJAH_COMPAT_HTTP_200',
      'has no effect without WAJAH_COMPAT=risetai',
      'set both, or remove it',
    ],
    [
      trustProxy === true && !isLocal(host),
      'WAJAH_TRUST_PROXY, WAJAH_HOST',
      'every caller can write any address into X-Forwarded-For and so evade rate limits and login limits',
      'name the networks of the proxies (WAJAH_TRUST_PROXY=10.0.0.0/8), or listen on 127.0.0.1',
    ],
    [
      !sessions.expression,
      'WAJAH_SESSION_EXPRESSION',
      'liveness sessions ask for turns of the head alone, which a mask and a stolen film of a turning head can do',
      'set true, unless people use this server who cannot close the eyes or open the mouth on request',
    ],
    [
      database !== null && existsSync(join(dataDir, 'wajah.db')),
      'WAJAH_DATABASE_URL, WAJAH_DATA_DIR',
      'the data directory has a database that is not used',
      'where it was moved already, move the file away; else move it with `wajah migrate-store --from data --to database`',
    ],
  ];
  return rules
    .filter(([applies]) => applies)
    .map(([, names, found, remedy]) => doubtful(names, found, remedy));
}
