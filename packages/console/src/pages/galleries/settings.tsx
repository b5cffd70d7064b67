import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { impostorPairsPerMatch, roundTo2Digits } from '../../draw/similarity-scale.ts';
import { formatNumber } from '../../i18n/format.ts';
import { common, galleries, terms, tryIt } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Check, DaysField, Form, InputField, TextField } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';

/** The gallery's threshold and whether it requires liveness. */
export function GallerySettings({ gallery, onChanged }: { gallery: Gallery; onChanged: () => void }) {
  const [threshold, setThreshold] = useState(gallery.threshold === null ? '' : String(gallery.threshold));
  const [liveness, setLiveness] = useState(gallery.require_liveness);
  const [consent, setConsent] = useState(gallery.require_consent);
  const [days, setDays] = useState(gallery.retention_days === null ? '' : String(gallery.retention_days));
  const changes = {
    threshold: numberOf(threshold),
    require_liveness: liveness,
    require_consent: consent,
    retention_days: numberOf(days),
  };
  return (
    <Card title={galleries.settings}>
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
          placeholder={String(gallery.verify_threshold)}
          value={threshold}
          onInput={setThreshold}
        />
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
      </Form>
    </Card>
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
      <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
        {galleries.deleteGallery}
      </Button>
      {asking && <Question gallery={gallery} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ gallery, onClose }: { gallery: Gallery; onClose: () => void }) {
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
