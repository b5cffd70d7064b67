import { isWajahError, WajahError } from '@wajah/client';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A failed call, as the pages show it. */
export interface ApiError {
  /** HTTP status code; 0 when the server was unreachable, −1 for an error of the page. */
  readonly http: number;
  /** `status` of the answer, or ''. */
  readonly status: string;
  readonly message: string;
  readonly detail: string;
  readonly trxId: string;
  /** The whole answer of a refusal. */
  readonly answer?: object | undefined;
}

/**
 * What a page fetches by itself; the client does so with its calls.
 * @throws WajahError when the server cannot be reached, for which browsers have messages of their own
 */
export async function fetched<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw error instanceof TypeError ? new WajahError('network', { detail: '', cause: error }) : error;
  });
}

/** Converts a caught value. Errors of the page are shown like those of the server. */
export function asApiError(caught: unknown): ApiError {
  if (!isWajahError(caught)) {
    const detail = caught instanceof Error ? caught.message : String(caught);
    return { http: -1, status: '', message: '', detail, trxId: '' };
  }
  const { status, http, detail, trxId = '', answer } = caught;
  if (answer === undefined) return { http: http ?? 0, status: '', message: '', detail, trxId };
  return { http: http ?? 0, status, message: answer.status_message, detail, trxId, answer };
}

/** Milliseconds after which a server that is away is called again. */
const awayMs = 3000;

/** Whether the server is away for a while: it restarts, or the line is down. */
export const isAway = ({ http }: ApiError) => http === 0 || (http >= 502 && http <= 504);

/** Waits before a server that is away is called again; not after an abort. */
export function whileAway(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, awayMs);
    signal.addEventListener('abort', () => resolve());
  });
}

/** A failed or repeated request keeps the previous answer. */
export interface RequestState<Answer> {
  readonly busy: boolean;
  readonly answer?: Answer | undefined;
  readonly error?: ApiError | undefined;
}

interface RequestHandle<Answer> extends RequestState<Answer> {
  /**
   * Starts a request and aborts one that runs.
   * @param onAnswer gets the answer
   * @returns the answer; undefined after a failure
   */
  run(
    work: (signal: AbortSignal) => Promise<Answer>,
    onAnswer?: (answer: Answer) => void,
  ): Promise<Answer | undefined>;
  /** Clears answer and error. */
  clear(): void;
}

/** A request and its state. It is aborted on unmount. */
export function useRequest<Answer>(): RequestHandle<Answer> {
  const [state, setState] = useState<RequestState<Answer>>({ busy: false });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(
    work: (signal: AbortSignal) => Promise<Answer>,
    onAnswer?: (answer: Answer) => void,
  ): Promise<Answer | undefined> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState(({ answer, error }) => ({
      busy: true,
      answer,
      error: error && isAway(error) ? error : undefined,
    }));
    try {
      const answer = await work(controller.signal);
      if (!controller.signal.aborted) setState({ busy: false, answer });
      onAnswer?.(answer);
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

/** Loads on mount, again when `key` changes, and while the server is away. */
export function useLoad<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  key = '',
): RequestState<Answer> & { reload(): void } {
  const caller = useRequest<Answer>();
  const { error } = caller;
  useEffect(() => void caller.run(work), [key]);
  useEffect(() => {
    if (!error || !isAway(error)) return;
    const timer = setTimeout(() => void caller.run(work), awayMs);
    return () => clearTimeout(timer);
  }, [error]);
  return { ...caller, reload: () => void caller.run(work) };
}
