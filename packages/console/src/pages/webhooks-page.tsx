import type { CreateWebhookRequest, ListWebhookDeliveriesAnswer, ListWebhooksAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import { wajah } from '../api/wajah.ts';
import { formatDate, formatTime } from '../i18n/format.ts';
import { common, webhooks } from '../i18n/messages.ts';
import { useLoad, useRequest } from '../state/request.ts';
import { Card, StackedTable } from '../ui/card.tsx';
import { ConfirmDialog, Dialog, Opens, ShownOnce } from '../ui/dialog.tsx';
import { Checks, Form, InputField } from '../ui/field.tsx';
import { Button } from '../ui/icon.tsx';
import { EmptyState, ErrorNotice, LoadState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/shell.tsx';

type Webhook = ListWebhooksAnswer['webhooks'][number];
type Delivery = ListWebhookDeliveriesAnswer['deliveries'][number];
type EventType = NonNullable<CreateWebhookRequest['types']>[number];

/** A record, so that the compiler reports a missing type. */
const allTypes: Readonly<Record<EventType, true>> = {
  'face.enrolled': true,
  'face.verified': true,
  'face.identified': true,
  'face.erased': true,
  'call.refused': true,
  'liveness.passed': true,
  'liveness.failed': true,
  'quota.reached': true,
};
const types = Object.keys(allTypes) as readonly EventType[];

/** Webhooks of the client. */
export function WebhooksPage() {
  const load = useLoad((signal) => wajah.listWebhooks({}, { signal }));
  const [secret, setSecret] = useState<string>();
  const list = load.answer?.webhooks;
  return (
    <div class="page stack wide">
      <PageHeader title={webhooks.title} lead={webhooks.lead} />
      <div class="columns side">
        <Card title={webhooks.list}>
          <LoadState load={load} />
          {list?.length === 0 && (
            <EmptyState icon="webhooks" title={webhooks.empty} text={webhooks.emptyText} />
          )}
          {list && list.length > 0 && <WebhookTable list={list} onChanged={load.reload} />}
        </Card>
        <CreateWebhook
          onCreated={(created) => {
            setSecret(created);
            load.reload();
          }}
        />
      </div>
      {secret !== undefined && (
        <ShownOnce
          title={webhooks.createdTitle}
          text={webhooks.createdText}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  );
}

function WebhookTable({ list, onChanged }: { list: readonly Webhook[]; onChanged: () => void }) {
  return (
    <StackedTable
      columns={[
        [webhooks.url, ({ url }) => url],
        [webhooks.types, (one) => one.types?.join(', ') ?? webhooks.all],
        [webhooks.created, ({ created_at: at }) => formatDate(at)],
        [webhooks.actions, (one) => <Actions webhook={one} onChanged={onChanged} />],
      ]}
      rows={list}
      keyOf={(one) => one.webhook_id}
    />
  );
}

function Actions({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const { webhook_id, url, enabled } = webhook;
  const test = useRequest<{ delivered: boolean; error: string | null }>();
  const resume = useRequest<object>();
  const error = test.error ?? resume.error;
  return (
    <div class="stack tight">
      <div class="row">
        <Button
          aria-label={webhooks.testOf(url)}
          disabled={test.busy}
          onClick={() => void test.run((signal) => wajah.testWebhook({ webhook_id }, { signal }))}
        >
          {webhooks.test}
        </Button>
        <Opens
          button={(open) => (
            <Button aria-label={webhooks.deliveriesOf(url)} onClick={open}>
              {webhooks.deliveries}
            </Button>
          )}
        >
          {(close) => <Deliveries webhook={webhook} onClose={close} />}
        </Opens>
        {!enabled && (
          <Button
            disabled={resume.busy}
            onClick={() => void resume.run(() => wajah.updateWebhook({ webhook_id }), onChanged)}
          >
            {webhooks.resume}
          </Button>
        )}
        <Removal webhook={webhook} onRemoved={onChanged} />
      </div>
      {!enabled && <p class="hint">{webhooks.stopped}</p>}
      {error && <ErrorNotice error={error} />}
      {test.answer && !test.error && (
        <p class="hint" role="status">
          {test.answer.delivered ? webhooks.delivered : webhooks.notDelivered(test.answer.error ?? '')}
        </p>
      )}
    </div>
  );
}

function Removal({ webhook, onRemoved }: { webhook: Webhook; onRemoved: () => void }) {
  const { webhook_id, url } = webhook;
  return (
    <Opens
      button={(open) => (
        <Button look="plain" aria-label={webhooks.removeOf(url)} onClick={open}>
          {webhooks.remove}
        </Button>
      )}
    >
      {(close) => (
        <ConfirmDialog
          title={webhooks.removeOf(url)}
          confirm={webhooks.remove}
          send={() => wajah.deleteWebhook({ webhook_id })}
          onAnswer={onRemoved}
          onClose={close}
        >
          <p>{webhooks.removeText}</p>
        </ConfirmDialog>
      )}
    </Opens>
  );
}

function stateText(state: Delivery['state']): string {
  return { pending: webhooks.pending, delivered: webhooks.done, dead: webhooks.dead }[state];
}

/** The latest events of a webhook. */
function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { webhook_id, url } = webhook;
  const load = useLoad((signal) => wajah.listWebhookDeliveries({ webhook_id, limit: 20 }, { signal }));
  const list = load.answer?.deliveries;
  return (
    <Dialog title={webhooks.deliveriesOf(url)} dismiss={common.close} onClose={onClose}>
      <LoadState load={load} />
      {list?.length === 0 && <p class="muted">{webhooks.noDeliveries}</p>}
      {list && list.length > 0 && (
        <StackedTable
          columns={[
            [webhooks.types, ({ type }) => type],
            [webhooks.created, ({ created_at: at }) => formatTime(at)],
            [webhooks.state, ({ state, error }) => [stateText(state), error].filter(Boolean).join(': ')],
          ]}
          rows={list}
          keyOf={({ event_id }) => event_id}
        />
      )}
    </Dialog>
  );
}

function CreateWebhook({ onCreated }: { onCreated: (secret: string) => void }) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly EventType[]>([]);
  const wanted = chosen.length === 0 ? {} : { types: chosen };
  return (
    <Card title={webhooks.create}>
      <Form
        look="main"
        icon="plus"
        submit={webhooks.createButton}
        disabled={url.trim() === ''}
        send={() => wajah.createWebhook({ url: url.trim(), ...wanted })}
        onAnswer={({ secret }) => {
          setUrl('');
          setChosen([]);
          onCreated(secret);
        }}
      >
        <InputField
          label={webhooks.url}
          hint={webhooks.urlHint}
          maxLength={2000}
          required
          autocapitalize="none"
          spellcheck={false}
          value={url}
          onInput={setUrl}
        />
        <Checks
          legend={webhooks.types}
          hint={webhooks.typesHint}
          values={types}
          chosen={chosen}
          onChange={setChosen}
        />
      </Form>
    </Card>
  );
}
