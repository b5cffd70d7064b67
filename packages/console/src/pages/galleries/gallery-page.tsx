import '../../styles/gallery.css';
import { useRef, useState } from 'preact/hooks';
import type { CropPolicy, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { featureGalleryViews } from '../../features/gallery-views.ts';
import { formatNumber, formatSimilarity } from '../../i18n/format.ts';
import { common, enrolment, galleries, terms } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { isSampleGallery, useGalleries } from '../../ui/choice.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Check, CountField, Form, InputField, useFields } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, LoadState, Notice } from '../../ui/notice.tsx';
import { PageHeader, Tabs } from '../../ui/shell.tsx';
import { fmrSentence } from '../../ui/similarity.tsx';
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

/** One gallery: people and enrolment, views of features, thresholds, settings; or one of its people. */
export function GalleryPage({ name, view, person }: GalleryPageProps) {
  const load = useGalleries();
  const [version, setVersion] = useState(0);
  const [report, setReport] = useState('');
  const gallery = load.galleries.find(({ facegallery_id }) => facegallery_id === name);
  const onChanged = () => {
    setVersion((before) => before + 1);
    load.reload();
  };
  const onDone = (text: string) => {
    setReport(text);
    onChanged();
  };
  return (
    <div class="page stack wide">
      <LoadState load={load} lines={5}>
        {() =>
          !gallery && (
            <EmptyState icon="galleries" title={galleries.notFound} text={galleries.notFoundText}>
              <a href={hrefOf('galleries')}>{galleries.back}</a>
            </EmptyState>
          )
        }
      </LoadState>
      {gallery && person !== undefined && (
        <PersonPage key={person} gallery={gallery} userId={person} onChanged={onChanged} onErased={onDone} />
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
            report={report}
            onChanged={onChanged}
            onDone={onDone}
          />
        </div>
      )}
    </div>
  );
}

interface ViewsProps extends SettingsProps {
  readonly view: string;
  readonly shown: boolean;
  readonly version: number;
  /** Of the last change. */
  readonly report: string;
  readonly onDone: (report: string) => void;
}

function Views({ gallery, policy, view, shown, version, report, onChanged, onDone }: ViewsProps) {
  const { facegallery_id: name } = gallery;
  // As the page was opened: nothing moves while people are enrolled.
  const [isPeopleFirst] = useState(gallery.n_face > 0);
  const panel = useRef<HTMLDivElement>(null);
  const isPlain = !isSampleGallery(name) && !gallery.require_liveness;
  const toPanel = isPeopleFirst && isPlain && (
    <Button icon="plus" onClick={() => panel.current?.scrollIntoView()}>
      {enrolment.more}
    </Button>
  );
  const list = <PeopleList gallery={gallery} {...{ version, report, onDone }} aside={toPanel} />;
  return (
    <div class="stack wide">
      {shown && (
        <PageHeader
          title={name}
          lead={common.peopleCount(gallery.n_face, formatNumber(gallery.n_face))}
          back={[galleries.back, hrefOf('galleries')]}
        />
      )}
      <Tabs
        label={galleries.views}
        current={view}
        tabs={views.map((one) => [
          one,
          textOf(one, gallery),
          hrefOf('galleries', name, one === 'people' ? undefined : one),
        ])}
      />
      <div hidden={view !== 'people'}>
        <div class="stack wide">
          {!gallery.keep_crops && !isSampleGallery(name) && (
            <NoFaces gallery={name} policy={policy} onChanged={onChanged} />
          )}
          {isPeopleFirst && list}
          {isPlain ? (
            <div ref={panel}>
              <EnrolPanel gallery={gallery} shown={shown && view === 'people'} onEnrolled={onChanged} />
            </div>
          ) : (
            <Notice>{isSampleGallery(name) ? enrolment.drawnOnly : enrolment.needsProof}</Notice>
          )}
          {!isPeopleFirst && list}
        </div>
      </div>
      {Object.entries(featureGalleryViews).map(([name, { View }]) => (
        <div key={name} hidden={view !== name}>
          <View gallery={gallery} onChanged={onChanged} />
        </div>
      ))}
      {view === 'thresholds' && <Thresholds gallery={gallery} />}
      {view === 'settings' && (
        <div class="stack narrow">
          <GallerySettings gallery={gallery} policy={policy} onChanged={onChanged} />
          <div class="row">
            <DeleteGallery gallery={gallery} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Says that no faces are shown, and how they are from now on. */
function NoFaces(props: { gallery: string; policy: CropPolicy; onChanged: () => void }) {
  const { gallery, policy, onChanged } = props;
  return (
    <div class="row">
      <p class="hint grow">
        {galleries.noFaces} {policy === 'forbidden' && galleries.noFacesForbidden}
      </p>
      {policy !== 'forbidden' && (
        <ConfirmButton
          text={galleries.keepFaces}
          title={galleries.keepCrops}
          look="main"
          send={() => wajah.updateGallery({ facegallery_id: gallery, keep_crops: true })}
          onAnswer={onChanged}
        >
          <p>{galleries.keepCropsHint}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

interface SettingsProps {
  readonly gallery: Gallery;
  readonly policy: CropPolicy;
  readonly onChanged: () => void;
}

const views = ['people', ...Object.keys(featureGalleryViews), 'thresholds', 'settings'];

/** The view of an address; people where it names none. */
function viewOf(name: string | undefined): string {
  return views.find((view) => view === name) ?? 'people';
}

function textOf(view: string, { n_face: people }: Gallery): string {
  if (view === 'people') return galleries.viewPeople(formatNumber(people));
  if (view === 'settings') return galleries.view_settings;
  return featureGalleryViews[view]?.text() ?? galleries.view_thresholds;
}

/** The highest similarity of two different pictures. */
const highestScore = 0.9999;
/** Below it more than one in 100 pairs of two people match. */
const lowestAdvised = 0.5;

/** What a threshold means: a warning where it recognises nobody, or nearly everybody. */
function ThresholdText({ threshold }: { threshold: number }) {
  if (threshold > highestScore) return <Notice tone="warn">{galleries.thresholdOne}</Notice>;
  const text = fmrSentence(threshold);
  return threshold < lowestAdvised ? <Notice tone="warn">{text}</Notice> : <p class="hint">{text}</p>;
}

/** Threshold, liveness, consent, crops and retention of a gallery. */
function GallerySettings({ gallery, policy, onChanged }: SettingsProps) {
  const textOf = (value: number | null) => (value === null ? '' : String(value));
  const numberOf = (typed: string) => (typed === '' ? null : Number(typed));
  const { values, field, check } = useFields({
    threshold: textOf(gallery.threshold),
    require_liveness: gallery.require_liveness,
    require_consent: gallery.require_consent,
    keep_crops: gallery.keep_crops,
    retention_days: textOf(gallery.retention_days),
  });
  const { threshold, retention_days, keep_crops, ...rules } = values;
  const changes = {
    ...rules,
    threshold: numberOf(threshold),
    retention_days: numberOf(retention_days),
    ...(keep_crops !== gallery.keep_crops && { keep_crops }),
  };
  const shownThreshold = threshold === '' ? gallery.verify_threshold : Number(threshold);
  return (
    <Card title={galleries.view_settings}>
      <Form
        look="main"
        submit={common.save}
        done={common.saved}
        send={() => wajah.updateGallery({ facegallery_id: gallery.facegallery_id, ...changes })}
        onAnswer={onChanged}
      >
        <InputField
          label={galleries.threshold}
          hint={galleries.thresholdHint}
          type="number"
          min="0"
          max="1"
          step="0.0001"
          inputmode="decimal"
          placeholder={formatSimilarity(gallery.verify_threshold)}
          {...field('threshold')}
        />
        <ThresholdText threshold={shownThreshold} />
        <Check
          label={galleries.requireLiveness}
          hint={galleries.requireLivenessHint}
          {...check('require_liveness')}
        />
        <Check label={terms.requireConsent} hint={terms.requireConsentHint} {...check('require_consent')} />
        {policy !== 'forbidden' && (
          <Check label={galleries.keepCrops} hint={galleries.keepCropsHint} {...check('keep_crops')} />
        )}
        {gallery.keep_crops && !keep_crops && <Notice tone="warn">{galleries.dropCrops}</Notice>}
        <CountField label={terms.retention} hint={terms.retentionHint} {...field('retention_days')} />
        {retention_days !== '' && changes.retention_days !== gallery.retention_days && gallery.n_face > 0 && (
          <Notice tone="warn">{terms.retentionOfAll(formatNumber(gallery.n_face), retention_days)}</Notice>
        )}
      </Form>
    </Card>
  );
}

/** Deletes a gallery after its name is typed. */
function DeleteGallery({ gallery: { facegallery_id: name, n_face: people } }: { gallery: Gallery }) {
  return (
    <ConfirmButton
      text={galleries.deleteGallery}
      title={galleries.deleteTitle(name)}
      look="danger"
      icon="trash"
      typed={[common.name, name]}
      send={() => wajah.deleteGallery({ facegallery_id: name })}
      onAnswer={() => {
        location.hash = hrefOf('galleries');
      }}
    >
      <p>{galleries.deleteText(common.peopleCount(people, formatNumber(people)))}</p>
    </ConfirmButton>
  );
}
