import { useState } from 'preact/hooks';
import { messages } from '../i18n/messages.ts';
import { Code, CopyButton } from '../ui/code.tsx';
import { curlOf } from './model/curl.ts';
import type { Operation, Refusal, Schema } from './model/openapi.ts';
import { initialValues, type Values } from './model/request-values.ts';
import { fieldLines } from './model/schema-fields.ts';
import { TryForm } from './try-form.tsx';

/** One endpoint: request, answer and a form to call it. The content is rendered on the first opening. */
export function OperationCard({ operation }: { operation: Operation }) {
  const [opened, setOpened] = useState(false);
  const { id, method, path, summary } = operation;
  return (
    <details id={id} class="card operation" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <code class="path">{path}</code>
        <span class="muted small about">
          <Described text={summary} />
        </span>
      </summary>
      {opened && <Content operation={operation} />}
    </details>
  );
}

function Content({ operation }: { operation: Operation }) {
  const [values, setValues] = useState<Values>(() => initialValues(operation));
  const { reference } = messages.value;
  const curl = curlOf(operation, values, location.origin);
  return (
    <div class="stack wide">
      {(operation.also.length > 0 || operation.auth === 'none') && (
        <p class="hint">
          {operation.also.length > 0 && `${reference.also(operation.also.join(', '))}. `}
          {operation.auth === 'none' && reference.open}
        </p>
      )}
      <Fields title={reference.request} schema={operation.request} />
      {operation.takesForm && (
        <p class="hint">
          <Described text={reference.form} />
        </p>
      )}
      <TryForm operation={operation} values={values} onChange={setValues} />
      <div class="stack tight">
        <div class="row between">
          <h3>{reference.curl}</h3>
          <CopyButton text={curl} name={`${messages.value.common.copy}: ${reference.curl}`} />
        </div>
        <Code text={curl} label={reference.curl} />
      </div>
      <Fields title={reference.answer} schema={operation.answer} answered />
      {operation.answerExample !== undefined && (
        <Code text={JSON.stringify(operation.answerExample, null, 2)} label={reference.answer} />
      )}
      <Refusals refusals={operation.refusals} />
    </div>
  );
}

/** @param answered for an answer, whose fields are not marked as required */
function Fields({ title, schema, answered = false }: { title: string; schema: Schema; answered?: boolean }) {
  const { reference } = messages.value;
  const lines = fieldLines(schema);
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      {lines.length === 0 && <p class="hint">{reference.noFields}</p>}
      <dl class="fields">
        {lines.map(({ name, type, limits, description, required, fallback }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span class="muted small">
                {[type, limits].filter((part) => part !== '').join(' · ')}
                {fallback !== undefined && ` · ${reference.default(JSON.stringify(fallback))}`}
              </span>
              {required && !answered && <span class="tag">{reference.required}</span>}
            </dt>
            {description !== '' && (
              <dd class="small">
                <Described text={description} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { reference } = messages.value;
  if (refusals.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{reference.errors}</h3>
      <dl class="fields">
        {refusals.map(({ http, status, message, when }) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
              <span class="small">{message}</span>
              <span class="muted small">{reference.http(Number(http))}</span>
            </dt>
            <dd class="small">
              <Described text={when} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Text in which backticks mark code. */
function Described({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
