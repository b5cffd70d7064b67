import type { RefusalRow, SentenceRow } from './sentence.ts';

export const peopleRefusals = {} as const satisfies Record<string, RefusalRow>;

export const peoplePhrases = {} as const satisfies Record<string, SentenceRow>;
