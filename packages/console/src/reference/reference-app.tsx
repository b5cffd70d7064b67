import { useEffect, useState } from 'preact/hooks';
import { messageFor, messages } from '../i18n/messages.ts';
import { useLoad } from '../state/use-request.ts';
import { Mark } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { PreferenceSwitches } from '../ui/page/preference-switches.tsx';
import { PageHeader, SkipLink } from '../ui/page/shell.tsx';
import { Skeleton } from '../ui/states.tsx';
import { type Document, type Operation, operationsOf } from './model/openapi.ts';
import { OperationCard } from './operation-card.tsx';
import { SignInBar } from './sign-in-bar.tsx';

/** The API reference, rendered from the server's OpenAPI document. */
export function ReferenceApp() {
  const load = useLoad(loadDocument);
  const { reference, common } = messages.value;
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
          {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
          {!load.answer && load.busy && <Skeleton lines={8} />}
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
  const { reference } = messages.value;
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

const tagName = (tag: string) => messageFor('reference', `tag_${tag}`) ?? tag;
