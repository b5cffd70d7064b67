/** What other pages call this feature's events and endpoints. */
import { type Facts, gallery } from '../../i18n/facts.ts';

export const unknownEvents = {
  event_unknown_kept: 'Unknown person kept',
  event_unknown_listed: 'Unknown people listed',
  event_unknown_assigned: 'Unknown person assigned',
  event_unknown_forgotten: 'Unknown person forgotten',
} as const;

export const unknownSentences = {
  unknown_kept: (f: Facts) => `keeps an unknown person who was seen in ${gallery(f)}`,
  unknown_listed: (f: Facts) => `listed ${f['people']} unknown people of ${gallery(f)}`,
  unknown_assigned: (f: Facts) => `assigned an unknown person of ${gallery(f)}`,
  unknown_forgotten: (f: Facts) => `erased an unknown person of ${gallery(f)}`,
} as const;

export const unknownOperations = ['listUnknown', 'assignUnknown', 'forgetUnknown'];
