import type { GetAuditAnswer } from '@wajah/client';
import { featureSentences } from '../features/named.ts';
import { count, type Facts, gallery } from './facts.ts';
import { translated } from './translated.ts';

export const auditSubjects = translated('auditSubjects', {
  server: 'The server',
  operator: 'The operator',
  actedOnErased: 'acted on a client that is erased',
  unidentified: 'Somebody without a valid token',
  erased: 'A client that is erased',
  onBehalf: 'for {client}',
});

/** Who did what. */
export function auditSentence({ event, client_id, facts }: GetAuditAnswer['records'][number]): string {
  const { operator, actedOnErased, onBehalf } = auditSubjects;
  const predicate = auditEvents[event]?.(facts, others(facts)) ?? `${event} ${JSON.stringify(facts)}`;
  if (event === 'administered') {
    // The facts of a client that is erased are erased with it.
    if (facts['operation'] === undefined) return `${operator} ${actedOnErased}`;
    const whom = client_id === null ? '' : ` ${onBehalf(client_id)}`;
    return `${facts['by'] ?? operator} ${predicate}${whom}`;
  }
  return `${client_id ?? subjectOf(event)} ${predicate}`;
}

function subjectOf(event: string): string {
  if (event === 'server_started' || event === 'records_lost') return auditSubjects.server;
  return event === 'refused' || event === 'refusals' ? auditSubjects.unidentified : auditSubjects.erased;
}

/** What was changed of a person, other than the name. */
const changed: Readonly<Record<string, string>> = {
  picture: 'removed a picture of a person',
  same_picture: 'sent again a picture of a person',
  merged: 'merged two people',
};

/** @param others the facts of an administration as a text */
type Predicate = (facts: Facts, others: string) => string;

/** The predicates of events: what somebody did. */
const predicates: Readonly<Record<string, Predicate>> = {
  client_registered: () => 'registered',
  client_erased: ({ galleries }) => `erased itself and ${count(galleries, 'gallery', 'galleries')}`,
  gallery_created: (f) => `created ${gallery(f)}`,
  gallery_changed: (f) => `changed ${gallery(f)}: ${f['what']}`,
  gallery_removed: (f) => `deleted ${gallery(f)} with ${count(f['faces'], 'face', 'faces')}`,
  face_enrolled: (f) =>
    `enrolled a person in ${gallery(f)}${f['way'] === 'card' ? ' with an identity card' : ''}${f['replaced'] ? ', replacing the pictures' : ''}${f['forced'] ? ', without the minimum size' : ''}`,
  face_changed: (f) => `${changed[String(f['what'])] ?? 'renamed a person'} of ${gallery(f)}`,
  face_removed: (f) => `deleted a person of ${gallery(f)}`,
  face_verified: (f) => `verified a face in ${gallery(f)}: ${f['verified'] ? 'match' : 'no match'}`,
  face_identified: (f) =>
    `searched ${gallery(f)}: ${f['identified'] ? count(f['candidates'], 'candidate', 'candidates') : 'nobody'}`,
  person_changed: (f) =>
    `changed the ${String(f['what']).replace(' ', ' and ')} of a person of ${gallery(f)}`,
  person_suspended: ({ galleries }) => `suspended a person in ${count(galleries, 'gallery', 'galleries')}`,
  person_resumed: ({ galleries }) =>
    `ended the suspension of a person in ${count(galleries, 'gallery', 'galleries')}`,
  person_exported: ({ pictures }) =>
    `exported what is known of a person, ${pictures ? 'with' : 'without'} pictures`,
  person_erased: ({ galleries }) =>
    `erased a person from ${count(galleries, 'gallery', 'galleries')}, with all traces`,
  person_expired: (f) => `had a person of ${gallery(f)} erased, whose time had ended`,
  quota_reached: ({ quota, percent }) => `reached ${percent} % of its quota ${quota}`,
  token_created: ({ scopes }) => `created an API token with the scopes ${scopes}`,
  password_changed: (f) =>
    `changed its password${f['api_tokens'] === 'revoked' ? ' and revoked its API tokens' : ''}`,
  token_revoked: () => 'revoked a token',
  ...featureSentences,
  faces_detected: ({ found }) => `detected ${count(found, 'face', 'faces')} in a picture`,
  crop_shown: (f) =>
    f['crops'] === undefined
      ? `looked at the picture of a person of ${gallery(f)}`
      : `looked at ${count(f['crops'], 'small picture', 'small pictures')} of people of ${gallery(f)}`,
  images_compared: ({ verified }) => `compared two pictures: ${verified ? 'match' : 'no match'}`,
  session_opened: ({ steps }) =>
    `opened a liveness session${steps === 0 ? ', which waits' : ` of ${count(steps, 'step', 'steps')}`}`,
  liveness_judged: ({ images, passed }) =>
    `had liveness judged from ${count(images, 'picture', 'pictures')}: ${passed ? 'passed' : 'not passed'}`,
  server_started: ({ version, pack, pad_pack }) =>
    `started: version ${version}, model pack ${pack}, against attacks ${pad_pack}`,
  refused: ({ refusal, route }) => `was refused at ${route}: ${refusalName(refusal)}`,
  refusals: ({ refusal, count: times }) =>
    `was refused ${count(times, 'time', 'times')}: ${refusalName(refusal)}`,
  records_lost: ({ count: lost }) => `could not write ${count(lost, 'record', 'records')}`,
  administered: (f, facts) => `ran ${'by' in f ? '' : 'wajah '}${f['operation']}${facts}`,
};

export const auditEvents = translated('auditEvents', predicates);

function others({ operation: _, by: __, ...facts }: Facts): string {
  const parts = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** @example refusalName('faceNotDetected'); // 'face not detected' */
function refusalName(name: Facts[string] | undefined): string {
  return String(name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
