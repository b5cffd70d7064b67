import { OperatorError } from '../errors.ts';
import type { Setting, SettingGroup } from './setting.ts';
import { fallbackText, settingList, settings } from './settings.ts';

/** Read-only at every depth. Typed arrays cannot be frozen and stay as they are. */
type DeepReadonly<T> = T extends Uint8Array ? T : { readonly [Name in keyof T]: DeepReadonly<T[Name]> };

/** The settings of a server, validated and frozen: the shape and the names of `settings`. */
export type Config = DeepReadonly<ReturnType<typeof settings.derive>>;

/** Where settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates every setting. Only this file reads the environment of the process.
 * @param env by default the environment of the process; an empty value counts as not set
 * @throws OperatorError for the first setting that is not allowed: its name, its value, what is allowed
 * @example const config = loadConfig({ WAJAH_PORT: '0', WAJAH_DATA_DIR: '/var/lib/wajah' });
 */
export function loadConfig(env: Environment = process.env): Config {
  return deepFreeze(readGroup(settings, env));
}

/** Names that begin as a setting but are none, each with the most similar name of a setting. */
export function unknownSettings(env: Environment = process.env): { name: string; nearest: string }[] {
  const known = settingList.map(({ name }) => name);
  return Object.keys(env)
    .filter((name) => name.startsWith('WAJAH_') && !known.some((one) => one === name))
    .sort()
    .map((name) => ({ name, nearest: nearest(name, known) }));
}

/** Every setting in force, secrets hidden: what `wajah config` prints. */
export function describeSettings(
  env: Environment = process.env,
): { name: string; value: string; source: 'environment' | 'default' }[] {
  return settingList.map((setting) => {
    readSetting(setting, env);
    const { name, secret } = setting;
    const given = env[name];
    if (!given) return { name, value: fallbackText(setting), source: 'default' };
    const masked = typeof secret === 'function' ? secret(given) : '(hidden)';
    return { name, value: secret ? masked : given, source: 'environment' };
  });
}

function readGroup<T>({ parts, derive }: SettingGroup<T>, env: Environment): T {
  const values = Object.entries(parts).map(([name, part]) => [
    name,
    'parts' in part ? readGroup(part, env) : readSetting(part, env),
  ]);
  return derive(Object.fromEntries(values));
}

function readSetting<T>({ name, fallback, schema, allowed, secret }: Setting<T>, env: Environment): T {
  const given = env[name] || undefined;
  if (given === undefined && typeof fallback !== 'string') return fallback.value;
  const parsed = schema.safeParse(given ?? fallback);
  if (parsed.success) return parsed.data;
  const shown = secret ? `(hidden, ${given?.length} characters)` : quoted(given ?? '');
  throw new OperatorError(`${name} is ${shown}; allowed: ${allowed}`);
}

/** A value on one line, cut at 80 characters. */
function quoted(given: string): string {
  return JSON.stringify(given.length > 80 ? `${given.slice(0, 80)}…` : given);
}

function deepFreeze<T>(value: T): DeepReadonly<T> {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value as DeepReadonly<T>;
}

/** The candidate with the smallest edit distance to `word`. */
function nearest(word: string, candidates: readonly string[]): string {
  const distances = candidates.map((candidate) => editDistance(word, candidate));
  return candidates[distances.indexOf(Math.min(...distances))] ?? '';
}

/** Levenshtein distance: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
