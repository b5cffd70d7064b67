import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import type { ArchiveSecret } from '../security/archive.ts';
import { findMasterKeys } from '../security/keys/master-key.ts';
import { readPrivateFile } from '../security/keys/private-file.ts';

/** The files that the command line names; none: the master key of the installation. */
export interface SecretFiles {
  readonly passphraseFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

const minimumPassphrase = 12;

/** @throws OperatorError when a file cannot be read or is readable by everybody, or nothing is given and there is no master key */
export function archiveSecret(config: Config, { passphraseFile, keyFile }: SecretFiles): ArchiveSecret {
  if (passphraseFile !== undefined) return { kind: 'passphrase', passphrase: readPassphrase(passphraseFile) };
  if (keyFile !== undefined) {
    requirePrivate(keyFile);
    return { kind: 'file', bytes: readFileSync(keyFile) };
  }
  const keys = findMasterKeys(config);
  if (keys) return { kind: 'master', keys };
  throw new OperatorError(
    'there is no master key here (WAJAH_SECRET_KEY, or secret.key of the data directory): put it in place, or give --passphrase-file or --key-file',
  );
}

function readPassphrase(file: string): string {
  const passphrase = requirePrivate(file).split(/\r?\n/)[0]?.trim() ?? '';
  if (passphrase.length >= minimumPassphrase) return passphrase;
  throw new OperatorError(
    `${file}: the first line has ${passphrase.length} characters, a passphrase needs at least ${minimumPassphrase}`,
  );
}

function requirePrivate(file: string): string {
  const text = readPrivateFile(file);
  if (text === null) throw new OperatorError(`${file} does not exist`);
  return text;
}
