import { computed } from '@preact/signals';
import { language } from '../state/preferences.ts';
import { activity } from './activity.ts';
import type { Area } from './area.ts';
import { common, login } from './common.ts';
import { enrolment, galleries, people, terms, thresholds } from './galleries.ts';
import { keys } from './keys.ts';
import { liveness } from './liveness.ts';
import { door, recognise } from './recognise.ts';
import { reference } from './reference.ts';
import { system } from './system.ts';
import { figures, tryIt } from './try-it.ts';

const areas = {
  activity,
  common,
  door,
  enrolment,
  figures,
  galleries,
  keys,
  liveness,
  login,
  people,
  recognise,
  reference,
  system,
  terms,
  thresholds,
  tryIt,
};

/** The pairs of an area as the messages of one language. */
type InOneLanguage<Of extends Area> = {
  readonly [Name in keyof Of]: Of[Name][0] extends string ? string : Of[Name][0] & Of[Name][1];
};
type Messages = { readonly [Name in keyof typeof areas]: InOneLanguage<(typeof areas)[Name]> };

/** The messages in the current language. @example messages.value.login.submit */
export const messages = computed(() => {
  const index = language.value === 'en' ? 0 : 1;
  const inOneLanguage = (area: Area) =>
    Object.fromEntries(Object.entries(area).map(([name, pair]) => [name, pair[index]]));
  return Object.fromEntries(
    Object.entries(areas).map(([name, area]) => [name, inOneLanguage(area)]),
  ) as unknown as Messages;
});

/** The message of a name that comes from the server; undefined when there is none. */
export function messageFor(area: keyof Messages, name: string): string | undefined {
  const message = (messages.value[area] as Readonly<Record<string, unknown>>)[name];
  return typeof message === 'string' ? message : undefined;
}
