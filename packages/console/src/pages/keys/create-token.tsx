import { useState } from 'preact/hooks';
import { type Scope, scopes } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useRequest } from '../../state/use-request.ts';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** What a door or a desk needs; more is chosen by hand. */
const leastScopes: readonly Scope[] = ['recognise'];

/** Name, scopes and lifetime of a new token. */
export function CreateToken({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(leastScopes);
  const [days, setDays] = useState('90');
  const call = useRequest<{ token: string }>();
  const { keys } = messages.value;
  async function submit(event: Event) {
    event.preventDefault();
    const expiry = days === '' ? {} : { expires_in_days: Number(days) };
    const created = await call.run(() => wajah.createApiToken({ name, scopes: chosen, ...expiry }));
    if (!created) return;
    setName('');
    setChosen(leastScopes);
    onCreated(created.token);
  }
  return (
    <section class="card" aria-labelledby="create-token">
      <h2 id="create-token">{keys.create}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label={keys.name} hint={keys.nameHint} value={name} onInput={setName} />
        <ScopeChoice chosen={chosen} onChange={setChosen} />
        <Lifetime days={days} onChange={setDays} />
        {call.error && <ErrorNotice error={call.error} />}
        <button
          type="submit"
          class="button main"
          disabled={call.busy || name.trim() === '' || chosen.length === 0}
        >
          <Icon name="plus" />
          {keys.createButton}
        </button>
      </form>
    </section>
  );
}

function ScopeChoice(props: { chosen: readonly Scope[]; onChange: (chosen: readonly Scope[]) => void }) {
  const { keys } = messages.value;
  return (
    <fieldset class="stack tight">
      <legend>{keys.scopes}</legend>
      <p class="hint">{keys.scopesHint}</p>
      {scopes.map((scope) => (
        <Check
          key={scope}
          label={scope}
          hint={keys[`scope_${scope}`]}
          checked={props.chosen.includes(scope)}
          onChange={(checked) =>
            props.onChange(scopes.filter((one) => (one === scope ? checked : props.chosen.includes(one))))
          }
        />
      ))}
    </fieldset>
  );
}

function Lifetime({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  const { keys } = messages.value;
  const options = [
    ['30', keys.days30],
    ['90', keys.days90],
    ['365', keys.days365],
    ['', keys.never],
  ] as const;
  return <SelectField label={keys.expires} value={days} options={options} onChange={onChange} />;
}
