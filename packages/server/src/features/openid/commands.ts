import type { Outputs } from '../../operations/output.ts';

const nulls = { issuer: 'none: to sign people in, set WAJAH_OPENID=true and WAJAH_PUBLIC_URL' };

export const openidOutputs: Outputs = {
  'openid create': {
    nulls,
    note: ({ app_secret }) =>
      app_secret === null
        ? 'The client_id of the app is app_id.'
        : 'The client_id of the app is app_id, its client_secret app_secret, which is not shown again.',
  },
  'openid list': { nulls },
};
