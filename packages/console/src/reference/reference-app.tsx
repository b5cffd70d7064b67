import { useEffect, useState } from 'preact/hooks';
import { common, login, messageFor, reference } from '../i18n/messages.ts';
import { useLoad } from '../state/request.ts';
import { endSession, session } from '../state/session.ts';
import { Code, CopyButton } from '../ui/code.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button, Mark, Tag } from '../ui/icon.tsx';
import { LoadState } from '../ui/notice.tsx';
import { PageHeader, PreferenceSwitches, SkipLink } from '../ui/shell.tsx';
import { SignInForm } from '../ui/sign-in-form.tsx';
import {
  type Document,
  fieldLines,
  type Operation,
  operationsOf,
  type Refusal,
  type Schema,
} from './openapi.ts';
import { curlOf, initialValues, type Values } from './request.ts';
import { TryForm } from './try-form.tsx';

/** The API reference, rendered from the server's OpenAPI document. */
export function ReferenceApp() {
  const load = useLoad(loadDocument);
  return (
    <div class="reference">
      <SkipLink />
      <header class="topbar">
        <a class="brand" href="/console">
          <Mark />
          Wajah
        </a>
        <div class="account">
          <a class="small" href="/console">
            {common.console}
          </a>
          <a class="small document" href="/docs/guide">
            {common.guide}
          </a>
          <a class="small document" href="/openapi.json">
            {reference.document}
          </a>
          <PreferenceSwitches compact />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div class="page stack wide">
          <PageHeader title={reference.title} lead={reference.lead} />
          <SignInBar />
          <LoadState load={load} lines={8} />
          {load.answer && <Endpoints operations={operationsOf(load.answer)} />}
        </div>
      </main>
    </div>
  );
}

async function loadDocument(signal: AbortSignal): Promise<Document> {
  const response = await fetch('/openapi.json', { signal });
  if (!response.ok) throw new Error(`/openapi.json: HTTP ${response.status}`);
  return (await response.json()) as Document;
}

function Endpoints({ operations }: { operations: readonly Operation[] }) {
  const [filter, setFilter] = useState('');
  const shown = operations.filter((operation) => matches(operation, filter));
  const tags = [...new Set(shown.map(({ tag }) => tag))];
  useHashTarget();
  return (
    <div class="columns index">
      <nav class="card contents" aria-label={reference.endpoints}>
        <input
          type="search"
          aria-label={reference.filter}
          placeholder={reference.filter}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        {tags.map((tag) => (
          <div key={tag} class="stack tight">
            <h2>{tagName(tag)}</h2>
            <ul>
              {shown
                .filter((operation) => operation.tag === tag)
                .map(({ id, path }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{path.split('/').at(-1)}</a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="stack wide">
        {shown.length === 0 && <p class="muted">{reference.nothing}</p>}
        {tags.map((tag) => (
          <section key={tag} class="stack" aria-labelledby={`tag-${tag}`}>
            <h2 id={`tag-${tag}`}>{tagName(tag)}</h2>
            {shown
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <OperationCard key={operation.id} operation={operation} />
              ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function matches({ path, summary }: Operation, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  return `${path} ${summary}`.toLowerCase().includes(wanted);
}

/** Opens the endpoint of the address hash. */
function useHashTarget(): void {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(location.hash.slice(1));
      if (target instanceof HTMLDetailsElement) {
        target.open = true;
        target.scrollIntoView();
        target.querySelector('summary')?.focus();
      }
    };
    open();
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);
}

const tagName = (tag: string) => messageFor(reference, `tag_${tag}`) ?? tag;

/** The signed-in client, or a button to sign in. */
function SignInBar() {
  const [open, setOpen] = useState(false);
  const current = session.value;
  if (current) {
    return (
      <div class="row" role="status">
        <Tag tone="good">{common.signedInAs(current.clientId)}</Tag>
        <span class="hint">{reference.signedIn}</span>
        <Button onClick={() => endSession('left')}>{common.signOut}</Button>
      </div>
    );
  }
  return (
    <div class="row">
      <Button look="main" icon="keys" onClick={() => setOpen(true)}>
        {reference.signIn}
      </Button>
      {open && (
        <Dialog title={login.title} onClose={() => setOpen(false)}>
          <SignInForm />
          <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
        </Dialog>
      )}
    </div>
  );
}

/** One endpoint: request, answer and a form to call it. The content is rendered on the first opening. */
function OperationCard({ operation }: { operation: Operation }) {
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
          <CopyButton text={curl} name={`${common.copy}: ${reference.curl}`} />
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
