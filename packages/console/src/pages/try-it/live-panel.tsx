import { useRef, useState } from 'preact/hooks';
import { showNumber, words } from '../../i18n/words.ts';
import { CameraWords } from '../../ui/camera/camera-words.tsx';
import { useCamera } from '../../ui/camera/use-camera.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Empty } from '../../ui/states.tsx';
import { Found, LayerSwitches, useLayers } from './detect-result.tsx';
import { FaceFigures } from './face-figures.tsx';
import { FaceOverlay, type Layer } from './face-overlay.tsx';
import { type Live, useLiveDetection } from './use-live-detection.ts';

/** The camera with what is found drawn over it, again and again. */
export function LivePanel() {
  const [wanted, setWanted] = useState(false);
  const { tryIt } = words.value;
  if (!wanted) {
    return (
      <Empty icon="camera" title={tryIt.liveTitle} text={tryIt.liveText}>
        <button type="button" class="button main" onClick={() => setWanted(true)}>
          <Icon name="camera" />
          {tryIt.liveStart}
        </button>
      </Empty>
    );
  }
  return <LiveView onStop={() => setWanted(false)} />;
}

function LiveView({ onStop }: { onStop: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const live = useLiveDetection(video, camera === 'on');
  const [look, setLook] = useState<Layer>();
  const [face, setFace] = useState(0);
  const [shown, toggle] = useLayers();
  const chosen = Math.min(face, (live.detection?.faces.length ?? 1) - 1);
  const { tryIt } = words.value;
  return (
    <div class="columns">
      <div class="stack stay">
        <CameraWords state={camera} />
        <figure class="canvas mirrored" hidden={camera !== 'on'}>
          <video ref={video} autoplay playsinline muted />
          {live.detection && (
            <FaceOverlay
              detection={live.detection}
              shown={shown}
              chosen={chosen}
              highlighted={look}
              onChoose={setFace}
            />
          )}
        </figure>
        <div class="row between">
          <LayerSwitches shown={shown} onToggle={toggle} />
          <button type="button" class="button" onClick={onStop}>
            {tryIt.liveStop}
          </button>
        </div>
      </div>
      <Told live={live} face={chosen} onChoose={setFace} onLook={setLook} />
    </div>
  );
}

/** No live region: it changes several times a second. */
function Told(props: {
  live: Live;
  face: number;
  onChoose: (face: number) => void;
  onLook: (layer: Layer | undefined) => void;
}) {
  const { detection, error, rate } = props.live;
  const chosen = detection?.faces[props.face];
  const { tryIt } = words.value;
  return (
    <div class="card">
      {error && <ErrorNotice error={error} />}
      {rate !== undefined && <p class="hint numbers">{tryIt.liveRate(showNumber(rate, 1))}</p>}
      {rate !== undefined && !detection && <p>{tryIt.liveNobody}</p>}
      {detection && <Found detection={detection} face={props.face} onChoose={props.onChoose} />}
      {chosen && (
        <FaceFigures face={chosen} spoofThreshold={detection?.spoof_threshold} onLook={props.onLook} />
      )}
    </div>
  );
}
