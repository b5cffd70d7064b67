import { useEffect, useState } from 'preact/hooks';
import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { SimilarityResult } from '../../ui/similarity/similarity-result.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';

type Slot = 'first' | 'second';

/** Compares the faces of two pictures. */
export function ComparePanel() {
  const [pictures, setPictures] = useState<Partial<Record<Slot, Picture>>>({});
  const call = useRequest<Comparison>();
  const { tryIt } = messages.value;
  const { first, second } = pictures;
  useEffect(() => {
    if (!first || !second) return;
    const pictures = { source_image: first.blob, target_image: second.blob };
    void call.run((signal) => wajah.compareImages(pictures, { signal }));
  }, [first, second]);
  function replace(slot: Slot, picture: Picture | undefined) {
    const previous = pictures[slot];
    if (previous) releasePictures([previous]);
    call.clear();
    setPictures({ ...pictures, [slot]: picture });
  }
  return (
    <div class="stack wide">
      <div class="pair">
        <PictureSlot label={tryIt.first} picture={first} onChange={(picture) => replace('first', picture)} />
        <PictureSlot
          label={tryIt.second}
          picture={second}
          onChange={(picture) => replace('second', picture)}
        />
      </div>
      <div aria-live="polite">
        {call.busy && <Loading text={tryIt.comparing} />}
        {!call.busy && call.error && <ErrorNotice error={call.error} />}
        {!call.busy && !call.error && call.answer && <SimilarityResult comparison={call.answer} />}
        {!call.busy && !call.error && !call.answer && (
          <EmptyState icon="person" title={tryIt.compareEmpty} text={tryIt.compareEmptyText} />
        )}
      </div>
    </div>
  );
}

function PictureSlot(props: {
  label: string;
  picture: Picture | undefined;
  onChange: (picture: Picture | undefined) => void;
}) {
  const { tryIt } = messages.value;
  return (
    <section class="card" aria-label={props.label}>
      <h2 class="slot-title">{props.label}</h2>
      {props.picture ? (
        <>
          <figure class="canvas">
            <img src={props.picture.url} alt={props.picture.name} />
          </figure>
          <button type="button" class="button" onClick={() => props.onChange(undefined)}>
            <Icon name="refresh" />
            {tryIt.another}
          </button>
        </>
      ) : (
        <PictureInput label={props.label} onPictures={([picture]) => props.onChange(picture)} />
      )}
    </section>
  );
}
