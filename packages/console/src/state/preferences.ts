import { batch, computed, effect, signal } from '@preact/signals';
import { store, storedIn } from './storage.ts';

declare global {
  interface ImportMeta {
    /** Vite's: the modules whose paths match. */
    glob<Module>(pattern: string): Readonly<Record<string, () => Promise<Module>>>;
  }
}

/** Texts in one language by area and name: what a file of `languages` has. */
type Texts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const files = import.meta.glob<{ readonly texts: Texts }>('../languages/*.ts');
const fileOf = (tag: string) => `../languages/${tag}.ts`;

/** English, and those of the files, by their BCP 47 tags. */
export const languages = ['en', ...Object.keys(files).map((path) => path.slice(fileOf('').length - 3, -3))];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const languageKey = 'wajah.language';
const themeKey = 'wajah.theme';

export const language = signal(stored(languageKey, languages) ?? preferredLanguage());
/** The texts in the language of the page; what they lack is English. */
export const translation = signal<Texts>({});
export const theme = signal<Theme>(stored(themeKey, themes) ?? 'system');

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

let asked: string;

/** Shows the pages in a language, once its texts are loaded; they are English where those cannot be. */
export async function chooseLanguage(tag: string): Promise<void> {
  asked = tag;
  const file = await files[fileOf(tag)]?.().catch(() => undefined);
  if (asked !== tag) return;
  batch(() => {
    language.value = tag;
    translation.value = file?.texts ?? {};
  });
}

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

function preferredLanguage(): string {
  const tags = globalThis.navigator?.languages ?? [];
  return tags.flatMap((tag) => languages.find((one) => tag.startsWith(one)) ?? [])[0] ?? 'en';
}

function stored<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  const value = storedIn('localStorage', key);
  return names.find((name) => name === value);
}
