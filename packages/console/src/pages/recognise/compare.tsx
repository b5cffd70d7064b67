import { calls } from '@wajah/client';
import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { recognise } from '../../i18n/messages.ts';
import { keptSignal } from '../../state/session.ts';
import { CallView } from '../../ui/code.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/notice.tsx';
import { PictureInput, samplePicture } from '../../ui/picture-input.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { SimilarityResult } from '../../ui/similarity.tsx';
import { type Answered, show, useLook } from './looks.ts';

/** The picture that the one of the page is compared with. */
const second = keptSignal<Picture | undefined>(undefined, (dropped) => dropped && releasePictures([dropped]));

function putSecond(picture: Picture | undefined): void {
  if (second.value) releasePictures([second.value]);
  second.value = picture;
}

async function compare(
  source_image: Picture,
  target_image: Picture,
  signal: AbortSignal,
): Promise<Answered<Comparison>> {
  const request = { source_image: source_image.blob, target_image: target_image.blob };
  const answer = await wajah.compareImages(request, { signal });
  return { answer, call: { path: calls.compareImages.path, fields: { source_image, target_image }, answer } };
}

/** Compares the largest faces of two pictures: that of the page, and another one. */
export function Compare() {
  const other = second.value;
  const looked = useLook(other && `compare ${other.url}`, (picture, signal) =>
    compare(picture, other!, signal),
  );
  const { picture, busy, answered, error, again } = looked;
  return (
    <>
      <div class="pair">
        <PictureSlot label={recognise.first} picture={picture} paste={!picture} onChange={show} />
        <PictureSlot
          label={recognise.second}
          picture={other}
          paste={picture !== undefined && !other}
          onChange={putSecond}
        />
      </div>
      <div class="stack" aria-live="polite">
        {busy && <Loading text={recognise.comparing} />}
        {error && <ErrorNotice error={error} onRetry={again} />}
        {answered && <SimilarityResult comparison={answered.answer} />}
        {!(picture && other) && (
          <EmptyState icon="person" title={recognise.compareEmpty} text={recognise.compareEmptyText}>
            <Button onClick={() => void putSamples()}>{recognise.compareSamples}</Button>
          </EmptyState>
        )}
      </div>
      {answered && (
        <details class="card">
          <summary>{recognise.call}</summary>
          <CallView call={answered.call} />
        </details>
      )}
    </>
  );
}

async function putSamples(): Promise<void> {
  show(await samplePicture('sri-1'));
  putSecond(await samplePicture('sri-2'));
}

function PictureSlot(props: {
  label: string;
  picture: Picture | undefined;
  paste: boolean;
  onChange: (picture: Picture | undefined) => void;
}) {
  const { label, picture, paste, onChange } = props;
  return (
    <section class="card" aria-label={label}>
      <h2 class="slot-title">{label}</h2>
      {picture ? (
        <>
          <PictureView picture={picture} alt={picture.name} />
          <Button icon="refresh" onClick={() => onChange(undefined)}>
            {recognise.another}
          </Button>
        </>
      ) : (
        <PictureInput label={label} paste={paste} onPictures={([taken]) => onChange(taken)} />
      )}
    </section>
  );
}
