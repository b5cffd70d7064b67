import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { ExportButton } from '../../../ui/export-button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { peopleTable } from './people-file.ts';

interface Props {
  readonly gallery: string;
  readonly search: string;
  /** Number of people. */
  readonly selected: number;
  readonly onErase: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected people, and with the whole list. */
export function PeopleTools({ gallery, search, selected, onErase, onClear }: Props) {
  const { people } = messages.value;
  return (
    <div class="row">
      <ExportButton
        name={people.title}
        file={gallery}
        table={(signal) => peopleTable(gallery, search, signal)}
      />
      {selected > 0 && (
        <>
          <button type="button" class="button danger" onClick={onErase}>
            <Icon name="trash" />
            {people.eraseSelected(formatNumber(selected))}
          </button>
          <button type="button" class="button plain" onClick={onClear}>
            {people.unselect}
          </button>
        </>
      )}
    </div>
  );
}
