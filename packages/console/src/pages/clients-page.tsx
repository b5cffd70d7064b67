import type { ListClientsAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatNumber } from '../i18n/format.ts';
import { clients, common } from '../i18n/messages.ts';
import { Card, StackedTable } from '../ui/card.tsx';
import { ConfirmDialog, Dialog, Opens, ShownOnce } from '../ui/dialog.tsx';
import { Form, InputField, TextField, useFields } from '../ui/field.tsx';
import { Button } from '../ui/icon.tsx';
import { Pager, usePages } from '../ui/list.tsx';
import { LoadState } from '../ui/notice.tsx';
import { OperatorsOnly } from '../ui/operators-only.tsx';
import { PageHeader } from '../ui/shell.tsx';

type Client = ListClientsAnswer['clients'][number];
type Amounts = Client['limits'];

/** A password that was made for a client. */
interface Secret {
  readonly title: string;
  readonly password: string;
}

/** As answers have it. */
const unlimited = 2_147_483_647;
const perPage = 50;

/** The clients of the server, for operators. */
export function ClientsPage() {
  const [version, setVersion] = useState(0);
  const [secret, setSecret] = useState<Secret>();
  const pages = usePages<Client, string>({
    key: 'clients',
    version,
    length: perPage,
    read: async (after, limit, signal) => {
      const answer = await wajah.listClients({ limit, ...(after && { after }) }, { signal });
      return [answer.clients, answer.next_after];
    },
  });
  const changed = () => setVersion(version + 1);
  const made = (found: Secret) => {
    setSecret(found);
    changed();
  };
  return (
    <div class="page stack wide">
      <PageHeader title={clients.title} lead={clients.lead} />
      {pages.load.error?.status === '403' ? (
        <OperatorsOnly icon="clients" />
      ) : (
        <div class="columns side">
          <Card title={clients.list}>
            <LoadState load={pages.load} lines={6} />
            {pages.entries && <ClientTable list={pages.entries} onChanged={changed} onSecret={made} />}
            <Pager pages={pages} />
          </Card>
          <CreateClient onSecret={made} />
        </div>
      )}
      {secret && (
        <ShownOnce
          title={secret.title}
          text={clients.onceText}
          secret={secret.password}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  );
}

interface Handlers {
  readonly onChanged: () => void;
  readonly onSecret: (secret: Secret) => void;
}

function ClientTable({ list, ...handlers }: Handlers & { list: readonly Client[] }) {
  const usage = (name: keyof Amounts) => (client: Client) =>
    clients.usedOf(formatNumber(client.used[name]), amountText(client.limits[name]));
  return (
    <StackedTable
      columns={[
        [
          clients.id,
          ({ client_id: id, operator }) => (
            <>
              {id} {operator && <span class="tag good">{clients.operator}</span>}
            </>
          ),
        ],
        [clients.created, ({ created_at: at }) => formatDate(at)],
        [clients.faces, usage('n_face')],
        [clients.galleries, usage('n_facegallery')],
        [clients.calls, usage('n_api_hits')],
        [clients.actions, (client) => <Actions client={client} {...handlers} />],
      ]}
      rows={list}
      keyOf={({ client_id: id }) => id}
    />
  );
}

const amountText = (amount: number) => (amount === unlimited ? clients.unlimited : formatNumber(amount));

function Actions({ client, onChanged, onSecret }: Handlers & { client: Client }) {
  const { client_id: id, operator, has_password: hasPassword } = client;
  return (
    <div class="row">
      <Opens
        button={(open) => (
          <Button aria-label={clients.quotaOf(id)} onClick={open}>
            {clients.quota}
          </Button>
        )}
      >
        {(close) => <QuotaDialog client={client} onChanged={onChanged} onClose={close} />}
      </Opens>
      {!operator && hasPassword && (
        <Opens
          button={(open) => (
            <Button look="plain" aria-label={clients.resetOf(id)} onClick={open}>
              {clients.reset}
            </Button>
          )}
        >
          {(close) => (
            <ConfirmDialog
              title={clients.resetOf(id)}
              confirm={clients.reset}
              send={() => wajah.resetClientPassword({ client_id: id })}
              onAnswer={({ password }) => onSecret({ title: clients.resetDone(id), password })}
              onClose={close}
            >
              <p>{clients.resetText}</p>
            </ConfirmDialog>
          )}
        </Opens>
      )}
      {operator ? (
        <span class="muted small">{clients.ofCommand}</span>
      ) : (
        <Opens
          button={(open) => (
            <Button look="plain" aria-label={clients.removeOf(id)} onClick={open}>
              {clients.remove}
            </Button>
          )}
        >
          {(close) => <RemoveDialog client={client} onChanged={onChanged} onClose={close} />}
        </Opens>
      )}
    </div>
  );
}

interface DialogProps {
  readonly client: Client;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ client, onChanged, onClose }: DialogProps) {
  const { client_id: id, used } = client;
  const { values, field } = useFields({ typed: '' });
  return (
    <ConfirmDialog
      title={clients.removeOf(id)}
      confirm={clients.remove}
      disabled={values.typed !== id}
      send={() => wajah.eraseClient({ client_id: id })}
      onAnswer={onChanged}
      onClose={onClose}
    >
      <p>{clients.removeText(formatNumber(used.n_facegallery), formatNumber(used.n_face))}</p>
      <TextField label={clients.id} identifier {...field('typed')} />
    </ConfirmDialog>
  );
}

function QuotaDialog({ client, onChanged, onClose }: DialogProps) {
  const typedOf = (amount: number) => String(amount === unlimited ? -1 : amount);
  const { n_api_hits: calls, n_face: faces, n_facegallery: galleries } = client.limits;
  const { values, field } = useFields({
    n_face: typedOf(faces),
    n_facegallery: typedOf(galleries),
    n_api_hits: typedOf(calls),
  });
  const amount = { type: 'number', min: '-1', max: unlimited, step: '1', required: true } as const;
  return (
    <Dialog title={clients.quotaOf(client.client_id)} onClose={onClose}>
      <Form
        look="main"
        submit={common.save}
        send={() =>
          wajah.setClientQuota({
            client_id: client.client_id,
            n_face: Number(values.n_face),
            n_facegallery: Number(values.n_facegallery),
            n_api_hits: Number(values.n_api_hits),
          })
        }
        onAnswer={() => {
          onClose();
          onChanged();
        }}
        onCancel={onClose}
      >
        <p class="hint">{clients.quotaHint}</p>
        <InputField label={clients.faces} {...amount} {...field('n_face')} />
        <InputField label={clients.galleries} {...amount} {...field('n_facegallery')} />
        <InputField label={clients.calls} {...amount} {...field('n_api_hits')} />
      </Form>
    </Dialog>
  );
}

function CreateClient({ onSecret }: Pick<Handlers, 'onSecret'>) {
  const [name, setName] = useState('');
  return (
    <Card title={clients.create}>
      <Form
        look="main"
        icon="plus"
        submit={clients.createButton}
        disabled={name.trim() === ''}
        send={() => wajah.createClient({ client_id: name.trim() })}
        onAnswer={({ client_id: id, password }) => {
          setName('');
          onSecret({ title: clients.createDone(id), password });
        }}
      >
        <TextField label={clients.id} hint={clients.idHint} identifier value={name} onInput={setName} />
      </Form>
    </Card>
  );
}
