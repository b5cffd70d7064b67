import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { impostorPairsPerMatch, roundTo2Digits } from '../../draw/similarity-scale.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, galleries, terms, tryIt } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Check, Field, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { DaysField } from './terms.tsx';

/** The gallery's threshold and whether it requires liveness. */
export function GallerySettings({ gallery, onChanged }: { gallery: Gallery; onChanged: () => void }) {
  const [threshold, setThreshold] = useState(gallery.threshold === null ? '' : String(gallery.threshold));
  const [liveness, setLiveness] = useState(gallery.require_liveness);
  const [consent, setConsent] = useState(gallery.require_consent);
  const [days, setDays] = useState(gallery.retention_days === null ? '' : String(gallery.retention_days));
  const call = useRequest<unknown>();
  async function submit(event: Event) {
    event.preventDefault();
    const changes = {
      threshold: numberOf(threshold),
      require_liveness: liveness,
      require_consent: consent,
      retention_days: numberOf(days),
    };
    const done = await call.run(() =>
      wajah.updateGallery({ facegallery_id: gallery.facegallery_id, ...changes }),
    );
    if (done !== undefined) onChanged();
  }
  return (
    <section class="card" aria-labelledby="gallery-settings">
      <h2 id="gallery-settings">{galleries.settings}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <ThresholdField gallery={gallery} threshold={threshold} onInput={setThreshold} />
        <p class="hint">{fmrText(threshold === '' ? gallery.verify_threshold : Number(threshold))}</p>
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
        <DaysField label={terms.retention} hint={terms.retentionHint} value={days} onInput={setDays} />
        {call.error && <ErrorNotice error={call.error} />}
        <div class="row">
          <button type="submit" class="button main" disabled={call.busy}>
            {common.save}
          </button>
          <span class="hint" role="status">
            {!call.busy && call.answer !== undefined && !call.error ? common.saved : ''}
          </span>
        </div>
      </form>
    </section>
  );
}

function ThresholdField(props: { gallery: Gallery; threshold: string; onInput: (value: string) => void }) {
  const { gallery, threshold, onInput } = props;
  return (
    <Field
      label={galleries.threshold}
      hint={galleries.thresholdHint}
      control={(ids) => (
        <input
          {...ids}
          type="number"
          min="0"
          max="1"
          step="0.0001"
          inputmode="decimal"
          placeholder={String(gallery.verify_threshold)}
          value={threshold}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    />
  );
}

function numberOf(typed: string): number | null {
  return typed === '' ? null : Number(typed);
}

function fmrText(threshold: number): string {
  const count = impostorPairsPerMatch(threshold);
  return count < 2 ? tryIt.mostPairs : tryIt.oneIn(formatNumber(roundTo2Digits(count)));
}

/** Deletes a gallery after a confirmation. */
export function DeleteGallery({ gallery }: { gallery: Gallery }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        {galleries.deleteGallery}
      </button>
      {asking && <Question gallery={gallery} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ gallery, onClose }: { gallery: Gallery; onClose: () => void }) {
  const { facegallery_id: name, n_face: people } = gallery;
  const [typed, setTyped] = useState('');
  const call = useRequest<unknown>();
  async function remove() {
    const done = await call.run(() => wajah.deleteGallery({ facegallery_id: name }));
    if (done !== undefined) location.hash = hrefOf('galleries');
  }
  return (
    <ConfirmDialog
      title={galleries.deleteTitle(name)}
      confirm={galleries.deleteGallery}
      disabled={typed !== name || call.busy}
      error={call.error}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{galleries.deleteText(galleries.peopleCount(people, formatNumber(people)))}</p>
      <TextField label={galleries.name} identifier value={typed} onInput={setTyped} />
    </ConfirmDialog>
  );
}
