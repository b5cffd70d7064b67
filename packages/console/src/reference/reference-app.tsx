import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { common, login, recognise, reference } from '../i18n/messages.ts';
import { taskNames, tasks } from '../i18n/operations.ts';
import { refusalText } from '../i18n/refusal-text.ts';
import type { Translation } from '../i18n/translation.ts';
import { translation } from '../state/preferences.ts';
import { fetched, useLoad } from '../state/request.ts';
import { serverUrl } from '../state/server-url.ts';
import { endSession, session } from '../state/session.ts';
import { Code, CopyButton } from '../ui/code.tsx';
import { Dialog, OpenButton } from '../ui/dialog.tsx';
import { Segments } from '../ui/field.tsx';
import { Button, Tag } from '../ui/icon.tsx';
import { LoadState } from '../ui/notice.tsx';
import { Brand, Page, PreferenceSwitches, SkipLink } from '../ui/shell.tsx';
import { SignInForm } from '../ui/sign-in-form.tsx';
import {
  type Document,
  type FieldLine,
  fieldLines,
  type Operation,
  operationsOf,
  type Refusal,
  type Schema,
} from './openapi.ts';
import { type CodeLanguage, codeLanguages, codeOf, initialValues, type Values } from './request.ts';
import { TryForm } from './try-form.tsx';

/** The API reference, rendered from the server's OpenAPI document. */
export function ReferenceApp() {
  const load = useLoad(loadDocument);
  return (
    <div class="reference">
      <SkipLink />
      <header class="row topbar">
        <Brand href="console" />
        <div class="row account">
          <a class="small" href="console">
            {common.console}
          </a>
          <a class="small document" href={common.guideAddress}>
            {common.guide}
          </a>
          <a class="small document" href="/openapi.json">
            openapi.json
          </a>
          <PreferenceSwitches />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Page title={common.reference} lead={reference.lead}>
          <SignInBar />
          <LoadState load={load} lines={8}>
            {(document) => <Endpoints operations={operationsOf(document)} />}
          </LoadState>
        </Page>
      </main>
    </div>
  );
}

async function loadDocument(signal: AbortSignal): Promise<Document> {
  const response = await fetched(fetch('openapi.json', { signal }));
  if (!response.ok) throw new Error(`/openapi.json: HTTP ${response.status}`);
  return (await response.json()) as Document;
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The operations by task, those of no task last. */
function sectionsOf(all: readonly Operation[]): Section[] {
  const { operations: summaries } = translation.value as Translation;
  const known = new Map(all.map((operation) => [operation.id, operation]));
  const sections = Object.entries(tasks).map(([task, ids]): Section => {
    const operations = ids.flatMap((id) => {
      const operation = known.get(id);
      known.delete(id);
      return operation ? [{ ...operation, summary: summaries?.[id] ?? operation.summary }] : [];
    });
    return { id: `task-${task.toLowerCase()}`, name: taskNames[task]!, operations };
  });
  return [...sections, { id: 'task-other', name: reference.others, operations: [...known.values()] }];
}

function Endpoints({ operations }: { operations: readonly Operation[] }) {
  const [filter, setFilter] = useState('');
  const sections = sectionsOf(operations)
    .map((section) => ({ ...section, operations: section.operations.filter((one) => matches(one, filter)) }))
    .filter((section) => section.operations.length > 0);
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
        {sections.map((section) => (
          <div key={section.id} class="stack tight">
            <h2>
              <a href={`#${section.id}`}>{section.name}</a>
            </h2>
            <ul>
              {section.operations.map(({ id, path }) => (
                <li key={id}>
                  <a href={`#${id}`}>{path.split('/').at(-1)}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="stack wide">
        {sections.length === 0 && <p class="muted">{reference.nothing}</p>}
        {sections.map((section) => (
          <section key={section.id} class="stack" aria-labelledby={section.id}>
            <h2 id={section.id}>{section.name}</h2>
            {section.operations.map((operation) => (
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

/** The signed-in client, or a button to sign in. */
function SignInBar() {
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
      <OpenButton look="main" icon="keys" text={reference.signIn}>
        {(close) => (
          <Dialog title={login.title} onClose={close}>
            <SignInForm />
            <Button onClick={close}>{common.cancel}</Button>
          </Dialog>
        )}
      </OpenButton>
    </div>
  );
}

/** Colours of methods; the others are neutral. */
const tones: Readonly<Record<string, string>> = { GET: 'good', DELETE: 'bad' };

/** One endpoint: request, answer and a form to call it. The content is rendered on the first opening. */
function OperationCard({ operation }: { operation: Operation }) {
  const [opened, setOpened] = useState(false);
  const { id, method, path, summary } = operation;
  return (
    <details id={id} class="card operation" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class="before">
        <span class={`tag mono ${tones[method] ?? 'info'}`}>{method}</span>
        <code class="path">{path}</code>
        <span class="muted small about">
          <Described text={summary} />
        </span>
      </summary>
      {opened && <Content operation={operation} />}
    </details>
  );
}

/** Chosen once for all endpoints. */
const codeLanguage = signal<CodeLanguage>('curl');

/** A JSON field that does not parse, while it is typed, is an error of the form. */
function shownCode(operation: Operation, values: Values): string {
  try {
    return codeOf(codeLanguage.value, operation, values, serverUrl);
  } catch (error) {
    return (error as Error).message;
  }
}

function Content({ operation }: { operation: Operation }) {
  const [values, setValues] = useState<Values>(() => initialValues(operation));
  const code = shownCode(operation, values);
  return (
    <div class="stack wide">
      {(operation.also.length > 0 || operation.auth === 'none') && (
        <p class="hint">
          {operation.also.length > 0 && `${reference.also(operation.also.join(', '))}. `}
          {operation.auth === 'none' && reference.open}
        </p>
      )}
      <div class="stack tight">
        <div class="row between">
          <Segments
            label={reference.code}
            value={codeLanguage.value}
            options={codeLanguages.map((value) => ({ value, text: value }))}
            onChoose={(chosen) => {
              codeLanguage.value = chosen;
            }}
          />
          <CopyButton text={code} name={recognise.copy(codeLanguage.value)} />
        </div>
        <Code text={code} label={codeLanguage.value} />
      </div>
      <Fields title={common.request} schema={operation.request} />
      {operation.takesForm && (
        <p class="hint">
          <Described text={reference.form} />
        </p>
      )}
      <Fold title={reference.tryIt}>
        <TryForm operation={operation} values={values} onChange={setValues} />
      </Fold>
      <Fold title={common.answer}>
        <Fields schema={operation.answer} answered />
        {operation.answerExample !== undefined && (
          <Code text={JSON.stringify(operation.answerExample, null, 2)} label={common.answer} />
        )}
      </Fold>
      <Refusals refusals={operation.refusals} />
    </div>
  );
}

/** A part of a card that is opened when it is wanted: a card shows what a call needs. */
function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details>
      <summary>
        <h3>{title}</h3>
      </summary>
      <div class="stack tight">{children}</div>
    </details>
  );
}

/** @param answered for an answer, whose fields are all listed; of a request those that it needs come first */
function Fields({ title, schema, answered = false }: { title?: string; schema: Schema; answered?: boolean }) {
  const lines = fieldLines(schema);
  const first = answered ? lines : lines.filter(({ required }) => required);
  const others = answered ? [] : lines.filter(({ required }) => !required);
  return (
    <section class="stack tight">
      {title !== undefined && <h3>{title}</h3>}
      {lines.length === 0 && <p class="hint">{reference.noFields}</p>}
      <FieldList lines={first} answered={answered} />
      {others.length > 0 && (
        <Fold title={reference.optionalFields(others.length)}>
          <FieldList lines={others} answered={answered} />
        </Fold>
      )}
    </section>
  );
}

/** Descriptions are those of the document, in English. */
function FieldList({ lines, answered }: { lines: readonly FieldLine[]; answered: boolean }) {
  if (lines.length === 0) return null;
  return (
    <dl class="rows fields">
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
            <dd class="small" lang="en">
              <Described text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  if (refusals.length === 0) return null;
  return (
    <Fold title={reference.errors}>
      <dl class="rows fields">
        {refusals.map(({ http, status, message, when }) => {
          const { title, text } = refusalText({ status, message, detail: when });
          return (
            <div key={status}>
              <dt>
                <code>{status}</code>
                <span class="small">{title}</span>
                <span class="muted small">HTTP {http}</span>
              </dt>
              <dd class="small">
                <Described text={text} />
              </dd>
            </div>
          );
        })}
      </dl>
    </Fold>
  );
}

/** Text in which backticks mark code. */
function Described({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
