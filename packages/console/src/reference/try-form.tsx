import { useRef, useState } from 'preact/hooks';
import { dataUrlOf, picturesFrom, releasePictures } from '../draw/picture.ts';
import { formatNumber } from '../i18n/format.ts';
import { common, reference } from '../i18n/messages.ts';
import { fetched } from '../state/request.ts';
import { serverUrl } from '../state/server-url.ts';
import { session } from '../state/session.ts';
import { Code } from '../ui/code.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Field, Form, InputField, SelectField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Operation, Schema } from './openapi.ts';
import { fieldsOf, holdsPictures, kindOf, type Values } from './request.ts';

/** A form that sends a call and shows the answer. */
export function TryForm(props: { operation: Operation; values: Values; onChange: (values: Values) => void }) {
  const { operation, values, onChange } = props;
  const [reply, setReply] = useState<Reply>();
  const [pictures, setPictures] = useState<readonly string[]>([]);
  // Fields whose pictures are being read: a call would lack them.
  const [reading, setReading] = useState(0);
  // A file is read while other fields are typed; what comes last must not bring earlier values back.
  const latest = useRef(values);
  latest.current = values;
  const locked = operation.auth === 'token' && session.value === null;
  const call = {
    disabled: locked || reading > 0,
    send: async (signal: AbortSignal) => send(operation, fieldsOf(operation, values, pictures), signal),
    onAnswer: setReply,
  };
  const fields = (
    <>
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
      {locked && <p class="hint">{reference.signIn}</p>}
    </>
  );
  return (
    <div class="stack tight">
      {operation.destroys ? (
        <div class="stack">
          {fields}
          <ConfirmButton
            text={reference.send}
            title={reference.sendTitle(operation.path)}
            look="danger"
            {...call}
          >
            <Notice tone="warn">{reference.sendWarning}</Notice>
            <Code text={given(values)} label={common.request} />
          </ConfirmButton>
        </div>
      ) : (
        <Form look="main" submit={reference.send} busy={reference.sending} {...call}>
          {fields}
        </Form>
      )}
      <div aria-live="polite">{reply && <ReplyView reply={reply} />}</div>
    </div>
  );
}

/** The fields that are sent. */
function given(values: Values): string {
  const sent = Object.entries(values).filter(([, value]) => value !== '');
  return sent.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function ReplyView({ reply }: { reply: Reply }) {
  return (
    <div class="stack tight">
      <p class="row small">
        <span class={reply.http < 400 ? 'tag good' : 'tag bad'}>HTTP {reply.http}</span>
        <span class="muted numbers">{formatNumber(reply.milliseconds)} ms</span>
      </p>
      <Code text={reply.text} label={common.answer} />
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
  const { name, field, required, value, onChange } = props;
  const label = `${name} (${required ? reference.required : reference.optional})`;
  const kind = kindOf(name, field);
  switch (kind) {
    case 'choice':
    case 'flag': {
      const options = kind === 'flag' ? ['true', 'false'] : (field.enum ?? []).map(String);
      return (
        <SelectField
          label={label}
          value={value}
          options={[['', reference.notSet], ...options]}
          onChange={onChange}
        />
      );
    }
    case 'picture':
      return <Field label={label} control={({ id }) => <PictureControl {...props} id={id} />} />;
    case 'json':
      return <Field label={label} control={({ id }) => <JsonControl {...props} id={id} />} />;
    default:
      return (
        <InputField
          label={label}
          type={kind === 'secret' ? 'password' : 'text'}
          inputmode={kind === 'number' ? 'decimal' : 'text'}
          spellcheck={false}
          value={value}
          onInput={onChange}
        />
      );
  }
}

interface ControlProps extends FieldInputProps {
  readonly id: string;
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
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  async function read(files: FileList | null) {
    props.onReading(true);
    const found = await picturesFrom(files ?? []);
    setUnreadable(found.unreadable);
    props.onPictures(await Promise.all(found.pictures.map(dataUrlOf)));
    releasePictures(found.pictures);
    props.onReading(false);
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
      {unreadable.length > 0 && (
        <span class="hint" role="alert">
          {common.unreadable(unreadable.length, unreadable.join(', '))}
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

/** Sends a call without client-side checks. @throws WajahError when the server cannot be reached */
async function send(
  { method, path, auth }: Operation,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const token: Record<string, string> = auth === 'token' ? { Accesstoken: session.value?.token ?? '' } : {};
  const inBody = method === 'POST';
  const asked = fetch(serverUrl + (inBody ? path : withQuery(path, fields)), {
    method,
    signal,
    credentials: 'omit',
    headers: inBody ? { ...token, 'Content-Type': 'application/json' } : token,
    body: inBody ? JSON.stringify(fields) : null,
  });
  const response = await fetched(asked);
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
