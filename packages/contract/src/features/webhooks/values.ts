/** Events that webhooks are told. */
export const webhookTypes = [
  'face.enrolled',
  'face.verified',
  'face.identified',
  'face.unknown',
  'face.erased',
  'call.refused',
  'liveness.passed',
  'liveness.failed',
  'quota.reached',
] as const;

export const webhookScope = 'webhooks';
export const webhookScopeMeaning =
  'create, change, test and delete webhooks of the client, which are sent what its calls find';

export const webhookStatuses = {
  webhookNotFound: {
    status: '425',
    http: 404,
    message: 'webhook_id not found',
    when: 'The client has no such webhook; also when it belongs to another client.',
    title: 'Webhook not found',
  },
} as const;
