import type { ListClientsAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatNumber } from '../i18n/format.ts';
import { clients, common } from '../i18n/messages.ts';
import { Card, StackedTable } from '../ui/card.tsx';
import { ConfirmDialog, Dialog, ShownOnce } from '../ui/dialog.tsx';
import { Form, InputField, TextField } from '../ui/field.tsx';
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
  const [open, setOpen] = useState<'quota' | 'reset' | 'remove'>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onChanged();
  };
  return (
    <>
      <div class="row">
        <Button aria-label={clients.quotaOf(id)} onClick={() => setOpen('quota')}>
          {clients.quota}
        </Button>
        {!operator && hasPassword && (
          <Button look="plain" aria-label={clients.resetOf(id)} onClick={() => setOpen('reset')}>
            {clients.reset}
          </Button>
        )}
        {!operator && (
          <Button look="plain" aria-label={clients.removeOf(id)} onClick={() => setOpen('remove')}>
            {clients.remove}
          </Button>
        )}
        {operator && <span class="muted small">{clients.ofCommand}</span>}
      </div>
      {open === 'quota' && <QuotaDialog client={client} onAnswer={done} onClose={close} />}
      {open === 'reset' && (
        <ConfirmDialog
          title={clients.resetOf(id)}
          confirm={clients.reset}
          send={() => wajah.resetClientPassword({ client_id: id })}
          onAnswer={({ password }) => {
            close();
            onSecret({ title: clients.resetDone(id), password });
          }}
          onClose={close}
        >
          <p>{clients.resetText}</p>
        </ConfirmDialog>
      )}
      {open === 'remove' && <RemoveDialog client={client} onAnswer={done} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly client: Client;
  readonly onAnswer: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ client, onAnswer, onClose }: DialogProps) {
  const { client_id: id, used } = client;
  const [typed, setTyped] = useState('');
  return (
    <ConfirmDialog
      title={clients.removeOf(id)}
      confirm={clients.remove}
      disabled={typed !== id}
      send={() => wajah.eraseClient({ client_id: id })}
      onAnswer={onAnswer}
      onClose={onClose}
    >
      <p>{clients.removeText(formatNumber(used.n_facegallery), formatNumber(used.n_face))}</p>
      <TextField label={clients.id} identifier value={typed} onInput={setTyped} />
    </ConfirmDialog>
  );
}

function QuotaDialog({ client, onAnswer, onClose }: DialogProps) {
  const typedOf = (amount: number) => String(amount === unlimited ? -1 : amount);
  const { n_api_hits: calls, n_face: faces, n_facegallery: galleries } = client.limits;
  const [typed, setTyped] = useState({
    n_face: typedOf(faces),
    n_facegallery: typedOf(galleries),
    n_api_hits: typedOf(calls),
  });
  const field = (name: keyof typeof typed, label: string) => (
    <InputField
      label={label}
      type="number"
      min="-1"
      max={unlimited}
      step="1"
      required
      value={typed[name]}
      onInput={(value) => setTyped({ ...typed, [name]: value })}
    />
  );
  return (
    <Dialog title={clients.quotaOf(client.client_id)} onClose={onClose}>
      <Form
        look="main"
        submit={common.save}
        send={() =>
          wajah.setClientQuota({
            client_id: client.client_id,
            n_face: Number(typed.n_face),
            n_facegallery: Number(typed.n_facegallery),
            n_api_hits: Number(typed.n_api_hits),
          })
        }
        onAnswer={onAnswer}
        onCancel={onClose}
      >
        <p class="hint">{clients.quotaHint}</p>
        {field('n_face', clients.faces)}
        {field('n_facegallery', clients.galleries)}
        {field('n_api_hits', clients.calls)}
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
