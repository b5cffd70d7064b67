import { useState } from 'preact/hooks';
import type { CropPolicy, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, galleries } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import { isSampleGallery, sampleGallery, useGalleries } from '../../ui/choice.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, LoadState } from '../../ui/notice.tsx';
import { CreateForm } from '../../ui/registry.tsx';
import { Page } from '../../ui/shell.tsx';

export function GalleriesPage() {
  const load = useGalleries();
  return (
    <Page title={common.galleries} lead={galleries.lead}>
      <div class="columns">
        <div class="stack">
          <LoadState load={load}>
            {({ facegalleries: list }) =>
              list.length === 0 ? (
                <EmptyState icon="galleries" title={galleries.empty} text={galleries.emptyText} />
              ) : (
                <>
                  <ul class="stack">
                    {list
                      .filter(({ facegallery_id: name }) => !isSampleGallery(name))
                      .map((gallery) => (
                        <GalleryCard key={gallery.facegallery_id} gallery={gallery} />
                      ))}
                  </ul>
                  {list.some(({ facegallery_id: name }) => isSampleGallery(name)) && (
                    <p class="hint">
                      <a href={hrefOf('galleries', sampleGallery)}>{sampleGallery}</a> · {galleries.drawn}
                    </p>
                  )}
                </>
              )
            }
          </LoadState>
        </div>
        <CreateGallery policy={load.answer?.face_crops ?? 'forbidden'} />
      </div>
    </Page>
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
      {name === `${session.value?.clientId}@trial` && people === 0 && (
        <span class="hint">{galleries.first}</span>
      )}
      <span class="numbers">
        {common.peopleCount(people, formatNumber(people))}{' '}
        <span class="hint">· {gallery.keep_crops ? galleries.faces : galleries.facesNone}</span>
      </span>
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
    <CreateForm
      title={galleries.create}
      submit={galleries.createButton}
      disabled={name.trim() === ''}
      send={() => wajah.createGallery({ ...fields, ...(policy !== 'forbidden' && { keep_crops: crops }) })}
      onAnswer={() => {
        location.hash = hrefOf('galleries', name.trim());
      }}
    >
      <TextField label={common.name} hint={galleries.createHint} identifier value={name} onInput={setName} />
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
    </CreateForm>
  );
}
