import type { Environment } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import type { CallEndpoint } from './operator-calls.ts';
import type { Terminal } from './terminal.ts';

/** What the commands work with. Modules that load a large library are imported by the command that needs them. */
export interface CommandDeps {
  readonly terminal: Terminal;
  /** Where settings are read from; by default the environment of the process. */
  readonly env?: Environment | undefined;
  /**
   * Calls endpoints of the running server as the operator. @throws OperatorError when none runs
   * @param work gets also `fetch` for the same app, whatever the host of a URL
   */
  callAsOperator<T>(work: (call: CallEndpoint, fetch: typeof globalThis.fetch) => Promise<T>): Promise<T>;
  /** Imports a package that may be missing. @throws OperatorError that says so */
  library(name: Library): Promise<unknown>;
}

/** Packages that some commands need. */
export type Library = 'tools' | 'evaluation';

/** An argument or option of a command line; `T` is what it is when it was parsed. */
export interface Parameter<T> {
  /** As help shows it: `<client_id>`, `--days <n>`. */
  readonly flags: string;
  readonly about?: string | undefined;
  /** @throws OperatorError that says what is allowed */
  readonly parse?: ((given: string) => unknown) | undefined;
  readonly fallback?: T | undefined;
  readonly isRequired?: boolean;
  /** Name of an option that it is not given with. */
  readonly conflicts?: string;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type None = Record<never, never>;
type Parse<T> = (given: string) => T;

/** The values of parameters; those that are not given are undefined, flags false. */
export type Given<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

/** What a parser returns; a text without one. */
type Parsed<P> = P extends Parse<infer T> ? T : string;

export const argument = <P extends Parse<unknown> | undefined = undefined>(
  flags: string,
  about?: string,
  parse?: P,
): Parameter<Parsed<P>> => ({ flags, about, parse });

/** An option with a value. */
export const option: <P extends Parse<unknown> | undefined = undefined>(
  flags: string,
  about: string,
  parse?: P,
) => Parameter<Parsed<P> | undefined> = argument;

/** An option with a value, which has one also where it is not given. */
export const optionOr = <T>(fallback: T, flags: string, about: string, parse?: Parse<T>): Parameter<T> => ({
  flags,
  about,
  parse,
  fallback,
});

/** An option that must be given. */
export const required: typeof argument = (...given) => ({ ...argument(...given), isRequired: true });

/** An option without a value. */
export const flag = (flags: string, about: string): Parameter<boolean> => ({ flags, about });

export const json = flag('--json', 'print JSON');
export const yes = flag('-y, --yes', 'do not ask');

export const serverHeading = 'The server:';
export const clientsHeading = 'Clients and galleries:';
export const dataHeading = 'Stored data:';

/** A command of the command line. */
export interface Command {
  /** With the name of the command above it: `client create`. */
  readonly name: string;
  /** Its heading in the list of all commands, of a command that no other is above. */
  readonly heading?: string | undefined;
  /** Its line in lists of commands; by default the description. */
  readonly line?: string | undefined;
  readonly about: string;
  readonly arguments?: Parameters | undefined;
  readonly options?: Parameters | undefined;
  /** Text after its help. */
  readonly after?: (() => string) | undefined;
  /** Undefined: other commands are below it, and it does nothing by itself. */
  readonly action?: ((deps: CommandDeps, given: never) => Promise<void>) | undefined;
}

interface Row<A extends Parameters, O extends Parameters>
  extends Pick<Command, 'name' | 'heading' | 'line' | 'about' | 'after'> {
  readonly arguments?: A;
  readonly options?: O;
}

/** A command that does its work in the process of the command line. */
export const command = <A extends Parameters = None, O extends Parameters = None>(
  row: Row<A, O> & { action?(deps: CommandDeps, given: Given<A & O>): Promise<void> },
): Command => row;

/** A command whose work is in `@wajah/tools`. */
export type ToolCommand<Name extends string, Line> = Command & {
  readonly tool: Name;
  /** For types only. */
  readonly given?: Line;
};

/** @param name of the function of `@wajah/tools` that does the work */
export function tool<const Name extends string, A extends Parameters = None, O extends Parameters = None>(
  name: Name,
  row: Row<A, O>,
): ToolCommand<Name, Given<A & O>> {
  const action = async (deps: CommandDeps, given: never) => {
    const { commands } = (await deps.library('tools')) as { commands: Record<Name, Command['action']> };
    await commands[name]!(deps, given);
  };
  return { ...row, action, tool: name };
}

/** Asks unless the caller has agreed already. @throws OperatorError when the answer is no */
export async function confirmed(
  terminal: Pick<Terminal, 'confirm'>,
  agreed: boolean,
  question: string,
  refusal: string,
): Promise<void> {
  if (!agreed && !(await terminal.confirm(question))) throw new OperatorError(refusal);
}

/** A parser of one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Parse<Word> {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    const listed = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
    throw new OperatorError(`Allowed: ${listed}.`);
  };
}

/** A parser of a whole number. */
export function wholeNumber(min: number, max: number): Parse<number> {
  return (given) => {
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a whole number from ${min} to ${max}.`);
  };
}

/** A parser of a number, also in scientific notation. */
export function numberIn(min: number, max: number, allowed = `${min} to ${max}`): Parse<number> {
  return (given) => {
    const value = Number(given);
    if (given.trim() !== '' && value >= min && value <= max) return value;
    throw new OperatorError(`Allowed: a number from ${allowed}.`);
  };
}
