import { type Config, loadConfig } from '../config/config.ts';
import { lookAtDatabase } from './database.ts';
import { bad, type DoctorFinding, good, looking } from './findings.ts';
import { lookAtDirectory, lookAtMachine } from './machine.ts';

/** Looks at everything that a server needs, changing nothing. @param load how settings are read */
export async function examine(load: () => Config = loadConfig): Promise<DoctorFinding[]> {
  let config: Config;
  try {
    config = load();
  } catch (error) {
    return [bad('settings', error instanceof Error ? error.message : String(error))];
  }
  const { database } = config;
  return [
    good('settings', 'all are allowed'),
    ...(await looking('machine', () => lookAtMachine(config))),
    ...(database
      ? await looking('database', () => lookAtDatabase(database, config))
      : await looking('data directory', () => lookAtDirectory(config))),
  ];
}
