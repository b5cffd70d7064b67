import type { z } from 'zod';

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
