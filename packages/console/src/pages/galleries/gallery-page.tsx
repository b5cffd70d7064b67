import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { useLoad } from '../../state/use-request.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { DeleteGallery } from './delete-gallery.tsx';
import { Duplicates } from './duplicates/duplicates.tsx';
import { EnrolPanel } from './enrol-panel.tsx';
import { GallerySettings } from './gallery-settings.tsx';
import { PeopleList } from './people-list.tsx';

/** One gallery: enrolment, people, duplicates, settings. */
export function GalleryPage({ name }: { name: string }) {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const [version, setVersion] = useState(0);
  const { galleries } = messages.value;
  const gallery = load.answer?.facegalleries.find(({ facegallery_id }) => facegallery_id === name);
  const onChanged = () => {
    setVersion((before) => before + 1);
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
      {!load.answer && load.busy && <Skeleton lines={5} />}
      <div class="columns side">
        <div class="stack wide">
          {gallery?.require_liveness && <Notice tone="warn">{galleries.needsProof}</Notice>}
          <EnrolPanel gallery={name} onEnrolled={onChanged} />
          <PeopleList gallery={name} version={version} onChanged={onChanged} />
          <Duplicates gallery={name} onChanged={onChanged} />
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
  const { galleries } = messages.value;
  const thresholds = galleries.inForce(
    formatNumber(verify_threshold, 3),
    formatNumber(identify_threshold, 3),
  );
  return `${galleries.peopleCount(people, formatNumber(people))}. ${thresholds}`;
}
