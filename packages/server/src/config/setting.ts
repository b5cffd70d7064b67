import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { settingPath } from './installed.ts';

/** One setting: how it is read from the environment, what the documentation says, what `wajah config` prints. */
export interface Setting<T> {
  readonly name: `WAJAH_${string}`;
  /** A default that is parsed like a given value, or a computed one with its description. */
  readonly fallback: string | { readonly text: string; readonly value: T };
  /** The allowed values, worded to follow "allowed: ". */
  readonly allowed: string;
  readonly description: string;
  /** Unit of a number that is given without one. */
  readonly unit?: string;
  /** True hides the value in all output; a function masks it. */
  readonly secret?: true | ((given: string) => string);
  /** A path, program or address of the operator's, which pages do not show. */
  readonly ofMachine?: true;
  readonly schema: z.ZodType<T, string>;
}

/** Settings that are documented under one heading and make one object of `Config`. */
export interface SettingGroup<T> {
  readonly title: string;
  readonly parts: SettingTree;
  /** Computes the value of the group from the values of its parts. @throws OperatorError if they contradict each other */
  derive(values: unknown): T;
}

type SettingTree = Readonly<Record<string, Setting<unknown> | SettingGroup<unknown>>>;

type ValueOf<Node> = Node extends Setting<infer T> ? T : Node extends SettingGroup<infer T> ? T : never;

/** The values of the parts of a group, by the same names. */
type ValuesOf<Tree> = { readonly [Name in keyof Tree]: ValueOf<Tree[Name]> };

/** Declares a setting. The type of its value is the output type of its schema. */
export const define = <T>(setting: Setting<T>): Setting<T> => setting;

/**
 * Declares a group of settings.
 * @param derive computes the value of the group; by default the object of the values of its parts
 */
export function group<Tree extends SettingTree, T = ValuesOf<Tree>>(
  title: string,
  parts: Tree,
  derive: (values: ValuesOf<Tree>) => T = (values) => values as T,
): SettingGroup<T> {
  return { title, parts, derive: (values) => derive(values as ValuesOf<Tree>) };
}

/** How a kind of setting is parsed, and the allowed values as the documentation words them. */
interface Kind<T> {
  readonly allowed: string;
  readonly schema: z.ZodType<T, string>;
  /** Unit of a number that is given without one. */
  readonly unit?: string;
  readonly ofMachine?: true;
}

export function integer(min: number, max: number): Kind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^[-+]?\d{1,15}$/)
      .transform(Number)
      .pipe(z.int().min(min).max(max)),
  };
}

/** Given in MiB, read as bytes. */
export function mebibytes(min: number, max: number): Kind<number> {
  const { allowed, schema } = integer(min, max);
  return { allowed, schema: schema.transform((count) => count * 2 ** 20), unit: 'MiB' };
}

export function number(min: number, max: number): Kind<number> {
  return {
    allowed: `a number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^[-+]?(\d+\.?\d*|\.\d+)$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  };
}

const byteUnits: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

export function bytes(min: number, max: number): Kind<number> {
  return {
    allowed: `bytes from ${min} to ${max}, also as 512KiB, 10MiB or 1GiB`,
    unit: 'bytes',
    schema: z
      .string()
      .regex(/^\d{1,12}(KiB|MiB|GiB)?$/)
      .transform((text) => {
        const [, count = '', unit = ''] = /^(\d+)(.*)$/.exec(text) ?? [];
        return Number(count) * (byteUnits[unit] ?? Number.NaN);
      })
      .pipe(z.int().min(min).max(max)),
  };
}

export function choice<const C extends string>(choices: readonly C[]): Kind<C> {
  const schema = z.enum(choices) as unknown as z.ZodType<C, string>;
  return { allowed: `one of ${choices.join(', ')}`, schema };
}

const separated = z.string().transform((given) => given.split(',').map((part) => part.trim()));

/** Some of a few words, each once, separated by commas. */
function someOf(words: readonly string[]): Kind<readonly string[]> {
  return {
    allowed: `one or several of ${words.join(', ')}, each once, separated by commas`,
    schema: separated.refine((parts) =>
      parts.every((part, i) => words.includes(part) && parts.indexOf(part) === i),
    ),
  };
}

/** None, as `off`, or some of a few words. */
export function profiles(words: readonly string[]): Kind<readonly string[]> {
  const { allowed, schema } = someOf(words);
  const off = z.literal('off').transform((): readonly string[] => []);
  return { allowed: `off, or ${allowed}`, schema: z.union([off, schema]) };
}

export function toggle(): Kind<boolean> {
  return {
    allowed: 'true or false',
    schema: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], case: 'sensitive' }),
  };
}

/** true, false, or a word between them. */
export function toggleOr<const Word extends string>(word: Word): Kind<boolean | Word> {
  const { allowed, schema } = toggle();
  return { allowed: `${allowed}, or ${word}`, schema: z.union([schema, choice([word]).schema]) };
}

export function text(max: number): Kind<string> {
  return {
    allowed: `1 to ${max} printable characters without blanks`,
    schema: z
      .string()
      .max(max)
      .regex(/^[^\s\p{C}]+$/u),
  };
}

export function line(max: number): Kind<string> {
  return {
    allowed: `1 to ${max} printable characters`,
    schema: z
      .string()
      .max(max)
      .regex(/^[^\p{C}]+$/u),
  };
}

/** A program, by its path or to be searched in PATH, and its arguments, separated by blanks. */
export function command(): Kind<readonly string[]> {
  return {
    ofMachine: true,
    allowed: 'a program and its arguments, separated by blanks',
    schema: z
      .string()
      .regex(/^[^\s\p{C}]+( +[^\s\p{C}]+)*$/u)
      .transform((given) => given.split(/ +/))
      .transform(([program = '', ...rest]) => [
        program.includes('/') ? settingPath(program) : program,
        ...rest,
      ]),
  };
}

/** A path. */
export function path(): Kind<string> {
  return {
    ofMachine: true,
    allowed:
      'a path; a relative one starts at the folder of the installation, ~ and $ are expanded by shells only',
    schema: z
      .string()
      .regex(/^[^\p{Cc}~$]\P{Cc}*$/u)
      .transform(settingPath),
  };
}

export function url(): Kind<string> {
  return {
    ofMachine: true,
    allowed: 'an http or https URL',
    schema: z.url({ protocol: /^https?$/ }),
  };
}

/** 32 bytes. */
export function key(): Kind<Uint8Array> {
  return {
    allowed: '32 random bytes as 64 hexadecimal digits or as base64 (`openssl rand -hex 32` generates one)',
    schema: z
      .string()
      .regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43})$/)
      .transform((given) => new Uint8Array(Buffer.from(given, given.length === 64 ? 'hex' : 'base64'))),
  };
}

/** Origins of any scheme, separated by commas; `*` for every one, `https://*.example.com` for those of all subdomains. */
export function list(): Kind<readonly string[]> {
  const origin = z
    .string()
    .transform((text) => text.replace(/\/$/, ''))
    .refine((text) => text === '*' || isOrigin(text.replace('://*.', '://subdomain.')));
  return {
    allowed:
      'origins separated by commas, as https://app.example.com, https://*.example.com or capacitor://localhost; or *',
    schema: separated.pipe(z.array(origin).min(1)),
  };
}

/** In the form in which browsers send it (RFC 6454, section 6.2). */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.host !== '' && !text.includes('*') && text === `${url.protocol}//${url.host}`;
}

/** Most proxies in front of a server. */
const maxProxies = 16;

const network = z
  .string()
  // A plain number is an IPv4 address, too.
  .regex(/:|^\d+\.\d+\.\d+\.\d+/)
  .refine((given) => ipaddr.isValid(given) || ipaddr.isValidCIDR(given));

/** Addresses and networks in CIDR notation, separated by commas. */
export function networks(): Kind<string[]> {
  return {
    allowed: 'addresses and networks separated by commas, as 10.0.0.0/8,::1',
    schema: separated.pipe(z.array(network).min(1)),
  };
}

/** false, true, a number of proxies, or networks: the values of Fastify's option `trustProxy`. */
export function trustedProxies(): Kind<boolean | number | string[]> {
  const count = integer(0, maxProxies).schema;
  const toggles = { true: true, false: false } as const;
  const onOrOff = z.enum(['true', 'false']).transform((given) => toggles[given]);
  return {
    allowed: `true, false, a number of proxies from 0 to ${maxProxies}, or their addresses and networks separated by commas, as 10.0.0.0/8,::1`,
    schema: z.union([onOrOff, count, networks().schema]),
  };
}

/** A setting of this server. */
export interface ReportedSetting {
  readonly name: string;
  readonly group: string;
  /** Null: none, or the default of the model pack. */
  readonly value: string | number | boolean | null;
  readonly default: string | number | boolean | null;
  readonly unit?: string;
  /** Whether the value is not the default. */
  readonly changed: boolean;
}
