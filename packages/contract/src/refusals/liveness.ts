import type { RefusalRow, SentenceRow } from './sentence.ts';

export const livenessRefusals = {} as const satisfies Record<string, RefusalRow>;

export const livenessPhrases = {} as const satisfies Record<string, SentenceRow>;
