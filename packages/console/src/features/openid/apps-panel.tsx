import type { CreateOpenidAppAnswer, ListOpenidAppsAnswer } from '@wajah/client';
import { idTokenAlgorithms } from '@wajah/contract/features/openid';
import { useState } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { formatDate } from '../../i18n/format.ts';
import { common } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { session } from '../../state/session.ts';
import { Card, Facts, StackedTable } from '../../ui/card.tsx';
import { ConfirmButton, ShownOnce } from '../../ui/dialog.tsx';
import { Check, Field, FilterField, SelectField, TextField, useFields } from '../../ui/field.tsx';
import { LoadState, Notice } from '../../ui/notice.tsx';
import { CreateForm } from '../../ui/registry.tsx';
import { openid } from './texts.ts';

type App = ListOpenidAppsAnswer['apps'][number];

/** Apps that sign the people of a client in, and the form that registers one. */
export function AppsPanel() {
  const [clientId, setClientId] = useState(session.value?.clientId ?? '');
  const [made, setMade] = useState<CreateOpenidAppAnswer>();
  const load = useLoad((signal) => wajah.listOpenidApps({ client_id: clientId }, { signal }), clientId);
  return (
    <div class="columns">
      <Card title={openid.title} hint={openid.hint}>
        <FilterField label={common.clientId} value={clientId} onChange={setClientId} />
        <LoadState load={load}>
          {({ apps, issuer }) => (
            <>
              {issuer === null ? <SwitchedOff /> : <Facts of={[[openid.issuer, issuer]]} />}
              <AppTable apps={apps} onChanged={load.reload} />
            </>
          )}
        </LoadState>
      </Card>
      <CreateApp
        clientId={clientId}
        onMade={(answer) => {
          setMade(answer);
          load.reload();
        }}
      />
      {made && (
        <ShownOnce
          title={openid.createdTitle}
          text={openid.createdText}
          secret={configurationOf(made)}
          onClose={() => setMade(undefined)}
        />
      )}
    </div>
  );
}

/** What an app is configured with, in the words of OpenID Connect. */
function configurationOf({ issuer, app_id, app_secret }: CreateOpenidAppAnswer): string {
  const lines = { issuer, client_id: app_id, client_secret: app_secret };
  return Object.entries(lines)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
    .join('\n');
}

function SwitchedOff() {
  return (
    <Notice tone="warn">
      <p>{openid.off}</p>
      <pre class="code wrap">{'WAJAH_OPENID=true\nWAJAH_PUBLIC_URL=https://…'}</pre>
    </Notice>
  );
}

function AppTable({ apps, onChanged }: { apps: readonly App[]; onChanged: () => void }) {
  return (
    <StackedTable
      columns={[
        [openid.addresses, Addresses],
        ['client_id', ({ app_id }) => app_id, 'mono'],
        [common.gallery, ({ facegallery_id }) => facegallery_id],
        [openid.kind, kindOf],
        [common.created, ({ created_at: at }) => formatDate(at)],
        [common.actions, (app) => <Removal app={app} onChanged={onChanged} />],
      ]}
      rows={apps}
      keyOf={({ app_id }) => app_id}
      empty={<p class="muted">{openid.none}</p>}
    />
  );
}

const Addresses = ({ redirect_uris: uris }: App) => (
  <div>
    {uris.map((uri) => (
      <div key={uri}>{uri}</div>
    ))}
  </div>
);

const kindOf = ({ public: isPublic, identify, id_token_alg }: App) =>
  [
    isPublic ? openid.public : openid.confidential,
    identify ? openid.withoutHint : openid.withHint,
    id_token_alg,
  ].join(', ');

function Removal({ app: { app_id, redirect_uris }, onChanged }: { app: App; onChanged: () => void }) {
  return (
    <ConfirmButton
      text={common.remove}
      label={openid.removeOf(redirect_uris[0] ?? app_id)}
      look="plain"
      send={() => wajah.deleteOpenidApp({ app_id })}
      onAnswer={onChanged}
    >
      <p>{openid.removeText}</p>
    </ConfirmButton>
  );
}

const newApp = {
  gallery: '',
  addresses: '',
  isPublic: false,
  identify: false,
  algorithm: 'RS256' as string,
};

function CreateApp(props: { clientId: string; onMade: (answer: CreateOpenidAppAnswer) => void }) {
  const [round, setRound] = useState(0);
  const onMade = (answer: CreateOpenidAppAnswer) => {
    setRound(round + 1);
    props.onMade(answer);
  };
  return <AppForm key={round} clientId={props.clientId} onMade={onMade} />;
}

function AppForm({
  clientId,
  onMade,
}: {
  clientId: string;
  onMade: (answer: CreateOpenidAppAnswer) => void;
}) {
  const { values, field, check } = useFields(newApp);
  const uris = values.addresses.split(/\s+/).filter(Boolean);
  const addresses = field('addresses');
  return (
    <CreateForm
      title={openid.create}
      submit={openid.createButton}
      disabled={values.gallery.trim() === '' || uris.length === 0}
      send={() =>
        wajah.createOpenidApp({
          client_id: clientId,
          facegallery_id: values.gallery.trim(),
          redirect_uris: uris,
          public: values.isPublic,
          identify: values.identify,
          id_token_alg: idTokenAlgorithms.find((name) => name === values.algorithm),
        })
      }
      onAnswer={onMade}
    >
      <TextField label={common.gallery} identifier {...field('gallery')} />
      <Field
        label={openid.addresses}
        hint={openid.addressesHint}
        control={(ids) => (
          <textarea
            {...ids}
            required
            rows={3}
            spellcheck={false}
            value={addresses.value}
            onInput={(event) => addresses.onInput(event.currentTarget.value)}
          />
        )}
      />
      <Check label={openid.isPublic} hint={openid.isPublicHint} {...check('isPublic')} />
      <Check label={openid.identify} hint={openid.identifyHint} {...check('identify')} />
      <SelectField
        label={openid.algorithm}
        value={values.algorithm}
        options={idTokenAlgorithms}
        onChange={field('algorithm').onInput}
      />
    </CreateForm>
  );
}
