import { translation } from '../state/preferences.ts';

/** The English messages of one part of the console. */
type Area = Readonly<Record<string, string | ((...values: never[]) => string)>>;

/** The values of the placeholders of a text, in the order of the English one. */
type Values<Text extends string> = Text extends `${string}{${string}}${infer Rest}`
  ? [value: string | number, ...Values<Rest>]
  : [];
type Message<Text> = Text extends string
  ? Values<Text> extends []
    ? string
    : (...values: Values<Text>) => string
  : Text;

/** The messages of an area: texts, and functions that fill their placeholders. */
type Messages<Of extends Area> = { readonly [Name in keyof Of]: Message<Of[Name]> };

const placeholder = /\{(\w+)\}/g;

function messageOf(english: Area[string], said: unknown = english): unknown {
  if (typeof said !== 'string') return said;
  if (typeof english !== 'string') return () => said;
  const names = [...english.matchAll(placeholder)].map(([, name]) => name);
  if (names.length === 0) return said;
  return (...values: readonly (string | number)[]) =>
    said.replace(placeholder, (_, name: string) => String(values[names.indexOf(name)]));
}

/**
 * An area, each message of which is read in the language of the page, which a component then depends on.
 *
 * @param name of the area in the files of languages
 */
export function translated<const Of extends Area>(name: string, area: Of): Messages<Of> {
  return new Proxy(area, {
    get: (english, key) => {
      const text = english[String(key)];
      return text && messageOf(text, translation.value[name]?.[String(key)]);
    },
  }) as unknown as Messages<Of>;
}
