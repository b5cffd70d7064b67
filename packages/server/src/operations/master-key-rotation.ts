import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import {
  findMasterKeys,
  keyDigest,
  keyFile,
  keyName,
  masterKeyCheck,
  newMasterKey,
  openMasterKey,
  readOrCreateKeyFile,
  requireSharedKey,
  verifyMasterKey,
  writeKeyFile,
} from '../security/keys/master-key.ts';
import { type Resealed, resealStore } from '../services/resealing/reseal.ts';
import type { Store } from '../store/ports/store.ts';
import { type CommandDeps, confirmed } from './command.ts';
import { withOwnStore } from './own-store.ts';

/**
 * `wajah keys rotate-master`
 * @throws OperatorError when another process uses the store, or the key is not that of the store
 */
export async function rotateMaster(
  { terminal, env }: CommandDeps,
  { newKeyFile, yes }: { newKeyFile: string | undefined; yes: boolean },
): Promise<void> {
  const config = loadConfig(env);
  const file = keyFile(config.dataDir);
  const target = targetOf(config, newKeyFile);
  const question =
    target === null
      ? `Backups made until now are restored with the present master key only, which is removed from ${file}: copy that file first if you need them. Replace the master key?`
      : `No server starts with the present WAJAH_SECRET_KEY afterwards, and backups made until now are restored with it only. Replace it by the key in ${target}?`;
  await confirmed(terminal, yes, question, 'Nothing was changed; --yes replaces it without asking.');
  const lines = await withOwnStore(config, (store) =>
    target === null ? replaceInFile(config, store) : replaceSetting(config, store, target),
  );
  for (const line of lines) terminal.out(line);
}

/**
 * Where the new key is taken from and left, where the key is a setting; null: it is replaced in the data directory.
 * @throws OperatorError when a file is needed and not named, or named and not needed
 */
function targetOf(config: Config, newKeyFile: string | undefined): string | null {
  const file = keyFile(config.dataDir);
  if (config.secretKey === null && config.database === null) {
    if (newKeyFile === undefined) return null;
    throw new OperatorError(`the master key is in ${file}, where it is replaced: leave --new-key-file out`);
  }
  if (config.database === null && findMasterKeys({ ...config, secretKey: null }) !== null) {
    throw new OperatorError(
      `WAJAH_SECRET_KEY is set although ${file} holds a key, and one of them would stay: unset WAJAH_SECRET_KEY, for the server too`,
    );
  }
  if (newKeyFile !== undefined) {
    if (config.database !== null || !isBelow(config.dataDir, newKeyFile)) return resolve(newKeyFile);
    throw new OperatorError(
      `--new-key-file: ${newKeyFile} is in the data directory, where whoever copies the data has the key: name a file elsewhere`,
    );
  }
  throw new OperatorError(
    'the master key is the setting WAJAH_SECRET_KEY: name a file for the new key with --new-key-file',
  );
}

/** Whether a file is, or would be, below a folder, whatever links lead there. */
function isBelow(folder: string, file: string): boolean {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path));
  return `${real(dirname(file))}${sep}`.startsWith(`${real(folder)}${sep}`);
}

/** The file holds both keys until the store says which one is right: a killed run is completed by whoever opens it next. */
async function replaceInFile(config: Config, store: Store): Promise<readonly string[]> {
  const file = keyFile(config.dataDir);
  const settle = () => openMasterKey(config, store.meta, () => {});
  const present = await settle();
  const next = newMasterKey();
  writeKeyFile(file, [present, next]);
  const resealed = await resealStore(store, next, present).catch(async (error: unknown) => {
    await settle().catch(() => {});
    throw error;
  });
  await settle();
  return [
    sealedText(resealed),
    `It is in ${file}, and the former one is removed. Copy the file to where you keep the key, apart from the data and the backups.`,
    `${backupText} Without a copy of the former key they are useless: make a new backup now.`,
  ];
}

async function replaceSetting(config: Config, store: Store, file: string): Promise<readonly string[]> {
  const present = requireSharedKey(config);
  // Before anything is written; a file that is there may hold what everything is sealed under already.
  if (!existsSync(file)) await verifyMasterKey([present], store.meta, keyName(config));
  const next = readOrCreateKeyFile(file);
  if (keyDigest(next) === keyDigest(present))
    throw new OperatorError(
      `${file} holds the present key; nothing was changed: name a file of another key, or one that does not exist`,
    );
  const instruction = `Set WAJAH_SECRET_KEY to the content of ${file}, or WAJAH_SECRET_KEY_FILE to its path where the user of the server can read it, for every server and command: none starts with the former one.`;
  if ((await store.meta.get(masterKeyCheck)) === keyDigest(next)) {
    return [`Everything is sealed under the key in ${file} already.`, instruction, keepText];
  }
  await verifyMasterKey([present], store.meta, keyName(config));
  return [sealedText(await resealStore(store, next, present)), instruction, keepText];
}

function sealedText({ galleries, faces, damaged }: Resealed): string {
  const left =
    damaged === 0
      ? ''
      : ` ${damaged} rows did not open under the former key either and were left as they are; \`wajah gallery check\` names those of galleries.`;
  return `Everything is sealed under a new master key: ${faces} people of ${galleries} galleries, and the rest.${left}`;
}

const backupText = 'Backups made before now are restored with the former key only.';
const keepText = `${backupText} Keep it as long as you keep them.`;
