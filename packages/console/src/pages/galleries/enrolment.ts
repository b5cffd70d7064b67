import type { ApiError } from '../../api/api-error.ts';
import type { Picture } from '../../draw/picture.ts';

/** Somebody to be enrolled, and how far that is. */
export interface Candidate {
  readonly picture: Picture;
  readonly userId: string;
  readonly userName: string;
  readonly state: 'waiting' | 'working' | 'enrolled' | 'failed';
  readonly error?: ApiError;
}

/** A name and an ID from the name of a file. @example candidateOf(picture) // 'Sri_Rahayu.jpg': Sri Rahayu, sri-rahayu */
export function candidateOf(picture: Picture): Candidate {
  const bare = picture.name.replace(/\.[a-z0-9]{2,5}$/i, '').trim();
  const userName =
    bare
      .replace(/[_\s]+/g, ' ')
      .trim()
      .slice(0, 120) || 'person';
  const userId = userName.toLowerCase().replace(/\s+/g, '-');
  return { picture, userId, userName, state: 'waiting' };
}

/** Whether it is worth sending. */
export function isReady({ userId, userName, state }: Candidate): boolean {
  return (state === 'waiting' || state === 'failed') && userId.trim() !== '' && userName.trim() !== '';
}
