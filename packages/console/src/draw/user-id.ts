import { isDeviceName } from '@wajah/client';

/**
 * The user ID that follows a name until somebody types another.
 * @example userIdOf('Sri Rahayu'); // 'sri-rahayu'
 */
export function userIdOf(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '-');
}

const folded = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ');

/**
 * The ID of a name: that of the one person of a list who has it, else one that is made of it.
 * @returns '' when several have it, or the name is empty
 */
export function idFor(name: string, listed: readonly Named[]): string {
  const [one, other] = listed.filter(({ userName }) => folded(userName) === folded(name));
  return one ? (other ? '' : one.userId) : userIdOf(name);
}

/** Who is on a picture, or is to be. */
export interface Named {
  readonly userId: string;
  readonly userName: string;
}

/** Characters of a name: the server's limit. */
const longest = 120;

/**
 * Name and ID from the name of a file; a number before the name is the ID. None from a name that a camera gave.
 * @example namesOf('1001_Harry.jpg'); // { userId: '1001', userName: 'Harry' }
 * @example namesOf('Sri_Rahayu.jpg'); // { userId: 'sri-rahayu', userName: 'Sri Rahayu' }
 */
export function namesOf(file: string): Named {
  // Browsers add an ending that is there, and a number to the name of a copy.
  const stem = file
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(/(\.(jpe?g|png|webp|heic))+$/i, '')
    .replace(/ ?\(\d+\)$/, '')
    .trim();
  const words = stem.replace(/[_\s]+/g, ' ').trim();
  const [, number, name = words] = /^(\d+)[ .-]+(\p{L}.*)$/u.exec(words) ?? [];
  if (isDeviceName(name)) return { userId: number ?? '', userName: '' };
  const userName = name.slice(0, longest);
  return { userId: number ?? userIdOf(userName), userName };
}
