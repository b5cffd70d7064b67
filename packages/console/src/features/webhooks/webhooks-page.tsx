import type { ListWebhookDeliveriesAnswer, ListWebhooksAnswer } from '@wajah/client';
import { webhookTypes } from '@wajah/contract/features/webhooks';
import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatTime } from '../../i18n/format.ts';
import { common } from '../../i18n/messages.ts';
import { useLoad, useRequest } from '../../state/request.ts';
import { Card, StackedTable } from '../../ui/card.tsx';
import { ConfirmButton, Dialog, OpenButton } from '../../ui/dialog.tsx';
import { Checks, TextField } from '../../ui/field.tsx';
import { Button, type IconName } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, LoadState, Notice } from '../../ui/notice.tsx';
import { CreateForm, type OnMade, Registry } from '../../ui/registry.tsx';
import { webhooks } from './texts.ts';

type Webhook = ListWebhooksAnswer['webhooks'][number];
type Delivery = ListWebhookDeliveriesAnswer['deliveries'][number];

/** Webhooks of the client. */
export function WebhooksPage({ icon }: { icon: IconName }) {
  const load = useLoad((signal) => wajah.listWebhooks({}, { signal }));
  return (
    <Registry
      texts={webhooks}
      reload={load.reload}
      form={(onMade) => (load.answer?.on === false ? <SwitchedOff /> : <CreateWebhook onMade={onMade} />)}
      list={() => (
        <LoadState load={load}>
          {(answer) => (
            <StackedTable
              columns={[
                [webhooks.url, ({ url }) => url],
                [webhooks.types, (one) => one.types?.join(', ') ?? common.allOf],
                [common.created, ({ created_at: at }) => formatDate(at)],
                [common.actions, (one) => <Actions webhook={one} onChanged={load.reload} />],
              ]}
              rows={answer.webhooks}
              keyOf={(one) => one.webhook_id}
              empty={<EmptyState icon={icon} title={webhooks.empty} text={webhooks.emptyText} />}
            />
          )}
        </LoadState>
      )}
    />
  );
}

/** In place of a form whose webhook the server would refuse. */
function SwitchedOff() {
  return (
    <Card title={webhooks.create}>
      <Notice tone="warn">
        <p>{webhooks.off}</p>
        <pre class="code wrap">WAJAH_WEBHOOKS=true</pre>
        <p>{webhooks.networks}</p>
      </Notice>
    </Card>
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
        <OpenButton text={webhooks.deliveries} label={webhooks.deliveriesOf(url)}>
          {(close) => <Deliveries webhook={webhook} onClose={close} />}
        </OpenButton>
        {!enabled && (
          <Button
            disabled={resume.busy}
            onClick={() => void resume.run(() => wajah.updateWebhook({ webhook_id }), onChanged)}
          >
            {webhooks.resume}
          </Button>
        )}
        <ConfirmButton
          text={common.remove}
          label={webhooks.removeOf(url)}
          look="plain"
          send={() => wajah.deleteWebhook({ webhook_id })}
          onAnswer={onChanged}
        >
          <p>{webhooks.removeText}</p>
        </ConfirmButton>
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

function stateText(state: Delivery['state']): string {
  return { pending: webhooks.pending, delivered: webhooks.done, dead: webhooks.dead }[state];
}

/** The latest events of a webhook. */
function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { webhook_id, url } = webhook;
  const load = useLoad((signal) => wajah.listWebhookDeliveries({ webhook_id, limit: 20 }, { signal }));
  return (
    <Dialog title={webhooks.deliveriesOf(url)} dismiss={common.close} onClose={onClose}>
      <LoadState load={load}>
        {({ deliveries }) => (
          <StackedTable
            columns={[
              [webhooks.types, ({ type }) => type],
              [common.created, ({ created_at: at }) => formatTime(at)],
              [common.state, ({ state, error }) => [stateText(state), error].filter(Boolean).join(': ')],
            ]}
            rows={deliveries}
            keyOf={({ event_id }) => event_id}
            empty={<p class="muted">{webhooks.noDeliveries}</p>}
          />
        )}
      </LoadState>
    </Dialog>
  );
}

function CreateWebhook({ onMade }: { onMade: OnMade }) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly (typeof webhookTypes)[number][]>([]);
  const wanted = chosen.length === 0 ? {} : { types: chosen };
  return (
    <CreateForm
      title={webhooks.create}
      submit={webhooks.createButton}
      disabled={url.trim() === ''}
      send={() => wajah.createWebhook({ url: url.trim(), ...wanted })}
      onAnswer={({ secret }) => {
        setUrl('');
        setChosen([]);
        onMade({ title: webhooks.createdTitle, text: webhooks.createdText, secret });
      }}
    >
      <TextField
        label={webhooks.url}
        hint={`${webhooks.urlHint} ${webhooks.networks}`}
        identifier
        maxLength={2000}
        value={url}
        onInput={setUrl}
      />
      <Checks
        legend={webhooks.types}
        hint={webhooks.typesHint}
        values={webhookTypes}
        chosen={chosen}
        onChange={setChosen}
      />
    </CreateForm>
  );
}
