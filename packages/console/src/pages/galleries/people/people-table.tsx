import type { Person } from '../../../api/types.ts';
import { formatDate } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { IconButton } from '../../../ui/icon.tsx';
import type { Named } from './erase-people.tsx';
import { FaceCrop } from './face-crop.tsx';
import { type Selection, withPeople } from './selection.ts';

interface Props {
  readonly gallery: string;
  readonly people: readonly Person[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** A page of people. On narrow screens each row has the ID on a line of its own. */
export function PeopleTable(props: Props) {
  const { people: shown, selection, onSelect } = props;
  const { people } = messages.value;
  const all = shown.every(({ user_id }) => selection.has(user_id));
  return (
    <table class="people">
      <thead>
        <tr>
          <th scope="col" class="choice">
            <input
              type="checkbox"
              aria-label={people.selectPage}
              title={people.selectPage}
              checked={all}
              onChange={() => onSelect(withPeople(selection, shown, !all))}
            />
          </th>
          <th scope="col" class="name">
            {people.userName}
          </th>
          <th scope="col" class="id">
            {people.userId}
          </th>
          <th scope="col" class="when">
            {people.enrolledAt}
          </th>
          <th scope="col" class="acts">
            <span class="visually-hidden">
              {people.face}, {people.erase}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((person) => (
          <Row key={person.user_id} person={person} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ person, gallery, selection, onSelect, onErase }: Props & { person: Person }) {
  const { user_id: userId, user_name: name, created_at: at } = person;
  const { people, terms } = messages.value;
  return (
    <tr>
      <td class="choice">
        <input
          type="checkbox"
          aria-label={people.selectPerson(name)}
          checked={selection.has(userId)}
          onChange={({ currentTarget }) => onSelect(withPeople(selection, [person], currentTarget.checked))}
        />
      </td>
      <th scope="row" class="name">
        <a href={hrefOf('galleries', gallery, 'people', userId)}>{name}</a>
        {person.suspended_at && <span class="badge"> {terms.suspended}</span>}
      </th>
      <td class="id mono">{userId}</td>
      <td class="when">{at === undefined ? '' : formatDate(at)}</td>
      <td class="acts">
        <FaceCrop gallery={gallery} userId={userId} name={name} />
        <IconButton icon="trash" label={people.eraseOne(name)} onClick={() => onErase({ userId, name })} />
      </td>
    </tr>
  );
}
