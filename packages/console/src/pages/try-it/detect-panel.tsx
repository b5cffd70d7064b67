import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { forget, type Picture } from '../../draw/picture.ts';
import { words } from '../../i18n/words.ts';
import { PictureInput } from '../../ui/camera/picture-input.tsx';
import { Empty } from '../../ui/states.tsx';
import { DetectResult } from './detect-result.tsx';

/** A picture and what came of it. */
export interface Examined {
  readonly picture: Picture;
  readonly detection?: Detection;
  readonly error?: ApiError;
}

/** Finds faces in one picture after another and shows each. */
export function DetectPanel() {
  const { examined, chosen, choose, examine, repeat } = useExamination();
  const { tryIt } = words.value;
  const current = examined[chosen];
  return (
    <div class="stack wide">
      <PictureInput
        multiple
        paste
        compact={examined.length > 0}
        label={tryIt.detect}
        onPictures={(pictures) => void examine(pictures)}
      />
      {examined.length > 1 && <Strip examined={examined} chosen={chosen} onChoose={choose} />}
      {current ? (
        <DetectResult key={current.picture.url} examined={current} onRetry={() => void repeat(chosen)} />
      ) : (
        <Empty icon="try" title={tryIt.detectEmpty} text={tryIt.detectEmptyText} />
      )}
    </div>
  );
}

function useExamination() {
  const [examined, setExamined] = useState<readonly Examined[]>([]);
  const [chosen, choose] = useState(0);
  const signal = useRef(new AbortController());
  const all = useRef<readonly Examined[]>([]);
  all.current = examined;
  useEffect(
    () => () => {
      signal.current.abort();
      forget(all.current.map(({ picture }) => picture));
    },
    [],
  );

  async function judge(picture: Picture): Promise<void> {
    const result = await examinationOf(picture, signal.current.signal);
    setExamined((before) => before.map((entry) => (entry.picture === picture ? result : entry)));
  }
  async function examine(pictures: Picture[]): Promise<void> {
    choose(all.current.length);
    setExamined((before) => [...before, ...pictures.map((picture) => ({ picture }))]);
    for (const picture of pictures) await judge(picture);
  }
  async function repeat(index: number): Promise<void> {
    const picture = all.current[index]?.picture;
    if (!picture) return;
    setExamined((before) => before.map((entry, i) => (i === index ? { picture } : entry)));
    await judge(picture);
  }
  return { examined, chosen, choose, examine, repeat };
}

async function examinationOf(picture: Picture, signal: AbortSignal): Promise<Examined> {
  try {
    return {
      picture,
      detection: await wajah.detectFaces({ image: picture.blob, landmarks: 'mesh' }, { signal }),
    };
  } catch (error) {
    return { picture, error: asApiError(error) };
  }
}

/** Small pictures to go back to. */
function Strip(props: { examined: readonly Examined[]; chosen: number; onChoose: (index: number) => void }) {
  const { tryIt } = words.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of form fields
    <div class="strip" role="group" aria-label={tryIt.pictures}>
      {props.examined.map(({ picture, detection }, index) => (
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
