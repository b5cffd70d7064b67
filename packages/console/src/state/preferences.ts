import { computed, effect, signal } from '@preact/signals';
import { store, storedIn } from './storage.ts';

const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const languageKey = 'wajah.language';
const themeKey = 'wajah.theme';

export const language = signal<Language>(stored(languageKey, languages) ?? preferredLanguage());
export const theme = signal<Theme>(stored(themeKey, themes) ?? 'system');

/** Address of the documents in the language of the page; names of pages follow it. */
export const guideAddress = computed(() => (language.value === 'id' ? 'docs/guide/id/' : 'docs/guide/'));

// Tests read the texts without a browser.
const darkMedia = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
const deviceIsDark = signal(darkMedia?.matches);
darkMedia?.addEventListener('change', () => {
  deviceIsDark.value = darkMedia.matches;
});

/** The theme, or that of the device. */
export const appearance = computed<'light' | 'dark'>(() => {
  if (theme.value !== 'system') return theme.value;
  return deviceIsDark.value ? 'dark' : 'light';
});

/** Applies the preferences to the document and stores them. Called once. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    store('localStorage', languageKey, language.value);
  });
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    store('localStorage', themeKey, theme.value);
  });
}

function preferredLanguage(): Language {
  const tags = globalThis.navigator?.languages ?? [];
  return tags.flatMap((tag) => languages.find((one) => tag.startsWith(one)) ?? [])[0] ?? 'en';
}

function stored<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  const value = storedIn('localStorage', key);
  return names.find((name) => name === value);
}
