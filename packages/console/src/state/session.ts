import { signal } from '@preact/signals';

/** Who is signed in. The token lives in memory only: a reload forgets it. */
export interface Session {
  readonly clientId: string;
  readonly token: string;
}

export const session = signal<Session | null>(null);

/** Why nobody is signed in any more; the sign-in page says so. */
export const sessionEnd = signal<'none' | 'left' | 'expired'>('none');

export function beginSession(started: Session): void {
  session.value = started;
  sessionEnd.value = 'none';
}

export function endSession(why: 'left' | 'expired'): void {
  session.value = null;
  sessionEnd.value = why;
}
