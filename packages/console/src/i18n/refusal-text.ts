import { signal } from '@preact/signals';
import type * as Table from '@wajah/contract/refusals';
import { type StatusName, statuses } from '@wajah/contract/statuses';
import { translation } from '../state/preferences.ts';
import { formatSimilarity, formatTime } from './format.ts';
import type { Translation } from './translation.ts';

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
function sentenceOf(answer: object, texts?: Table.Reader['texts']): string | undefined {
  load();
  if (!('params' in answer)) return undefined;
  return table.value?.refusalSentence(answer, {
    isPerson: true,
    texts,
    similarity: formatSimilarity,
    time: formatTime,
  });
}

/** @example refusalText({ status: '412', message: 'Face not detected', detail: '…' }).title; // 'Wajah tidak terdeteksi' */
export function refusalText({ status, message, detail, answer = {} }: Refusal): RefusalText {
  const { statuses: titles, refusals } = translation.value as Translation;
  const [name, row] = Object.entries(statuses).find(([, one]) => one.status === status) ?? [];
  const [title = row?.title ?? message, advice] = titles?.[name as StatusName] ?? [];
  const text = sentenceOf(answer, refusals) ?? (advice === undefined ? sentenceOf(answer) : undefined);
  if (text !== undefined || advice === undefined) return { title, text: text ?? detail };
  return { title, text: advice, ...(detail !== '' && { original: detail }) };
}
