import { useRef, useState } from 'preact/hooks';
import { formatMilliseconds } from '../i18n/format.ts';
import { messages } from '../i18n/messages.ts';
import { session } from '../state/session.ts';
import { useRequest } from '../state/use-request.ts';
import { Code } from '../ui/code.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { FieldInput } from './field-input.tsx';
import type { Operation } from './model/openapi.ts';
import { fieldsOf, InvalidJson, type Values } from './model/request-values.ts';
import { type Reply, send } from './model/send.ts';

interface Props {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** A form that sends a call and shows the answer. */
export function TryForm({ operation, values, onChange }: Props) {
  const call = useRequest<Reply>();
  const [pictures, setPictures] = useState<readonly string[]>([]);
  const [badField, setBadField] = useState<string>();
  // Fields whose pictures are being read: a call would lack them.
  const [reading, setReading] = useState(0);
  // A file is read while other fields are typed; what comes last must not bring earlier values back.
  const latest = useRef(values);
  latest.current = values;
  const { reference } = messages.value;
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
    <section class="stack tight">
      <h3>{reference.tryIt}</h3>
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
          <button type="submit" class="button main" disabled={call.busy || locked || reading > 0}>
            {call.busy ? reference.sending : reference.send}
          </button>
          {locked && <span class="hint">{reference.signIn}</span>}
        </div>
      </form>
      <div aria-live="polite">
        {call.error && <ErrorNotice error={call.error} />}
        {call.answer && <ReplyView reply={call.answer} />}
      </div>
    </section>
  );
}

function ReplyView({ reply }: { reply: Reply }) {
  const { reference } = messages.value;
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
