import { effect, signal } from '@preact/signals';

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const languageKey = 'wajah.language';
const themeKey = 'wajah.theme';

export const language = signal<Language>(remembered(languageKey, languages) ?? preferredLanguage());
export const theme = signal<Theme>(remembered(themeKey, themes) ?? 'system');

/** Marks the document and remembers the choices; call once. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    remember(languageKey, language.value);
  });
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    remember(themeKey, theme.value);
  });
}

function preferredLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => isOneOf(tag, languages));
  return (found as Language | undefined) ?? 'en';
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return words.includes(value as Word);
}

/** Storage may be forbidden; then nothing is remembered. */
function remembered<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
  try {
    const value = localStorage.getItem(key);
    return isOneOf(value, words) ? value : undefined;
  } catch {
    return undefined;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See `remembered`.
  }
}
