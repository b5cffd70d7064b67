import { theme } from '../../state/preferences.ts';
import { useDarkness } from '../../ui/chart/use-darkness.ts';

/** Light or dark, as the page is shown now. */
export function useAppearance(): 'light' | 'dark' {
  const dark = useDarkness();
  if (theme.value !== 'system') return theme.value;
  return dark ? 'dark' : 'light';
}
