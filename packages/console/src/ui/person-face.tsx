import { useEffect, useRef } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { keptSignal } from '../state/session.ts';
import { Icon } from './icon.tsx';

/** Addresses of faces that the server has shown, by what was asked for; null: none is kept. */
const faces = keptSignal<ReadonlyMap<string, string | null>>(new Map());

/** Kept in memory at most, about 8 kB each. */
const mostFaces = 1000;
/** People of a call: the server's limit. */
const mostOfCall = 50;
/** Milliseconds in which the faces that come into view are asked for together. */
const pauseMs = 40;

/** Faces this near to the window are asked for: a page of a wall is printed whole. */
const near = '200%';

type Asked = readonly [gallery: string, userId: string, version: string];

/** Those that could not be loaded. */
const failed = keptSignal<ReadonlyMap<string, Asked>>(new Map());
/** Milliseconds until they are asked for again: the least; doubled with each failure in sequence. */
const againMs = 3000;
const longestMs = 60_000;
let waitMs = againMs;

let waiting = new Map<string, Asked>();

/** Asks for a face with all others that are wanted at this moment: a page of people is one call, and one record of it. */
function ask(key: string, asked: Asked): void {
  if (faces.peek().has(key) || waiting.has(key) || failed.peek().has(key)) return;
  if (waiting.size === 0) setTimeout(askAll, pauseMs);
  waiting.set(key, asked);
}

function askAll(): void {
  const all = [...waiting];
  waiting = new Map();
  for (const gallery of new Set(all.map(([, [name]]) => name))) {
    const some = all.filter(([, [name]]) => name === gallery);
    for (let from = 0; from < some.length; from += mostOfCall)
      void load(gallery, some.slice(from, from + mostOfCall));
  }
}

/** Asks again for the faces that could not be loaded. */
export function askAgain(): void {
  const all = failed.peek();
  failed.value = new Map();
  for (const [key, asked] of all) ask(key, asked);
}

async function load(gallery: string, wanted: readonly (readonly [string, Asked])[]): Promise<void> {
  const user_ids = [...new Set(wanted.map(([, [, userId]]) => userId))];
  try {
    const answer = await wajah.getFaceThumbnails({ facegallery_id: gallery, user_ids });
    const images = new Map(answer.faces.map(({ user_id, image }) => [user_id, addressOf(image)]));
    const known = faces.peek().size > mostFaces ? [] : faces.peek();
    faces.value = new Map([
      ...known,
      ...wanted.map(([key, [, userId]]) => [key, images.get(userId) ?? null] as const),
    ]);
    waitMs = againMs;
  } catch {
    if (failed.peek().size === 0) setTimeout(askAgain, waitMs);
    waitMs = Math.min(longestMs, 2 * waitMs);
    failed.value = new Map([...failed.peek(), ...wanted]);
  }
}

/** How many faces of a gallery could not be loaded. */
export const failedFaces = (gallery: string): number =>
  [...failed.value.values()].filter(([name]) => name === gallery).length;

/** Address of a JPEG in base64. */
export function addressOf(image: string | null): string | null {
  return image === null ? null : `data:image/jpeg;base64,${image}`;
}

interface PersonFaceProps {
  readonly gallery: string;
  readonly userId: string;
  /** Another one asks for the face again. */
  readonly version?: string | undefined;
  /** A sign in place of a face that is not kept; default: nothing. Another one is in place of what could not be loaded. */
  readonly sign?: boolean;
}

/** The newest face of a person, beside the name, when it comes near. */
export function PersonFace({ gallery, userId, version = '', sign = false }: PersonFaceProps) {
  const element = useRef<HTMLSpanElement>(null);
  const key = JSON.stringify([gallery, userId, version]);
  const address = faces.value.get(key);
  const isFailed = failed.value.has(key);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        ask(key, [gallery, userId, version]);
      },
      { rootMargin: near },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [key]);
  if (address === null && !sign) return null;
  return (
    <span class={isFailed ? 'person-face failed' : 'person-face'} ref={element} aria-hidden="true">
      {address && <img src={address} alt="" />}
      {address === null && <Icon name="person" />}
      {isFailed && <Icon name="refresh" />}
    </span>
  );
}
