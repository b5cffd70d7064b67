import { calls } from '@wajah/client';
import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { common, recognise } from '../../i18n/messages.ts';
import { keptSignal } from '../../state/session.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PictureInput, samplePicture } from '../../ui/picture-input.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { SimilarityResult } from '../../ui/similarity.tsx';
import { AnswerText } from './answer.tsx';
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
  const { picture } = looked;
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
      <AnswerText
        looked={looked}
        busyText={recognise.comparing}
        idle={
          <EmptyState icon="person" title={recognise.compareEmpty} text={recognise.compareEmptyText}>
            <Button onClick={() => void putSamples()}>{recognise.compareSamples}</Button>
          </EmptyState>
        }
        summary={(answer) => <SimilarityResult comparison={answer} />}
      />
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
    <Card title={label}>
      {picture ? (
        <>
          <PictureView picture={picture} alt={picture.name} />
          <Button icon="refresh" onClick={() => onChange(undefined)}>
            {common.another}
          </Button>
        </>
      ) : (
        <PictureInput label={label} paste={paste} onPictures={([taken]) => onChange(taken)} />
      )}
    </Card>
  );
}
