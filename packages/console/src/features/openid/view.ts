import { lazyPage } from '../../ui/shell.tsx';
import { openid } from './texts.ts';

/** The view on the page of the server. */
export const openidView = {
  text: () => openid.view,
  View: lazyPage(async () => (await import('./apps-panel.tsx')).AppsPanel),
};
