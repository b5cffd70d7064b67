import { messages } from '../../i18n/messages.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { SamplePictures } from '../../ui/camera/sample-pictures.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DetectResult } from './detect-result.tsx';
import { addPictures, choosePicture, detect, entries, removePicture, shownEntry } from './detections.ts';

/** Detects faces in pictures and shows them. */
export function DetectPanel() {
  const shown = shownEntry.value;
  const { tryIt } = messages.value;
  return (
    <div class="stack wide">
      <PictureInput
        multiple
        paste
        compact={shown !== undefined}
        label={tryIt.detect}
        onPictures={(pictures) => void addPictures(pictures)}
      />
      {shown ? (
        <>
          {entries.value.length > 1 && <Thumbnails />}
          <DetectResult
            key={shown.picture.url}
            entry={shown}
            onRetry={() => void detect(shown.picture)}
            onRemove={() => removePicture(shown.picture)}
          />
        </>
      ) : (
        <>
          <SamplePictures onPicture={(picture) => void addPictures([picture])} />
          <EmptyState icon="try" title={tryIt.detectEmpty} text={tryIt.detectEmptyText} />
        </>
      )}
    </div>
  );
}

/** The pictures, of which one is shown. */
function Thumbnails() {
  const shown = shownEntry.value?.picture;
  const { tryIt } = messages.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of form fields
    <div class="strip" role="group" aria-label={tryIt.pictures}>
      {entries.value.map(({ picture, detection }) => (
        <button
          key={picture.url}
          type="button"
          aria-pressed={picture === shown}
          aria-label={tryIt.pictureOf(picture.name, detection?.found ?? 0)}
          onClick={() => choosePicture(picture)}
        >
          <img src={picture.url} alt="" />
        </button>
      ))}
    </div>
  );
}
