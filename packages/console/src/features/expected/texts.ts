import { translated } from '../../i18n/translated.ts';

export const expected = translated('expected', {
  title: 'List of names and IDs',
  hint: 'A CSV file, or lines copied from a spreadsheet, of everybody who is to have a face here: with an ID and a name in each line. A list replaces the former one. It is erased once all have a face.',
  choose: 'Choose a list',
  paste: 'Paste a list',
  compare: 'Who is missing?',
  unreadable: 'This is no list of names and IDs. Each line needs an ID and a name, as 3174001;Sri Rahayu.',
  twice: 'IDs that stand there more than once, of whom one line is used: {ids}.',
  refused:
    'Left out, as a spreadsheet has damaged the ID, it has several names, or one of both is missing: {ids}.',
  counts: '{enrolled} of {all} have a face, these {missing} do not',
  complete: 'All {all} have a face',
  none: 'No list is kept',
  links: 'Links',
  linksHint:
    'Who passes the liveness session on their phone is enrolled from it. Whoever has the link can enrol a face under this name: give it to the person alone. It is valid for a day, for three tries.',
  make: 'Make links for {count}',
  mail: 'By e-mail',
  qr: 'QR code for {name}',
  subject: 'Your face for {gallery}',
  body: 'Dear {name},\n\nplease open this link on your phone until {until} and follow the steps:\n\n{url}\n\nThe link is yours alone. Do not pass it on.\n',
  print: 'Print',
  validUntil: 'valid until {until}',
  made: 'There is a link, {until}. Another one ends it.',
  ended: 'The link has ended',
  failed: 'Not enrolled: {why}',
  failed_liveness: 'no try was passed',
  failed_faceEnrolled: 'the face is that of another person here',
  failed_livenessTokenSpent: 'the session had expired',
  forget: 'Erase the list',
  forgetText: 'Names and links of this list are erased. Nobody who has a face is.',
});
