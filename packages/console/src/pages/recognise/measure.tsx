import '../../styles/measure.css';
import { calls } from '@wajah/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, measure, recognise } from '../../i18n/messages.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { CameraStatus, useCamera } from '../../ui/camera.tsx';
import { Segments } from '../../ui/field.tsx';
import { watchFrames } from '../../ui/frames.ts';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx';
import { PictureInput, SamplePictures } from '../../ui/picture-input.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { AnswerView } from './answer.tsx';
import { FaceMarks, type Layer, layers } from './face-marks.tsx';
import { FaceFigures, Verdicts } from './figures.tsx';
import { type Answered, show, useLook } from './looks.ts';

/** Measures every face of a picture, or of the camera's video while it is on. */
export function Measure() {
  const [live, setLive] = useState(false);
  return live ? <LiveView onStop={() => setLive(false)} /> : <PictureMeasured onLive={() => setLive(true)} />;
}

async function detect(picture: Picture, signal: AbortSignal): Promise<Answered<Detection>> {
  const fields = { image: picture, landmarks: 'mesh' } as const;
  const answer = await wajah.detectFaces({ ...fields, image: picture.blob }, { signal });
  return { answer, call: { path: calls.detectFaces.path, fields, answer } };
}

function PictureMeasured({ onLive }: { onLive: () => void }) {
  const looked = useLook('measure', detect);
  const { picture, answered } = looked;
  const detection = answered?.answer;
  const marks = useMarks(detection);
  return (
    <>
      <PictureInput
        paste
        compact={picture !== undefined}
        label={common.measure}
        onPictures={([taken]) => show(taken)}
      >
        <Button icon="chart" onClick={onLive}>
          {measure.live}
        </Button>
      </PictureInput>
      {picture ? (
        <AnswerView
          looked={looked}
          busyText={measure.detecting}
          sight={
            <>
              <PictureView
                picture={picture}
                alt={recognise.pictureOf(picture.name, detection?.found ?? 0)}
                children={() => marks.drawn}
              />
              <div class="under">{marks.switches}</div>
            </>
          }
          summary={() => marks.faces}
        >
          {() => marks.figures}
        </AnswerView>
      ) : (
        <>
          <SamplePictures onPicture={show} />
          <EmptyState icon="measure" title={measure.empty} text={measure.emptyText} />
        </>
      )}
    </>
  );
}

/** The parts of a detection that are drawn over its picture and said beside it, for the chosen face. */
function useMarks(
  detection: Detection | undefined,
): Record<'drawn' | 'switches' | 'faces' | 'figures', ComponentChildren> {
  const [wanted, choose] = useState(0);
  const [shown, setShown] = useState<ReadonlySet<Layer>>(new Set(layers));
  const [highlighted, highlight] = useState<Layer>();
  if (!detection) return { drawn: null, switches: null, faces: null, figures: null };
  const chosen = Math.min(wanted, detection.faces.length - 1);
  const face = detection.faces[chosen];
  const measured = face && { face, spoofThreshold: detection.spoof_threshold, onHighlight: highlight };
  const toggle = (layer: Layer) =>
    setShown(new Set(layers.filter((one) => (one === layer ? !shown.has(one) : shown.has(one)))));
  return {
    drawn: <FaceMarks {...{ detection, shown, chosen, highlighted }} onChoose={choose} />,
    switches: <LayerSwitches shown={shown} onToggle={toggle} />,
    faces: <FaceSelector detection={detection} face={chosen} onChoose={choose} />,
    figures: measured && (
      <div class="card">
        <Verdicts {...measured} />
        <FaceFigures {...measured} />
      </div>
    ),
  };
}

function LayerSwitches(props: { shown: ReadonlySet<Layer>; onToggle: (layer: Layer) => void }) {
  return (
    <fieldset class="row">
      <legend class="visually-hidden">{measure.layers}</legend>
      {layers.map((layer) => (
        <label key={layer} class="check small">
          <input type="checkbox" checked={props.shown.has(layer)} onChange={() => props.onToggle(layer)} />
          {measure[`layer_${layer}`]}
        </label>
      ))}
    </fieldset>
  );
}

/** The number of faces, and a choice of the one whose measurements are shown. */
function FaceSelector(props: { detection: Detection; face: number; onChoose: (face: number) => void }) {
  const { faces, found } = props.detection;
  return (
    <div class="stack tight">
      <h2>{measure.found(found)}</h2>
      {found > faces.length && <p class="hint">{recognise.more(faces.length, found)}</p>}
      {faces.length > 1 && (
        <Segments
          label={common.faces}
          value={String(props.face)}
          options={faces.map((_, index) => ({ value: String(index), text: common.face(index + 1) }))}
          onChoose={(value) => props.onChoose(Number(value))}
        />
      )}
    </div>
  );
}

/** The camera with the detected faces drawn over it. Nothing is announced: it changes several times a second. */
function LiveView({ onStop }: { onStop: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const { detection, error, rate } = useLiveDetection(video, camera === 'on');
  const marks = useMarks(detection);
  const { width, height } = detection?.image ?? {};
  return (
    <div class="look">
      <div class="sight">
        <CameraStatus state={camera} />
        <span class="canvas mirrored" hidden={camera !== 'on'}>
          <video ref={video} autoplay playsinline muted />
          {detection && (
            <svg class="overlay" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
              {marks.drawn}
            </svg>
          )}
        </span>
        <div class="under">
          {marks.switches}
          <Button onClick={onStop}>{common.stop}</Button>
        </div>
        <p class="hint">{measure.liveText}</p>
      </div>
      {/* Without a camera there is nothing to show but why. */}
      {camera === 'on' && (
        <div class="stack">
          {error && <ErrorNotice error={error} />}
          {rate !== undefined && (
            <p class="hint numbers">
              {measure.liveRate(formatNumber(rate, 1))} {!detection && measure.liveNobody}
            </p>
          )}
          {marks.faces}
          {marks.figures}
        </div>
      )}
    </div>
  );
}

/** Longest side of a sent picture, pixels. A face at arm's length is still large enough for every measurement. */
const side = 640;
/** Minimum milliseconds between the starts of two calls. */
const intervalMs = 250;

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
    if (!running || !video.current) return setLive({});
    const controller = new AbortController();
    const { signal } = controller;
    void watchFrames(video.current, side, signal, async (frame) => {
      const started = performance.now();
      const result = await detectFrame(frame, signal);
      // Shown at once: the face moves on meanwhile.
      const rate = 1_000 / Math.max(intervalMs, performance.now() - started);
      if (!signal.aborted) setLive(result.error ? result : { ...result, rate });
      return result.error ? undefined : { every: intervalMs };
    });
    return () => controller.abort();
  }, [running]);
  return live;
}

async function detectFrame(frame: () => Promise<Blob>, signal: AbortSignal): Promise<Live> {
  try {
    const request = { image: await frame(), landmarks: 'mesh', search: 'fast', max_faces: 5 } as const;
    return { detection: await wajah.detectFaces(request, { signal }) };
  } catch (caught) {
    const error = asApiError(caught);
    return error.status === '412' ? {} : { error };
  }
}
