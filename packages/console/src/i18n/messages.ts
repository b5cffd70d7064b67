import { computed } from '@preact/signals';
import { language } from '../state/preferences.ts';
import { activity } from './activity.ts';
import { common } from './common.ts';
import { figures } from './figures.ts';
import { galleries } from './galleries.ts';
import { keys } from './keys.ts';
import { liveness } from './liveness.ts';
import { login } from './login.ts';
import { reference } from './reference.ts';
import { system } from './system.ts';
import { tryIt } from './try-it.ts';

const areas = { activity, common, figures, galleries, keys, liveness, login, reference, system, tryIt };

type Messages = { [Area in keyof typeof areas]: (typeof areas)[Area]['en'] };

/** The messages in the current language. @example messages.value.login.submit */
export const messages = computed(() => {
  const entries = Object.entries(areas).map(([name, both]) => [name, both[language.value]]);
  return Object.fromEntries(entries) as Messages;
});

/** The message of a name that comes from the server; undefined when there is none. */
export function messageFor(area: keyof Messages, name: string): string | undefined {
  const message = (messages.value[area] as unknown as Record<string, unknown>)[name];
  return typeof message === 'string' ? message : undefined;
}
