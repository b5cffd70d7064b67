import type { ErrorCode } from '../errors.ts';
import type { Hint } from '../session/step-seen.ts';
import type { Step } from '../transport/protocol.ts';
import { english } from './english.ts';
import { indonesian } from './indonesian.ts';

/** Names that `submit-session` gives to what speaks against a session. */
export type ReasonName =
  | 'order'
  | 'time'
  | 'step'
  | 'repeat'
  | 'replay'
  | 'person'
  | 'flat'
  | 'spoof'
  | 'user'
  /** Any other. */
  | 'unknown';

/** Every sentence the element says. `{…}` is filled in. */
export interface Texts {
  readonly title: string;
  readonly intro: string;
  readonly tips: readonly string[];
  readonly privacy: string;
  readonly start: string;
  readonly cancel: string;
  readonly retry: string;
  readonly again: string;
  readonly openingCamera: string;
  readonly allowCamera: string;
  readonly preparing: string;
  readonly sending: string;
  readonly wellDone: string;
  /** {step}, {total}. */
  readonly progress: string;
  /** {seconds}. */
  readonly remaining: string;
  /** {seconds}. */
  readonly countdown: string;
  readonly holdStill: string;
  readonly passedTitle: string;
  readonly passedText: string;
  readonly failedTitle: string;
  readonly failedText: string;
  readonly errorTitle: string;
  readonly previewLabel: string;
  readonly resultsLabel: string;
  readonly seen: string;
  readonly notSeen: string;
  /** {status}, {detail}. */
  readonly serverSays: string;
  /** In place of the step's where no tone may be played. */
  readonly eyesClosedSilent: string;
  /** What to do. */
  readonly steps: Readonly<Record<Step, string>>;
  /** The step as a name, in results. */
  readonly stepNames: Readonly<Record<Step, string>>;
  readonly hints: Readonly<Record<Hint, string>>;
  readonly errors: Readonly<Record<ErrorCode, string>>;
  readonly reasons: Readonly<Record<ReasonName, string>>;
}

/** Sentences of one's own; what is left out is as it comes. */
export type OwnTexts = {
  readonly [Key in keyof Texts]?: Texts[Key] extends string | readonly string[]
    ? Texts[Key]
    : Partial<Texts[Key]>;
};

/** @param language a tag such as `id-ID`; every other than Indonesian is answered in English */
export function textsFor(language: string, own: OwnTexts = {}): Texts {
  const base = /^(id|in)\b/i.test(language) ? indonesian : english;
  const { steps, stepNames, hints, errors, reasons } = own;
  return {
    ...base,
    ...own,
    steps: { ...base.steps, ...steps },
    stepNames: { ...base.stepNames, ...stepNames },
    hints: { ...base.hints, ...hints },
    errors: { ...base.errors, ...errors },
    reasons: { ...base.reasons, ...reasons },
  };
}

/** @example fill('Step {step} of {total}', { step: 2, total: 5 }) // 'Step 2 of 5' */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The server's reasons in words for the person before the camera, each kind once. */
export function reasonsInWords(reasons: readonly string[], texts: Texts): string[] {
  const names = reasons.map((reason) => /^\w+/.exec(reason)?.[0] ?? '');
  const told = names.map((name) =>
    Object.hasOwn(texts.reasons, name) ? texts.reasons[name as ReasonName] : texts.reasons.unknown,
  );
  return [...new Set(told)];
}
