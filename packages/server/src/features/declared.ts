/** What features declare: their settings and tables, of which the core makes one tree, one schema and one registry. */
import type { Types } from '../store/database/types.ts';
import { activitySchema, activityStep, activityTables } from './activity/tables.ts';
import { cameraSettings } from './cameras/settings.ts';
import { expectedStep, expectedTables } from './expected/tables.ts';
import { openidSettings } from './openid/settings.ts';
import { openidSealed, openidStep, openidTables } from './openid/tables.ts';
import { inspectUnknown, unknownSealed, unknownStep, unknownTables } from './unknown/tables.ts';
import { webhookSettings } from './webhooks/settings.ts';
import { webhookSchema, webhookSealed, webhookTables } from './webhooks/tables.ts';

/** Groups of settings, by their names in `Config`. */
export const featureSettings = { cameras: cameraSettings, openid: openidSettings, webhooks: webhookSettings };

export const featureTables = {
  /** Statements of the first schema. */
  initial: (types: Types) => [activitySchema, webhookSchema].map((schema) => schema(types)).join(''),
  /** Further steps of it, by their numbers. */
  steps: { 27: activityStep, 28: openidStep, 29: unknownStep, 30: expectedStep },
  list: [...activityTables, ...expectedTables, ...openidTables, ...unknownTables, ...webhookTables],
};

/** Columns that are sealed under keys derived from the master key. */
export const featureSealed = { ...openidSealed, ...webhookSealed };

/** Columns that are sealed under the keys of galleries. */
export const featureGallerySealed = { ...unknownSealed };

/** What an inspection says of their rows, of the newest schema; null: nothing. */
export const featureInspections = [inspectUnknown];

/** Settings of a gallery, columns of their names in snake case. Null: the default. */
export const featureGallerySettings = { keepUnknownHours: 'int' } as const;
export type FeatureGallerySettings = Readonly<Record<keyof typeof featureGallerySettings, number | null>>;
