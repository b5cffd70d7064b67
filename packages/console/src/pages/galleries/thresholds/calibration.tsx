import type { Gallery } from '../../../api/types.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { session } from '../../../state/session.ts';
import { CopyButton } from '../../../ui/code.tsx';
import { Fact } from '../../../ui/facts.tsx';
import { Tag } from '../../../ui/icon.tsx';

/** Where the similarities of a gallery come from, and how sure they are. */
export function Calibration({ gallery }: { gallery: Gallery }) {
  const { thresholds, galleries, common } = messages.value;
  const { provisional, calibrated_by: by, calibration_pairs: fitted, n_face: people } = gallery;
  const place = `${session.value?.clientId ?? ''}/${gallery.facegallery_id}`;
  const command = `wajah calibrate --gallery ${place} --install ${provisional ? 'server' : place}`;
  const possible = (people * (people - 1)) / 2;
  return (
    <section class="card" aria-labelledby="calibration">
      <div class="row between">
        <h2 id="calibration">{thresholds.calibration}</h2>
        <Tag tone={provisional ? 'warn' : 'good'}>
          {provisional ? thresholds.provisional : thresholds.measured}
        </Tag>
      </div>
      <dl class="facts">
        <Fact name={galleries.pack} value={gallery.pack ?? common.none} />
        <Fact
          name={thresholds.curve}
          value={by === 'gallery' ? thresholds.curveOwn : thresholds.curveServer}
        />
        <Fact
          name={thresholds.pairs}
          value={formatNumber(fitted ?? possible)}
          note={fitted === null ? thresholds.pairsPossible : thresholds.pairsFitted}
        />
        <Fact name={thresholds.normalised} value={normalisedBy(gallery)} note={frozenNote(gallery)} />
      </dl>
      <p class="hint">{provisional ? thresholds.provisionalText : thresholds.ownText}</p>
      <pre class="code wrap">{command}</pre>
      <div class="row">
        <CopyButton text={command} />
      </div>
    </section>
  );
}

function normalisedBy({ cohort_mode: mode, cohort_people: people }: Gallery): string {
  const { thresholds } = messages.value;
  if (mode === 'off') return thresholds.normalisedOff;
  return people === 0 ? thresholds.normalisedFew : thresholds.normalisedBy(formatNumber(people));
}

function frozenNote({ cohort_mode: mode }: Gallery): string | undefined {
  return mode === 'frozen' ? messages.value.thresholds.frozen : undefined;
}
