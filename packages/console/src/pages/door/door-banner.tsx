import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import type { CameraState } from '../../ui/camera/use-camera.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { Failure, Sight } from './sight.ts';

interface Text {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
}

/** Who is before the camera, or why nobody can be seen. */
export function DoorBanner({ camera, sight }: { camera: CameraState; sight: Sight }) {
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
  const { door } = messages.value;
  switch (sight.kind) {
    case 'yes':
      return { icon: 'good', title: sight.people.map(({ user_name }) => user_name).join(', ') };
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
  const { common, door } = messages.value;
  const title = { busy: door.busy, unreachable: door.unreachable, refused: common.wrong }[why];
  const again = door.again(formatNumber(waitMs / 1_000));
  return { icon: 'warn', title, text: why === 'refused' ? `${detail} ${again}` : again };
}

function cameraText(camera: CameraState): Text {
  const { common, door } = messages.value;
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
