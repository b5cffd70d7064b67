import type { EnrolFaceRequest } from '@wajah/client';
import type { ComponentChildren } from 'preact';
import type { Gallery } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import type { Box, Picture } from '../draw/picture.ts';
import { formatSimilarity } from '../i18n/format.ts';
import { looksLike } from '../i18n/messages.ts';
import { type ApiError, useLoad } from '../state/request.ts';
import { hrefOf } from '../state/route.ts';
import { Button } from './icon.tsx';
import { LoadState, Notice } from './notice.tsx';
import { PersonFace } from './person-face.tsx';
import { FaceThumbnail } from './picture-input.tsx';

/** Somebody who is enrolled, and may be the person of a refused picture. */
export interface Likeness {
  readonly userId: string;
  /** It is the user_id of the enrolment. */
  readonly taken: boolean;
  /** Whose pictures were to be replaced. */
  readonly replaces: boolean;
  /** Undefined: no face was compared. */
  readonly similarity: number | undefined;
  /** One of the person's own pictures, sent with another name. */
  readonly samePicture: boolean;
  /** The face in the picture that was sent. */
  readonly box: Box | undefined;
}

/**
 * @param userId that the enrolment was sent with; undefined: a user_id that is taken is no likeness
 * @param replaces the pictures of that user_id
 * @returns undefined: it was refused for another reason
 */
export function likenessIn(
  { answer: refused = {} }: ApiError,
  userId?: string,
  replaces = false,
): Likeness | undefined {
  const answer = refused as {
    error?: string;
    duplicate_user_id?: string;
    similarity?: number;
    same_picture?: boolean;
    face?: { box: Box };
  };
  const { duplicate_user_id: other, similarity, same_picture: samePicture = false, face } = answer;
  const taken = answer.error === 'userEnrolled';
  const theirs = taken ? userId : other;
  if (theirs === undefined) return undefined;
  return { userId: theirs, taken, replaces, similarity, samePicture, box: face?.box };
}

interface Props {
  readonly gallery: Gallery['facegallery_id'];
  readonly picture: Picture;
  /** The face in the picture, where it is not that of the answer. */
  readonly box?: Box | undefined;
  readonly likeness: Likeness;
  readonly disabled?: boolean;
  /** @param userName of the enrolled person, which stays */
  readonly onSame: (userId: string, userName: string) => void;
  readonly onDifferent: () => void;
  /** What the button says that calls it. @param name of the enrolled person */
  readonly different?: (name: string) => string;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** A refused picture beside the enrolled person whom it looks like, and what is done in either case. */
export function LooksLike({ gallery, picture, box, likeness, disabled = false, children, ...on }: Props) {
  const { userId, taken, similarity, samePicture } = likeness;
  const load = useLoad(
    (signal) => wajah.describeFace({ facegallery_id: gallery, user_id: userId }, { signal }),
    userId,
  );
  const person = load.answer;
  const name = person?.user_name ?? userId;
  const face = box ?? likeness.box;
  const isSuspended = typeof person?.suspended_at === 'string';
  return (
    <div class="looks-like stack">
      <Notice tone="warn" alert>
        <p>
          <strong>
            {titleOf(likeness, name)}
            {similarity === 1 && ` · ${looksLike.samePicture}`}
          </strong>
        </p>
        <p>{taken ? looksLike.takenText : looksLike.text}</p>
        {isSuspended && <p>{looksLike.suspendedText(name)}</p>}
      </Notice>
      <LoadState load={load} />
      <div class="both">
        <figure class="stack tight small">
          {face ? (
            <FaceThumbnail picture={picture} box={face} />
          ) : (
            <img class="crop" src={picture.url} alt="" />
          )}
          <figcaption>{looksLike.newPicture}</figcaption>
        </figure>
        <figure class="stack tight small">
          {person?.has_crop && <PersonFace gallery={gallery} userId={userId} version={person.updated_at} />}
          {person && !person.has_crop && <p class="hint">{looksLike.noFace(name)}</p>}
          <figcaption>
            <a href={hrefOf('galleries', gallery, 'people', userId)}>{name}</a>{' '}
            <span class="mono muted">{userId}</span>
          </figcaption>
        </figure>
      </div>
      <div class="row">
        {!isSuspended && (
          <Button disabled={disabled || !person} onClick={() => on.onSame(userId, name)}>
            {samePicture ? looksLike.keepName(name) : looksLike.same(name)}
          </Button>
        )}
        {(!taken || (similarity !== undefined && on.different)) && (
          <Button disabled={disabled} onClick={on.onDifferent}>
            {on.different?.(name) ?? looksLike.different}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

function titleOf({ userId, taken, similarity }: Likeness, name: string): string {
  if (similarity === undefined) return looksLike.takenSuspended(userId, name);
  const shown = formatSimilarity(similarity);
  return taken ? looksLike.taken(userId, name, shown) : looksLike.title(name, shown);
}

type Send<Answer> = (signal: AbortSignal) => Promise<Answer>;

/**
 * For a form that enrols a picture: whom the refused face looks like.
 * @param enrol sends the enrolment with other fields
 */
export function likenessRemedy<Answer>(
  of: Pick<Props, 'gallery' | 'picture' | 'box'>,
  enrol: (fields: Partial<EnrolFaceRequest>) => Send<Answer>,
) {
  return (error: ApiError, again: (send: Send<Answer>) => void) => {
    const likeness = likenessIn(error);
    return (
      likeness && (
        <LooksLike
          key={likeness.userId}
          {...of}
          likeness={likeness}
          onSame={(user_id, user_name) => again(enrol({ user_id, user_name, if_exists: 'append' }))}
          onDifferent={() => again(enrol({}))}
        />
      )
    );
  };
}
