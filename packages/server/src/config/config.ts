import { statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.ts';
import { envFileOf, nameStarted, settingPath } from './installed.ts';
import { readPlainFile } from './plain-file.ts';
import type { Setting, SettingGroup } from './setting.ts';
import { fallbackText, settingList, settings } from './settings.ts';

/** Read-only at every depth. Typed arrays cannot be frozen and stay as they are. */
type DeepReadonly<T> = T extends Uint8Array ? T : { readonly [Name in keyof T]: DeepReadonly<T[Name]> };

/** The settings of a server, validated and frozen: the shape and the names of `settings`. */
export type Config = DeepReadonly<ReturnType<typeof settings.derive>> & {
  /** Where WAJAH_SECRET_KEY was found, as `wajah config` says it. */
  readonly secretKeySource: string;
};

/** Where settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates every setting. Only this file reads the environment of the process.
 * @param env by default the environment of the process; an empty value counts as not set
 * @throws OperatorError for the first setting that is not allowed: its name, its value, what is allowed
 * @example const config = loadConfig({ WAJAH_PORT: '0', WAJAH_DATA_DIR: '/var/lib/wajah' });
 */
export function loadConfig(env?: Environment): Config {
  const { values, sources } = withFiles(env);
  const secretKeySource = sources['WAJAH_SECRET_KEY'] ?? 'environment';
  return deepFreeze({ ...readGroup(settings, values), secretKeySource });
}

/** Where values are, by the names of variables: an absent source is the environment. */
interface Given {
  readonly values: Environment;
  readonly sources: Readonly<Record<string, string>>;
}

/**
 * The values of the environment, those of the file of settings that are not in it, and those of the files that variables
 * such as WAJAH_SECRET_KEY_FILE name.
 * @throws OperatorError when a file cannot be read, or a value is given twice
 */
function withFiles(env: Environment | undefined): Given {
  const given = env ?? process.env;
  const named = given['WAJAH_ENV_FILE'];
  const file = named ? settingPath(named) : env ? null : envFileOf();
  const ofFile = file === null ? {} : readEnvFile(file);
  const values: Record<string, string | undefined> = { ...ofFile, ...given };
  const sources: Record<string, string> = {};
  for (const name of Object.keys(ofFile)) if (!(name in given)) sources[name] = `file ${file}`;
  const isHidden = (name: string) => given[name] === '' && ofFile[name];
  const hidden = [...secretNames, ...secretNames.map(fileNameOf)].find(isHidden);
  if (hidden !== undefined)
    throw new OperatorError(
      `${hidden} is empty in the environment, and set in ${file}; remove the empty one`,
    );
  for (const name of secretNames) {
    const given = values[`${name}_FILE`];
    if (!given) continue;
    const path = settingPath(given);
    if (values[name]) throw new OperatorError(`${name} and ${name}_FILE are both set; allowed: one of them`);
    values[name] = readNamed(`${name}_FILE`, path).trim();
    if (values[name] === '') throw new OperatorError(`${name}_FILE: ${path} is empty`);
    sources[name] = `file ${path}`;
  }
  return { values, sources };
}

const secretNames = settingList.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
const fileNameOf = (secret: string) => `${secret}_FILE`;

/** Lines NAME=value. @throws OperatorError also when all users can read its secrets */
function readEnvFile(path: string): Environment {
  const values: Record<string, string | undefined> = {};
  // Line by line: `parseEnv` takes lines behind an open quote, or behind one of blanks, for parts of others.
  for (const [at, text] of readNamed('WAJAH_ENV_FILE', path).split('\n').entries()) {
    const line = text.trim().replace(/^export\s+/, '');
    const problem = problemOf(line, values);
    if (problem !== null) throw new OperatorError(`WAJAH_ENV_FILE: ${path}: line ${at + 1} ${problem}`);
    Object.assign(values, parseEnv(line));
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o007) !== 0 && secretNames.some((name) => values[name])) {
    throw new OperatorError(
      `${path} holds secrets and has mode ${mode.toString(8)}, so every user of this machine can access it; run chmod o-rwx on it`,
    );
  }
  return values;
}

/** @param before values of the lines before */
function problemOf(line: string, before: Environment): string | null {
  if (/[^\P{Cc}\t]|[\p{Zl}\p{Zp}]/u.test(line)) return 'has a control character';
  if (line === '' || line.startsWith('#')) return null;
  const [, name, value = ''] = /^([A-Za-z_][\w.-]*) *=(.*)$/.exec(line) ?? [];
  if (name === undefined) return 'is no NAME=value';
  if (Object.hasOwn(before, name)) return `sets ${name} again`;
  if (/^ *(["'`])(?!.*\1)/.test(value)) return 'opens quotes that it does not close';
  const second = secretNames.find((secret) => new RegExp(`^[^#]*${secret} *=`).test(value));
  return second === undefined ? null : `sets ${second} behind another name`;
}

/** UTF-8, also with a byte order mark. */
function readNamed(name: string, path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readPlainFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const shown = /[\r\n]/.test(path) ? quoted(path) : masked(path);
    const whose = code === 'EACCES' ? ' by this user' : '';
    throw new OperatorError(`${name}: ${code ? `${shown} cannot be read${whose} (${code})` : message}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${name}: ${path}: is not UTF-8; save it so`);
  }
}

/** How operators start this program here: `wajah`, or what a launcher or the folder of the installation needs. */
export function programName(): string {
  return process.env['WAJAH_COMMAND'] || nameStarted();
}

/** A text for operators, whose commands are written `wajah …`, with the name that they start the program by; idempotent. */
export function inOwnWords(text: string): string {
  const name = programName();
  if (name === 'wajah') return text;
  // npx would take an option for its own.
  const beforeOption = name.replace(/^npx --no /, 'npx --no -- ');
  return text
    .replaceAll(`${name} `, 'wajah ')
    .replaceAll(`${beforeOption} `, 'wajah ')
    .replaceAll(/(?<=^|[\s"'`(])wajah (?=[a-z]|<command>)/gm, `${name} `)
    .replaceAll(/(?<=^|[\s"'`(])wajah (?=--)/gm, `${beforeOption} `);
}

/** Where data are without a setting: a folder of the installation. */
export function defaultDataDir(): string {
  return loadConfig({}).dataDir;
}

/** Whether this process may show a window: on a desktop, and not over SSH. */
export function hasDesktop(env: Environment = process.env): boolean {
  if (env['SSH_CONNECTION']) return false;
  return process.platform === 'darwin' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** @returns the URL of a server on this machine, without a final slash */
export function urlOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Where browsers reach the server, without a final slash. @param url of it on this machine */
export function browserUrl({ publicUrl }: Pick<Config, 'publicUrl'>, url: string): string {
  return (publicUrl ?? url).replace(/\/+$/, '');
}

/** Names that begin as a setting but are none, each with the most similar name of a setting. */
export function unknownSettings(env?: Environment): { name: string; nearest: string }[] {
  const allowed: string[] = [...settingList.map(({ name }) => name), ...secretNames.map(fileNameOf)];
  return Object.keys(withFiles(env).values)
    .filter((name) => /^waja/i.test(name) && !allowed.includes(name))
    .sort()
    .map((name) => ({ name, word: name.toUpperCase() }))
    .map(({ name, word }) => ({
      name,
      nearest: allowed.find((one) => one.startsWith(`${word}_`)) ?? nearest(word, allowed),
    }));
}

/** Settings that name a file of a secret which every user of this machine can read. */
export function readableSecrets(env?: Environment): { name: string; path: string; mode: string }[] {
  const { values } = withFiles(env);
  return secretNames.flatMap((secret) => {
    const name = `${secret}_FILE`;
    const given = values[name];
    if (!given) return [];
    const path = settingPath(given);
    const mode = statSync(path).mode & 0o777;
    return (mode & 0o004) === 0 ? [] : [{ name, path, mode: mode.toString(8) }];
  });
}

/** A setting in force, as `wajah config` prints it. */
export interface SettingInForce {
  readonly name: string;
  /** Heading of its group. */
  readonly group: string;
  /** Secrets are hidden. Paths are absolute. */
  readonly value: string;
  /** Of a value that is a number without a unit; null: none. */
  readonly unit: string | null;
  readonly source: string;
}

/** Every setting in force by the environment and the defaults, secrets hidden. */
export function describeSettings(env?: Environment): SettingInForce[] {
  const { values, sources } = withFiles(env);
  return settingList.map((setting) => {
    const { name, group } = setting;
    const value = shownValue(setting, values);
    const unit = unitOf(setting, value);
    const source = values[name] ? (sources[name] ?? 'environment') : defaultSource(setting, value);
    return { name, group, value, unit, source };
  });
}

function unitOf({ unit = '' }: Setting<unknown>, value: string): string | null {
  // The value has its own unit, as in 10MiB.
  const shown = /[KMG]iB$/.test(value) ? unit.replace(/^bytes ?/, '') : unit;
  return /^-?\d/.test(value) && shown !== '' ? shown : null;
}

/** With the rule of a default that depends on the machine. */
function defaultSource(setting: Setting<unknown>, value: string): string {
  const rule = fallbackText(setting);
  const isComputed = typeof setting.fallback !== 'string' && rule !== value;
  return isComputed ? `default: ${rule}` : 'default';
}

function shownValue(setting: Setting<unknown>, env: Environment): string {
  const given = env[setting.name];
  const value = readSetting(setting, env);
  if (setting.secret && given) return setting.secret === true ? '(hidden)' : setting.secret(given);
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return fallbackText(setting);
  if (Array.isArray(value)) return value.join(', ');
  if (setting.unit === 'MiB') return String(Number(value) / 2 ** 20);
  // As it was given: 10MiB is easier to read than its number of bytes.
  return setting.unit?.startsWith('bytes') ? given || fallbackText(setting) : String(value);
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
  if (/^(["']).*\1$/s.test(given ?? '')) {
    throw new OperatorError(`${name} is in quotes, which would belong to its value; write it without them`);
  }
  const parsed = schema.safeParse(given ?? fallback);
  if (parsed.success) return parsed.data;
  const shown = secret ? `(hidden, ${given?.length} characters)` : quoted(given ?? '');
  throw new OperatorError(`${name} is ${shown}; allowed: ${allowed}`);
}

/** A value on one line, cut at 80 characters. */
function quoted(given: string): string {
  const shown = masked(given);
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown);
}

/** Without what looks like a key, or the password of a URL: it may have been given in a wrong place. */
function masked(given: string): string {
  return given.replace(/[\da-f]{32,}|[\w+/-]{42,}=/gi, '(hidden)').replace(/:[^:@/]*@/g, ':***@');
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
