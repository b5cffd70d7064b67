import { english, type Texts } from './english.ts';
import { indonesian } from './indonesian.ts';

export type { Texts } from './english.ts';

/** Any part of the texts. */
export type TextOverrides = {
  readonly [Key in keyof Texts]?: Texts[Key] extends string | readonly string[]
    ? Texts[Key]
    : Partial<Texts[Key]>;
};

/** @param language a BCP 47 tag such as `id-ID`; every language but Indonesian gets English */
export function textsFor(language: string, overrides: TextOverrides = {}): Texts {
  const base = /^(id|in)\b/i.test(language) ? indonesian : english;
  const { steps, stepNames, sees, hints, errors, reasons } = overrides;
  return {
    ...base,
    ...overrides,
    steps: { ...base.steps, ...steps },
    stepNames: { ...base.stepNames, ...stepNames },
    sees: { ...base.sees, ...sees },
    hints: { ...base.hints, ...hints },
    errors: { ...base.errors, ...errors },
    reasons: { ...base.reasons, ...reasons },
  };
}

/** @example fill('Step {step} of {total}', { step: 2, total: 5 }) // 'Step 2 of 5' */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The texts of the server's reasons, each kind once. */
export function reasonTexts(reasons: readonly string[], texts: Texts): string[] {
  const names = reasons.map((reason) => /^\w+/.exec(reason)?.[0] ?? '');
  const found = names.map((name) =>
    Object.hasOwn(texts.reasons, name)
      ? texts.reasons[name as keyof Texts['reasons']]
      : texts.reasons.unknown,
  );
  return [...new Set(found)];
}
