import type { Outputs } from '../../operations/output.ts';

export const openidOutputs: Outputs = {
  'openid create': {
    nulls: { issuer: 'none: to sign people in, set WAJAH_OPENID=true and WAJAH_PUBLIC_URL' },
    note: ({ app_secret }) => (app_secret === null ? undefined : 'The secret is not shown again.'),
  },
};
