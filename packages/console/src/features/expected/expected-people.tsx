import '../../styles/expected.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useLoad } from '../../state/request.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { LoadState, Notice } from '../../ui/notice.tsx';
import { useFilesGiven } from '../../ui/picture-input.tsx';
import { takeList } from './given-list.ts';
import { MissingPeople } from './missing-people.tsx';
import { readExpected, usePolling } from './read-list.ts';
import { GivenList } from './set-list.tsx';
import { expected } from './texts.ts';

export interface ExpectedProps {
  readonly gallery: Gallery;
  readonly onChanged: () => void;
}

/** The people who are to have a face in a gallery: a list, and who of it has none. */
export function ExpectedPeople({ gallery }: ExpectedProps) {
  const { facegallery_id: name } = gallery;
  const load = useLoad((signal) => readExpected(name, true, signal), name);
  const { all = 0, people: missing = [] } = load.answer ?? {};
  const awaited = missing.some(({ link }) => link?.failed === null);
  usePolling(awaited, load.reload);
  return (
    <div class="stack wide">
      {load.answer && <GivenList gallery={name} all={all} onSet={load.reload} />}
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

/** Takes a list: chosen, dropped or pasted anywhere on the page, or typed. */
function ListInput({ gallery }: { gallery: string }) {
  const [text, setText] = useState('');
  const [isBad, setBad] = useState(false);
  async function take(files: ArrayLike<File>): Promise<void> {
    if (files.length === 0) return;
    const taken = await takeList(gallery, Array.from(files));
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
