import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { tryIt } from '../../i18n/messages.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { keptSignal } from '../../state/session.ts';
import { Segments } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/notice.tsx';
import { PictureInput, samplePicture } from '../../ui/picture-input.tsx';
import { PageHeader } from '../../ui/shell.tsx';
import { SimilarityResult } from '../../ui/similarity.tsx';
import { DetectPanel } from './detect-panel.tsx';
import { LivePanel } from './live-panel.tsx';

const mode = keptSignal<'detect' | 'live' | 'compare'>('detect');

/** Detection and comparison of pictures that are not stored. */
export function TryPage() {
  return (
    <div class="page stack wide">
      <PageHeader title={tryIt.title} lead={tryIt.lead} />
      <Segments
        label={tryIt.modes}
        value={mode.value}
        options={[
          { value: 'detect', text: tryIt.detect },
          { value: 'live', text: tryIt.live },
          { value: 'compare', text: tryIt.compare },
        ]}
        onChoose={(chosen) => {
          mode.value = chosen;
        }}
      />
      {mode.value === 'detect' && <DetectPanel />}
      {mode.value === 'live' && <LivePanel />}
      {mode.value === 'compare' && <ComparePanel />}
    </div>
  );
}

/** Compares the faces of two pictures. */
function ComparePanel() {
  const { pictures, answer, error } = compared.value;
  const { first, second } = pictures;
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
            <Button onClick={() => void putSamples()}>{tryIt.compareSamples}</Button>
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
  return (
    <section class="card" aria-label={props.label}>
      <h2 class="slot-title">{props.label}</h2>
      {props.picture ? (
        <>
          <figure class="canvas">
            <img src={props.picture.url} alt={props.picture.name} />
          </figure>
          <Button icon="refresh" onClick={() => props.onChange(undefined)}>
            {tryIt.another}
          </Button>
        </>
      ) : (
        <PictureInput label={props.label} onPictures={([picture]) => props.onChange(picture)} />
      )}
    </section>
  );
}

type Slot = 'first' | 'second';

/** Two pictures and what their comparison answered. */
interface Compared {
  readonly pictures: Partial<Record<Slot, Picture>>;
  readonly answer?: Comparison;
  readonly error?: ApiError;
}

const compared = keptSignal<Compared>({ pictures: {} }, ({ pictures }) =>
  releasePictures(Object.values(pictures)),
);

/** Replaces or removes a picture, and compares when both are there. */
async function putPicture(slot: Slot, picture: Picture | undefined): Promise<void> {
  const { [slot]: previous, ...other } = compared.value.pictures;
  if (previous) releasePictures([previous]);
  const pictures: Compared['pictures'] = picture ? { ...other, [slot]: picture } : other;
  compared.value = { pictures };
  const { first, second } = pictures;
  if (!first || !second) return;
  const result = await compare(first, second);
  if (compared.value.pictures === pictures) compared.value = { pictures, ...result };
}

async function compare(first: Picture, second: Picture): Promise<Pick<Compared, 'answer' | 'error'>> {
  try {
    return { answer: await wajah.compareImages({ source_image: first.blob, target_image: second.blob }) };
  } catch (error) {
    return { error: asApiError(error) };
  }
}
