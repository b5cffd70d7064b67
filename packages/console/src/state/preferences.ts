import { computed, effect, signal } from '@preact/signals';
import type { Language } from '../i18n/area.ts';

const languages: readonly Language[] = ['en', 'id'];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const languageKey = 'wajah.language';
const themeKey = 'wajah.theme';

export const language = signal<Language>(stored(languageKey, languages) ?? preferredLanguage());
export const theme = signal<Theme>(stored(themeKey, themes) ?? 'system');

/** Address of the documents in the language of the page; names of pages follow it. */
export const guideAddress = computed(() => (language.value === 'id' ? '/docs/guide/id/' : '/docs/guide/'));

const darkMedia = matchMedia('(prefers-color-scheme: dark)');
const deviceIsDark = signal(darkMedia.matches);
darkMedia.addEventListener('change', () => {
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
    store(languageKey, language.value);
  });
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    store(themeKey, theme.value);
  });
}

function preferredLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => isOneOf(tag, languages));
  return (found as Language | undefined) ?? 'en';
}

function isOneOf<Name extends string>(value: unknown, names: readonly Name[]): value is Name {
  return names.includes(value as Name);
}

/** A stored choice; browsers may forbid storage. */
function stored<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  try {
    const value = localStorage.getItem(key);
    return isOneOf(value, names) ? value : undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See `stored`.
  }
}
