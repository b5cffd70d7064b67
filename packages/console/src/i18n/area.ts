type Word = string | ((...values: never[]) => string);

/** The Indonesian side of an area: the same names, and functions of the same values. */
type Same<English extends Record<string, Word>> = {
  readonly [Name in keyof English]: English[Name] extends string ? string : English[Name];
};

/** The words of one part of the console; the compiler sees to it that neither language lacks one. */
export function area<English extends Record<string, Word>>(
  en: English,
  id: Same<English>,
): { readonly en: Same<English>; readonly id: Same<English> } {
  return { en: en as Same<English>, id };
}
