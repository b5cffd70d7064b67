import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { packThresholds, sameEmbeddingSpec } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../config/database-url.ts';
import { packChoice } from '../config/pack-choice.ts';
import { findMasterKeys, keyDigest, masterKeyCheck, wrongKeyText } from '../security/keys/master-key.ts';
import { createTemplateVault } from '../security/vaults/template-vault.ts';
import { findDamage } from '../services/galleries/damage.ts';
import { allGalleries } from '../services/galleries/lookup.ts';
import { bytesOfFace } from '../sizing/measured.ts';
import type { StoreContents } from '../store/contents.ts';
import { readOwner } from '../store/data-directory.ts';
import { newestSchema } from '../store/database/schema.ts';
import { unknownSchemaText } from '../store/database/upgrade.ts';
import type { QuotaUse, TableStores } from '../store/ports.ts';
import { inspectPostgres, type PostgresFacts } from '../store/postgres-store.ts';
import { inspectSqlite } from '../store/sqlite-store.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';

interface SchemaFacts {
  readonly schema: number;
  readonly migratedBy: string | null;
}

/** Whether this program supports the schema of the store. */
function checkSchema({ schema, migratedBy }: SchemaFacts): DoctorFinding {
  const what = 'database schema';
  const unknown = unknownSchemaText(schema, migratedBy);
  if (unknown !== null) return bad(what, unknown);
  if (schema === newestSchema) return good(what, `${schema}, the newest`);
  const found = schema === 0 ? 'none yet' : `${schema}`;
  return good(
    what,
    `${found}; the next start upgrades it to ${newestSchema} (\`wajah migrate --dry-run\` says how long)`,
  );
}

const wireNames = { hits: 'calls', faces: 'faces', galleries: 'galleries' } as const;

/** A quota of which a client has used 80 % and more. */
function checkQuota({ clientId, quota, used, limit }: QuotaUse): DoctorFinding {
  const what = wireNames[quota];
  const state = used >= limit ? 'further ones are refused' : 'at 100 % further ones are refused';
  const remedy = `\`wajah client set-quota ${clientId} --${quota} <number>\` raises it, -1 is unlimited`;
  return doubtful('quota', `${clientId} has used ${used} of ${limit} ${what}: ${state}; ${remedy}`);
}

/** What the store contains: its key apart, which each kind of store has elsewhere. */
async function checkContents(contents: StoreContents, config: Config): Promise<DoctorFinding[]> {
  const { newestRecordAt, crops } = contents;
  return [
    ...checkClock(newestRecordAt),
    ...checkMemory(contents, config),
    ...(await checkPacks(contents, config)),
    checkCrops(config.keepFaceCrops, crops),
    ...contents.nearQuota.map(checkQuota),
  ];
}

/** Whether face crops are stored. @param stored number of stored crops */
function checkCrops(kept: Config['keepFaceCrops'], stored: number): DoctorFinding {
  const what = 'face crops';
  const where = kept === 'gallery' ? 'kept where a gallery says so' : 'kept unless a gallery says otherwise';
  if (kept !== false) return good(what, `${where}, sealed; ${stored} stored`);
  if (stored === 0) return good(what, 'not kept');
  return doubtful(
    what,
    `${stored} are stored from the time when WAJAH_KEEP_FACE_CROPS was on; keep them for \`wajah reembed\`, or erase them with \`wajah crops erase\``,
  );
}

const clockToleranceMs = 60_000;

/** A record of the future: the clock was put back, or was wrong when it was written. */
function checkClock(newestRecordAt: number | null): DoctorFinding[] {
  if (newestRecordAt === null || newestRecordAt <= Date.now() + clockToleranceMs) return [];
  const record = new Date(newestRecordAt).toISOString();
  return [
    bad(
      'clock',
      `this machine says ${new Date().toISOString()}, the newest audit record is of ${record}: tokens and sessions expire at the wrong time; set the clock (timedatectl set-ntp true)`,
    ),
  ];
}

function checkMemory({ specs }: StoreContents, { matching }: Config): DoctorFinding[] {
  const what = 'memory of galleries';
  const mib = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  const largest = Math.max(
    0,
    ...specs.map((use) => use.largest * bytesOfFace(dimensionsOf(use.embeddingSpec))),
  );
  const all = specs.reduce((sum, use) => sum + use.faces * bytesOfFace(dimensionsOf(use.embeddingSpec)), 0);
  if (all === 0) return [];
  const budget = mib(matching.memoryBytes);
  if (largest > matching.memoryBytes) {
    return [
      bad(
        what,
        `the largest gallery needs ${mib(largest)} MiB, WAJAH_MATCH_MEMORY_MB is ${budget}: searches of it are refused; raise it, on a machine that has the memory`,
      ),
    ];
  }
  if (all > matching.memoryBytes) {
    return [
      doubtful(
        what,
        `all galleries need ${mib(all)} MiB, WAJAH_MATCH_MEMORY_MB is ${budget}: they are loaded in turns; raise it if they are in use together`,
      ),
    ];
  }
  return [good(what, `${mib(all)} MiB of ${budget}`)];
}

function dimensionsOf(embeddingSpec: string): number {
  const { dimensions } = JSON.parse(embeddingSpec) as { dimensions?: unknown };
  return typeof dimensions === 'number' ? dimensions : 0;
}

/** Galleries and a calibration of another pack than the one that the next start runs. */
async function checkPacks(
  { specs, calibration }: StoreContents,
  { packs }: Config,
): Promise<DoctorFinding[]> {
  const choice = await packChoice(packs);
  const { id } = choice;
  const { upgradesFrom } = await packThresholds(choice).catch(() => ({ upgradesFrom: [] }));
  const isConverted = (spec: string) =>
    upgradesFrom.some((from) => sameEmbeddingSpec(JSON.parse(spec), from));
  const others = specs.filter((use) => packOf(use.embeddingSpec) !== id && !isConverted(use.embeddingSpec));
  const galleries = others.map((use) =>
    bad(
      'galleries',
      `${use.galleries} with ${use.faces} faces were enrolled with the model pack ${packOf(use.embeddingSpec)}, the next start runs ${id}: calls on them are refused; choose that pack (\`wajah models use\`, WAJAH_PACK), or migrate them with \`wajah reembed --to ${id}\``,
    ),
  );
  const fitted = calibration === null ? null : packOf(calibration);
  if (fitted === null || fitted === id) return galleries;
  return [
    ...galleries,
    bad(
      'calibration',
      `the calibration of the server was fitted to the model pack ${fitted}, the next start runs ${id} and does not use it; fit it again with \`wajah calibrate --gallery --install server\``,
    ),
  ];
}

/** Name of the pack of an embedding spec, or of a calibration, which contains one. */
function packOf(text: string): string {
  const found = JSON.parse(text) as { pack?: unknown; contract?: { pack?: unknown } };
  return String(found.pack ?? found.contract?.pack ?? 'unknown');
}

const dataDirectory = 'data directory';

/** The data directory, its owner, its disk, and the embedded database and key in it. */
export async function checkDataDirectory(config: Config): Promise<DoctorFinding[]> {
  const { dataDir } = config;
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (!stat) {
    const parent = nearestFolder(dirname(dataDir));
    const denied = denial(parent);
    const file = checkFileSystem(parent);
    if (denied) return [bad(dataDirectory, `${dataDir} does not exist, and ${denied}`), ...file];
    return [good(dataDirectory, `${dataDir}: does not exist yet; the first start creates it`), ...file];
  }
  if (!stat.isDirectory())
    return [bad(dataDirectory, `${dataDir} is no directory; WAJAH_DATA_DIR names one`)];
  const denied = denial(dataDir);
  if (denied) return [bad(dataDirectory, denied)];
  const owner = readOwner(dataDir);
  const file = join(dataDir, 'wajah.db');
  return [
    checkMode(dataDirectory, dataDir),
    ...checkUsers(dataDir, stat.uid),
    ...checkFileSystem(dataDir),
    good(
      'owner',
      owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}` : 'nobody: no server runs',
    ),
    ...(owner === null ? checkRestore(file) : []),
    ...(existsSync(file) ? await checkFile(config, file) : checkLeftovers(config)),
  ];
}

/** Why this user cannot work in a directory, and what to do; null: it can. */
function denial(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return `${path} is on a file system that is mounted read-only; remount it, or choose another WAJAH_DATA_DIR`;
    const { uid, mode } = statSync(path);
    return `user ${process.getuid?.()} may not write ${path} (owner ${uid}, mode ${(mode & 0o777).toString(8)}); run as its owner, or chown it`;
  }
}

/** Files of another user, as a command that root ran leaves them: the server cannot open them. */
function checkUsers(dataDir: string, uid: number): DoctorFinding[] {
  const files = readdirSync(dataDir).filter((name) => {
    const stat = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return stat !== undefined && stat.uid !== uid;
  });
  const findings: DoctorFinding[] = [];
  if (files.length > 0) {
    const remedy = `chown -R ${uid} ${dataDir}`;
    findings.push(
      bad('users', `${files.join(', ')} belong to another user than ${dataDir} (${uid}); ${remedy}`),
    );
  }
  const self = process.getuid?.() ?? uid;
  if (self === 0 && uid !== 0) {
    findings.push(
      doubtful(
        'users',
        `root runs this command, ${dataDir} belongs to user ${uid}: files that root creates there stop the server; run commands as that user`,
      ),
    );
  }
  return findings;
}

/** What a killed `wajah restore` leaves: the database is still the former one. */
function checkRestore(file: string): DoctorFinding[] {
  const draft = `${file}.restoring`;
  if (!existsSync(draft)) return [];
  const state = existsSync(file) ? 'the database is the former one' : 'there is no database';
  return [
    bad(
      'restore',
      `${draft} is of a restore that was interrupted, and ${state}; run \`wajah restore\` again, or delete it`,
    ),
  ];
}

/** A directory whose database is missing although it had one. */
function checkLeftovers({ dataDir }: Config): DoctorFinding[] {
  const left = ['wajah.db-wal', 'signing-key.json'].filter((name) => existsSync(join(dataDir, name)));
  if (left.length === 0) return [];
  return [
    bad(
      'database',
      `wajah.db is missing beside ${left.join(', ')}: a restore was interrupted, or the file was moved; put the same file back, or move these files away before a backup is restored or the server starts empty`,
    ),
  ];
}

async function checkFile(config: Config, file: string): Promise<DoctorFinding[]> {
  // First: on a full disk the database does not open.
  const disk = checkDisk(config.dataDir, statSync(file).size);
  return [disk, ...(await attempt('database', () => checkDatabaseFile(config, file)))];
}

async function checkDatabaseFile(config: Config, file: string): Promise<DoctorFinding[]> {
  const facts = await inspectSqlite(file, (tables) => checkFaces(tables, config));
  const { contents } = facts;
  return [
    facts.damage === null
      ? good('database', 'sound')
      : bad(
          'database',
          `damaged: ${facts.damage}; stop the server and restore a backup (docs/operations/storage.md)`,
        ),
    checkSchema(facts),
    checkKey(config, contents),
    ...(facts.examined ?? []),
    ...(contents ? await checkContents(contents, config) : []),
  ];
}

/** Milliseconds in which stored faces are opened. */
const facesMs = 10_000;

/** Opens stored templates and face crops. Empty without the master key of the store. */
async function checkFaces(tables: TableStores, config: Config): Promise<DoctorFinding[]> {
  const check = await tables.meta.get(masterKeyCheck);
  const key = masterKeyOf(config, check);
  if (!key) return [];
  const what = 'stored faces';
  const parts = { store: tables, vault: createTemplateVault(key) };
  const signal = AbortSignal.timeout(facesMs);
  const damaged = { keys: 0, rows: 0 };
  const galleries = await allGalleries(tables);
  for (const gallery of galleries) {
    if (signal.aborted) break;
    const { key, templates, crops } = await findDamage(parts, gallery, signal);
    damaged.keys += Number(key);
    damaged.rows += templates.length + crops.length;
  }
  const scope = signal.aborted ? `of those opened in ${facesMs / 1000} seconds ` : '';
  const remedy = '`wajah gallery check` names them and says what to do';
  if (damaged.keys + damaged.rows === 0)
    return galleries.length === 0 ? [] : [good(what, `all ${scope}open`)];
  return [
    bad(
      what,
      `${scope}${damaged.rows} templates or face crops and the keys of ${damaged.keys} galleries are damaged and do not open; ${remedy}`,
    ),
  ];
}

/** @returns null when it is missing, another one or cannot be read, of which `checkKey` says what is wrong */
function masterKeyOf(config: Config, check: string | null): Uint8Array | null {
  try {
    return findMasterKeys(config)?.find((one) => keyDigest(one) === check) ?? null;
  } catch {
    return null;
  }
}

function checkKey(config: Config, contents: StoreContents | null): DoctorFinding {
  const check = contents?.keyCheck ?? null;
  let found: ReturnType<typeof findMasterKeys>;
  try {
    found = findMasterKeys(config);
  } catch (error) {
    return bad('key', error instanceof Error ? error.message : String(error));
  }
  if (found === null)
    return check
      ? bad('key', 'missing, but the data are sealed under one; restore secret.key, or set WAJAH_SECRET_KEY')
      : good('key', 'none yet');
  if (check !== null && !found.map(keyDigest).includes(check))
    return bad('key', wrongKeyText(found, contents?.formerKeyCheck ?? null));
  if (found.length > 1) {
    return doubtful(
      'key',
      'secret.key holds two keys: `wajah keys rotate-master` runs, or was interrupted; run it again or start the server, which completes it',
    );
  }
  const file = join(config.dataDir, 'secret.key');
  return existsSync(file)
    ? checkMode('key', file)
    : good('key', 'WAJAH_SECRET_KEY, the key that the data are sealed under');
}

function checkMode(title: string, path: string): DoctorFinding {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return good(title, path);
  return doubtful(
    title,
    `${path} is accessible to other users (mode ${mode.toString(8)}); restrict it with chmod go-rwx`,
  );
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

/** A longer round trip slows every call down. */
const maxRoundTripMs = 20;
const maxClockSkewMs = 2000;
/** PostgreSQL 14, as `server_version_num`. */
const minVersionNumber = 140_000;
/** Timeout of a statement, and of the wait for a connection, milliseconds. */
const inspectMs = 5000;

/** PostgreSQL: version, rights, durability, connection, clock and key. */
export async function checkDatabase(
  database: NonNullable<Config['database']>,
  config: Config,
): Promise<DoctorFinding[]> {
  const target = parseDatabaseUrl('WAJAH_DATABASE_URL', database.url);
  const facts = await inspectPostgres(target, inspectMs, (tables) => checkFaces(tables, config));
  return [
    ...versions(facts),
    ...rights(facts),
    ...durability(facts),
    connection(facts, target),
    connections(facts, database.connections),
    clock(facts),
    key(facts, config.secretKey),
    ...(facts.examined ?? []),
    ...(facts.contents ? await checkContents(facts.contents, config) : []),
  ];
}

function versions(facts: PostgresFacts): DoctorFinding[] {
  const { version, versionNumber, encoding } = facts;
  return [
    versionNumber < minVersionNumber
      ? bad('PostgreSQL', `${version}; 14 or newer is needed`)
      : good('PostgreSQL', version),
    ...(encoding === 'UTF8'
      ? []
      : [bad('encoding', `${encoding}; create the database with ENCODING 'UTF8'`)]),
    checkSchema(facts),
  ];
}

function rights({ schema, mayCreate, inaccessibleTables, standby }: PostgresFacts): DoctorFinding[] {
  const what = 'rights';
  if (standby) return [bad(what, 'the server is a standby and accepts no writes; name the primary')];
  if (inaccessibleTables.length > 0) {
    return [
      bad(
        what,
        `the user may not read and write ${inaccessibleTables.join(', ')}; grant SELECT, INSERT, UPDATE, DELETE`,
      ),
    ];
  }
  if (mayCreate) return [good(what, 'may create and write tables')];
  if (schema < newestSchema)
    return [
      bad(what, 'the user may not create tables; start this version once as the owner of the database'),
    ];
  return [good(what, 'may write tables; an upgrade needs a user that may create them')];
}

function durability({ settings }: PostgresFacts): DoctorFinding[] {
  const risks: Record<string, string> = {
    fsync: 'a crash of the machine loses the whole database',
    full_page_writes: 'a crash of the machine can damage the database',
    synchronous_commit: 'a crash loses the latest acknowledged writes',
    autovacuum: 'tables grow without limit, and erased rows stay on disk',
  };
  const off = Object.entries(risks).filter(([name]) => settings[name] === 'off');
  if (off.length === 0)
    return [good('durability', 'fsync, full_page_writes, synchronous_commit, autovacuum on')];
  return off.map(([name, risk]) => bad(name, `off: ${risk}`));
}

function connection({ encrypted, roundTripMs }: PostgresFacts, { hosts }: DatabaseTarget): DoctorFinding {
  const what = 'connection';
  const trip = `${roundTripMs.toFixed(1)} ms round trip`;
  const local = hosts.every(({ host }) => host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host));
  if (!encrypted && !local) {
    return doubtful(what, `${trip}, not encrypted up to the database; add sslmode=verify-full to the URL`);
  }
  if (roundTripMs > maxRoundTripMs) return doubtful(what, `${trip}: slow; every call waits for several`);
  return good(what, `${trip}, ${encrypted ? 'encrypted' : 'on this machine'}`);
}

/** Connections that PostgreSQL keeps for its superuser and that other programs take. */
const otherConnections = 5;

function connections({ maxConnections }: PostgresFacts, pool: number): DoctorFinding {
  const servers = Math.floor((maxConnections - otherConnections) / pool);
  const found = `${pool} of ${maxConnections} at most: enough for ${servers} servers without a connection pooler`;
  if (servers < 1) {
    return bad(
      'connections',
      `WAJAH_DATABASE_POOL is ${pool}, PostgreSQL allows ${maxConnections} (max_connections): calls are answered 503 under load; lower the pool to at most ${Math.max(1, maxConnections - otherConnections)}, or raise max_connections`,
    );
  }
  return servers < 2
    ? doubtful('connections', `${found}; lower WAJAH_DATABASE_POOL before a second server starts`)
    : good('connections', found);
}

function clock({ clockMs }: PostgresFacts): DoctorFinding {
  const found = `${Math.abs(clockMs)} ms ${clockMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(clockMs) <= maxClockSkewMs) return good('clock of the database', found);
  return doubtful(
    'clock of the database',
    `${found}; tokens expire at the wrong time: synchronise the clocks`,
  );
}

function key({ contents }: PostgresFacts, secretKey: Uint8Array | null): DoctorFinding {
  if (secretKey === null)
    return bad('WAJAH_SECRET_KEY', 'not set; every server of a database needs the same key');
  const check = contents?.keyCheck ?? null;
  if (check === null) return good('WAJAH_SECRET_KEY', 'set; nothing is sealed under it yet');
  if (check === keyDigest(secretKey))
    return good('WAJAH_SECRET_KEY', 'the key that the data are sealed under');
  return bad('WAJAH_SECRET_KEY', wrongKeyText([secretKey], contents?.formerKeyCheck ?? null));
}

/** A start, its log and a test write need so much. */
const leastBytes = 64 * 2 ** 20;

/** @param size of the database, bytes */
function checkDisk(path: string, size: number): DoctorFinding {
  const { bavail, bsize, files, ffree } = statfsSync(path);
  const free = bavail * bsize;
  const space = `${(size / 1e6).toFixed(1)} MB, ${(free / 1e9).toFixed(1)} GB free`;
  if (free < leastBytes || (files > 0 && ffree === 0)) {
    return bad('disk', `full (${space}): nothing is stored; make room, or move the data directory`);
  }
  return free < 2 * size + 1e9
    ? doubtful('disk', `${space}; a backup or an upgrade may not fit: make room`)
    : good('disk', space);
}

/** File systems of networks, as Linux names them. Locks and syncs of some of them are not what a database needs. */
const ofNetworks =
  /^(nfs4?|cifs|smb3?|smbfs|9p|ceph|afs|glusterfs|lustre|fuse\.(sshfs|s3fs|glusterfs|gcsfuse|rclone))$/;

/** Whether a directory lies on a network file system. */
function checkFileSystem(path: string): DoctorFinding[] {
  const type = fileSystemOf(realpathSync(path), mounts());
  if (type === null || !ofNetworks.test(type)) return [];
  return [
    bad(
      'file system',
      `${path} is on a network file system (${type}), where locks of databases are not reliable; use a local disk, or PostgreSQL`,
    ),
  ];
}

/** Empty where there is no /proc. */
function mounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param table as /proc/self/mounts: device, folder and type in each line
 * @returns the type of the last mount above the path; null: unknown
 */
export function fileSystemOf(path: string, table: string): string | null {
  let [longest, found]: [string, string | null] = ['', null];
  for (const line of table.split('\n')) {
    const [, folder = '', type = ''] = line.split(' ').map((part) => part.replaceAll('\\040', ' '));
    const above = folder === '/' ? '/' : `${folder}/`;
    if (folder !== '' && `${path}/`.startsWith(above) && folder.length >= longest.length)
      [longest, found] = [folder, type];
  }
  return found;
}
