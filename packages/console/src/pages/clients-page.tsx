import type { ListClientsAnswer } from '@wajah/client';
import { unlimited } from '@wajah/contract/values';
import { useState } from 'preact/hooks';
import { commandText } from '../api/program.ts';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatNumber } from '../i18n/format.ts';
import { clients, common } from '../i18n/messages.ts';
import { StackedTable } from '../ui/card.tsx';
import { ConfirmButton, FormDialog, OpenButton } from '../ui/dialog.tsx';
import { InputField, TextField, useFields } from '../ui/field.tsx';
import { Pager, usePages } from '../ui/list.tsx';
import { LoadState } from '../ui/notice.tsx';
import { CreateForm, type OnMade, Registry } from '../ui/registry.tsx';

type Client = ListClientsAnswer['clients'][number];
type Amounts = Client['limits'];

const perPage = 50;

/** The clients of the server, for operators. */
export function ClientsPage() {
  const pages = usePages<Client, string>({
    key: 'clients',
    length: perPage,
    read: async (after, limit, signal) => {
      const answer = await wajah.listClients({ limit, ...(after && { after }) }, { signal });
      return [answer.clients, answer.next_after];
    },
  });
  const { reload, error } = pages.load;
  return (
    <Registry
      texts={clients}
      reload={reload}
      form={(onMade) => error?.status !== '403' && <CreateClient onMade={onMade} />}
      list={(onMade) => (
        <>
          <LoadState load={pages.load} lines={6} operators="clients">
            {([list]) => <ClientTable list={list} onChanged={reload} onMade={onMade} />}
          </LoadState>
          <Pager pages={pages} />
        </>
      )}
    />
  );
}

interface Handlers {
  readonly onChanged: () => void;
  readonly onMade: OnMade;
}

function ClientTable({ list, ...handlers }: Handlers & { list: readonly Client[] }) {
  const usage = (name: keyof Amounts) => (client: Client) =>
    clients.usedOf(formatNumber(client.used[name]), amountText(client.limits[name]));
  return (
    <StackedTable
      columns={[
        [
          common.clientId,
          ({ client_id: id, operator }) => (
            <>
              {id} {operator && <span class="tag good">{clients.operator}</span>}
            </>
          ),
        ],
        [common.created, ({ created_at: at }) => formatDate(at)],
        [common.faces, usage('n_face')],
        [common.galleries, usage('n_facegallery')],
        [common.calls, usage('n_api_hits')],
        [common.actions, (client) => <Actions client={client} {...handlers} />],
      ]}
      rows={list}
      keyOf={({ client_id: id }) => id}
    />
  );
}

const amountText = (amount: number) => (amount === unlimited ? common.unlimited : formatNumber(amount));

function Actions({ client, onChanged, onMade }: Handlers & { client: Client }) {
  const { client_id: id, operator, has_password: hasPassword, used } = client;
  return (
    <div class="row">
      <OpenButton text={clients.quota} label={clients.quotaOf(id)}>
        {(close) => <QuotaDialog client={client} onChanged={onChanged} onClose={close} />}
      </OpenButton>
      {!operator && hasPassword && (
        <ConfirmButton
          text={clients.reset}
          label={clients.resetOf(id)}
          look="plain"
          send={() => wajah.resetClientPassword({ client_id: id })}
          onAnswer={({ password }) =>
            onMade({ title: clients.resetDone(id), text: clients.onceText, secret: password })
          }
        >
          <p>{clients.resetText}</p>
        </ConfirmButton>
      )}
      {operator ? (
        <span class="muted small">{clients.ofCommand(commandText('client'))}</span>
      ) : (
        <ConfirmButton
          text={common.remove}
          label={clients.removeOf(id)}
          look="plain"
          typed={[common.clientId, id]}
          send={() => wajah.eraseClient({ client_id: id })}
          onAnswer={onChanged}
        >
          <p>{clients.removeText(formatNumber(used.n_facegallery), formatNumber(used.n_face))}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

function QuotaDialog(props: { client: Client; onChanged: () => void; onClose: () => void }) {
  const { client_id, limits } = props.client;
  const typedOf = (amount: number) => String(amount === unlimited ? -1 : amount);
  const { values, field } = useFields({
    n_face: typedOf(limits.n_face),
    n_facegallery: typedOf(limits.n_facegallery),
    n_api_hits: typedOf(limits.n_api_hits),
  });
  const amount = { type: 'number', min: '-1', max: unlimited, step: '1', required: true } as const;
  return (
    <FormDialog
      title={clients.quotaOf(client_id)}
      look="main"
      confirm={common.save}
      send={() =>
        wajah.setClientQuota({
          client_id,
          n_face: Number(values.n_face),
          n_facegallery: Number(values.n_facegallery),
          n_api_hits: Number(values.n_api_hits),
        })
      }
      onAnswer={props.onChanged}
      onClose={props.onClose}
    >
      <p class="hint">{clients.quotaHint}</p>
      <InputField label={common.faces} {...amount} {...field('n_face')} />
      <InputField label={common.galleries} {...amount} {...field('n_facegallery')} />
      <InputField label={common.calls} {...amount} {...field('n_api_hits')} />
    </FormDialog>
  );
}

function CreateClient({ onMade }: { onMade: OnMade }) {
  const [name, setName] = useState('');
  return (
    <CreateForm
      title={clients.create}
      submit={clients.createButton}
      disabled={name.trim() === ''}
      send={() => wajah.createClient({ client_id: name.trim() })}
      onAnswer={({ client_id: id, password }) => {
        setName('');
        onMade({ title: clients.createDone(id), text: clients.onceText, secret: password });
      }}
    >
      <TextField label={common.clientId} hint={clients.idHint} identifier value={name} onInput={setName} />
    </CreateForm>
  );
}
