import { translated } from '../../i18n/translated.ts';

export const audit = translated('audit', {
  title: 'Audit trail',
  how: 'Who did what, and when. Names of people, pictures and templates are never recorded. Check the chain of records with “{command}”.',
  empty: 'No records with this filter.',
  record: 'Record {number}',
  client: 'Client',
  event: 'Event',
  sinceDay: 'Since',
});
