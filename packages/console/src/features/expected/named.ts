/** What other pages call this feature's events and endpoints. */
import { type Facts, gallery } from '../../i18n/facts.ts';

export const expectedEvents = {
  event_expected_set: 'List of expected people set',
  event_expected_linked: 'Enrolment links made',
  event_expected_forgotten: 'List of expected people erased',
  event_expected_refused: 'Enrolment by a link refused',
} as const;

export const expectedSentences = {
  expected_set: (f: Facts) =>
    `set the list of ${f['people']} expected people of ${gallery(f)}; ${f['missing']} have no face`,
  expected_linked: (f: Facts) => `made ${f['links']} enrolment links for ${gallery(f)}`,
  expected_forgotten: (f: Facts) => `erased the list of ${f['people']} expected people of ${gallery(f)}`,
  expected_refused: (f: Facts) => `a face was not enrolled by a link for ${gallery(f)}: ${f['error']}`,
} as const;

export const expectedOperations = ['setExpected', 'listExpected', 'linkExpected', 'forgetExpected'];
