import { useEffect, useState } from 'preact/hooks';
import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { forget, type Picture } from '../../draw/picture.ts';
import { words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Empty, Waiting } from '../../ui/states.tsx';
import { SimilarityResult } from './similarity-result.tsx';

type Slot = 'first' | 'second';

/** Two pictures and how alike their faces are. */
export function ComparePanel() {
  const [pictures, setPictures] = useState<Partial<Record<Slot, Picture>>>({});
  const call = useCall<Comparison>();
  const { tryIt } = words.value;
  const { first, second } = pictures;
  useEffect(() => {
    if (!first || !second) return;
    const pictures = { source_image: first.blob, target_image: second.blob };
    void call.run((signal) => wajah.compareImages(pictures, { signal }));
  }, [first, second]);
  function put(slot: Slot, picture: Picture | undefined) {
    const old = pictures[slot];
    if (old) forget([old]);
    call.clear();
    setPictures({ ...pictures, [slot]: picture });
  }
  return (
    <div class="stack wide">
      <div class="pair">
        <PictureSlot label={tryIt.first} picture={first} onChange={(picture) => put('first', picture)} />
        <PictureSlot label={tryIt.second} picture={second} onChange={(picture) => put('second', picture)} />
      </div>
      <div aria-live="polite">
        {call.busy && <Waiting text={tryIt.comparing} />}
        {!call.busy && call.error && <ErrorNotice error={call.error} />}
        {!call.busy && !call.error && call.answer && <SimilarityResult comparison={call.answer} />}
        {!call.busy && !call.error && !call.answer && (
          <Empty icon="person" title={tryIt.compareEmpty} text={tryIt.compareEmptyText} />
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
  const { tryIt } = words.value;
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
