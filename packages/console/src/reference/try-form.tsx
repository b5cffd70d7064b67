import { useRef, useState } from 'preact/hooks';
import { dataUrlOf, pictureFrom, releasePictures } from '../draw/picture.ts';
import { formatMilliseconds } from '../i18n/format.ts';
import { common, reference } from '../i18n/messages.ts';
import { useRequest } from '../state/request.ts';
import { session } from '../state/session.ts';
import { Code } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { Button } from '../ui/icon.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import type { Operation, Schema } from './openapi.ts';
import { fieldsOf, holdsPictures, InvalidJson, kindOf, type Values } from './request.ts';

/** A form that sends a call and shows the answer. */
export function TryForm({
  operation,
  values,
  onChange,
}: {
  operation: Operation;
  values: Values;
  onChange: (values: Values) => void;
}) {
  const call = useRequest<Reply>();
  const [pictures, setPictures] = useState<readonly string[]>([]);
  const [badField, setBadField] = useState<string>();
  // Fields whose pictures are being read: a call would lack them.
  const [reading, setReading] = useState(0);
  // A file is read while other fields are typed; what comes last must not bring earlier values back.
  const latest = useRef(values);
  latest.current = values;
  const locked = operation.auth === 'token' && session.value === null;
  async function submit(event: Event) {
    event.preventDefault();
    setBadField(undefined);
    try {
      const fields = fieldsOf(operation, values, pictures);
      await call.run((signal) => send(operation, fields, signal));
    } catch (error) {
      if (!(error instanceof InvalidJson)) throw error;
      setBadField(error.field);
    }
  }
  return (
    <div class="stack tight">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {Object.entries(operation.request.properties ?? {}).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            field={field}
            required={operation.request.required?.includes(name) ?? false}
            value={values[name] ?? ''}
            onChange={(value) => onChange({ ...latest.current, [name]: value })}
            onPictures={setPictures}
            onReading={(begins) => setReading((count) => count + (begins ? 1 : -1))}
          />
        ))}
        {operation.method === 'DELETE' && <Notice tone="warn">{reference.sendWarning}</Notice>}
        {badField !== undefined && (
          <div role="alert">
            <Notice tone="bad">{reference.badJson(badField)}</Notice>
          </div>
        )}
        <div class="row">
          <Button submit look="main" disabled={call.busy || locked || reading > 0}>
            {call.busy ? reference.sending : reference.send}
          </Button>
          {locked && <span class="hint">{reference.signIn}</span>}
        </div>
      </form>
      <div aria-live="polite">
        {call.error && <ErrorNotice error={call.error} />}
        {call.answer && <ReplyView reply={call.answer} />}
      </div>
    </div>
  );
}

function ReplyView({ reply }: { reply: Reply }) {
  return (
    <div class="stack tight">
      <p class="row small">
        <span class={reply.http < 400 ? 'tag good' : 'tag bad'}>{reference.http(reply.http)}</span>
        <span class="muted numbers">{formatMilliseconds(reply.milliseconds)}</span>
      </p>
      <Code text={reply.text} label={reference.answer} />
    </div>
  );
}

interface FieldInputProps {
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

function FieldInput(props: FieldInputProps) {
  const { name, field, required } = props;
  const label = `${name} (${required ? reference.required : reference.optional})`;
  return (
    <Field label={label} control={(ids) => <Control {...props} id={ids.id} kind={kindOf(name, field)} />} />
  );
}

interface ControlProps extends FieldInputProps {
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
          {common.unreadable(unreadable)}
        </span>
      )}
    </>
  );
}

/** A successful or refused answer. */
interface Reply {
  readonly http: number;
  readonly milliseconds: number;
  /** Formatted JSON with long strings cut. */
  readonly text: string;
}

/** Characters of the longest string that is shown in full. */
const maxText = 400;

/** Sends a call without client-side checks. @throws TypeError when the server cannot be reached */
async function send(
  { method, path, auth }: Operation,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const token: Record<string, string> = auth === 'token' ? { Accesstoken: session.value?.token ?? '' } : {};
  const inBody = method === 'POST';
  const response = await fetch(inBody ? path : withQuery(path, fields), {
    method,
    signal,
    credentials: 'omit',
    headers: inBody ? { ...token, 'Content-Type': 'application/json' } : token,
    body: inBody ? JSON.stringify(fields) : null,
  });
  const text = pretty(await response.text());
  return { http: response.status, milliseconds: Math.round(performance.now() - started), text };
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

function pretty(text: string): string {
  const cut = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > maxText
      ? `${value.slice(0, 60)}… (${value.length} characters)`
      : value;
  try {
    return JSON.stringify(JSON.parse(text), cut, 2);
  } catch {
    return text;
  }
}
