import { language } from '../state/preferences.ts';

/** The messages of one part of the console: name → [English, Indonesian]. */
type Area = Readonly<Record<string, Pair<string> | Pair<(...values: never[]) => string>>>;
type Pair<Message> = readonly [english: Message, indonesian: Message];

/** The values of the placeholders of a text, in the order of the English one. */
type Values<Text extends string> = Text extends `${string}{${string}}${infer Rest}`
  ? [value: string | number, ...Values<Rest>]
  : [];
type Message<Text> = Text extends string
  ? Values<Text> extends []
    ? string
    : (...values: Values<Text>) => string
  : Text;

/** The pairs of an area as the messages of one language. */
type InOneLanguage<Of extends Area> = {
  readonly [Name in keyof Of]: Of[Name][0] extends string ? Message<Of[Name][0]> : Of[Name][0] & Of[Name][1];
};

const placeholder = /\{(\w+)\}/g;

/** A text, or a function that fills its placeholders. */
function messageOf([english, ...others]: Area[string], at: number): unknown {
  const text = [english, ...others][at];
  if (typeof english !== 'string' || typeof text !== 'string') return text;
  const names = [...english.matchAll(placeholder)].map(([, name]) => name);
  if (names.length === 0) return text;
  return (...values: readonly (string | number)[]) =>
    text.replace(placeholder, (_, name: string) => String(values[names.indexOf(name)]));
}

/** An area, each message of which is read in the language of the page, which a component then depends on. */
export function translated<const Of extends Area>(area: Of): InOneLanguage<Of> {
  return new Proxy(area, {
    get: (pairs, name) => {
      const pair = pairs[String(name)];
      return pair && messageOf(pair, language.value === 'en' ? 0 : 1);
    },
  }) as unknown as InOneLanguage<Of>;
}
