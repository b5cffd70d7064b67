import { signal } from '@preact/signals';
import { store, storedIn } from './storage.ts';

/** A screen at a door: its token identifies faces in one gallery and does nothing else, also without a sign-in. */
interface DoorScreen {
  readonly gallery: string;
  readonly token: string;
}

const storageKey = 'wajah.door';

/** The screen that this tab is, which outlives a reload. */
export const doorScreen = signal<DoorScreen | null>(
  JSON.parse(storedIn('sessionStorage', storageKey) ?? 'null'),
);

doorScreen.subscribe((screen) => store('sessionStorage', storageKey, screen && JSON.stringify(screen)));
