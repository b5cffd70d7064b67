import { language } from '../../state/preferences.ts';
import { indonesianDetail } from './details.ts';
import { indonesianRefusals } from './refusals.ts';

/** What the server says of a refusal. */
interface Refusal {
  readonly status: string;
  readonly message: string;
  readonly detail: string;
}

/** A refusal in the language of the page. */
export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** The sentence of the server in English, where `text` is only what its status means. */
  readonly original?: string;
}

/** @example refusalText({ status: '412', message: 'Face not detected', detail: '…' }).title; // 'Wajah tidak terdeteksi' */
export function refusalText({ status, message, detail }: Refusal): RefusalText {
  const own = language.value === 'id' ? indonesianRefusals[status] : undefined;
  if (own === undefined) return { title: message, text: detail };
  const [title, advice] = own;
  if (detail === '') return { title, text: advice };
  const translated = indonesianDetail(detail);
  if (translated !== undefined) return { title, text: translated };
  return { title, text: advice, original: detail };
}
