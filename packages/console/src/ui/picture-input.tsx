import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Box, type Picture, pictureFrom, picturesFrom } from '../draw/picture.ts';
import { common, recognise } from '../i18n/messages.ts';
import { fetched, useRequest } from '../state/request.ts';
import { hrefOf } from '../state/route.ts';
import { session } from '../state/session.ts';
import { CameraDialog } from './camera.tsx';
import { Button, Icon } from './icon.tsx';
import { ErrorNotice, Notice } from './notice.tsx';

interface PictureInputProps {
  readonly multiple?: boolean;
  /** Accepts pictures from the clipboard, and those that are dropped anywhere on the page. */
  readonly paste?: boolean;
  readonly compact?: boolean;
  /** Purpose of the pictures, for screen readers. */
  readonly label: string;
  readonly onPictures: (pictures: Picture[]) => void;
  /** Before files are read, which may be no pictures. */
  readonly onTake?: (() => void) | undefined;
  /** Takes CSV files beside them. @param beside names of the pictures that are given with them */
  readonly onTables?: ((files: readonly File[], beside: readonly string[]) => Promise<unknown>) | undefined;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** Accepts pictures: dropped, chosen, pasted, or from the camera. */
export function PictureInput({
  multiple = false,
  paste = false,
  compact = false,
  label,
  onPictures,
  onTake,
  onTables,
  children,
}: PictureInputProps) {
  const [dragging, setDragging] = useState(false);
  const [camera, setCamera] = useState(false);
  const { unreadable, take } = usePictureFiles(multiple, { onPictures, onTake, onTables });
  useFilesGiven(paste, take);
  return (
    <div class="stack tight">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the keyboard's alternative */}
      <div
        class={`drop ${compact ? 'compact' : ''} ${dragging ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setDragging(true);
        }}
        onDragLeave={() => setDragging(false)}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          setDragging(false);
          void take(event.dataTransfer?.files ?? []);
        }}
      >
        <div class="row">
          <FileButton
            multiple={multiple}
            more={onTables ? ',.csv' : ''}
            label={label}
            onFiles={(files) => void take(files)}
          />
          <Button icon="camera" onClick={() => setCamera(true)}>
            {common.camera}
          </Button>
          {children}
        </div>
        <p class="hint">{multiple ? common.dropHere : paste ? common.dropOrPaste : common.dropOne}</p>
      </div>
      <Unreadable names={unreadable} takesTables={onTables !== undefined} />
      {camera && <CameraDialog onClose={() => setCamera(false)} onPicture={(file) => void take([file])} />}
    </div>
  );
}

/** What to do about files that are no pictures; a spreadsheet may be meant as a table. */
function Unreadable({ names, takesTables }: { names: readonly string[]; takesTables: boolean }) {
  if (names.length === 0) return null;
  const isSheet = (name: string) => takesTables && /\.(xls[xmb]?|ods|numbers)$/i.test(name);
  const sheets = names.filter(isSheet);
  const pictures = names.filter((name) => !isSheet(name));
  return (
    <Notice tone="bad" alert>
      {pictures.length > 0 && <p>{common.unreadable(pictures.length, pictures.join(', '))}</p>}
      {/\.hei[cf]\b/i.test(pictures.join()) && <p>{common.heic}</p>}
      {sheets.length > 0 && <p>{common.sheets(sheets.join(', '))}</p>}
    </Notice>
  );
}

/** Reads files as pictures and keeps the names of unreadable ones. */
function usePictureFiles(
  multiple: boolean,
  { onPictures, onTake, onTables }: Pick<PictureInputProps, 'onPictures' | 'onTake' | 'onTables'>,
) {
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  async function take(files: ArrayLike<File>): Promise<void> {
    setUnreadable([]);
    onTake?.();
    const isTable = ({ name }: File) => onTables !== undefined && /\.csv$/i.test(name);
    const given = Array.from(files).slice(0, multiple ? undefined : 1);
    const pictures = given.filter((file) => !isTable(file));
    const beside = pictures.map(({ name }) => name);
    const tables = given.filter(isTable);
    const named = tables.length > 0 ? onTables?.(tables, beside) : undefined;
    // Pictures are listed with the names of the tables: who is quick would enrol them with those of the files.
    const [read] = await Promise.all([picturesFrom(pictures), named]);
    setUnreadable(read.unreadable);
    if (read.pictures.length > 0) onPictures(read.pictures);
  }
  return { unreadable, take };
}

type Take = (files: ArrayLike<File>) => Promise<void>;

/** The inputs that take what is given anywhere on the page; the last one does. */
const inputs: { readonly current: Take }[] = [];
/** Files that were given on a page without such an input: they wait for that of Recognise. */
let waiting: ArrayLike<File> = [];

/** Takes files that are pasted or dropped anywhere on the page. */
export function useFilesGiven(wanted: boolean, take: Take): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!wanted) return;
    inputs.push(latest);
    const files = waiting;
    waiting = [];
    if (files.length > 0) void take(files);
    return () => void inputs.splice(inputs.indexOf(latest), 1);
  }, [wanted]);
}

/**
 * Takes pictures that are pasted or dropped anywhere: a browser would open a file that is dropped beside a box, and leave
 * the console. A page without an input leads to Recognise. Nothing is taken under a dialog or before somebody signs in.
 */
export function useFilesAnywhere(): void {
  useEffect(() => {
    const controller = new AbortController();
    const give = (files: ArrayLike<File> | undefined, mayLead: boolean) => {
      const input = inputs.at(-1);
      if (!files?.length || session.value === null || document.querySelector('dialog[open]')) return;
      if (input) return void input.current(files);
      if (!mayLead) return;
      waiting = Array.from(files);
      location.hash = hrefOf('recognise');
    };
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const onDrag = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    addEventListener('dragover', onDrag, controller);
    addEventListener(
      'drop',
      (event) => {
        onDrag(event);
        if (hasFiles(event)) give(event.dataTransfer?.files, true);
      },
      controller,
    );
    addEventListener('paste', (event) => give(event.clipboardData?.files, false), controller);
    return () => controller.abort();
  }, []);
}

function FileButton(props: {
  multiple: boolean;
  /** Accepted beside pictures. */
  more: string;
  label: string;
  onFiles: (files: File[]) => void;
}) {
  const shown = props.multiple ? common.choose : common.chooseOne;
  return (
    <label class="button main file">
      <Icon name="upload" />
      {shown}
      <input
        type="file"
        class="visually-hidden"
        accept={`image/*${props.more}`}
        multiple={props.multiple}
        aria-label={`${shown}: ${props.label}`}
        onChange={(event) => {
          const input = event.currentTarget;
          props.onFiles([...(input.files ?? [])]);
          // Otherwise choosing the same file again fires no event.
          input.value = '';
        }}
      />
    </label>
  );
}

/** The server has them beside the console. */
const addressOf = (name: string) => `console/samples/${name}.jpg`;

export async function samplePicture(name: string, signal: AbortSignal | null = null): Promise<Picture> {
  const blob = await (await fetched(fetch(addressOf(name), { signal }))).blob();
  return pictureFrom(new File([blob], `${name}.jpg`, { type: 'image/jpeg' }));
}

/** Pictures of drawn people, each one click away. */
export function SamplePictures({ onPicture }: { onPicture: (picture: Picture) => void }) {
  const loading = useRequest<void>();
  const samples = [
    ['sri-1', recognise.sampleFront],
    ['team', recognise.sampleTeam],
    ['left', recognise.sampleLeft],
    ['masked', common.mask],
    ['dark', recognise.sampleDark],
  ] as const;
  const take = (name: string) =>
    void loading.run(async (signal) => {
      onPicture(await samplePicture(name, signal));
    });
  return (
    <section class="stack tight" aria-label={recognise.samples}>
      <p class="hint">{recognise.samplesHint}</p>
      <div class="samples">
        {samples.map(([name, text]) => (
          <button
            key={name}
            type="button"
            class="bare sample"
            disabled={loading.busy}
            onClick={() => take(name)}
          >
            <img src={addressOf(name)} alt="" width="72" height="72" />
            <span>{text}</span>
          </button>
        ))}
      </div>
      {loading.error && <ErrorNotice error={loading.error} />}
    </section>
  );
}

/** The face of a box, cut out of the picture with some room around it. */
export function FaceThumbnail({ picture, box }: { picture: Picture; box: Box }) {
  const side = Math.max(box.width, box.height) * 1.5;
  const left = box.x + box.width / 2 - side / 2;
  const top = box.y + box.height / 2 - side * 0.56;
  const [size, setSize] = useState<Pick<Box, 'width' | 'height'>>();
  return (
    <span class="crop thumbnail" aria-hidden="true">
      <img
        src={picture.url}
        alt=""
        style={
          size && {
            width: `${(size.width / side) * 100}%`,
            left: `${(-left / side) * 100}%`,
            top: `${(-top / side) * 100}%`,
          }
        }
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
      />
    </span>
  );
}
