import { type StatusRow, statuses } from '@wajah/contract/statuses';
import type { AuditRecord } from '../api/types.ts';
import type { Language } from '../state/preferences.ts';

type Subject = readonly [english: string, indonesian: string];

const server: Subject = ['The server', 'Server'];
const operator: Subject = ['The operator', 'Operator'];
const actedOnErased: Subject = ['acted on a client that is erased', 'menangani klien yang telah dihapus'];
const unidentified: Subject = ['Somebody without a valid token', 'Seseorang tanpa token yang sah'];
const erased: Subject = ['A client that is erased', 'Klien yang telah dihapus'];

/** Who did what. */
export function auditSentence({ event, client_id, facts }: AuditRecord, language: Language): string {
  const at = language === 'id' ? 1 : 0;
  const predicate = auditEvents[event]?.[at](facts) ?? `${event} ${JSON.stringify(facts)}`;
  if (event === 'administered') {
    // The facts of a client that is erased are erased with it.
    if (facts['operation'] === undefined) return `${operator[at]} ${actedOnErased[at]}`;
    const whom = client_id === null ? '' : [` for ${client_id}`, ` untuk ${client_id}`][at];
    return `${facts['by'] ?? operator[at]} ${predicate}${whom}`;
  }
  return `${client_id ?? subjectOf(event)[at]} ${predicate}`;
}

function subjectOf(event: string): Subject {
  if (event === 'server_started' || event === 'records_lost') return server;
  return event === 'refused' || event === 'refusals' ? unidentified : erased;
}

/** Facts of an audit record. */
type Facts = Readonly<Record<string, string | number | boolean>>;

type Sentence = (facts: Facts) => string;

/** What was changed of a person, other than the name. */
const changed: Readonly<Record<string, readonly [english: string, indonesian: string]>> = {
  picture: ['removed a picture of a person', 'menghapus satu gambar seseorang'],
  merged: ['merged two people', 'menggabungkan dua orang'],
};

/** The predicates of events: what somebody did. */
export const auditEvents: Readonly<Record<string, readonly [english: Sentence, indonesian: Sentence]>> = {
  client_registered: [() => 'registered', () => 'mendaftar'],
  client_erased: [
    ({ galleries }) => `erased itself and ${count(galleries, 'gallery', 'galleries')}`,
    ({ galleries }) => `menghapus dirinya dan ${galleries} galeri`,
  ],
  gallery_created: [(f) => `created ${gallery(f)}`, (f) => `membuat ${galeri(f)}`],
  gallery_changed: [
    (f) => `changed ${gallery(f)}: ${f['what']}`,
    (f) => `mengubah ${galeri(f)}: ${f['what']}`,
  ],
  gallery_removed: [
    (f) => `deleted ${gallery(f)} with ${count(f['faces'], 'face', 'faces')}`,
    (f) => `menghapus ${galeri(f)} dengan ${f['faces']} wajah`,
  ],
  face_enrolled: [
    (f) =>
      `enrolled a person in ${gallery(f)}${f['way'] === 'card' ? ' with an identity card' : ''}${f['replaced'] ? ', replacing the pictures' : ''}${f['forced'] ? ', without the minimum size' : ''}`,
    (f) =>
      `mendaftarkan seseorang di ${galeri(f)}${f['way'] === 'card' ? ' dengan kartu identitas' : ''}${f['replaced'] ? ', mengganti gambarnya' : ''}${f['forced'] ? ', tanpa batas ukuran wajah' : ''}`,
  ],
  face_changed: [
    (f) => `${changed[String(f['what'])]?.[0] ?? 'renamed a person'} of ${gallery(f)}`,
    (f) => `${changed[String(f['what'])]?.[1] ?? 'mengganti nama seseorang'} di ${galeri(f)}`,
  ],
  face_removed: [(f) => `deleted a person of ${gallery(f)}`, (f) => `menghapus seseorang dari ${galeri(f)}`],
  face_verified: [
    (f) => `verified a face in ${gallery(f)}: ${f['verified'] ? 'match' : 'no match'}`,
    (f) => `memverifikasi wajah di ${galeri(f)}: ${f['verified'] ? 'cocok' : 'tidak cocok'}`,
  ],
  face_identified: [
    (f) =>
      `searched ${gallery(f)}: ${f['identified'] ? count(f['candidates'], 'candidate', 'candidates') : 'nobody'}`,
    (f) => `mencari di ${galeri(f)}: ${f['identified'] ? `${f['candidates']} kandidat` : 'tidak ada'}`,
  ],
  duplicates_searched: [
    (f) =>
      `compared the ${f['people']} people of ${gallery(f)} for duplicates: ${count(f['pairs'], 'pair', 'pairs')}`,
    (f) => `membandingkan ${f['people']} orang di ${galeri(f)} untuk mencari ganda: ${f['pairs']} pasangan`,
  ],
  people_marked_different: [
    (f) => `${f['different'] ? 'marked' : 'no longer marks'} two people of ${gallery(f)} as different`,
    (f) =>
      f['different']
        ? `menandai dua orang di ${galeri(f)} sebagai berbeda`
        : `membatalkan tanda berbeda untuk dua orang di ${galeri(f)}`,
  ],
  person_changed: [
    (f) => `changed the ${String(f['what']).replace(' ', ' and ')} of a person of ${gallery(f)}`,
    (f) => `mengubah data seseorang di ${galeri(f)}: ${f['what']}`,
  ],
  person_suspended: [
    ({ galleries }) => `suspended a person in ${count(galleries, 'gallery', 'galleries')}`,
    ({ galleries }) => `menangguhkan seseorang di ${galleries} galeri`,
  ],
  person_resumed: [
    ({ galleries }) => `ended the suspension of a person in ${count(galleries, 'gallery', 'galleries')}`,
    ({ galleries }) => `mengakhiri penangguhan seseorang di ${galleries} galeri`,
  ],
  person_exported: [
    ({ pictures }) => `exported what is known of a person, ${pictures ? 'with' : 'without'} pictures`,
    ({ pictures }) => `mengekspor data seseorang, ${pictures ? 'dengan' : 'tanpa'} gambar`,
  ],
  person_erased: [
    ({ galleries }) => `erased a person from ${count(galleries, 'gallery', 'galleries')}, with all traces`,
    ({ galleries }) => `menghapus seseorang dari ${galleries} galeri, beserta semua jejaknya`,
  ],
  person_expired: [
    (f) => `had a person of ${gallery(f)} erased, whose time had ended`,
    (f) => `data seseorang di ${galeri(f)} dihapus karena waktunya berakhir`,
  ],
  quota_reached: [
    ({ quota, percent }) => `reached ${percent} % of its quota ${quota}`,
    ({ quota, percent }) => `mencapai ${percent} % kuota ${quota}`,
  ],
  token_created: [
    ({ scopes }) => `created an API token with the scopes ${scopes}`,
    ({ scopes }) => `membuat token API dengan cakupan ${scopes}`,
  ],
  password_changed: [
    (f) => `changed its password${f['api_tokens'] === 'revoked' ? ' and revoked its API tokens' : ''}`,
    (f) => `mengganti kata sandinya${f['api_tokens'] === 'revoked' ? ' dan mencabut token API-nya' : ''}`,
  ],
  token_revoked: [() => 'revoked a token', () => 'mencabut token'],
  webhook_changed: [({ what }) => `changed a webhook: ${what}`, ({ what }) => `mengubah webhook: ${what}`],
  faces_detected: [
    ({ found }) => `detected ${count(found, 'face', 'faces')} in a picture`,
    ({ found }) => `mendeteksi ${found} wajah dalam gambar`,
  ],
  crop_shown: [
    (f) =>
      f['crops'] === undefined
        ? `looked at the picture of a person of ${gallery(f)}`
        : `looked at ${count(f['crops'], 'small picture', 'small pictures')} of people of ${gallery(f)}`,
    (f) =>
      f['crops'] === undefined
        ? `melihat gambar seseorang di ${galeri(f)}`
        : `melihat ${f['crops']} gambar kecil orang di ${galeri(f)}`,
  ],
  images_compared: [
    ({ verified }) => `compared two pictures: ${verified ? 'match' : 'no match'}`,
    ({ verified }) => `membandingkan dua gambar: ${verified ? 'cocok' : 'tidak cocok'}`,
  ],
  session_opened: [
    // The steps of one that waits are drawn when it begins.
    ({ steps }) =>
      `opened a liveness session${steps === 0 ? ', which waits' : ` of ${count(steps, 'step', 'steps')}`}`,
    ({ steps }) => `membuka sesi liveness${steps === 0 ? ' yang menunggu' : ` dengan ${steps} langkah`}`,
  ],
  liveness_judged: [
    ({ images, passed }) =>
      `had liveness judged from ${count(images, 'picture', 'pictures')}: ${passed ? 'passed' : 'not passed'}`,
    ({ images, passed }) =>
      `meminta penilaian liveness dari ${images} gambar: ${passed ? 'lulus' : 'tidak lulus'}`,
  ],
  server_started: [
    ({ version, pack, pad_pack }) =>
      `started: version ${version}, model pack ${pack}, against attacks ${pad_pack}`,
    ({ version, pack, pad_pack }) =>
      `dimulai: versi ${version}, paket model ${pack}, penangkal serangan ${pad_pack}`,
  ],
  refused: [
    ({ refusal, route }) => `was refused at ${route}: ${refusalName(refusal)}`,
    ({ refusal, route }) => `ditolak di ${route}: ${namaPenolakan(refusal)}`,
  ],
  refusals: [
    ({ refusal, count: times }) => `was refused ${count(times, 'time', 'times')}: ${refusalName(refusal)}`,
    ({ refusal, count: times }) => `ditolak ${times} kali: ${namaPenolakan(refusal)}`,
  ],
  records_lost: [
    ({ count: lost }) => `could not write ${count(lost, 'record', 'records')}`,
    ({ count: lost }) => `tidak dapat menulis ${lost} catatan`,
  ],
  administered: [
    (f) => `ran ${'by' in f ? '' : 'wajah '}${f['operation']}${others(f)}`,
    (f) => `menjalankan ${'by' in f ? '' : 'wajah '}${f['operation']}${others(f)}`,
  ],
};

function gallery({ facegallery_id: name }: Facts): string {
  return name === undefined ? 'a gallery whose name is erased' : `gallery ${name}`;
}

function galeri({ facegallery_id: name }: Facts): string {
  return name === undefined ? 'galeri yang namanya dihapus' : `galeri ${name}`;
}

function count(value: Facts[string] | undefined, one: string, many: string): string {
  return value === undefined ? many : `${value} ${value === 1 ? one : many}`;
}

function others({ operation: _, by: __, ...facts }: Facts): string {
  const parts = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** @example refusalName('faceNotDetected'); // 'face not detected' */
function refusalName(name: Facts[string] | undefined): string {
  return String(name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** @example namaPenolakan('faceNotDetected'); // 'Wajah tidak terdeteksi' */
function namaPenolakan(name: Facts[string] | undefined): string {
  const row = (statuses as Readonly<Record<string, StatusRow>>)[String(name)];
  return row?.title[1] ?? refusalName(name);
}
