import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { hrefOf } from '../../state/route.ts';
import { useLoad } from '../../state/use-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Bones, Empty } from '../../ui/states.tsx';
import { CreateGallery } from './create-gallery.tsx';

/** All galleries of the client. */
export function GalleriesPage() {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const { galleries } = words.value;
  const list = load.answer?.facegalleries;
  return (
    <div class="page stack wide">
      <PageHeader title={galleries.title} lead={galleries.lead} />
      <div class="columns side">
        <div class="stack">
          {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
          {!list && load.busy && <Bones />}
          {list?.length === 0 && (
            <Empty icon="galleries" title={galleries.empty} text={galleries.emptyText} />
          )}
          {list && list.length > 0 && (
            <ul class="stack">
              {list.map((gallery) => (
                <GalleryCard key={gallery.facegallery_id} gallery={gallery} />
              ))}
            </ul>
          )}
        </div>
        <CreateGallery onCreated={load.reload} />
      </div>
    </div>
  );
}

function GalleryCard({ gallery }: { gallery: Gallery }) {
  const { galleries } = words.value;
  const { facegallery_id: name, n_face: people } = gallery;
  return (
    <li class="card gallery">
      <div class="row between">
        <h2>
          <a href={hrefOf('galleries', name)} aria-label={galleries.open(name)}>
            {name}
            <Icon name="next" />
          </a>
        </h2>
        {!gallery.comparable && <span class="tag warn">{galleries.otherPack}</span>}
        {gallery.require_liveness && <span class="tag good">{galleries.requiresLiveness}</span>}
      </div>
      <dl class="facts">
        <Fact name={galleries.people} value={showNumber(people)} />
        <Fact
          name={galleries.verifyAt}
          value={showNumber(gallery.verify_threshold, 3)}
          note={gallery.threshold === null ? undefined : galleries.own}
        />
        <Fact name={galleries.identifyAt} value={showNumber(gallery.identify_threshold, 3)} />
        <Fact name={galleries.pack} value={gallery.pack ?? words.value.common.none} />
      </dl>
    </li>
  );
}

/** A name, a value, and perhaps a word beside it. */
export function Fact(props: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class="numbers">
        {props.value}
        {props.note !== undefined && <span class="muted small"> {props.note}</span>}
      </dd>
    </div>
  );
}
