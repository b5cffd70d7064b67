import type { Person } from '@wajah/client';
import type { Gallery } from '../../api/types.ts';
import { common, door, recognise } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { keptSignal } from '../../state/session.ts';
import {
  chooseGallery,
  GalleryChoice,
  isSampleGallery,
  NobodyEnrolled,
  PersonChoice,
  sampleGallery,
  useGalleries,
} from '../../ui/choice.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { EmptyState, LoadState } from '../../ui/notice.tsx';
import { PictureInput, SamplePictures } from '../../ui/picture-input.tsx';
import { lazyPage, Page, Tabs } from '../../ui/shell.tsx';
import { Compare } from './compare.tsx';
import { IsIt } from './is-it.tsx';
import { look, show } from './looks.ts';
import { Who } from './who.tsx';

const Measure = lazyPage(async () => (await import('./measure.tsx')).Measure);

const modes = ['who', 'is-it', 'compare', 'measure'] as const;
type Mode = (typeof modes)[number];

/** What is asked about a picture, which stays from mode to mode: who is it, is it one person, is it that of another picture, what is measured. */
export function RecognisePage({ view }: { view: string | undefined }) {
  const mode = modes.find((one) => one === view) ?? 'who';
  return (
    <Page title={common.recognise} lead={recognise.lead}>
      <Tabs
        label={recognise.question}
        current={mode}
        tabs={modes.map((one) => [
          one,
          recognise[`mode_${one}`],
          hrefOf('recognise', one === 'who' ? undefined : one),
        ])}
      />
      {mode === 'compare' && <Compare />}
      {mode === 'measure' && <Measure />}
      {(mode === 'who' || mode === 'is-it') && <InGallery mode={mode} />}
    </Page>
  );
}

/** The person of the question "is it this person?", with the gallery of the list it was chosen from. */
const expected = keptSignal<(Person & { readonly gallery: string }) | undefined>(undefined);

/** A question about the people of a gallery. */
function InGallery({ mode }: { mode: Mode }) {
  const galleries = useGalleries();
  const { chosen } = galleries;
  const name = chosen?.facegallery_id ?? '';
  const person = expected.value?.gallery === name ? expected.value : undefined;
  return (
    <>
      <LoadState load={galleries} />
      {galleries.answer && !chosen && <NobodyEnrolled gallery={undefined} />}
      {chosen && (
        <>
          <div class="asking">
            <GalleryChoice {...galleries} />
            {mode === 'is-it' ? (
              <PersonChoice
                key={name}
                gallery={name}
                label={common.person}
                chosen={person}
                onChoose={(found) => {
                  expected.value = found && { ...found, gallery: name };
                }}
              />
            ) : (
              <a class="button" href={hrefOf('recognise', 'door')}>
                <Icon name="camera" />
                {door.title}
              </a>
            )}
          </div>
          <PictureInput
            paste
            label={common.recognise}
            compact={look.value.picture !== undefined}
            onPictures={([taken]) => show(taken)}
          />
          {mode === 'who' && !look.value.picture && (
            <NoPicture gallery={chosen} galleries={galleries.galleries} />
          )}
          {mode === 'is-it' && !look.value.picture && isSampleGallery(name) && (
            <SamplePictures onPicture={show} />
          )}
          {mode === 'is-it' ? (
            <IsIt gallery={name} person={person} />
          ) : (
            <Who gallery={chosen} onEnrolled={galleries.reload} />
          )}
        </>
      )}
    </>
  );
}

/** Pictures of drawn people are offered among drawn people, where nobody else is enrolled; other galleries lead there. */
function NoPicture({ gallery, galleries }: { gallery: Gallery; galleries: readonly Gallery[] }) {
  if (isSampleGallery(gallery.facegallery_id)) return <SamplePictures onPicture={show} />;
  const text = gallery.n_face === 0 ? recognise.emptyFirst : recognise.emptyText;
  return (
    <EmptyState icon="search" title={recognise.empty} text={text}>
      {galleries.some((one) => isSampleGallery(one.facegallery_id)) && (
        <Button onClick={() => chooseGallery(sampleGallery)}>{recognise.trySamples}</Button>
      )}
    </EmptyState>
  );
}
