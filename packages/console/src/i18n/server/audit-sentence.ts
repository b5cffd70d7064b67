import type { AuditRecord } from '../../api/types.ts';
import { language } from '../../state/preferences.ts';
import { auditEvents } from './audit-events.ts';

type Subject = readonly [english: string, indonesian: string];

const server: Subject = ['The server', 'Server'];
const operator: Subject = ['The operator', 'Operator'];
const unidentified: Subject = ['Somebody without a valid token', 'Seseorang tanpa token yang sah'];
const erased: Subject = ['A client that is erased', 'Klien yang telah dihapus'];

/** Who did what, in the language of the page. */
export function auditSentence({ event, client_id, facts }: AuditRecord): string {
  const at = language.value === 'id' ? 1 : 0;
  const predicate = auditEvents[event]?.[at](facts) ?? `${event} ${JSON.stringify(facts)}`;
  if (event === 'administered') {
    const whom = client_id === null ? '' : [` for ${client_id}`, ` untuk ${client_id}`][at];
    return `${operator[at]} ${predicate}${whom}`;
  }
  return `${client_id ?? subjectOf(event)[at]} ${predicate}`;
}

function subjectOf(event: string): Subject {
  if (event === 'server_started' || event === 'records_lost') return server;
  return event === 'refused' || event === 'refusals' ? unidentified : erased;
}
