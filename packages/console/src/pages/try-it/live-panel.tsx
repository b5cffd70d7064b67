import { useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { CameraStatus, useCamera } from '../../ui/camera/use-camera.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FaceSelector, LayerSwitches, useLayers } from './detect-result.tsx';
import { FaceOverlay, type Layer } from './face-overlay.tsx';
import { FaceFigures } from './figures/face-figures.tsx';
import { Verdicts } from './figures/verdicts.tsx';
import { type Live, useLiveDetection } from './use-live-detection.ts';

/** The camera with the detected faces drawn over it. */
export function LivePanel() {
  const [on, setOn] = useState(false);
  const { tryIt } = messages.value;
  if (!on) {
    return (
      <EmptyState icon="camera" title={tryIt.liveTitle} text={tryIt.liveText}>
        <button type="button" class="button main" onClick={() => setOn(true)}>
          <Icon name="camera" />
          {tryIt.liveStart}
        </button>
      </EmptyState>
    );
  }
  return <LiveView onStop={() => setOn(false)} />;
}

function LiveView({ onStop }: { onStop: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const live = useLiveDetection(video, camera === 'on');
  const [highlighted, setHighlighted] = useState<Layer>();
  const [face, setFace] = useState(0);
  const [shown, toggle] = useLayers();
  const chosen = Math.min(face, (live.detection?.faces.length ?? 1) - 1);
  const { tryIt } = messages.value;
  return (
    <div class="look">
      <div class="sight">
        <CameraStatus state={camera} />
        <figure class="canvas mirrored" hidden={camera !== 'on'}>
          <video ref={video} autoplay playsinline muted />
          {live.detection && (
            <FaceOverlay
              detection={live.detection}
              shown={shown}
              chosen={chosen}
              highlighted={highlighted}
              onChoose={setFace}
            />
          )}
        </figure>
        <div class="under">
          {camera === 'on' && <LayerSwitches shown={shown} onToggle={toggle} />}
          <button type="button" class="button" onClick={onStop}>
            {tryIt.liveStop}
          </button>
        </div>
      </div>
      {/* Without a camera there is nothing to show but why. */}
      {camera === 'on' && (
        <LiveFigures live={live} face={chosen} onChoose={setFace} onHighlight={setHighlighted} />
      )}
    </div>
  );
}

/** No live region, because it changes several times a second. */
function LiveFigures(props: {
  live: Live;
  face: number;
  onChoose: (face: number) => void;
  onHighlight: (layer: Layer | undefined) => void;
}) {
  const { detection, error, rate } = props.live;
  const chosen = detection?.faces[props.face];
  const { tryIt } = messages.value;
  return (
    <div class="card">
      {error && <ErrorNotice error={error} />}
      {rate !== undefined && <p class="hint numbers">{tryIt.liveRate(formatNumber(rate, 1))}</p>}
      {rate !== undefined && !detection && <p>{tryIt.liveNobody}</p>}
      {detection && <FaceSelector detection={detection} face={props.face} onChoose={props.onChoose} />}
      {chosen && (
        <>
          <Verdicts face={chosen} spoofThreshold={detection?.spoof_threshold} />
          <FaceFigures
            face={chosen}
            spoofThreshold={detection?.spoof_threshold}
            onHighlight={props.onHighlight}
          />
        </>
      )}
    </div>
  );
}
