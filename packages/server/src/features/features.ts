import type { Feature } from '../feature.ts';
import { activity } from './activity/feature.ts';
import { audit } from './audit/feature.ts';
import { cameras } from './cameras/feature.ts';
import { doctor } from './doctor/feature.ts';
import { duplicates } from './duplicates/feature.ts';
import { expected } from './expected/feature.ts';
import { openid } from './openid/feature.ts';
import { processing } from './processing/feature.ts';
import { unknown } from './unknown/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/** All features, in the order in which they are opened. */
export const features: readonly Feature[] = [
  activity,
  audit,
  cameras,
  doctor,
  duplicates,
  expected,
  openid,
  processing,
  unknown,
  webhooks,
];
