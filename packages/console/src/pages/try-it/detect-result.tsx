import { useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { messages } from '../../i18n/messages.ts';
import { CallView } from '../../ui/call/call-view.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Loading } from '../../ui/states.tsx';
import { useInView } from '../../ui/use-in-view.ts';
import { callOf, type PictureEntry } from './detections.ts';
import { FaceActions } from './face-actions.tsx';
import { FaceOverlay, type Layer, layers } from './face-overlay.tsx';
import { FaceFigures } from './figures/face-figures.tsx';
import { Verdicts } from './figures/verdicts.tsx';

interface Props {
  readonly entry: PictureEntry;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

/** A picture with its detected faces: the verdicts on one of them, and what they are made of. */
export function DetectResult({ entry, onRetry, onRemove }: Props) {
  const { picture, detection, error } = entry;
  const [face, setFace] = useState(0);
  const [highlighted, setHighlighted] = useState<Layer>();
  const [shown, toggle] = useLayers();
  const { tryIt } = messages.value;
  return (
    <div class="look" ref={useInView(picture)}>
      <div class="sight">
        <figure class="canvas">
          <img src={picture.url} alt={tryIt.pictureOf(picture.name, detection?.found ?? 0)} />
          {detection && (
            <FaceOverlay
              detection={detection}
              shown={shown}
              chosen={face}
              highlighted={highlighted}
              onChoose={setFace}
            />
          )}
        </figure>
        <div class="under">
          {detection && <LayerSwitches shown={shown} onToggle={toggle} />}
          <IconButton icon="trash" label={tryIt.removePicture} onClick={onRemove} />
        </div>
      </div>
      <div class="card">
        <div class="stack" aria-live="polite">
          {!detection && !error && <Loading text={tryIt.detecting} />}
          {error && <ErrorNotice error={error} onRetry={onRetry} />}
          {detection && <FaceSelector detection={detection} face={face} onChoose={setFace} />}
        </div>
        {detection && <Measured entry={{ picture, detection }} face={face} onHighlight={setHighlighted} />}
      </div>
    </div>
  );
}

/** The verdicts, then the measurements or the call. */
function Measured(props: {
  entry: Required<Pick<PictureEntry, 'picture' | 'detection'>>;
  face: number;
  onHighlight: (layer: Layer | undefined) => void;
}) {
  const { picture, detection } = props.entry;
  const [tab, setTab] = useState<'figures' | 'json'>('figures');
  const face = detection.faces[props.face];
  const { tryIt } = messages.value;
  if (!face) return null;
  const measured = { face, spoofThreshold: detection.spoof_threshold, onHighlight: props.onHighlight };
  return (
    <>
      <Verdicts {...measured} />
      <FaceActions picture={picture} box={detection.faces.length > 1 ? face.box : undefined} />
      <Segments
        label={tryIt.result}
        value={tab}
        options={[
          { value: 'figures', text: tryIt.figures },
          { value: 'json', text: tryIt.json },
        ]}
        onChoose={setTab}
      />
      {tab === 'figures' ? <FaceFigures {...measured} /> : <CallView call={callOf(picture, detection)} />}
    </>
  );
}

/** The visible layers and a function that toggles one. */
export function useLayers(): [ReadonlySet<Layer>, (layer: Layer) => void] {
  const [shown, setShown] = useState<ReadonlySet<Layer>>(new Set(layers));
  const toggle = (layer: Layer) =>
    setShown((before) => {
      const after = new Set(before);
      if (!after.delete(layer)) after.add(layer);
      return after;
    });
  return [shown, toggle];
}

export function LayerSwitches(props: { shown: ReadonlySet<Layer>; onToggle: (layer: Layer) => void }) {
  const { tryIt } = messages.value;
  const names: Record<Layer, string> = {
    box: tryIt.layerBox,
    mesh: tryIt.layerMesh,
    pose: tryIt.layerPose,
    features: tryIt.layerFeatures,
  };
  return (
    <fieldset class="row">
      <legend class="visually-hidden">{tryIt.layers}</legend>
      {layers.map((layer) => (
        <label key={layer} class="check small">
          <input type="checkbox" checked={props.shown.has(layer)} onChange={() => props.onToggle(layer)} />
          {names[layer]}
        </label>
      ))}
    </fieldset>
  );
}

/** The number of faces, and a choice of the one whose measurements are shown. */
export function FaceSelector(props: {
  detection: Detection;
  face: number;
  onChoose: (face: number) => void;
}) {
  const { faces, found } = props.detection;
  const { tryIt } = messages.value;
  return (
    <div class="stack tight">
      <h2>{tryIt.found(found)}</h2>
      {found > faces.length && <p class="hint">{tryIt.more(faces.length, found)}</p>}
      {faces.length > 1 && (
        <Segments
          label={tryIt.faces}
          value={String(props.face)}
          options={faces.map((_, index) => ({ value: String(index), text: tryIt.face(index + 1) }))}
          onChoose={(value) => props.onChoose(Number(value))}
        />
      )}
    </div>
  );
}
