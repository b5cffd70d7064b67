import type { Gallery } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';

const views = ['people', 'duplicates', 'thresholds', 'settings'] as const;
type View = (typeof views)[number];

/** The view of an address; people where it names none. */
export function viewOf(name: string | undefined): View {
  return views.find((view) => view === name) ?? 'people';
}

/** Links to the parts of a gallery. */
export function GalleryTabs({ gallery, view }: { gallery: Gallery; view: View }) {
  const { facegallery_id: name, n_face: people } = gallery;
  const { galleries } = messages.value;
  const texts: Readonly<Record<View, string>> = {
    people: galleries.viewPeople(formatNumber(people)),
    duplicates: galleries.viewDuplicates,
    thresholds: galleries.viewThresholds,
    settings: galleries.settings,
  };
  return (
    <nav class="tabs" aria-label={galleries.views}>
      {views.map((one) => (
        <a
          key={one}
          href={one === 'people' ? hrefOf('galleries', name) : hrefOf('galleries', name, one)}
          aria-current={one === view ? 'page' : undefined}
        >
          {texts[one]}
        </a>
      ))}
    </nav>
  );
}
