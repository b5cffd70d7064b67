type Message = string | ((...values: never[]) => string);

/** The same names with strings, and functions of the same values. */
type Translation<English extends Record<string, Message>> = {
  readonly [Name in keyof English]: English[Name] extends string ? string : English[Name];
};

/** The messages of one part of the console. The compiler requires every message in both languages. */
export function translated<English extends Record<string, Message>>(en: English, id: Translation<English>) {
  return { en: en as Translation<English>, id };
}
