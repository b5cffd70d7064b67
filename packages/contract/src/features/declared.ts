/** What features declare besides their endpoints; it needs no schema. The tables that it is part of check its types. */
import { webhookScope, webhookScopeMeaning, webhookStatuses } from './webhooks/values.ts';

export const featureScopes = [webhookScope] as const;
/** What each scope permits. */
export const featureScopeMeanings = { [webhookScope]: webhookScopeMeaning } as const;

export const featureStatuses = { ...webhookStatuses };
