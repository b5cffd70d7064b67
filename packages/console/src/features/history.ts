import type { PastOf } from '../ui/past-entry.tsx';
import { refusedCalls } from './activity/history.tsx';

/** Each makes entries of the history of a person. */
export const featurePast: readonly PastOf[] = [refusedCalls];
