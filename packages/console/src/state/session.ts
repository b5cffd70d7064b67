import { signal } from '@preact/signals';

/** The signed-in client. The token is kept in memory only. */
export interface Session {
  readonly clientId: string;
  readonly token: string;
}

export const session = signal<Session | null>(null);

/** Why the last session ended. */
export const sessionEnd = signal<'none' | 'left' | 'expired'>('none');

export function beginSession(started: Session): void {
  session.value = started;
  sessionEnd.value = 'none';
}

export function endSession(why: 'left' | 'expired'): void {
  session.value = null;
  sessionEnd.value = why;
}
