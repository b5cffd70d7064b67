import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { type Config, type Environment, unknownSettings } from '../config/config.ts';
import { machineMemory } from '../config/settings-resources.ts';
import { findMasterKeys, keyDigest } from '../security/keys/master-key.ts';
import { readOwner } from '../store/data-directory.ts';
import { inspectSqlite } from '../store/sqlite/inspect.ts';
import { bad, checkCrops, type DoctorFinding, doubtful, good } from './findings.ts';

const gib = 2 ** 30;

/** Unknown settings, the version of Node, cores and memory. */
export function checkMachine(config: Config, env?: Environment): DoctorFinding[] {
  const cores = availableParallelism();
  const { workers } = config.engine;
  const wanted = config.matching.memoryBytes + workers * 0.5 * gib;
  const memory = `${(machineMemory() / gib).toFixed(1)} GiB, of which matching may use ${(config.matching.memoryBytes / gib).toFixed(1)}`;
  return [
    ...unknownSettings(env).map(({ name, nearest }) =>
      doubtful(name, `is no setting; did you mean ${nearest}?`),
    ),
    good('Node', process.versions.node),
    workers > cores
      ? doubtful('cores', `${cores}, but WAJAH_ENGINE_WORKERS is ${workers}`)
      : good('cores', `${cores}, ${workers} engine workers`),
    wanted > machineMemory()
      ? doubtful('memory', `${memory}; lower WAJAH_MATCH_MEMORY_MB`)
      : good('memory', memory),
  ];
}

/** The data directory, its owner, and the embedded database and key in it. */
export function checkDataDirectory(config: Config): DoctorFinding[] {
  const { dataDir } = config;
  const file = join(dataDir, 'wajah.db');
  if (!existsSync(dataDir)) {
    accessSync(nearestFolder(dataDir), constants.W_OK);
    return [good('data directory', `${dataDir}: does not exist yet; the first start creates it`)];
  }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const owner = readOwner(dataDir);
  return [
    checkMode('data directory', dataDir),
    good(
      'owner',
      owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}` : 'nobody: no server runs',
    ),
    ...(existsSync(file) ? checkFile(config, file) : []),
  ];
}

function checkFile(config: Config, file: string): DoctorFinding[] {
  const facts = inspectSqlite(file);
  const { bavail, bsize } = statfsSync(config.dataDir);
  const free = bavail * bsize;
  const size = statSync(file).size;
  const space = `${(size / 1e6).toFixed(1)} MB, ${(free / 1e9).toFixed(1)} GB free`;
  return [
    facts.damage === null ? good('database', 'sound') : bad('database', `damaged: ${facts.damage}`),
    facts.schema > facts.newestSchema
      ? bad(
          'schema',
          `${facts.schema}, written by a newer version; this one supports up to ${facts.newestSchema}`,
        )
      : good('schema', `${facts.schema} of ${facts.newestSchema}`),
    free < 2 * size + 1e9
      ? doubtful('disk', `${space}; a backup or an upgrade may not fit`)
      : good('disk', space),
    checkKey(config, facts.keyCheck),
    checkCrops(config.keepFaceCrops, facts.crops),
  ];
}

function checkKey(config: Config, check: string | null): DoctorFinding {
  const found = findMasterKeys(config);
  if (found === null)
    return check ? bad('key', 'missing, but the data are sealed under one') : good('key', 'none yet');
  if (check !== null && !found.map(keyDigest).includes(check))
    return bad('key', 'not the key that the data are sealed under');
  const file = join(config.dataDir, 'secret.key');
  return existsSync(file)
    ? checkMode('key', file)
    : good('key', 'WAJAH_SECRET_KEY, the key that the data are sealed under');
}

function checkMode(what: string, path: string): DoctorFinding {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return good(what, path);
  return doubtful(
    what,
    `${path} is accessible to other users (mode ${mode.toString(8)}); restrict it with chmod`,
  );
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
