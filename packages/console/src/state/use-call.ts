import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/api-error.ts';

/** Where a call stands. A failed or repeated call keeps the answer of the one before. */
export interface CallState<Answer> {
  readonly busy: boolean;
  readonly answer?: Answer | undefined;
  readonly error?: ApiError | undefined;
}

export interface Caller<Answer> extends CallState<Answer> {
  /** Starts the call; one that runs is given up. Resolves with the answer, or undefined when there is none. */
  run(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined>;
  /** Forgets answer and error. */
  clear(): void;
}

/** A call and its state, for one component; given up when the component goes. */
export function useCall<Answer>(): Caller<Answer> {
  const [state, setState] = useState<CallState<Answer>>({ busy: false });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined> {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setState(({ answer }) => ({ busy: true, answer }));
    try {
      const answer = await work(own.signal);
      if (!own.signal.aborted) setState({ busy: false, answer });
      return answer;
    } catch (caught) {
      if (!own.signal.aborted) setState(({ answer }) => ({ busy: false, answer, error: asApiError(caught) }));
      return undefined;
    }
  }
  const clear = () => {
    running.current?.abort();
    setState({ busy: false });
  };
  return { ...state, run, clear };
}

/** Loads something at once and again whenever `key` changes. */
export function useLoad<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  key = '',
): CallState<Answer> & { reload(): void } {
  const caller = useCall<Answer>();
  useEffect(() => void caller.run(work), [key]);
  return { ...caller, reload: () => void caller.run(work) };
}
