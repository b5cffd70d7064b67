/** What other pages call what features have. */
import { activityOperations } from './activity/named.ts';
import type { activity } from './activity/texts.ts';
import type { audit } from './audit/texts.ts';
import { duplicateEvents, duplicateOperations, duplicateSentences } from './duplicates/named.ts';
import type { duplicates } from './duplicates/texts.ts';
import { expectedEvents, expectedOperations, expectedSentences } from './expected/named.ts';
import type { expectedTab } from './expected/tab-text.ts';
import type { expected } from './expected/texts.ts';
import { openidOperations } from './openid/named.ts';
import type { openid } from './openid/texts.ts';
import { unknownEvents, unknownOperations, unknownSentences } from './unknown/named.ts';
import type { unknown } from './unknown/texts.ts';
import { webhookEvents, webhookOperations, webhookScopes, webhookSentences } from './webhooks/named.ts';
import type { webhooks } from './webhooks/texts.ts';

export const featureScopes = { ...webhookScopes };
export const featureEvents = { ...duplicateEvents, ...expectedEvents, ...unknownEvents, ...webhookEvents };
export const featureSentences = {
  ...duplicateSentences,
  ...expectedSentences,
  ...unknownSentences,
  ...webhookSentences,
};
export const featureTasks = {
  Duplicates: duplicateOperations,
  'Expected people': expectedOperations,
  'Unknown people': unknownOperations,
  Activity: activityOperations,
  'Sign in': openidOperations,
  Webhooks: webhookOperations,
};

/** Texts of their pages. */
export interface FeatureAreas {
  readonly activity: typeof activity;
  readonly audit: typeof audit;
  readonly duplicates: typeof duplicates;
  readonly expected: typeof expected;
  readonly expectedTab: typeof expectedTab;
  readonly openid: typeof openid;
  readonly unknown: typeof unknown;
  readonly webhooks: typeof webhooks;
}
