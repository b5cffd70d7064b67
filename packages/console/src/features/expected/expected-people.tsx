import '../../styles/expected.css';
import { mostAtOnce } from '@wajah/contract/features/expected';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import type { PeopleList } from '../../draw/people-list.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useLoad, useRequest } from '../../state/request.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { readPages } from '../../ui/list.tsx';
import { ErrorNotice, LoadState, Notice } from '../../ui/notice.tsx';
import { useFilesGiven } from '../../ui/picture-input.tsx';
import { givenLists, takeList } from './given-list.ts';
import { type ExpectedPerson, MissingPeople } from './missing-people.tsx';
import { expected } from './texts.ts';

export interface ExpectedProps {
  readonly gallery: Gallery;
  readonly onChanged: () => void;
}

/** The people who are to have a face in a gallery: a list, and who of it has none. */
export function ExpectedPeople({ gallery }: ExpectedProps) {
  const { facegallery_id: name } = gallery;
  const load = useLoad((signal) => readList(name, signal), name);
  const { all = 0, missing = [] } = load.answer ?? {};
  const awaited = missing.some(({ link }) => link?.failed === null);
  usePolling(awaited, load.reload);
  return (
    <div class="stack wide">
      <GivenList gallery={name} onSet={load.reload} />
      {all > 0 && (
        <Card title={countsText(all, missing.length)} aside={<Forget gallery={name} onDone={load.reload} />}>
          {missing.length > 0 && <MissingPeople gallery={gallery} missing={missing} onMade={load.reload} />}
        </Card>
      )}
      <ListInput gallery={name} />
      <LoadState load={load} lines={3}>
        {() => all === 0 && <p class="muted">{expected.none}</p>}
      </LoadState>
    </div>
  );
}

function countsText(all: number, missing: number): string {
  const count = formatNumber(all);
  if (missing === 0) return expected.complete(count);
  return expected.counts(formatNumber(all - missing), count, formatNumber(missing));
}

/** How many there are, and all who have no face. */
async function readList(facegallery_id: string, signal: AbortSignal) {
  let all = 0;
  const read = async (cursor: string | undefined, limit: number) => {
    const page = { facegallery_id, missing: true, limit, ...(cursor !== undefined && { cursor }) };
    const { people, n_expected, next_cursor } = await wajah.listExpected(page, { signal });
    all = n_expected;
    return [people as readonly ExpectedPerson[], next_cursor] as const;
  };
  return { missing: await readPages(read, 1000, signal), all };
}

/** Milliseconds between two looks at who has done a session. */
const pause = 5000;

function usePolling(on: boolean, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => latest.current(), pause);
    return () => clearInterval(timer);
  }, [on]);
}

/** People of a call, whose bytes are limited: names may be long. */
const chunk = Math.min(200, mostAtOnce);

async function sendList(facegallery_id: string, { people }: PeopleList, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < people.length; at += chunk) {
    const part = { people: people.slice(at, at + chunk), add: at > 0 };
    await wajah.setExpected({ facegallery_id, ...part }, { signal });
  }
}

/** Sends a list that was given, and says what of it is not used. */
function GivenList({ gallery, onSet }: { gallery: string; onSet: () => void }) {
  const [sent, setSent] = useState<PeopleList>();
  const { error, run } = useRequest<void>();
  const given = givenLists.value[gallery];
  const send = (list: PeopleList) =>
    void run(
      (signal) => sendList(gallery, list, signal),
      () => {
        const { [gallery]: _, ...others } = givenLists.value;
        givenLists.value = others;
        setSent(list);
        onSet();
      },
    );
  useEffect(() => {
    if (given) send(given);
  }, [given]);
  if (error && given) return <ErrorNotice error={error} onRetry={() => send(given)} />;
  if (!sent || sent.twice.length + sent.refused.length === 0) return null;
  return (
    <Notice tone="warn">
      {sent.twice.length > 0 && <p>{expected.twice(sent.twice.join(', '))}</p>}
      {sent.refused.length > 0 && <p>{expected.refused(sent.refused.join(', '))}</p>}
    </Notice>
  );
}

/** Takes a list: chosen, dropped or pasted anywhere on the page, or typed. */
function ListInput({ gallery }: { gallery: string }) {
  const [text, setText] = useState('');
  const [isBad, setBad] = useState(false);
  async function take(files: ArrayLike<File>): Promise<void> {
    const [file] = Array.from(files);
    if (!file) return;
    const taken = await takeList(gallery, file);
    setBad(!taken);
    if (taken) setText('');
  }
  const takeText = (typed: string) => void take([new File([typed], gallery)]);
  useFilesGiven(true, take);
  usePastedText(takeText);
  return (
    <Card title={expected.title} hint={expected.hint}>
      <div class="row">
        <label class="button file">
          <Icon name="upload" />
          {expected.choose}
          <input
            type="file"
            class="visually-hidden"
            accept=".csv,.tsv,.txt"
            onChange={(event) => {
              const input = event.currentTarget;
              void take([...(input.files ?? [])]).then(() => {
                input.value = '';
              });
            }}
          />
        </label>
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          takeText(text);
        }}
      >
        <Field
          label={expected.paste}
          control={(ids) => (
            <textarea
              {...ids}
              rows={4}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        />
        {isBad && (
          <Notice tone="bad" alert>
            {expected.unreadable}
          </Notice>
        )}
        <div class="row">
          <Button submit disabled={text.trim() === ''}>
            {expected.compare}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Takes text that is pasted where nobody types. */
function usePastedText(take: (text: string) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const controller = new AbortController();
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      const text = clipboardData?.getData('text/plain') ?? '';
      const isTyped = target instanceof HTMLElement && target.closest('input, textarea, dialog');
      if (!isTyped && text.trim() !== '') latest.current(text);
    };
    addEventListener('paste', onPaste, controller);
    return () => controller.abort();
  }, []);
}

function Forget({ gallery, onDone }: { gallery: string; onDone: () => void }) {
  return (
    <ConfirmButton
      text={expected.forget}
      send={(signal) => wajah.forgetExpected({ facegallery_id: gallery }, { signal })}
      onAnswer={onDone}
    >
      <p>{expected.forgetText}</p>
    </ConfirmButton>
  );
}
