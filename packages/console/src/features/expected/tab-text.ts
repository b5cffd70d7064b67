import { translated } from '../../i18n/translated.ts';

/** Loaded with the gallery; the other texts are with what the tab shows. */
export const expectedTab = translated('expectedTab', { view: 'Who is missing' });
