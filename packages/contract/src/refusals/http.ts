import type { RefusalRow, SentenceRow } from './sentence.ts';

export const httpRefusals = {} as const satisfies Record<string, RefusalRow>;

export const httpPhrases = {} as const satisfies Record<string, SentenceRow>;
