import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { terms, people as texts } from '../../i18n/messages.ts';
import { asApiError } from '../../state/request.ts';
import { ConsentInput, lacksReference, newTerms, termsFields } from '../../ui/consent-input.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { CountField, SelectField, useFields } from '../../ui/field.tsx';

/** Somebody to change or erase. */
export interface Named {
  readonly userId: string;
  readonly name: string;
}

interface Props {
  readonly gallery: string;
  readonly people: readonly Named[];
  /** @param report of what was done */
  readonly onDone: (report: string) => void;
  readonly onClose: () => void;
}

interface DialogProps extends Omit<Props, 'gallery'> {
  readonly title: string;
  /** Text of the button. */
  readonly confirm: string;
  readonly look?: 'main' | 'danger';
  readonly disabled?: boolean;
  readonly one: (userId: string, signal: AbortSignal) => Promise<unknown>;
  /** @param gone number of people who were erased meanwhile */
  readonly report: (gone: number) => string;
  readonly children: ComponentChildren;
}

/** Asks once about people whom it names, and does the same to each, one after the other. */
function PeopleDialog({ people, one, report, onDone, children, ...dialog }: DialogProps) {
  const [done, setDone] = useState<number>();
  const progress =
    done === undefined || people.length === 1
      ? ''
      : texts.progress(formatNumber(done), formatNumber(people.length));
  const sendAll = async (signal: AbortSignal) => {
    let gone = 0;
    for (const [index, { userId }] of people.entries()) {
      setDone(index);
      await one(userId, signal).catch((error: unknown) => {
        if (asApiError(error).status !== '415') throw error;
        gone++;
      });
    }
    return report(gone);
  };
  return (
    <FormDialog
      {...dialog}
      send={(signal) => sendAll(signal).finally(() => setDone(undefined))}
      onAnswer={onDone}
    >
      <ul class="stack tight tall">
        {people.map(({ userId, name }) => (
          <li key={userId} class="field grow">
            <strong>{name}</strong>
            <span class="mono">{userId}</span>
          </li>
        ))}
      </ul>
      {children}
      {progress !== '' && (
        <div class="stack tight" role="status">
          <progress max={people.length} value={done} aria-label={progress} />
          <p class="hint">{progress}</p>
        </div>
      )}
    </FormDialog>
  );
}

/** Erases people after a confirmation. Whoever is gone already counts as erased. */
export function ErasePeople({ gallery, people, ...rest }: Props) {
  const [first] = people;
  let record = '–';
  return (
    <PeopleDialog
      {...{ people, ...rest }}
      title={texts.eraseTitle(people.length, first?.name ?? '')}
      confirm={texts.erase}
      one={async (user_id, signal) => {
        const { receipt } = await wajah.deleteFace({ facegallery_id: gallery, user_id }, { signal });
        if (receipt) record = formatNumber(receipt.number);
      }}
      report={() => texts.erased(formatNumber(people.length), record)}
    >
      <p>{texts.eraseText}</p>
    </PeopleDialog>
  );
}

/** Sets consent, time and suspension of people, each of them only where it is chosen. */
export function ChangePeople({ gallery, people, ...rest }: Props) {
  const { values, field } = useFields(newTerms());
  const [matching, match] = useState('');
  const changes = termsFields(values);
  const isChanged = Object.keys(changes).length > 0;
  return (
    <PeopleDialog
      {...{ people, ...rest }}
      look="main"
      title={texts.changeTitle(people.length)}
      confirm={texts.changeAll(people.length)}
      disabled={!isChanged && matching === '' && !lacksReference(values)}
      one={async (user_id, signal) => {
        const of = { facegallery_id: gallery, user_id };
        if (isChanged) await wajah.updatePerson({ ...of, ...changes }, { signal });
        if (matching === 'suspend') await wajah.suspendPerson(of, { signal });
        if (matching === 'resume') await wajah.resumePerson(of, { signal });
      }}
      report={(gone) => texts.changed(formatNumber(people.length - gone))}
    >
      <ConsentInput field={field} optional />
      <CountField label={terms.daysAll} hint={terms.daysHint} {...field('days')} />
      <SelectField
        label={texts.matching}
        value={matching}
        options={[
          ['', texts.matchingStays],
          ['suspend', texts.matchingEnds],
          ['resume', texts.matchingBegins],
        ]}
        onChange={match}
      />
    </PeopleDialog>
  );
}
