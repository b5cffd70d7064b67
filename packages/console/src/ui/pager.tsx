import { messages } from '../i18n/messages.ts';
import type { Pages } from '../state/use-pages.ts';
import { Icon } from './icon.tsx';

/** Leads to the newer and the older page of a list; nothing where there is only one. */
export function Pager({ pages, next, busy }: { pages: Pages; next: number | null; busy: boolean }) {
  const { common } = messages.value;
  if (pages.number === 1 && next === null) return null;
  return (
    <div class="row between">
      <button type="button" class="button" disabled={busy || pages.number === 1} onClick={pages.newer}>
        <Icon name="back" />
        {common.newer}
      </button>
      <span class="muted small numbers" role="status">
        {common.pageNumber(pages.number)}
      </span>
      <button
        type="button"
        class="button"
        disabled={busy || next === null}
        onClick={() => next !== null && pages.older(next)}
      >
        {common.older}
        <Icon name="next" />
      </button>
    </div>
  );
}
