import type { RefusalRow, SentenceRow } from './sentence.ts';

export const webhookRefusals = {} as const satisfies Record<string, RefusalRow>;

export const webhookPhrases = {} as const satisfies Record<string, SentenceRow>;
