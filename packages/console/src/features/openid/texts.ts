import { translated } from '../../i18n/translated.ts';

export const openid = translated('openid', {
  view: 'Sign-in apps',
  title: 'Apps that sign people in',
  hint: 'They lead people to this server, which recognises their faces (OpenID Connect).',
  issuer: 'Issuer',
  off: 'This server signs nobody in. Its operator switches it on with:',
  none: 'No apps of this client',
  addresses: 'Redirect addresses',
  kind: 'Kind',
  public: 'without a secret',
  confidential: 'with a secret',
  withHint: 'names the person',
  withoutHint: 'also identifies',
  removeOf: 'Delete the app of {address}',
  removeText: 'It signs nobody in any longer, and its codes and tokens end. People stay enrolled.',
  create: 'New app',
  createButton: 'Register app',
  addressesHint:
    'One a line: https, or http of localhost. Each is compared as a text, so copy it from the app.',
  isPublic: 'It keeps no secret',
  isPublicHint: 'As a program on a phone or in a browser. It must send PKCE.',
  identify: 'Identify without a hint',
  identifyHint:
    'As at a kiosk: without login_hint, whoever stands before the camera is looked for in the gallery. That is weaker than comparing with one person.',
  algorithm: 'Signature of ID tokens',
  createdTitle: 'Configure the app now',
  createdText: 'The app is configured with these values. A secret is shown only once.',
});
