import { useEffect, useRef, useState } from 'preact/hooks';
import { type Picture, pictureOf, UnreadablePicture } from '../../draw/picture.ts';
import { words } from '../../i18n/words.ts';
import { Icon } from '../icon.tsx';
import { Notice } from '../notice.tsx';
import { CameraDialog } from './camera-dialog.tsx';

interface Props {
  readonly multiple?: boolean;
  /** Takes pictures from the clipboard while it is on the page. */
  readonly paste?: boolean;
  /** Takes less room: there are pictures already. */
  readonly compact?: boolean;
  /** Says what the pictures are for, to a screen reader. */
  readonly label: string;
  readonly onPictures: (pictures: Picture[]) => void;
}

/** Takes pictures: dropped, chosen, pasted, or from the camera. */
export function PictureInput({ multiple = false, paste = false, compact = false, label, onPictures }: Props) {
  const [over, setOver] = useState(false);
  const [camera, setCamera] = useState(false);
  const { unreadable, take } = useTaking(multiple, onPictures);
  const { common } = words.value;
  usePaste(paste, take);
  return (
    <div class="stack tight">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside */}
      <div
        class={`drop ${compact ? 'compact' : ''} ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer?.files ?? []);
        }}
      >
        <div class="row">
          <FileButton multiple={multiple} label={label} onFiles={(files) => void take(files)} />
          <button type="button" class="button" onClick={() => setCamera(true)}>
            <Icon name="camera" />
            {common.camera}
          </button>
        </div>
        <p class="hint">{multiple ? common.dropHere : common.dropOne}</p>
      </div>
      {unreadable !== undefined && (
        <div role="alert">
          <Notice tone="bad">{common.unreadable(unreadable)}</Notice>
        </div>
      )}
      {camera && <CameraDialog onClose={() => setCamera(false)} onPicture={(file) => void take([file])} />}
    </div>
  );
}

/** Reads files as pictures, and remembers the name of one that could not be read. */
function useTaking(multiple: boolean, onPictures: (pictures: Picture[]) => void) {
  const [unreadable, setUnreadable] = useState<string>();
  async function take(files: ArrayLike<File>): Promise<void> {
    setUnreadable(undefined);
    const pictures: Picture[] = [];
    for (const file of Array.from(files).slice(0, multiple ? undefined : 1)) {
      try {
        pictures.push(await pictureOf(file));
      } catch (error) {
        setUnreadable(error instanceof UnreadablePicture ? error.fileName : file.name);
      }
    }
    if (pictures.length > 0) onPictures(pictures);
  }
  return { unreadable, take };
}

function usePaste(wanted: boolean, take: (files: ArrayLike<File>) => Promise<void>): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!wanted) return;
    const onPaste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files ?? [];
      if (files.length > 0) void latest.current(files);
    };
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [wanted]);
}

function FileButton(props: { multiple: boolean; label: string; onFiles: (files: File[]) => void }) {
  const { common } = words.value;
  const shown = props.multiple ? common.choose : common.chooseOne;
  return (
    <label class="button main file">
      <Icon name="upload" />
      {shown}
      <input
        type="file"
        class="unseen"
        accept="image/*"
        multiple={props.multiple}
        aria-label={`${shown}: ${props.label}`}
        onChange={(event) => {
          const input = event.currentTarget;
          props.onFiles([...(input.files ?? [])]);
          // The same file may be chosen again.
          input.value = '';
        }}
      />
    </label>
  );
}
