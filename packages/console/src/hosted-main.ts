import './styles/hosted.css';
import {
  httpTransport,
  type LivenessTransport,
  languageOf,
  type Session,
  textsFor,
  type WajahLiveness,
} from '@wajah/capture';
import '@wajah/capture';
import { linkTextsFor } from '@wajah/capture/link-texts';

/** Milliseconds that the verdict is shown before the person is led on. */
const readingTime = 3000;
/** Milliseconds after which a server that was not reached is asked again. */
const pauseMs = 3000;

const asked = new URLSearchParams(location.search).get('lang');
const language = languageOf(asked ?? navigator.language);
const text = linkTextsFor(language);
const [session_id = '', secret = ''] = location.hash.slice(1).split('.');
const main = document.querySelector('main')!;
document.documentElement.lang = language;
document.title = textsFor(language).title;
const heading = document.createElement('h1');
heading.textContent = document.title;
main.append(heading);

interface Answer {
  readonly status: string;
  readonly state?: 'waiting' | 'open' | 'passed' | 'failed' | 'expired' | 'ended';
  readonly expires_at: string;
  readonly redirect_url?: string;
  readonly enrols?: Enrols;
}

/** Whom the link enrols. */
interface Enrols {
  readonly user_name: string;
  readonly facegallery_id: string;
  readonly keeps_crop: boolean;
}

/** Why a try has ended without a verdict. */
interface TryError {
  readonly code: string;
  readonly retryAfter?: number;
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

const line = document.createElement('p');
line.setAttribute('role', 'status');

function say(words: string): void {
  line.append(line.textContent && ' ', words);
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

function paragraph(words: string): HTMLElement {
  const found = document.createElement('p');
  found.textContent = words;
  return found;
}

function button(words: string, act: () => void): HTMLElement {
  const found = document.createElement('button');
  found.type = 'button';
  found.textContent = words;
  found.addEventListener('click', act);
  return found;
}

/** Whose face is enrolled, and what is kept, above the check until it begins; who is somebody else does not begin it. */
function announce({ user_name, facegallery_id, keeps_crop }: Enrols, element: WajahLiveness): void {
  const title = text.enrol;
  document.title = title;
  heading.textContent = title;
  element.texts = { title };
  const enrols = text.enrols.replace('{name}', () => user_name).replace('{gallery}', () => facegallery_id);
  const section = document.createElement('section');
  const kept = keeps_crop ? text.keepsCrop : text.keepsNone;
  const isNot = button(text.notMe, () => {
    heading.textContent = text.notMe;
    heading.className = '';
    const back = button(text.back, () => location.reload());
    section.replaceChildren(paragraph(text.notMeText), back);
    element.remove();
    back.focus();
  });
  section.append(paragraph(enrols), paragraph(kept), isNot);
  main.append(section);
}

function run(enrols: Enrols | undefined): void {
  // The element shows a heading of its own.
  heading.className = 'visually-hidden';
  const element: WajahLiveness = document.createElement('wajah-liveness');
  if (enrols) announce(enrols, element);
  element.lang = language;
  element.transport = transport();
  for (const name of ['passed', 'failed'] as const) {
    element.addEventListener(name, (event) => {
      const { liveness, redirect_url, tries_left, error } = (event as CustomEvent).detail;
      if (liveness === undefined) void open(element, error).catch(() => undefined);
      else if (!tries_left) proceed(redirect_url);
    });
  }
  main.append(element);
}

/** Errors after which the link may be of no more use. */
const ofLink = ['expired', 'ended', 'paused', 'refused'];

/** What is to be said of a link; undefined: the check can be done. */
function wordsOf({ status, state, expires_at }: Answer, error?: TryError): string | undefined {
  if (status.startsWith('5')) throw new Error(status);
  // Of an erased session, and of a person who is erased or suspended: nobody else is to learn which.
  if (status !== '200' || state === undefined) return text.unknown;
  if (state !== 'waiting' && state !== 'open') return text[state];
  const { code, retryAfter = 60 } = error ?? {};
  const isLate = code === 'paused' && Date.now() + 1000 * retryAfter > Date.parse(expires_at);
  return isLate ? text.paused.replace('{minutes}', String(Math.ceil(retryAfter / 60))) : undefined;
}

/**
 * Shows the check while it can be done, and else what became of the link.
 * @param element shows why a try has ended
 * @throws Error while the server cannot be reached
 */
async function open(element?: WajahLiveness, error?: TryError): Promise<void> {
  if (secret === '') return say(text.incomplete);
  if (error && !ofLink.includes(error.code)) return;
  const headers = { Accesstoken: secret, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ session_id });
  const answer = await fetch('liveness-api/get-session', { method: 'POST', headers, body });
  const found = (await answer.json()) as Answer;
  const words = wordsOf(found, error);
  line.textContent = '';
  if (words === undefined) return element ? undefined : run(found.enrols);
  element?.remove();
  main.querySelector('section')?.remove();
  heading.className = '';
  say(words);
  if (found.state === 'passed' || found.state === 'failed') proceed(found.redirect_url);
}

async function openOnceReached(): Promise<void> {
  try {
    await open();
  } catch {
    if (line.textContent === '') say(text.unreachable);
    setTimeout(openOnceReached, pauseMs);
  }
}

await openOnceReached();
