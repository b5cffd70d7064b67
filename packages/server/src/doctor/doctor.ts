import { type Config, type Environment, loadConfig } from '../config/config.ts';
import { recordingNotices } from '../config/recording-notice.ts';
import { checkContradictions } from './contradictions.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';
import { checkMachine } from './machine.ts';
import { checkNativeParts } from './native-parts.ts';
import { checkPort } from './port.ts';

/** Checks that load native parts of the installation are imported on use: one of them may be missing. */
const sections = {
  machine: (config, env) => checkMachine(config, env),
  contradictions: (config) => checkContradictions(config),
  port: (config) => checkPort(config),
  'model pack': async (config) => (await import('./pack.ts')).checkPack(config),
  'execution providers': async (config) =>
    (await import('./execution-providers.ts')).checkExecutionProviders(config),
  'PAD pack': async (config) => (await import('./pad-pack.ts')).checkPadPack(config),
  'recorded sessions': (config) =>
    recordingNotices(config).map((notice) => doubtful('recorded sessions', notice)),
  store: async (config) =>
    config.database
      ? (await import('./database.ts')).checkDatabase(config.database, config)
      : (await import('./data-directory.ts')).checkDataDirectory(config),
} satisfies Record<string, (config: Config, env?: Environment) => DoctorFinding[] | Promise<DoctorFinding[]>>;

/** A group of checks. */
export type DoctorSection = keyof typeof sections;

/**
 * Checks what a server needs, without changing anything.
 * @param only the groups of checks to run after the settings; default: all
 */
export async function runDoctor(
  env?: Environment,
  only: readonly DoctorSection[] = Object.keys(sections) as DoctorSection[],
): Promise<DoctorFinding[]> {
  const parts = checkNativeParts();
  if (parts.some(({ state }) => state === 'bad')) return parts;
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    return [...parts, bad('settings', error instanceof Error ? error.message : String(error))];
  }
  const findings = [...parts, good('settings', 'all are allowed')];
  for (const name of only) {
    const title = name === 'store' ? (config.database ? 'database' : 'data directory') : name;
    findings.push(...(await attempt(title, () => sections[name](config, env))));
  }
  return findings;
}
