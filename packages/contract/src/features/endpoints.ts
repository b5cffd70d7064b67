import { activityExport, activityExportExample, activityExtensions } from './activity/endpoints.ts';
import { auditExtensions } from './audit/endpoints.ts';
import { duplicateExtensions } from './duplicates/endpoints.ts';
import { expectedExport, expectedExportExample, expectedExtensions } from './expected/endpoints.ts';
import { openidExtensions } from './openid/endpoints.ts';
import { processingExtensions } from './processing/endpoints.ts';
import { unknownExtensions } from './unknown/endpoints.ts';
import { webhookExport, webhookExportExample, webhookExtensions } from './webhooks/endpoints.ts';

export const featureEndpoints = {
  ...activityExtensions,
  ...auditExtensions,
  ...duplicateExtensions,
  ...expectedExtensions,
  ...openidExtensions,
  ...processingExtensions,
  ...unknownExtensions,
  ...webhookExtensions,
};

/** Fields of an export of a person, and of an erasure, which has the number of rows in each. */
export const featureExports = { ...activityExport, ...expectedExport, ...webhookExport };
export const featureExportExamples = {
  ...activityExportExample,
  ...expectedExportExample,
  ...webhookExportExample,
};
