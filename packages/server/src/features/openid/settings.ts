import { define, group, toggle } from '../../config/setting.ts';

export const openidSettings = group('Sign in with a face', {
  on: define({
    name: 'WAJAH_OPENID',
    fallback: 'false',
    ...toggle(),
    description:
      'Signs people in to apps with their faces, as an OpenID Provider at WAJAH_PUBLIC_URL, which must be https, or http of localhost (`wajah openid create`); see openid.md.',
  }),
});
