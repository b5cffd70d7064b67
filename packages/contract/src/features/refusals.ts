import { cameraPhrases } from './cameras/refusals.ts';
import { comprefacePhrases, comprefaceRefusals } from './compreface/refusals.ts';
import { duplicatePhrases, duplicateRefusals } from './duplicates/refusals.ts';
import { expectedRefusals } from './expected/refusals.ts';
import { openidRefusals } from './openid/refusals.ts';
import { unknownRefusals } from './unknown/refusals.ts';
import { webhookPhrases, webhookRefusals } from './webhooks/refusals.ts';

export const featureRefusals = {
  ...comprefaceRefusals,
  ...duplicateRefusals,
  ...expectedRefusals,
  ...openidRefusals,
  ...unknownRefusals,
  ...webhookRefusals,
};
export const featurePhrases = {
  ...cameraPhrases,
  ...comprefacePhrases,
  ...duplicatePhrases,
  ...webhookPhrases,
};
