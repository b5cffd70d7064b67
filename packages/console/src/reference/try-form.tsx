import { useState } from 'preact/hooks';
import { words } from '../i18n/words.ts';
import { session } from '../state/session.ts';
import { useCall } from '../state/use-call.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { FieldInput } from './field-input.tsx';
import type { Operation } from './model/openapi.ts';
import { BadJson, fieldsOf, type Values } from './model/request-values.ts';
import { type Reply, send } from './model/send.ts';
import { Code } from './operation-card.tsx';

interface Props {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** Sends a call from the page and shows what came back. */
export function TryForm({ operation, values, onChange }: Props) {
  const call = useCall<Reply>();
  const [pictures, setPictures] = useState<readonly string[]>([]);
  const [badField, setBadField] = useState<string>();
  const { reference } = words.value;
  const locked = operation.auth === 'token' && session.value === null;
  async function submit(event: Event) {
    event.preventDefault();
    setBadField(undefined);
    try {
      const fields = fieldsOf(operation, values, pictures);
      await call.run((signal) => send(operation, fields, signal));
    } catch (error) {
      if (!(error instanceof BadJson)) throw error;
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
            onChange={(value) => onChange({ ...values, [name]: value })}
            onPictures={setPictures}
          />
        ))}
        {operation.method === 'DELETE' && <Notice tone="warn">{reference.sendWarning}</Notice>}
        {badField !== undefined && (
          <div role="alert">
            <Notice tone="bad">{reference.badJson(badField)}</Notice>
          </div>
        )}
        <div class="row">
          <button type="submit" class="button main" disabled={call.busy || locked}>
            {call.busy ? reference.sending : reference.send}
          </button>
          {locked && <span class="hint">{reference.signIn}</span>}
        </div>
      </form>
      <div aria-live="polite">
        {call.error && <ErrorNotice error={call.error} />}
        {call.answer && <Answered reply={call.answer} />}
      </div>
    </section>
  );
}

function Answered({ reply }: { reply: Reply }) {
  const { reference } = words.value;
  return (
    <div class="stack tight">
      <p class="row small">
        <span class={reply.http < 400 ? 'tag good' : 'tag bad'}>{reference.http(reply.http)}</span>
        <span class="muted numbers">{reference.took(String(reply.milliseconds))}</span>
      </p>
      <Code text={reply.text} label={reference.answer} />
    </div>
  );
}
