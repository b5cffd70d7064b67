import { useState } from 'preact/hooks';
import type { CropPolicy, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatSimilarity } from '../../i18n/format.ts';
import { common, enrolment, galleries, terms } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { isSampleGallery } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Check, DaysField, Form, InputField, TextField } from '../../ui/field.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { EmptyState, LoadState, Notice } from '../../ui/notice.tsx';
import { PageHeader, Tabs } from '../../ui/shell.tsx';
import { fmrSentence } from '../../ui/similarity.tsx';
import { Duplicates } from './duplicates.tsx';
import { EnrolPanel } from './enrol.tsx';
import { PeopleList } from './people.tsx';
import { PersonPage } from './person-page.tsx';
import { Thresholds } from './thresholds.tsx';

interface GalleryPageProps {
  readonly name: string;
  readonly view: string | undefined;
  /** user_id of the person who is shown; undefined: the gallery is. */
  readonly person: string | undefined;
}

/** One gallery: people and enrolment, duplicates, thresholds, settings; or one of its people. */
export function GalleryPage({ name, view, person }: GalleryPageProps) {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
  const [version, setVersion] = useState(0);
  const gallery = load.answer?.facegalleries.find(({ facegallery_id }) => facegallery_id === name);
  const onChanged = () => {
    setVersion((before) => before + 1);
    load.reload();
  };
  return (
    <div class="page stack wide">
      <LoadState load={load} lines={5} />
      {load.answer && !gallery && <NoGallery />}
      {gallery && person !== undefined && (
        <PersonPage key={person} gallery={gallery} userId={person} onChanged={onChanged} />
      )}
      {gallery && (
        // Hidden, so that enrolment goes on and the list keeps its place while a person is looked at.
        <div hidden={person !== undefined}>
          <Views
            gallery={gallery}
            policy={load.answer!.face_crops}
            view={person === undefined ? viewOf(view) : 'people'}
            shown={person === undefined}
            version={version}
            onChanged={onChanged}
          />
        </div>
      )}
    </div>
  );
}

function NoGallery() {
  return (
    <EmptyState icon="galleries" title={galleries.notFound} text={galleries.notFoundText}>
      <a href={hrefOf('galleries')}>{galleries.back}</a>
    </EmptyState>
  );
}

interface ViewsProps {
  readonly gallery: Gallery;
  readonly policy: CropPolicy;
  readonly view: ReturnType<typeof viewOf>;
  readonly shown: boolean;
  readonly version: number;
  readonly onChanged: () => void;
}

function Views({ gallery, policy, view, shown, version, onChanged }: ViewsProps) {
  const { facegallery_id: name } = gallery;
  return (
    <div class="stack wide">
      <a class="up" href={hrefOf('galleries')}>
        <Icon name="back" />
        {galleries.back}
      </a>
      {shown && <PageHeader title={name} lead={leadOf(gallery)} />}
      <Tabs
        label={galleries.views}
        current={view}
        tabs={views.map((one) => [
          one,
          one === 'people' ? galleries.viewPeople(formatNumber(gallery.n_face)) : galleries[`view_${one}`],
          hrefOf('galleries', name, one === 'people' ? undefined : one),
        ])}
      />
      <div hidden={view !== 'people'}>
        <div class="stack wide">
          {isSampleGallery(name) || gallery.require_liveness ? (
            <Notice>{isSampleGallery(name) ? enrolment.drawnOnly : enrolment.needsProof}</Notice>
          ) : (
            <EnrolPanel gallery={gallery} shown={shown && view === 'people'} onEnrolled={onChanged} />
          )}
          <PeopleList gallery={gallery} version={version} onChanged={onChanged} />
        </div>
      </div>
      <div hidden={view !== 'duplicates'}>
        <Duplicates gallery={gallery} onChanged={onChanged} />
      </div>
      {view === 'thresholds' && <Thresholds gallery={gallery} />}
      {view === 'settings' && <Settings gallery={gallery} policy={policy} onChanged={onChanged} />}
    </div>
  );
}

interface SettingsProps {
  readonly gallery: Gallery;
  readonly policy: CropPolicy;
  readonly onChanged: () => void;
}

function Settings({ gallery, policy, onChanged }: SettingsProps) {
  return (
    <div class="stack narrow">
      <GallerySettings
        key={`${gallery.threshold} ${gallery.require_liveness}`}
        gallery={gallery}
        policy={policy}
        onChanged={onChanged}
      />
      <div class="row">
        <DeleteGallery gallery={gallery} />
      </div>
    </div>
  );
}

function leadOf({ n_face: people, verify_threshold, identify_threshold }: Gallery): string {
  const inForce = galleries.inForce(formatSimilarity(verify_threshold), formatSimilarity(identify_threshold));
  return `${galleries.peopleCount(people, formatNumber(people))}. ${inForce}`;
}

const views = ['people', 'duplicates', 'thresholds', 'settings'] as const;
type View = (typeof views)[number];

/** The view of an address; people where it names none. */
function viewOf(name: string | undefined): View {
  return views.find((view) => view === name) ?? 'people';
}

/** The gallery's threshold and whether it requires liveness. */
function GallerySettings({ gallery, policy, onChanged }: SettingsProps) {
  const [threshold, setThreshold] = useState(gallery.threshold === null ? '' : String(gallery.threshold));
  const [liveness, setLiveness] = useState(gallery.require_liveness);
  const [consent, setConsent] = useState(gallery.require_consent);
  const [crops, setCrops] = useState(gallery.keep_crops);
  const [days, setDays] = useState(gallery.retention_days === null ? '' : String(gallery.retention_days));
  const changes = {
    threshold: numberOf(threshold),
    require_liveness: liveness,
    require_consent: consent,
    retention_days: numberOf(days),
    ...(crops !== gallery.keep_crops && { keep_crops: crops }),
  };
  return (
    <Card title={galleries.view_settings}>
      <Form
        look="main"
        submit={common.save}
        done={common.saved}
        send={() => wajah.updateGallery({ facegallery_id: gallery.facegallery_id, ...changes })}
        onAnswer={onChanged}
      >
        <ThresholdField gallery={gallery} value={threshold} onInput={setThreshold} />
        <Check
          label={galleries.requireLiveness}
          hint={galleries.requireLivenessHint}
          checked={liveness}
          onChange={setLiveness}
        />
        <Check
          label={terms.requireConsent}
          hint={terms.requireConsentHint}
          checked={consent}
          onChange={setConsent}
        />
        {policy !== 'forbidden' && <CropsChoice gallery={gallery} keeps={crops} onChange={setCrops} />}
        <DaysField label={terms.retention} hint={terms.retentionHint} value={days} onInput={setDays} />
      </Form>
    </Card>
  );
}

function ThresholdField(props: { gallery: Gallery; value: string; onInput: (value: string) => void }) {
  const { gallery, value, onInput } = props;
  return (
    <>
      <InputField
        label={galleries.threshold}
        hint={galleries.thresholdHint}
        type="number"
        min="0"
        max="1"
        step="0.0001"
        inputmode="decimal"
        placeholder={String(gallery.verify_threshold)}
        value={value}
        onInput={onInput}
      />
      <p class="hint">{fmrSentence(value === '' ? gallery.verify_threshold : Number(value))}</p>
    </>
  );
}

interface CropsChoiceProps {
  readonly gallery: Gallery;
  readonly keeps: boolean;
  readonly onChange: (keeps: boolean) => void;
}

function CropsChoice({ gallery, keeps, onChange }: CropsChoiceProps) {
  return (
    <>
      <Check label={galleries.keepCrops} hint={galleries.keepCropsHint} checked={keeps} onChange={onChange} />
      {gallery.keep_crops && !keeps && <Notice tone="warn">{galleries.dropCrops}</Notice>}
    </>
  );
}

function numberOf(typed: string): number | null {
  return typed === '' ? null : Number(typed);
}

/** Deletes a gallery after a confirmation. */
function DeleteGallery({ gallery }: { gallery: Gallery }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
        {galleries.deleteGallery}
      </Button>
      {asking && <DeletionQuestion gallery={gallery} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeletionQuestion({ gallery, onClose }: { gallery: Gallery; onClose: () => void }) {
  const { facegallery_id: name, n_face: people } = gallery;
  const [typed, setTyped] = useState('');
  return (
    <ConfirmDialog
      title={galleries.deleteTitle(name)}
      confirm={galleries.deleteGallery}
      disabled={typed !== name}
      send={() => wajah.deleteGallery({ facegallery_id: name })}
      onAnswer={() => {
        location.hash = hrefOf('galleries');
      }}
      onClose={onClose}
    >
      <p>{galleries.deleteText(galleries.peopleCount(people, formatNumber(people)))}</p>
      <TextField label={galleries.name} identifier value={typed} onInput={setTyped} />
    </ConfirmDialog>
  );
}
