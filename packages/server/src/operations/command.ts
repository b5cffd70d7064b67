import type { Environment } from '../config/config.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import { OperatorError } from '../errors.ts';
import type { AuditReader } from './audit-trail.ts';
import type { ModelOperations } from './models.ts';
import type { CallEndpoint, Transport } from './operator-calls.ts';
import type { Terminal } from './terminal.ts';
import type { UpgradeOperations } from './upgrade.ts';

/** What the commands work with. Modules that load a large library are imported by the command that needs them. */
export interface CommandDeps {
  readonly terminal: Terminal;
  /** Where settings are read from; by default the environment of the process. */
  readonly env?: Environment | undefined;
  /** Calls endpoints as the operator, of the running server or in this process. */
  callAsOperator<T>(work: (call: CallEndpoint, send: Transport) => Promise<T>): Promise<T>;
  models(): Promise<ModelOperations>;
  /** Upgrades the schema of the store. */
  upgrades(): Promise<UpgradeOperations>;
  /** Checks the audit trail with the master key. */
  audit(): Promise<AuditReader>;
  doctor(): Promise<DoctorFinding[]>;
  /** Serves until SIGINT or SIGTERM. */
  serve(): Promise<void>;
  /** Imports a package that may be missing. @throws OperatorError that says so */
  library(name: Library): Promise<unknown>;
}

/** Packages that some commands need. */
export type Library = 'tools' | 'evaluation';

/** An argument or option of a command line. */
export interface Parameter<T> {
  /** As help shows it: `<client_id>`, `--days <n>`. */
  readonly flags: string;
  readonly about?: string | undefined;
  /** @throws OperatorError that says what is allowed */
  readonly parse?: ((given: string) => unknown) | undefined;
  readonly fallback?: T | undefined;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  /** Name of an option that it is not given with. */
  readonly conflicts?: string;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type None = Record<never, never>;

/** The values of parameters; those that are not given are undefined, flags false. */
export type Given<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

export function argument(flags: string, about?: string): Parameter<string>;
export function argument<T>(flags: string, about: string, parse: (given: string) => T): Parameter<T>;
export function argument<T>(flags: string, about?: string, parse?: (given: string) => T): Parameter<T> {
  return { flags, about, parse };
}

/** An option with a value. */
export function option(flags: string, about: string): Parameter<string | undefined>;
export function option<T>(
  flags: string,
  about: string,
  parse: (given: string) => T,
): Parameter<T | undefined>;
export function option<T>(
  flags: string,
  about: string,
  parse: ((given: string) => T) | undefined,
  fallback: T,
): Parameter<T>;
export function option<T>(
  flags: string,
  about: string,
  parse?: (given: string) => T,
  fallback?: T,
): Parameter<T | undefined> {
  return { flags, about, parse, fallback };
}

/** An option that must be given. */
export function required(flags: string, about: string): Parameter<string>;
export function required<T>(flags: string, about: string, parse: (given: string) => T): Parameter<T>;
export function required<T>(flags: string, about: string, parse?: (given: string) => T): Parameter<T> {
  return { flags, about, parse, isRequired: true };
}

/** An option without a value. */
export function flag(flags: string, about: string): Parameter<boolean> {
  return { flags, about };
}

export const json = flag('--json', 'print JSON');
export const yes = flag('-y, --yes', 'do not ask');

/** What an archive is sealed with. */
export const secretOptions = {
  passphraseFile: option(
    '--passphrase-file <file>',
    'sealed with the passphrase on the first line of this file',
  ),
  keyFile: {
    ...option('--key-file <file>', 'sealed with this file of at least 32 bytes'),
    conflicts: 'passphraseFile',
  },
};

/** A command of the command line. */
export interface Command {
  /** With the name of the command above it: `client create`. */
  readonly name: string;
  /** Its heading in the list of all commands, of a command that no other is above. */
  readonly heading?: string | undefined;
  /** Its line in lists of commands; by default the description. */
  readonly line?: string | undefined;
  readonly about: string;
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Text after its help. */
  readonly after?: (() => string) | undefined;
  /** Undefined: other commands are below it, and it does nothing by itself. */
  readonly action?: (deps: CommandDeps, given: never) => Promise<void>;
}

interface CommandRow<A extends Parameters, O extends Parameters>
  extends Pick<Command, 'name' | 'heading' | 'line' | 'about' | 'after'> {
  readonly arguments?: A;
  readonly options?: O;
}

/** A command that does its work in the process of the command line. */
export function command<A extends Parameters = None, O extends Parameters = None>(
  row: CommandRow<A, O> & { action?(deps: CommandDeps, given: Given<A & O>): Promise<void> },
): Command {
  return { ...row, arguments: row.arguments ?? {}, options: row.options ?? {} };
}

interface ToolPackage {
  readonly commands: Readonly<Record<string, NonNullable<Command['action']>>>;
}

/** A command whose work is in `@wajah/tools`. */
export type ToolCommand<Name extends string, Line> = Command & {
  readonly tool: Name;
  /** For types only. */
  readonly given?: Line;
};

/** @param name of the function of `@wajah/tools` that does the work */
export function tool<const Name extends string, A extends Parameters = None, O extends Parameters = None>(
  name: Name,
  row: CommandRow<A, O>,
): ToolCommand<Name, Given<A & O>> {
  const action = async (deps: CommandDeps, given: Given<A & O>) => {
    const { commands } = (await deps.library('tools')) as ToolPackage;
    await commands[name]!(deps, given as never);
  };
  return { ...command({ ...row, action }), tool: name };
}

/** Asks unless the caller has agreed already. @throws OperatorError when the answer is no */
export async function confirmed(
  terminal: Pick<Terminal, 'confirm'>,
  agreed: boolean,
  question: string,
  refusal = 'Nothing was erased; --yes erases without asking.',
): Promise<void> {
  if (!agreed && !(await terminal.confirm(question))) throw new OperatorError(refusal);
}

/** A parser of one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    const listed = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
    throw new OperatorError(`Allowed: ${listed}.`);
  };
}

/** A parser of a list of words with commas between; they are returned in the order of `words`. */
export function someOf<const Word extends string>(words: readonly Word[]): (given: string) => Word[] {
  return (given) => {
    const named = given.split(',').map((word) => word.trim());
    const found = words.filter((word) => named.includes(word));
    if (found.length === named.length) return found;
    throw new OperatorError(`Allowed: ${words.join(', ')}, separated by commas.`);
  };
}

/** A parser of a whole number. @param note on `min` for the error message */
export function wholeNumber(min: number, max: number, note = ''): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a whole number from ${min}${note} to ${max}.`);
  };
}

/** A parser of a number, also in scientific notation. */
export function numberIn(min: number, max: number, allowed = `${min} to ${max}`): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (given.trim() !== '' && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a number from ${allowed}.`);
  };
}

/** A parser of a decimal number from 0 to 1, without an exponent. */
export function share(given: string): number {
  const value = Number(given);
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(given) && value <= 1) return value;
  throw new OperatorError('Allowed: a number from 0 to 1.');
}

/** A parser of a time, which it returns as ISO 8601. @param allowed for the error message */
export function timeAs(allowed: string): (given: string) => string {
  return (given) => {
    const time = new Date(given);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
    throw new OperatorError(`Allowed: ${allowed}.`);
  };
}

export const isoTime = timeAs('an ISO 8601 time, such as 2026-01-31');
