import { messages } from '../../i18n/messages.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DetectResult } from './detect-result.tsx';
import { type PictureEntry, useDetections } from './use-detections.ts';

/** Detects faces in pictures and shows them. */
export function DetectPanel() {
  const { entries, chosen, choose, add, retry } = useDetections();
  const { tryIt } = messages.value;
  const current = entries[chosen];
  return (
    <div class="stack wide">
      <PictureInput
        multiple
        paste
        compact={entries.length > 0}
        label={tryIt.detect}
        onPictures={(pictures) => void add(pictures)}
      />
      {entries.length > 1 && <Thumbnails entries={entries} chosen={chosen} onChoose={choose} />}
      {current ? (
        <DetectResult key={current.picture.url} entry={current} onRetry={() => void retry(chosen)} />
      ) : (
        <EmptyState icon="try" title={tryIt.detectEmpty} text={tryIt.detectEmptyText} />
      )}
    </div>
  );
}

function Thumbnails(props: {
  entries: readonly PictureEntry[];
  chosen: number;
  onChoose: (index: number) => void;
}) {
  const { tryIt } = messages.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of form fields
    <div class="strip" role="group" aria-label={tryIt.pictures}>
      {props.entries.map(({ picture, detection }, index) => (
        <button
          key={picture.url}
          type="button"
          aria-pressed={index === props.chosen}
          aria-label={tryIt.pictureOf(picture.name, detection?.found ?? 0)}
          onClick={() => props.onChoose(index)}
        >
          <img src={picture.url} alt="" />
        </button>
      ))}
    </div>
  );
}
