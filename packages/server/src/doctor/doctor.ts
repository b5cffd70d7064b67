import { type Config, type Environment, loadConfig } from '../config/config.ts';
import { recordingNotices } from '../config/recording-notice.ts';
import { checkDatabase } from './database.ts';
import { checkExecutionProviders } from './execution-providers.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';
import { checkDataDirectory, checkMachine } from './machine.ts';
import { checkPack } from './pack.ts';
import { checkPadPack } from './pad-pack.ts';

/** Checks what a server needs, without changing anything. */
export async function runDoctor(env?: Environment): Promise<DoctorFinding[]> {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    return [bad('settings', error instanceof Error ? error.message : String(error))];
  }
  const { database } = config;
  return [
    good('settings', 'all are allowed'),
    ...(await attempt('machine', () => checkMachine(config, env))),
    ...(await attempt('model pack', () => checkPack(config))),
    ...(await attempt('execution providers', () => checkExecutionProviders(config))),
    ...(await attempt('PAD pack', () => checkPadPack(config))),
    ...recordingNotices(config).map((notice) => doubtful('recorded sessions', notice)),
    ...(database
      ? await attempt('database', () => checkDatabase(database, config))
      : await attempt('data directory', () => checkDataDirectory(config))),
  ];
}
