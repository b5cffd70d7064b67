import { signal } from '@preact/signals';
import type * as Table from '@wajah/contract/refusals';
import { type StatusRow, statuses } from '@wajah/contract/statuses';
import { language } from '../state/preferences.ts';
import { formatSimilarity, formatTime } from './format.ts';

/** What the server says of a refusal. */
interface Refusal {
  readonly status: string;
  readonly message: string;
  readonly detail: string;
  /** The whole answer or record. */
  readonly answer?: object | undefined;
}

/** A refusal in the language of the page. */
export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** The sentence of the server in English, where `text` is only what its status means. */
  readonly original?: string;
}

const rows: readonly StatusRow[] = Object.values(statuses);

/** The table of sentences, loaded with the first refusal. */
const table = signal<typeof Table>();
let isAsked = false;

function load(): void {
  if (isAsked) return;
  isAsked = true;
  import('@wajah/contract/refusals').then(
    (loaded) => {
      table.value = loaded;
    },
    // The server cannot be reached: refusals have their titles.
    () => undefined,
  );
}

/** The sentence of a refusal for people; undefined: its code is not known here, or the table is not loaded. */
function sentenceOf(answer: object): string | undefined {
  load();
  if (!('params' in answer)) return undefined;
  const plain = table.value
    ?.refusalSentence(answer, language.value, 'people')
    ?.replaceAll(' px', language.value === 'en' ? ' pixels' : ' piksel')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatTime)
    .replace(/\b\d\.\d{4}\b/g, (similarity) => formatSimilarity(Number(similarity)));
  if (plain === undefined) return undefined;
  // The name of a field is as it is.
  return /^\w+: /.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** @example refusalText({ status: '412', message: 'Face not detected', detail: '…' }).title; // 'Wajah tidak terdeteksi' */
export function refusalText({ status, message, detail, answer = {} }: Refusal): RefusalText {
  const row = rows.find((one) => one.status === status);
  const sentence = sentenceOf(answer);
  if (language.value === 'en' || row === undefined)
    return { title: row?.title[0] ?? message, text: sentence ?? detail };
  const [, title] = row.title;
  if (detail === '') return { title, text: row.advice };
  return sentence === undefined ? { title, text: row.advice, original: detail } : { title, text: sentence };
}
