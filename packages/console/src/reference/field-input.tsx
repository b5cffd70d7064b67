import { useState } from 'preact/hooks';
import { dataUrlOf, pictureFrom, releasePictures } from '../draw/picture.ts';
import { messages } from '../i18n/messages.ts';
import { Field } from '../ui/field.tsx';
import type { Schema } from './model/openapi.ts';
import { holdsPictures, kindOf } from './model/request-values.ts';

interface Props {
  readonly name: string;
  readonly field: Schema;
  readonly required: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Data URLs for the placeholders of a JSON field, in order. */
  readonly onPictures: (pictures: readonly string[]) => void;
  /** Called when the reading of pictures begins and ends. */
  readonly onReading: (reading: boolean) => void;
}

export function FieldInput(props: Props) {
  const { name, field, required } = props;
  const { reference } = messages.value;
  const label = `${name} (${required ? reference.required : reference.optional})`;
  return (
    <Field label={label} control={(ids) => <Control {...props} id={ids.id} kind={kindOf(name, field)} />} />
  );
}

interface ControlProps extends Props {
  readonly id: string;
  readonly kind: ReturnType<typeof kindOf>;
}

function Control(props: ControlProps) {
  const { id, kind, value, onChange } = props;
  switch (kind) {
    case 'picture':
      return <PictureControl {...props} />;
    case 'choice':
      return <Choice {...props} options={(props.field.enum ?? []).map(String)} />;
    case 'flag':
      return <Choice {...props} options={['true', 'false']} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return (
        <input
          id={id}
          {...(kind === 'secret' ? { type: 'password' } : { type: 'text' })}
          inputmode={kind === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function Choice({ id, value, onChange, options }: ControlProps & { options: readonly string[] }) {
  const { reference } = messages.value;
  return (
    <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{reference.notSet}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

function PictureControl({ id, onChange, onReading }: ControlProps) {
  const take = ([picture]: readonly string[]) => onChange(picture ?? '');
  return <FileInput id={id} multiple={false} onPictures={take} onReading={onReading} />;
}

function JsonControl({ id, name, field, value, onChange, onPictures, onReading }: ControlProps) {
  return (
    <>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(12, Math.max(2, value.split('\n').length))}
        spellcheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {holdsPictures(field) && (
        <FileInput
          name={`${name}: <picture 1>, <picture 2> …`}
          multiple
          onPictures={onPictures}
          onReading={onReading}
        />
      )}
    </>
  );
}

/** Reads pictures as data URLs. */
function FileInput(props: {
  id?: string;
  name?: string;
  multiple: boolean;
  onPictures: (pictures: readonly string[]) => void;
  onReading: (reading: boolean) => void;
}) {
  const [unreadable, setUnreadable] = useState<string>();
  async function read(files: FileList | null) {
    setUnreadable(undefined);
    props.onReading(true);
    try {
      const pictures = await Promise.all([...(files ?? [])].map(pictureFrom));
      props.onPictures(await Promise.all(pictures.map(dataUrlOf)));
      releasePictures(pictures);
    } catch {
      setUnreadable(files?.[0]?.name ?? '');
    } finally {
      props.onReading(false);
    }
  }
  return (
    <>
      {props.name !== undefined && <span class="hint">{props.name}</span>}
      <input
        id={props.id}
        type="file"
        accept="image/*"
        multiple={props.multiple}
        aria-label={props.name}
        onChange={(event) => void read(event.currentTarget.files)}
      />
      {unreadable !== undefined && (
        <span class="hint" role="alert">
          {messages.value.common.unreadable(unreadable)}
        </span>
      )}
    </>
  );
}
