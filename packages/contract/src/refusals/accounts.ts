import type { RefusalRow, SentenceRow } from './sentence.ts';

export const accountRefusals = {} as const satisfies Record<string, RefusalRow>;

export const accountPhrases = {} as const satisfies Record<string, SentenceRow>;
