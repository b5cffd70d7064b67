import { useEffect, useRef, useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { jpegOf } from '../../draw/picture.ts';
import { formatNumber } from '../../i18n/format.ts';
import { tryIt } from '../../i18n/messages.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { CameraStatus, useCamera } from '../../ui/camera.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx';
import { FaceSelector, LayerSwitches, useLayers } from './detect-panel.tsx';
import { FaceOverlay, type Layer } from './face-overlay.tsx';
import { FaceFigures, Verdicts } from './figures.tsx';

/** The camera with the detected faces drawn over it. */
export function LivePanel() {
  const [on, setOn] = useState(false);
  if (!on) {
    return (
      <EmptyState icon="camera" title={tryIt.liveTitle} text={tryIt.liveText}>
        <Button look="main" icon="camera" onClick={() => setOn(true)}>
          {tryIt.liveStart}
        </Button>
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
          <Button onClick={onStop}>{tryIt.liveStop}</Button>
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

/** Longest side of a sent picture, pixels. A face at arm's length is still large enough for every measurement. */
const side = 640;
/** Minimum milliseconds between the starts of two calls. */
const interval = 250;

interface Live {
  readonly detection?: Detection;
  /** The error of the last picture; a picture without a face is no error. */
  readonly error?: ApiError;
  /** Pictures a second. */
  readonly rate?: number;
}

/** Detects faces in the frames of a video while `running`. */
function useLiveDetection(video: { readonly current: HTMLVideoElement | null }, running: boolean): Live {
  const [live, setLive] = useState<Live>({});
  useEffect(() => {
    if (!running) return setLive({});
    const controller = new AbortController();
    void detectFrames(video, controller.signal, setLive);
    return () => controller.abort();
  }, [running]);
  return live;
}

async function detectFrames(
  video: { readonly current: HTMLVideoElement | null },
  signal: AbortSignal,
  onResult: (live: Live) => void,
): Promise<void> {
  while (!signal.aborted && video.current) {
    const started = performance.now();
    const result = await detect(video.current, signal);
    if (signal.aborted) return;
    if (result.error) return onResult(result);
    // Shown at once: the face moves on meanwhile.
    const took = performance.now() - started;
    onResult({ ...result, rate: 1_000 / Math.max(interval, took) });
    await new Promise((resolve) => setTimeout(resolve, interval - took));
  }
}

async function detect(video: HTMLVideoElement, signal: AbortSignal): Promise<Live> {
  try {
    const image = await jpegOf(video, video.videoWidth, video.videoHeight, side);
    const request = { image, landmarks: 'mesh', search: 'fast', max_faces: 5 } as const;
    return { detection: await wajah.detectFaces(request, { signal }) };
  } catch (caught) {
    const error = asApiError(caught);
    return error.status === '412' ? {} : { error };
  }
}
