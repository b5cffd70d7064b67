import { translated } from './translated.ts';

export const clients = translated('clients', {
  title: 'Clients',
  lead: 'The programs and people that may call this server. What they enrol is theirs: only counts are shown here.',
  list: 'All clients',
  idHint: 'Letters, digits and . _ @ -, for example door-7.',
  operator: 'operator',
  usedOf: '{used} of {limit}',
  ofCommand: 'by {command}, on the server',
  quota: 'Quotas',
  quotaOf: 'Quotas of {client}',
  quotaHint: '-1 is unlimited.',
  reset: 'Reset password',
  resetOf: 'Reset password of {client}',
  resetText:
    'Its password and all of its tokens are refused at once: programs that use them stop until they have the new password.',
  resetDone: 'The new password of {client}',
  create: 'New client',
  createButton: 'Create client',
  createDone: 'The password of {client}',
  onceText:
    'It is shown only once; the server stores a hash of it. Give it to whoever signs in or calls as this client.',
  removeOf: 'Delete {client}',
  removeText:
    'It loses {galleries} galleries with {faces} faces, its tokens and all else that it has. This cannot be undone. Type its client ID to confirm.',
});
