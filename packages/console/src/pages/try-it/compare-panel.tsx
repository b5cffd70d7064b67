import type { Picture } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { samplePicture } from '../../ui/camera/sample-pictures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { SimilarityResult } from '../../ui/similarity/similarity-result.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { compared, putPicture } from './comparison.ts';

/** Compares the faces of two pictures. */
export function ComparePanel() {
  const { pictures, answer, error } = compared.value;
  const { first, second } = pictures;
  const { tryIt } = messages.value;
  const both = first !== undefined && second !== undefined;
  return (
    <div class="stack wide">
      <div class="pair">
        <PictureSlot label={tryIt.first} picture={first} onChange={(one) => void putPicture('first', one)} />
        <PictureSlot
          label={tryIt.second}
          picture={second}
          onChange={(one) => void putPicture('second', one)}
        />
      </div>
      <div aria-live="polite">
        {both && !answer && !error && <Loading text={tryIt.comparing} />}
        {error && <ErrorNotice error={error} />}
        {answer && <SimilarityResult comparison={answer} />}
        {!both && (
          <EmptyState icon="person" title={tryIt.compareEmpty} text={tryIt.compareEmptyText}>
            <button type="button" class="button" onClick={() => void putSamples()}>
              {tryIt.compareSamples}
            </button>
          </EmptyState>
        )}
      </div>
    </div>
  );
}

async function putSamples(): Promise<void> {
  await putPicture('first', await samplePicture('sri-1'));
  await putPicture('second', await samplePicture('sri-2'));
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
