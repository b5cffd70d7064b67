import { useEffect, useRef, useState } from 'preact/hooks';
import { asApiError } from '../../api/api-error.ts';
import { wajah } from '../../api/wajah.ts';
import { forget, type Picture } from '../../draw/picture.ts';
import { type Candidate, isReady } from './enrolment.ts';

export interface Options {
  readonly replace: boolean;
  readonly check_duplicate: boolean;
}

/** The list of people to enrol, and the run through it. */
export function useEnrolment(gallery: string, options: Options, onEnrolled: () => void) {
  const [candidates, setCandidates] = useState<readonly Candidate[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const latest = useRef(candidates);
  latest.current = candidates;
  useEffect(() => () => running?.abort(), [running]);

  const change = (picture: Picture, changes: Partial<Candidate>) =>
    setCandidates((all) => all.map((one) => (one.picture === picture ? { ...one, ...changes } : one)));

  async function run(): Promise<void> {
    const own = new AbortController();
    setRunning(own);
    for (const { picture } of latest.current.filter(isReady)) {
      const candidate = latest.current.find((one) => one.picture === picture);
      if (own.signal.aborted || !candidate) continue;
      change(picture, { state: 'working' });
      change(picture, await enrolled(gallery, candidate, options, own.signal));
    }
    if (!own.signal.aborted) setRunning(undefined);
    onEnrolled();
  }

  return {
    candidates,
    running: running !== undefined,
    run,
    change,
    add: (more: readonly Candidate[]) => setCandidates((all) => [...all, ...more]),
    drop(picture: Picture) {
      forget([picture]);
      setCandidates((all) => all.filter((one) => one.picture !== picture));
    },
    stop() {
      running?.abort();
      setRunning(undefined);
    },
    clear() {
      forget(candidates.map(({ picture }) => picture));
      setCandidates([]);
    },
  };
}

/** What becomes of a candidate. */
async function enrolled(
  gallery: string,
  { picture, userId, userName }: Candidate,
  options: Options,
  signal: AbortSignal,
): Promise<Partial<Candidate>> {
  try {
    const person = { facegallery_id: gallery, user_id: userId, user_name: userName, image: picture.blob };
    await wajah.enrolFace({ ...person, ...options }, { signal });
    return { state: 'enrolled' };
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    return { state: 'failed', error: asApiError(error) };
  }
}
