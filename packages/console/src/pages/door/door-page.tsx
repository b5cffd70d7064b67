import '../../styles/door.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { dayText, formatClock, formatNumber } from '../../i18n/format.ts';
import { common, door } from '../../i18n/messages.ts';
import { doorScreen } from '../../state/door-screen.ts';
import { hrefOf } from '../../state/route.ts';
import { endSession, session } from '../../state/session.ts';
import { type CameraState, useCamera } from '../../ui/camera.tsx';
import { GalleryChoice, NobodyEnrolled, useGalleries } from '../../ui/choice.tsx';
import { Dialog, useModal } from '../../ui/dialog.tsx';
import { Check, Form, TextField, useFields } from '../../ui/field.tsx';
import { Button, Icon, IconButton, type IconName } from '../../ui/icon.tsx';
import { ExportButton } from '../../ui/list.tsx';
import { LoadState, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/shell.tsx';
import type { Entry, Failure, Sight } from './door.ts';
import { leaveDoor, logOf, sentSize, useDoor, useWakeLock } from './use-door.ts';

/** The screen of a door or desk, or the form that begins one. */
export function DoorPage() {
  const screen = doorScreen.value;
  return (
    <>
      {session.value && <SetUp />}
      {screen && <DoorView gallery={screen.gallery} />}
    </>
  );
}

function SetUp() {
  const galleries = useGalleries();
  const { chosen } = galleries;
  return (
    <Page title={door.title} lead={door.lead} back={[common.recognise, hrefOf('recognise')]}>
      <LoadState load={galleries}>
        {() => (chosen?.n_face ?? 0) === 0 && <NobodyEnrolled gallery={chosen?.facegallery_id} />}
      </LoadState>
      {chosen && <Begin galleries={galleries} gallery={chosen.facegallery_id} empty={chosen.n_face === 0} />}
    </Page>
  );
}

/** Days without a look after which the token of a screen ends. */
const idleDays = 7;

function Begin(props: { galleries: ReturnType<typeof useGalleries>; gallery: string; empty: boolean }) {
  const { gallery } = props;
  const { values, field, check } = useFields({ name: String(door.title), alone: false });
  const begin = ({ token }: { token: string }) => {
    // Refused where the browser has no full screen: the view then fills the window.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
    // Where the view gives the focus back to: the button has lost it to its own call.
    document.getElementById('content')?.focus();
    if (values.alone) endSession('left');
    doorScreen.value = { gallery, token };
  };
  return (
    <section class="card door-setup">
      <Form
        look="main"
        icon="camera"
        submit={door.start}
        disabled={props.empty}
        send={() =>
          wajah.createApiToken({ name: values.name, facegallery_id: gallery, expires_in_days: idleDays })
        }
        onAnswer={begin}
      >
        <GalleryChoice {...props.galleries} />
        <TextField label={door.name} hint={door.nameHint} {...field('name')} />
        <Check label={door.alone} hint={door.aloneHint} {...check('alone')} />
        <Notice tone="warn">{door.noLiveness}</Notice>
        <p class="hint">{door.privacy}</p>
        <p class="hint">{door.calls}</p>
      </Form>
      {!doorScreen.value && <LogExport log={logOf(gallery)} />}
    </section>
  );
}

/** The camera over the whole screen, with a verdict on who is before it and the log of the day. Escape leaves. */
function DoorView({ gallery }: { gallery: string }) {
  const [sound, setSound] = useState(true);
  const dialog = useModal();
  // However the view ends: by its button, by another page, or with the session.
  useEffect(() => () => void (document.fullscreenElement && document.exitFullscreen()), []);
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const shown = useDoor(video, { on: camera === 'on', sound });
  const [logOpen, setLogOpen] = useState(false);
  const log = logOf(gallery);
  useWakeLock();
  const { question, ...leaving } = useLeaving(log, shown.sight);
  return (
    <dialog
      ref={dialog}
      class="door"
      data-sight={lookOf(camera, shown.sight)}
      aria-label={door.title}
      {...leaving}
    >
      <video ref={video} autoplay playsinline muted />
      {video.current && camera === 'on' && <FaceMarks faces={shown.faces} {...sentSize(video.current)} />}
      <header class="row door-bar">
        <p class="grow">{gallery}</p>
        <Clock />
        <IconButton
          icon={sound ? 'sound' : 'mute'}
          label={sound ? door.mute : door.unmute}
          onClick={() => setSound(!sound)}
        />
        <span class="log-switch">
          <IconButton
            icon="list"
            label={logOpen ? door.hideLog : door.showLog}
            onClick={() => setLogOpen(!logOpen)}
          />
        </span>
        <IconButton icon="close" label={door.leave} onClick={leaving.onCancel} />
      </header>
      <DoorBanner camera={camera} sight={shown.sight} />
      <DoorLog log={log} open={logOpen} />
      {question}
    </dialog>
  );
}

/**
 * Leaves the view, and asks before where something goes with it: without a sign-in the list does, and one touch would end
 * what only a password begins.
 */
function useLeaving(log: readonly Entry[], sight: Sight) {
  const [asking, setAsking] = useState(false);
  const hasEnded = sight.kind === 'failed' && sight.why === 'ended';
  const asks = session.value === null && (log.length > 0 || !hasEnded);
  const leave = () => (asks ? setAsking(true) : leaveDoor());
  const act = (
    <Button look="danger" onClick={leaveDoor}>
      {door.leave}
    </Button>
  );
  return {
    onCancel(event?: Event) {
      event?.preventDefault();
      leave();
    },
    onClose({ currentTarget }: { readonly currentTarget: HTMLDialogElement }) {
      // A browser asks its page about one Escape, and closes at the next.
      if (!currentTarget.isConnected) return;
      currentTarget.showModal();
      leave();
    },
    question: asking && (
      <Dialog title={door.leaveTitle} dismiss={door.stay} act={act} onClose={() => setAsking(false)}>
        <p>{hasEnded ? door.leaveList : door.leaveText}</p>
        <LogExport log={log} />
      </Dialog>
    ),
  };
}

/** What colours the view: a camera that only starts is no failure. */
function lookOf(camera: CameraState, sight: Sight): Sight['kind'] | 'mixed' {
  if (camera === 'on') return sight.kind === 'yes' && sight.notRecognised > 0 ? 'mixed' : sight.kind;
  return camera === 'off' || camera === 'starting' ? 'nobody' : 'failed';
}

/** A box at each face of the latest look, mirrored as the video is, with the name of who is recognised. */
function FaceMarks({
  faces,
  width,
  height,
}: Pick<ReturnType<typeof useDoor>, 'faces'> & ReturnType<typeof sentSize>) {
  return (
    <svg
      class="door-marks"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {faces.map(({ box, outcome, candidates }, index) => (
        <g key={index} class={outcome}>
          <rect {...box} rx={box.width * 0.04} />
          {outcome === 'identified' && (
            <text
              transform={`translate(${box.x + box.width / 2} ${box.y - height * 0.015}) scale(-1 1)`}
              font-size={height * 0.035}
            >
              {candidates[0]?.user_name}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <time class="numbers">{formatClock(now)}</time>;
}

interface Text {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
}

/** Who is before the camera, or why nobody can be seen. */
function DoorBanner({ camera, sight }: { camera: CameraState; sight: Sight }) {
  const { icon, title, text } = camera === 'on' ? sightText(sight) : cameraText(camera);
  return (
    <div class="door-banner" role="status">
      <Icon name={icon} />
      <div>
        <p class="door-title">{title}</p>
        {text !== undefined && <p>{text}</p>}
      </div>
    </div>
  );
}

function sightText(sight: Sight): Text {
  switch (sight.kind) {
    case 'yes': {
      const { people, notRecognised } = sight;
      const title = people.map(({ user_name }) => user_name).join(', ');
      return notRecognised === 0
        ? { icon: 'good', title }
        : { icon: 'warn', title, text: door.notRecognised(formatNumber(notRecognised)) };
    }
    case 'no':
      return { icon: 'bad', title: door.no };
    case 'closer':
      return { icon: 'person', title: door.closer };
    case 'nobody':
      return { icon: 'person', title: door.looking };
    case 'failed':
      return failureText(sight);
  }
}

function failureText({ why, detail, waitMs }: Failure): Text {
  const title = {
    busy: door.busy,
    unreachable: common.unreachable,
    refused: common.wrong,
    ended: door.ended,
  }[why];
  if (why === 'ended') return { icon: 'warn', title, text: door.endedText };
  const again = door.again(formatNumber(waitMs / 1_000));
  return { icon: 'warn', title, text: why === 'refused' ? `${detail} ${again}` : again };
}

function cameraText(camera: CameraState): Text {
  switch (camera) {
    case 'insecure':
      return { icon: 'warn', title: door.cameraLost, text: common.cameraInsecure };
    case 'refused':
      return { icon: 'warn', title: door.cameraLost, text: common.cameraRefused };
    case 'lost':
      return { icon: 'warn', title: door.cameraLost, text: door.cameraLostText };
    default:
      return { icon: 'camera', title: common.cameraStarting };
  }
}

/** Who came today. @param props.open whether it is shown where there is no room beside the picture */
function DoorLog({ log, open }: { log: readonly Entry[]; open: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus
    <section class={open ? 'door-log open' : 'door-log'} aria-label={door.log} tabIndex={0}>
      <h2>{door.log}</h2>
      {log.length === 0 && <p class="muted">{door.logEmpty}</p>}
      <LogExport log={log} />
      <ol class="stack tight">
        {log.map(({ at, person }) => (
          <li key={`${at} ${person?.user_id}`} class={person ? 'good' : 'bad'}>
            <Icon name={person ? 'good' : 'bad'} />
            <span>{person?.user_name ?? door.no}</span>
            <time class="numbers muted">{formatClock(new Date(at))}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function LogExport({ log }: { log: readonly Entry[] }) {
  if (log.length === 0) return null;
  const file = `wajah-${dayText(new Date())}`;
  return <ExportButton name={door.log} file={file} table={async () => tableOf(log)} />;
}

/** @example timeText(new Date(2026, 0, 31, 8)); // '2026-01-31 08:00:00', which spreadsheets read as a time */
const timeText = (time: Date) => time.toLocaleString('sv-SE');

/** The log as a table, the first who came first; somebody unknown has no name. */
function tableOf(log: readonly Entry[]) {
  const rows = log
    .toReversed()
    .map(({ at, until, person }) => [
      ...[timeText(new Date(at)), timeText(new Date(until))],
      ...[person?.user_id, person?.user_name],
    ]);
  return { heading: ['came', 'last_seen', 'user_id', 'user_name'], rows };
}
