/** Events that webhooks are told. */
export const webhookTypes = [
  'face.enrolled',
  'face.verified',
  'face.identified',
  'face.erased',
  'call.refused',
  'liveness.failed',
] as const;
