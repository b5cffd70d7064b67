import { translated } from '../../i18n/translated.ts';
import { lazyPage } from '../../ui/shell.tsx';

const texts = translated('activity', { title: 'Activity' });

/** The page in the navigation. */
export const activityPage = {
  text: () => texts.title,
  icon: 'chart',
  daily: true,
  Page: lazyPage(async () => (await import('./activity-page.tsx')).ActivityPage),
} as const;
