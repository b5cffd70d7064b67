import { computed } from '@preact/signals';
import { calls, type DetectFacesRequest, type EnrolFaceRequest } from '@wajah/client';
import { useEffect, useState } from 'preact/hooks';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Box, croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { common, tryIt } from '../../i18n/messages.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { keptSignal } from '../../state/session.ts';
import type { SentCall } from '../../ui/call-text.ts';
import { GalleryChoice, useGalleries } from '../../ui/choice.tsx';
import { CallView } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, Segments, TextField } from '../../ui/field.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { likenessRemedy } from '../../ui/looks-like.tsx';
import { EmptyState, ErrorNotice, Loading, Notice } from '../../ui/notice.tsx';
import { PictureInput, SamplePictures } from '../../ui/picture-input.tsx';
import { useInView } from '../../ui/shell.tsx';
import { question, show } from '../recognise/looks.ts';
import { FaceOverlay, type Layer, layers } from './face-overlay.tsx';
import { FaceFigures, Verdicts } from './figures.tsx';

/** Detects faces in pictures and shows them. */
export function DetectPanel() {
  const shown = shownEntry.value;
  return (
    <div class="stack wide">
      <PictureInput
        multiple
        paste
        compact={shown !== undefined}
        label={tryIt.detect}
        onPictures={(pictures) => void addPictures(pictures)}
      />
      {shown ? (
        <>
          {entries.value.length > 1 && <Thumbnails />}
          <DetectResult
            key={shown.picture.url}
            entry={shown}
            onRetry={() => void detect(shown.picture)}
            onRemove={() => removePicture(shown.picture)}
          />
        </>
      ) : (
        <>
          <SamplePictures onPicture={(picture) => void addPictures([picture])} />
          <EmptyState icon="try" title={tryIt.detectEmpty} text={tryIt.detectEmptyText} />
        </>
      )}
    </div>
  );
}

/** The pictures, of which one is shown. */
function Thumbnails() {
  const shown = shownEntry.value?.picture;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of form fields
    <div class="strip" role="group" aria-label={tryIt.pictures}>
      {entries.value.map(({ picture, detection }) => (
        <button
          key={picture.url}
          type="button"
          aria-pressed={picture === shown}
          aria-label={tryIt.pictureOf(picture.name, detection?.found ?? 0)}
          onClick={() => choosePicture(picture)}
        >
          <img src={picture.url} alt="" />
        </button>
      ))}
    </div>
  );
}

/** A picture with its detected faces: the verdicts on one of them, and what they are made of. */
function DetectResult({
  entry,
  onRetry,
  onRemove,
}: {
  entry: PictureEntry;
  onRetry: () => void;
  onRemove: () => void;
}) {
  const { picture, detection, error } = entry;
  const [face, setFace] = useState(0);
  const [highlighted, setHighlighted] = useState<Layer>();
  const [shown, toggle] = useLayers();
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

/** A picture with its detection or its error; with neither while it is sent. */
interface PictureEntry {
  readonly picture: Picture;
  readonly detection?: Detection;
  readonly error?: ApiError;
}

const options = { landmarks: 'mesh' } as const satisfies Partial<DetectFacesRequest>;

const entries = keptSignal<readonly PictureEntry[]>([], (dropped) =>
  releasePictures(dropped.map(({ picture }) => picture)),
);
const chosenPicture = keptSignal<Picture | undefined>(undefined);

/** The picture that is shown. */
const shownEntry = computed(
  () => entries.value.find(({ picture }) => picture === chosenPicture.value) ?? entries.value.at(-1),
);

function choosePicture(picture: Picture): void {
  chosenPicture.value = picture;
}

/** Adds pictures, shows the first of them and detects their faces, one after another. */
async function addPictures(pictures: readonly Picture[]): Promise<void> {
  chosenPicture.value = pictures[0];
  entries.value = [...entries.value, ...pictures.map((picture) => ({ picture }))];
  for (const picture of pictures) await detect(picture);
}

/** Detects the faces of a picture of the list, again after an error. */
async function detect(picture: Picture): Promise<void> {
  const replace = (entry: PictureEntry) => {
    entries.value = entries.value.map((one) => (one.picture === picture ? entry : one));
  };
  if (!entries.value.some((one) => one.picture === picture)) return;
  replace({ picture });
  try {
    replace({ picture, detection: await wajah.detectFaces({ image: picture.blob, ...options }) });
  } catch (error) {
    replace({ picture, error: asApiError(error) });
  }
}

function removePicture(picture: Picture): void {
  entries.value = entries.value.filter((one) => one.picture !== picture);
  releasePictures([picture]);
}

/** The call that detected the faces of a picture. */
function callOf(picture: Picture, answer: Detection): SentCall {
  return { path: calls.detectFaces.path, fields: { image: picture, ...options }, answer };
}

/** What can be done with a face. @param props.box cuts the face out of a picture of several; undefined: the picture */
function FaceActions(props: { picture: Picture; box: Box | undefined }) {
  const [enrolled, setEnrolled] = useState<Picture>();
  const face = () => croppedPicture(props.picture, props.box);
  async function search() {
    question.value = 'who';
    show(await face());
    location.hash = hrefOf('recognise');
  }
  return (
    <div class="two">
      <Button onClick={() => void search()}>{tryIt.searchFace}</Button>
      <Button onClick={() => void face().then(setEnrolled)}>{tryIt.enrolFace}</Button>
      {enrolled && <EnrolDialog picture={enrolled} onClose={() => setEnrolled(undefined)} />}
    </div>
  );
}

/** Enrols the face of a picture, which the dialog owns. */
function EnrolDialog({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const galleries = useGalleries();
  const [person, setPerson] = useState({ user_name: '', user_id: '' });
  const [enrolled, setEnrolled] = useState('');
  const gallery = galleries.chosen?.facegallery_id ?? '';
  const enrol = (how: Partial<EnrolFaceRequest>) => async (signal: AbortSignal) => {
    const request = { facegallery_id: gallery, ...person, image: picture.blob, details: true, ...how };
    await wajah.enrolFace(request, { signal });
    return request.user_name;
  };
  useEffect(() => () => releasePictures([picture]), []);
  if (enrolled !== '') return <Enrolled name={enrolled} gallery={gallery} onClose={onClose} />;
  return (
    <Dialog title={tryIt.enrolFace} onClose={onClose}>
      <img class="face-picture small-picture" src={picture.url} alt="" />
      {galleries.error && <ErrorNotice error={galleries.error} onRetry={galleries.reload} />}
      <GalleryChoice {...galleries} />
      <Form
        key={gallery}
        look="main"
        submit={tryIt.enrol}
        busy={tryIt.enrolling}
        disabled={gallery === ''}
        send={enrol({ check_duplicate: true })}
        onAnswer={setEnrolled}
        onCancel={onClose}
        remedy={likenessRemedy({ gallery, picture }, enrol)}
      >
        <TextField
          label={tryIt.personName}
          value={person.user_name}
          onInput={(user_name) => setPerson({ ...person, user_name })}
        />
        <TextField
          label={tryIt.personId}
          identifier
          value={person.user_id}
          onInput={(user_id) => setPerson({ ...person, user_id })}
        />
      </Form>
    </Dialog>
  );
}

function Enrolled({ name, gallery, onClose }: { name: string; gallery: string; onClose: () => void }) {
  return (
    <Dialog title={tryIt.enrolFace} onClose={onClose}>
      <div role="status">
        <Notice tone="good">{tryIt.enrolled(name, gallery)}</Notice>
      </div>
      <div class="row end">
        <a class="button" href={hrefOf('galleries', gallery)}>
          {tryIt.openGallery}
        </a>
        <Button look="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  );
}
