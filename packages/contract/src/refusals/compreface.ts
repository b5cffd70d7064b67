import type { RefusalRow, SentenceRow } from './sentence.ts';

export const comprefaceRefusals = {} as const satisfies Record<string, RefusalRow>;

export const comprefacePhrases = {} as const satisfies Record<string, SentenceRow>;
