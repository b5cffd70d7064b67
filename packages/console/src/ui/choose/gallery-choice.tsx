import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { keptSignal } from '../../state/kept.ts';
import { hrefOf } from '../../state/route.ts';
import { useLoad } from '../../state/use-request.ts';
import { SelectField } from '../field.tsx';
import { EmptyState } from '../states.tsx';

const chosenName = keptSignal('');

/** The galleries of the client, and the chosen one: the choice stays from page to page. */
export function useGalleries() {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const galleries = load.answer?.facegalleries ?? [];
  const chosen: Gallery | undefined =
    galleries.find(({ facegallery_id }) => facegallery_id === chosenName.value) ?? galleries[0];
  return { ...load, galleries, chosen };
}

/** Chooses a gallery. */
export function GalleryChoice({
  galleries,
  chosen,
}: Pick<ReturnType<typeof useGalleries>, 'galleries' | 'chosen'>) {
  const { recognise } = messages.value;
  return (
    <SelectField
      label={recognise.gallery}
      value={chosen?.facegallery_id ?? ''}
      options={galleries.map(({ facegallery_id, n_face }) => [
        facegallery_id,
        `${facegallery_id} · ${recognise.people(n_face)}`,
      ])}
      onChange={(name) => {
        chosenName.value = name;
      }}
    />
  );
}

/** Says that nobody can be found, and leads to where people are enrolled. @param gallery undefined: there is none */
export function NobodyEnrolled({ gallery }: { gallery: string | undefined }) {
  const { recognise } = messages.value;
  return (
    <EmptyState icon="galleries" title={recognise.nobodyEnrolled} text={recognise.nobodyEnrolledText}>
      <a class="button main" href={hrefOf('galleries', gallery)}>
        {gallery === undefined ? recognise.openGalleries : recognise.enrolIn(gallery)}
      </a>
    </EmptyState>
  );
}
