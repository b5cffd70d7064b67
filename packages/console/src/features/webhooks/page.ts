import { translated } from '../../i18n/translated.ts';
import { lazyPage } from '../../ui/shell.tsx';

const icon = {
  strokes:
    'M12 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM18 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.500 9.600 7.500 14.400M9 17h6M13.500 9.600l3 4.800',
};

const texts = translated('webhooks', { title: 'Webhooks' });

/** The page in the navigation. */
export const webhooksPage = {
  text: () => texts.title,
  icon,
  Page: lazyPage(async () => (await import('./webhooks-page.tsx')).WebhooksPage),
};
