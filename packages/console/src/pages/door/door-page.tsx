import { useState } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { GalleryChoice, NobodyEnrolled, useGalleries } from '../../ui/choose/gallery-choice.tsx';
import { Check } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { DoorView } from './door-view.tsx';

/** Starts the view of a door or desk. */
export function DoorPage() {
  const galleries = useGalleries();
  const { chosen } = galleries;
  const { common, door } = messages.value;
  return (
    <div class="page stack wide">
      <a class="up" href={hrefOf('recognise')}>
        <Icon name="back" />
        {common.recognise}
      </a>
      <PageHeader title={door.title} lead={door.lead} />
      {galleries.error && <ErrorNotice error={galleries.error} onRetry={galleries.reload} />}
      {galleries.busy && !chosen && <Skeleton />}
      {galleries.answer && (chosen?.n_face ?? 0) === 0 && <NobodyEnrolled gallery={chosen?.facegallery_id} />}
      {chosen && <Setup galleries={galleries} gallery={chosen.facegallery_id} empty={chosen.n_face === 0} />}
    </div>
  );
}

function Setup(props: { galleries: ReturnType<typeof useGalleries>; gallery: string; empty: boolean }) {
  const [sound, setSound] = useState(true);
  const [running, setRunning] = useState(false);
  const { door } = messages.value;
  async function start() {
    setRunning(true);
    // Refused where the browser has no full screen: the view then fills the window.
    await document.documentElement.requestFullscreen?.().catch(() => undefined);
  }
  return (
    <section class="card door-setup">
      <GalleryChoice {...props.galleries} />
      <Check label={door.sound} checked={sound} onChange={setSound} />
      <Notice tone="warn">{door.noLiveness}</Notice>
      <p class="hint">{door.privacy}</p>
      <p class="hint">{door.calls}</p>
      <button type="button" class="button main" disabled={props.empty} onClick={() => void start()}>
        <Icon name="camera" />
        {door.start}
      </button>
      {running && (
        <DoorView
          gallery={props.gallery}
          sound={sound}
          onSound={setSound}
          onLeave={() => setRunning(false)}
        />
      )}
    </section>
  );
}
