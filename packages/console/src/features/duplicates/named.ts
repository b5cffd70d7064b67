/** What other pages call this feature's events and endpoints. */
import { count, type Facts, gallery } from '../../i18n/facts.ts';

export const duplicateEvents = {
  event_duplicates_searched: 'Search for duplicates',
  event_people_marked_different: 'People marked as different',
} as const;

export const duplicateSentences = {
  duplicates_searched: (f: Facts) =>
    `compared the ${f['people']} people of ${gallery(f)} for duplicates: ${count(f['pairs'], 'pair', 'pairs')}`,
  people_marked_different: (f: Facts) =>
    `${f['different'] ? 'marked' : 'no longer marks'} two people of ${gallery(f)} as different`,
} as const;

export const duplicateOperations = ['findDuplicates', 'markDifferent'];
