import { mostAtOnce } from '@wajah/contract/features/expected';
import { useEffect, useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import type { PeopleList } from '../../draw/people-list.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common } from '../../i18n/messages.ts';
import { useLoad, useRequest } from '../../state/request.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Button } from '../../ui/icon.tsx';
import { ErrorNotice, LoadState, Notice } from '../../ui/notice.tsx';
import { givenLists } from './given-list.ts';
import { type ExpectedPerson, hasLink, readExpected, usePolling } from './read-list.ts';
import { expected } from './texts.ts';

interface Props {
  readonly gallery: string;
  /** People of the list that is kept. */
  readonly all: number;
  readonly onSet: () => void;
}

/** Sends a list that was given, adds or replaces as it is told where another is kept, and says what of it is not used. */
export function GivenList({ gallery, all, onSet }: Props) {
  const [sent, setSent] = useState<PeopleList>();
  const { busy, error, run } = useRequest<void>();
  const given = givenLists.value[gallery];
  const drop = () => {
    const { [gallery]: _, ...others } = givenLists.value;
    givenLists.value = others;
  };
  const onSent = (list: PeopleList) => {
    drop();
    setSent(list);
    onSet();
  };
  const add = (list: PeopleList) =>
    void run(
      (signal) => sendList(gallery, list.people, true, signal),
      () => onSent(list),
    );
  useEffect(() => {
    if (given && all === 0) add(given);
  }, [given, all === 0]);
  if (error && given) return <ErrorNotice error={error} onRetry={() => add(given)} />;
  if (given && all > 0 && !busy)
    return (
      <ListChoice
        {...{ gallery, given }}
        onAdd={() => add(given)}
        onReplaced={() => onSent(given)}
        onCancel={drop}
      />
    );
  if (!sent || sent.twice.length + sent.refused.length === 0) return null;
  return (
    <div class="not-printed">
      <Notice tone="warn">
        {sent.twice.length > 0 && <p>{expected.twice(sent.twice.join(', '))}</p>}
        {sent.refused.length > 0 && <p>{expected.refused(sent.refused.join(', '))}</p>}
      </Notice>
    </div>
  );
}

interface ChoiceProps {
  readonly gallery: string;
  readonly given: PeopleList;
  readonly onAdd: () => void;
  readonly onReplaced: () => void;
  readonly onCancel: () => void;
}

/** Asks what becomes of the list that is kept. */
function ListChoice({ gallery, given, onAdd, onReplaced, onCancel }: ChoiceProps) {
  const load = useLoad((signal) => readExpected(gallery, false, signal), gallery);
  usePolling(true, load.reload);
  const kept = load.answer?.people ?? [];
  const ids = new Set(kept.map(({ user_id }) => user_id));
  const further = given.people.filter(({ user_id }) => !ids.has(user_id)).length;
  const { ordered, people, links } = replacing(kept, given.people);
  return (
    <Card title={expected.kept(formatNumber(kept.length))}>
      <LoadState load={load} lines={2}>
        {() => (
          <>
            <p>{expected.given(formatNumber(given.people.length), formatNumber(further))}</p>
            <div class="row">
              <Button look="main" onClick={onAdd}>
                {expected.add}
              </Button>
              <ConfirmButton
                text={expected.replace}
                send={(signal) => sendList(gallery, ordered, false, signal)}
                onAnswer={onReplaced}
              >
                <p>{expected.replaceText(formatNumber(people), formatNumber(links))}</p>
              </ConfirmButton>
              <Button look="plain" onClick={onCancel}>
                {common.cancel}
              </Button>
            </div>
          </>
        )}
      </LoadState>
    </Card>
  );
}

/** People of a call, whose bytes are limited: names may be long. */
const chunk = Math.min(200, mostAtOnce);

type People = PeopleList['people'];

/** A list in the order in which it replaces another: links of those in the first call live on. What goes is counted. */
function replacing(kept: readonly ExpectedPerson[], given: People) {
  const linked = new Set(kept.filter(hasLink).map(({ user_id }) => user_id));
  const ordered = given.toSorted((a, b) => Number(linked.has(b.user_id)) - Number(linked.has(a.user_id)));
  const [first, stays] = [ordered.slice(0, chunk), ordered].map(
    (list) => new Set(list.map(({ user_id }) => user_id)),
  );
  return {
    ordered,
    people: kept.filter(({ user_id }) => !stays?.has(user_id)).length,
    links: [...linked].filter((id) => !first?.has(id)).length,
  };
}

async function sendList(
  facegallery_id: string,
  people: People,
  add: boolean,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < people.length; at += chunk) {
    const part = { people: people.slice(at, at + chunk), add: add || at > 0 };
    await wajah.setExpected({ facegallery_id, ...part }, { signal });
  }
}
