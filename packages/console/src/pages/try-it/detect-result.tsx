import { useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { words } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Waiting } from '../../ui/states.tsx';
import type { Examined } from './detect-panel.tsx';
import { FaceFigures } from './face-figures.tsx';
import { FaceOverlay, type Layer, layers } from './face-overlay.tsx';

/** A picture with what was found in it, and the figures of one face. */
export function DetectResult({ examined, onRetry }: { examined: Examined; onRetry: () => void }) {
  const { picture, detection, error } = examined;
  const [face, setFace] = useState(0);
  const [look, setLook] = useState<Layer>();
  const [shown, toggle] = useLayers();
  const { tryIt } = words.value;
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
              highlighted={look}
              onChoose={setFace}
            />
          )}
        </figure>
        {detection && <LayerSwitches shown={shown} onToggle={toggle} />}
      </div>
      <div class="card" aria-live="polite">
        {!detection && !error && <Waiting text={tryIt.looking} />}
        {error && <ErrorNotice error={error} onRetry={onRetry} />}
        {detection && <Found detection={detection} face={face} onChoose={setFace} />}
        {chosen && <FaceFigures face={chosen} spoofThreshold={detection?.spoof_threshold} onLook={setLook} />}
      </div>
    </div>
  );
}

/** Which layers are drawn, and the switch of each. */
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
  const { tryIt } = words.value;
  const names: Record<Layer, string> = {
    box: tryIt.layerBox,
    mesh: tryIt.layerMesh,
    pose: tryIt.layerPose,
    features: tryIt.layerFeatures,
  };
  return (
    <fieldset class="row">
      <legend class="unseen">{tryIt.layers}</legend>
      {layers.map((layer) => (
        <label key={layer} class="check small">
          <input type="checkbox" checked={props.shown.has(layer)} onChange={() => props.onToggle(layer)} />
          {names[layer]}
        </label>
      ))}
    </fieldset>
  );
}

/** How many there are, and which one the figures tell of. */
export function Found(props: { detection: Detection; face: number; onChoose: (face: number) => void }) {
  const { faces, found } = props.detection;
  const { tryIt } = words.value;
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
