import { useEffect, useState } from 'preact/hooks';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { keptSignal } from '../../state/session.ts';
import type { SentCall } from '../../ui/call-text.ts';

/** The picture of the page, and the answer to the last question about it; neither answer nor error while it is sent. */
interface Look {
  readonly picture?: Picture;
  /** Identifies the question: its mode, gallery and person. */
  readonly question?: string;
  readonly answer?: unknown;
  readonly error?: ApiError;
}

/** It stays while other modes and pages are open. */
export const look = keptSignal<Look>({}, ({ picture }) => picture && releasePictures([picture]));

/** Takes another picture; the previous one is released. */
export function show(picture: Picture | undefined): void {
  if (look.value.picture) releasePictures([look.value.picture]);
  look.value = picture ? { picture } : {};
}

/** An answer with the call that was answered. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly call: SentCall;
}

/** The picture of the page with the answer to one question. */
export interface Looked<Answer> {
  readonly picture: Picture | undefined;
  readonly busy: boolean;
  readonly answered: Answered<Answer> | undefined;
  readonly error: ApiError | undefined;
  again(): void;
}

/**
 * Asks about the picture of the page, again with another picture or question.
 * @param question undefined: nothing is asked yet
 */
export function useLook<Answer>(
  question: string | undefined,
  ask: (picture: Picture, signal: AbortSignal) => Promise<Answered<Answer>>,
): Looked<Answer> {
  const { picture, question: asked, answer, error } = look.value;
  const [attempt, setAttempt] = useState(0);
  const settled = asked === question && (answer !== undefined || error !== undefined);
  useEffect(() => {
    if (!picture || question === undefined || settled) return;
    const controller = new AbortController();
    const settle = (result: Partial<Look>) => {
      if (!controller.signal.aborted) look.value = { picture, question, ...result };
    };
    look.value = { picture, question };
    ask(picture, controller.signal).then(
      (answer) => settle({ answer }),
      (caught) => settle({ error: asApiError(caught) }),
    );
    return () => controller.abort();
  }, [picture, question, attempt]);
  return {
    picture,
    busy: picture !== undefined && question !== undefined && !settled,
    answered: settled ? (answer as Answered<Answer> | undefined) : undefined,
    error: settled ? error : undefined,
    again: () => {
      if (picture) look.value = { picture };
      setAttempt(attempt + 1);
    },
  };
}
