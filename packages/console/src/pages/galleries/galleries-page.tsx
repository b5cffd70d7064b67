import { useState } from 'preact/hooks';
import type { CropPolicy, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { galleries } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { isSampleGallery } from '../../ui/choice.tsx';
import { Check, Form, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, LoadState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/shell.tsx';

export function GalleriesPage() {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const list = load.answer?.facegalleries;
  return (
    <div class="page stack wide">
      <PageHeader title={galleries.title} lead={galleries.lead} />
      <div class="columns side">
        <div class="stack">
          <LoadState load={load} />
          {list?.length === 0 && (
            <EmptyState icon="galleries" title={galleries.empty} text={galleries.emptyText} />
          )}
          {list && list.length > 0 && (
            <ul class="stack">
              {list.map((gallery) => (
                <GalleryCard key={gallery.facegallery_id} gallery={gallery} />
              ))}
            </ul>
          )}
        </div>
        <CreateGallery policy={load.answer?.face_crops ?? 'forbidden'} />
      </div>
    </div>
  );
}

function GalleryCard({ gallery }: { gallery: Gallery }) {
  const { facegallery_id: name, n_face: people } = gallery;
  return (
    <li class="card gallery row between">
      <h2>
        <a href={hrefOf('galleries', name)} aria-label={galleries.open(name)}>
          {name}
          <Icon name="next" />
        </a>
      </h2>
      {!gallery.comparable && <span class="tag warn">{galleries.otherPack}</span>}
      {gallery.require_liveness && <span class="tag good">{galleries.requiresLiveness}</span>}
      {isSampleGallery(name) && <span class="hint">{galleries.drawn}</span>}
      <span class="numbers">{galleries.peopleCount(people, formatNumber(people))}</span>
    </li>
  );
}

/** A gallery that is created is opened: it needs people. */
function CreateGallery({ policy }: { policy: CropPolicy }) {
  const [name, setName] = useState('');
  const [liveness, setLiveness] = useState(false);
  const [chosen, setChosen] = useState<boolean>();
  const crops = chosen ?? policy === 'kept';
  const fields = { facegallery_id: name, require_liveness: liveness };
  return (
    <Card title={galleries.create}>
      <Form
        look="main"
        icon="plus"
        submit={galleries.createButton}
        disabled={name.trim() === ''}
        send={() => wajah.createGallery({ ...fields, ...(policy !== 'forbidden' && { keep_crops: crops }) })}
        onAnswer={() => {
          location.hash = hrefOf('galleries', name.trim());
        }}
      >
        <TextField
          label={galleries.name}
          hint={galleries.createHint}
          identifier
          value={name}
          onInput={setName}
        />
        <Check
          label={galleries.requireLiveness}
          hint={galleries.requireLivenessHint}
          checked={liveness}
          onChange={setLiveness}
        />
        {policy !== 'forbidden' && (
          <Check
            label={galleries.keepCrops}
            hint={galleries.keepCropsHint}
            checked={crops}
            onChange={setChosen}
          />
        )}
      </Form>
    </Card>
  );
}
