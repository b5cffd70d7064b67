import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { hrefOf } from '../../state/route.ts';
import { useLoad } from '../../state/use-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Bones } from '../../ui/states.tsx';
import { DeleteGallery } from './delete-gallery.tsx';
import { EnrolPanel } from './enrol-panel.tsx';
import { GallerySettings } from './gallery-settings.tsx';
import { PeopleList } from './people-list.tsx';

/** One gallery: its people, more of them, and its rules. */
export function GalleryPage({ name }: { name: string }) {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const [change, setChange] = useState(0);
  const { galleries } = words.value;
  const gallery = load.answer?.facegalleries.find(({ facegallery_id }) => facegallery_id === name);
  const onChanged = () => {
    setChange((before) => before + 1);
    load.reload();
  };
  return (
    <div class="page stack wide">
      <a class="up" href={hrefOf('galleries')}>
        <Icon name="back" />
        {galleries.back}
      </a>
      <PageHeader title={name} lead={gallery ? leadOf(gallery) : ''} />
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!load.answer && load.busy && <Bones lines={5} />}
      <div class="columns side">
        <div class="stack wide">
          {gallery?.require_liveness && <Notice tone="warn">{galleries.needsProof}</Notice>}
          <EnrolPanel gallery={name} onEnrolled={onChanged} />
          <PeopleList gallery={name} change={change} onChanged={onChanged} />
        </div>
        {gallery && (
          <div class="stack">
            <GallerySettings
              key={`${gallery.threshold} ${gallery.require_liveness}`}
              gallery={gallery}
              onChanged={load.reload}
            />
            <DeleteGallery gallery={gallery} />
          </div>
        )}
      </div>
    </div>
  );
}

function leadOf({ n_face: people, verify_threshold, identify_threshold }: Gallery): string {
  const { galleries } = words.value;
  const thresholds = galleries.inForce(showNumber(verify_threshold, 3), showNumber(identify_threshold, 3));
  return `${galleries.peopleCount(people, showNumber(people))}. ${thresholds}`;
}
