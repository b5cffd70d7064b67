import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { roundly, strangersPerMatch } from '../../draw/similarity-scale.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { useCall } from '../../state/use-call.ts';
import { Check, Field } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Threshold of its own and whether a liveness proof is needed. */
export function GallerySettings({ gallery, onChanged }: { gallery: Gallery; onChanged: () => void }) {
  const [threshold, setThreshold] = useState(gallery.threshold === null ? '' : String(gallery.threshold));
  const [proof, setProof] = useState(gallery.require_liveness);
  const call = useCall<unknown>();
  const { galleries, common } = words.value;
  async function submit(event: Event) {
    event.preventDefault();
    const changes = { threshold: threshold === '' ? null : Number(threshold), require_liveness: proof };
    const done = await call.run(() =>
      wajah.updateGallery({ facegallery_id: gallery.facegallery_id, ...changes }),
    );
    if (done !== undefined) onChanged();
  }
  return (
    <section class="card" aria-labelledby="gallery-settings">
      <h2 id="gallery-settings">{galleries.settings}</h2>
      <form class="stack" onSubmit={(event) => void submit(event)}>
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
              onInput={(event) => setThreshold(event.currentTarget.value)}
            />
          )}
        />
        <p class="hint">{meaning(threshold === '' ? gallery.verify_threshold : Number(threshold))}</p>
        <Check
          label={galleries.requireLiveness}
          hint={galleries.requireLivenessHint}
          checked={proof}
          onChange={setProof}
        />
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

function meaning(threshold: number): string {
  const { tryIt } = words.value;
  const count = strangersPerMatch(threshold);
  return count < 2 ? tryIt.everyStranger : tryIt.oneIn(showNumber(roundly(count)));
}
