import type { RefusalRow, SentenceRow } from './sentence.ts';

export const enrolmentRefusals = {} as const satisfies Record<string, RefusalRow>;

export const enrolmentPhrases = {} as const satisfies Record<string, SentenceRow>;
