import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { formatNumber } from '../../i18n/format.ts';
import { people as texts } from '../../i18n/messages.ts';
import { asApiError } from '../../state/request.ts';
import { FormDialog } from '../../ui/dialog.tsx';

/** Somebody to erase. */
export interface Named {
  readonly userId: string;
  readonly name: string;
}

interface Props {
  readonly gallery: string;
  readonly people: readonly Named[];
  /** @param report of the erasure, with its record in the audit trail */
  readonly onErased: (report: string) => void;
  readonly onClose: () => void;
}

/** Erases people after a confirmation that names them. */
export function ErasePeople({ gallery, people, onErased, onClose }: Props) {
  const [done, setDone] = useState<number>();
  const [first] = people;
  const progress = done === undefined || people.length === 1 ? '' : texts.erasing(done, people.length);
  return (
    <FormDialog
      title={texts.eraseTitle(people.length, first?.name ?? '')}
      confirm={texts.erase}
      send={(signal) => eraseAll(gallery, people, setDone, signal).finally(() => setDone(undefined))}
      onAnswer={onErased}
      onClose={onClose}
    >
      <ul class="stack tight tall">
        {people.map(({ userId, name }) => (
          <li key={userId} class="field grow">
            <strong>{name}</strong>
            <span class="mono">{userId}</span>
          </li>
        ))}
      </ul>
      <p>{texts.eraseText}</p>
      {progress !== '' && (
        <div class="stack tight" role="status">
          <progress max={people.length} value={done} aria-label={progress} />
          <p class="hint">{progress}</p>
        </div>
      )}
    </FormDialog>
  );
}

/** One after the other; people who are gone already count as erased. */
async function eraseAll(
  gallery: string,
  people: readonly Named[],
  onDone: (count: number) => void,
  signal: AbortSignal,
): Promise<string> {
  let record = '–';
  onDone(0);
  for (const [index, { userId }] of people.entries()) {
    try {
      const fields = { facegallery_id: gallery, user_id: userId };
      const { receipt } = await wajah.deleteFace(fields, { signal });
      if (receipt) record = formatNumber(receipt.number);
    } catch (error) {
      if (asApiError(error).status !== '415') throw error;
    }
    onDone(index + 1);
  }
  return texts.erased(formatNumber(people.length), record);
}
