import { translated } from '../../i18n/translated.ts';

export const activity = translated('activity', {
  title: 'Activity',
  lead: 'Calls of this client and how they were answered. Pictures and templates are not recorded.',
  whoCame:
    'Who came is not recorded: calls that succeed are counted without the person. The door view has a list of today, and saves it as CSV:',
  range: 'Time range',
  today: 'Today',
  week: '7 days',
  month: '30 days',
  dates: 'Dates',
  firstDay: 'From',
  lastDay: 'To',
  errors: 'Refused or failed',
  errorShare: 'Share refused or failed',
  byDay: 'By day',
  day: 'Day',
  dayBegins: 'Calls are counted by days of UTC, which begin at {time} here.',
  routes: 'By endpoint',
  route: 'Endpoint',
  limits: 'Quotas',
  leftOf: '{left} of {limit} left',
  quotaNearlyUsedUp:
    '{name}: {used} of {limit} are used. When all are, further ones are refused with 403; the operator raises the quota.',
  quotaUsedUp:
    '{name}: all {limit} are used, and further ones are refused with 403 until the operator raises the quota.',
  refusals: 'Latest refusals',
  refusalsHow:
    'Refused calls and the latest decisions against a face, at most 1,000. Calls that succeeded are only counted, without the person.',
  refusalsEmpty: 'None with this filter.',
  kind: 'What',
  refused: 'Refused calls',
  rejected: 'Faces not accepted',
  notAccepted: 'Face not accepted',
  person: 'Person (user ID)',
  user: 'User',
  empty: 'No calls in this time range',
  emptyText: 'Choose a longer time range, or make the first call on the page Recognise.',
});
