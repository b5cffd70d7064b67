import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/api-error.ts';

/** A failed or repeated request keeps the previous answer. */
interface RequestState<Answer> {
  readonly busy: boolean;
  readonly answer?: Answer | undefined;
  readonly error?: ApiError | undefined;
}

interface RequestHandle<Answer> extends RequestState<Answer> {
  /** Starts a request and aborts one that runs. @returns the answer; undefined after a failure */
  run(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined>;
  /** Clears answer and error. */
  clear(): void;
}

/** A request and its state. It is aborted on unmount. */
export function useRequest<Answer>(): RequestHandle<Answer> {
  const [state, setState] = useState<RequestState<Answer>>({ busy: false });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState(({ answer }) => ({ busy: true, answer }));
    try {
      const answer = await work(controller.signal);
      if (!controller.signal.aborted) setState({ busy: false, answer });
      return answer;
    } catch (caught) {
      if (!controller.signal.aborted)
        setState(({ answer }) => ({ busy: false, answer, error: asApiError(caught) }));
      return undefined;
    }
  }
  const clear = () => {
    running.current?.abort();
    setState({ busy: false });
  };
  return { ...state, run, clear };
}

/** Loads on mount and again when `key` changes. */
export function useLoad<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  key = '',
): RequestState<Answer> & { reload(): void } {
  const caller = useRequest<Answer>();
  useEffect(() => void caller.run(work), [key]);
  return { ...caller, reload: () => void caller.run(work) };
}
