import { effect, signal } from '@preact/signals';
import type * as Table from '@wajah/contract/refusals';
import { language } from '../state/preferences.ts';
import { englishTitles, indonesianRefusals } from './refusals.ts';

/** What the server says of a refusal. */
interface Refusal {
  readonly status: string;
  readonly message: string;
  readonly detail: string;
  /** The whole answer or record; a record of a former version has no `params`. */
  readonly answer?: object | undefined;
}

/** A refusal in the language of the page. */
export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** The sentence of the server in English, where `text` is only what its status means. */
  readonly original?: string;
}

/** The table of sentences, loaded when the page is Indonesian: in English the server's answer has them. */
const table = signal<typeof Table>();
effect(() => {
  if (language.value !== 'id' || table.peek()) return;
  import('@wajah/contract/refusals').then(
    (loaded) => {
      table.value = loaded;
    },
    // The server cannot be reached: refusals have their titles.
    () => undefined,
  );
});

/** Begins of a sentence that name a field of the call, and its ends that say what a program could send, in both languages. */
const forPrograms =
  /^(append|image|source_image|target_image|user_id|user_name|facegallery_id): |(, or send|, atau kirim) \w+(: \w+)?$|; (same person: send|orang yang sama: kirim) .*$|, (and send|dan kirim) force_register: true .*$/g;

/** The sentence without what only a program can do: the page has buttons for it. */
function forPeople(detail: string): string {
  const plain = detail
    .replace(forPrograms, '')
    .replace('(check_single_face)', '')
    .replaceAll(' px', ' pixels');
  // The name of another field is as it is.
  return /^\w+: /.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** @example refusalText({ status: '412', message: 'Face not detected', detail: '…' }).title; // 'Wajah tidak terdeteksi' */
export function refusalText({ status, message, detail, answer = {} }: Refusal): RefusalText {
  const own = language.value === 'id' ? indonesianRefusals[status] : undefined;
  if (own === undefined) return { title: englishTitles[status] ?? message, text: forPeople(detail) };
  const [title, advice] = own;
  if (detail === '') return { title, text: advice };
  const translated = 'params' in answer ? table.value?.refusalSentence(answer, 'id') : undefined;
  return translated === undefined
    ? { title, text: advice, original: detail }
    : { title, text: forPeople(translated) };
}
