import './styles/hosted.css';
import { httpTransport, type LivenessTransport, type Session, type WajahLiveness } from '@wajah/capture';
import '@wajah/capture';

const texts = {
  en: {
    title: 'Liveness check',
    incomplete: 'This link is not complete. Open it again as you got it.',
    unknown: 'This link is not valid. Ask for another one.',
    expired: 'This link has expired. Ask for another one.',
    ended: 'A newer link has ended this one. Open the newest link that you got.',
    passed: 'This check is done: passed.',
    failed: 'This check is done: not passed.',
    unreachable: 'The server could not be reached. Check your connection, then open the link again.',
    proceed: 'Continue',
    close: 'You can close this page.',
  },
  id: {
    title: 'Pemeriksaan liveness',
    incomplete: 'Tautan ini tidak lengkap. Buka kembali seperti yang Anda terima.',
    unknown: 'Tautan ini tidak berlaku. Mintalah tautan lain.',
    expired: 'Tautan ini sudah kedaluwarsa. Mintalah tautan lain.',
    ended: 'Tautan yang lebih baru telah mengakhiri tautan ini. Bukalah tautan terbaru yang Anda terima.',
    passed: 'Pemeriksaan ini selesai: lulus.',
    failed: 'Pemeriksaan ini selesai: tidak lulus.',
    unreachable: 'Server tidak dapat dihubungi. Periksa sambungan Anda, lalu buka tautan lagi.',
    proceed: 'Lanjutkan',
    close: 'Anda dapat menutup halaman ini.',
  },
};

/** Of an erased session, and of a person who is erased or suspended: nobody else is to learn which. */
const lost = ['401', '415', '424'];

/** Milliseconds that the verdict is shown before the person is led on. */
const readingTime = 3000;

const asked = new URLSearchParams(location.search).get('lang');
const language = /^(id|in)\b/i.test(asked ?? navigator.language) ? 'id' : 'en';
const text = texts[language];
const [session_id = '', secret = ''] = location.hash.slice(1).split('.');
const main = document.querySelector('main')!;
document.documentElement.lang = language;
document.title = text.title;
const heading = document.createElement('h1');
heading.textContent = text.title;
main.append(heading);

interface Answer {
  readonly status: string;
  readonly state?: 'waiting' | 'open' | 'passed' | 'failed' | 'expired' | 'ended';
  readonly redirect_url?: string;
}

/** The calls of this session, which the secret allows, and no others. */
function transport(): LivenessTransport {
  const { beginSession, ...calls } = httpTransport({
    createUrl: '',
    beginUrl: 'liveness-api/begin-session',
    detectUrl: 'liveness-api/hint-frame',
    frameUrl: 'liveness-api/send-frame',
    submitUrl: 'liveness-api/submit-session',
    headers: () => ({ Accesstoken: secret }),
  });
  // It was created with the link, and lasts longer than anybody stands before the camera.
  const session: Session = { session_id, steps: [], expires_in: 3600 };
  return { ...calls, ...(beginSession && { beginSession }), createSession: async () => session };
}

function say(words: string): void {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.textContent = words;
  main.append(line);
}

/** What follows the verdict. */
function proceed(url: string | undefined): void {
  if (url === undefined) {
    say(text.close);
    return;
  }
  const link = document.createElement('a');
  link.href = url;
  link.textContent = text.proceed;
  main.append(link);
  setTimeout(() => location.replace(url), readingTime);
}

function run(): void {
  // The element shows a heading of its own.
  heading.className = 'visually-hidden';
  const element: WajahLiveness = document.createElement('wajah-liveness');
  element.lang = language;
  element.setAttribute('once', '');
  element.transport = transport();
  for (const name of ['passed', 'failed'] as const) {
    element.addEventListener(name, (event) => {
      const { liveness, redirect_url, error } = (event as CustomEvent).detail;
      if (liveness !== undefined) return proceed(redirect_url);
      if (!lost.includes(error?.status)) return;
      element.remove();
      heading.className = '';
      say(text.unknown);
    });
  }
  main.append(element);
}

async function open(): Promise<void> {
  if (secret === '') return say(text.incomplete);
  const headers = { Accesstoken: secret, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ session_id });
  const answer = await fetch('liveness-api/get-session', { method: 'POST', headers, body });
  const { status, state, redirect_url } = (await answer.json()) as Answer;
  if (status !== '200' || state === undefined)
    return say(status.startsWith('5') ? text.unreachable : text.unknown);
  if (state === 'waiting' || state === 'open') return run();
  say(text[state]);
  if (state === 'passed' || state === 'failed') proceed(redirect_url);
}

await open().catch(() => say(text.unreachable));
