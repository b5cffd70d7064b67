import { useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { messages } from '../../i18n/messages.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Loading } from '../../ui/states.tsx';
import { FaceFigures } from './face-figures.tsx';
import { FaceOverlay, type Layer, layers } from './face-overlay.tsx';
import type { PictureEntry } from './use-detections.ts';

/** A picture with its detected faces and the measurements of one of them. */
export function DetectResult({ entry, onRetry }: { entry: PictureEntry; onRetry: () => void }) {
  const { picture, detection, error } = entry;
  const [face, setFace] = useState(0);
  const [highlighted, setHighlighted] = useState<Layer>();
  const [shown, toggle] = useLayers();
  const { tryIt } = messages.value;
  const chosen = detection?.faces[face];
  return (
    <div class="columns">
      <div class="stack stay">
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
        {detection && <LayerSwitches shown={shown} onToggle={toggle} />}
      </div>
      <div class="card" aria-live="polite">
        {!detection && !error && <Loading text={tryIt.detecting} />}
        {error && <ErrorNotice error={error} onRetry={onRetry} />}
        {detection && <FaceSelector detection={detection} face={face} onChoose={setFace} />}
        {chosen && (
          <FaceFigures
            face={chosen}
            spoofThreshold={detection?.spoof_threshold}
            onHighlight={setHighlighted}
          />
        )}
      </div>
    </div>
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
