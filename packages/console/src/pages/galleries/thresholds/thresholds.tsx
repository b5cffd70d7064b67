import { useState } from 'preact/hooks';
import type { Gallery } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { useLoad } from '../../../state/use-request.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Calibration } from './calibration.tsx';
import { binWidth } from './refused-share.ts';
import { ThresholdChart } from './threshold-chart.tsx';
import { ThresholdMeaning } from './threshold-meaning.tsx';
import { ThresholdTable } from './threshold-table.tsx';

/** What thresholds of a gallery mean: for people who are not enrolled by its calibration, for its own people by what its probes reached. */
export function Thresholds({ gallery }: { gallery: Gallery }) {
  const [threshold, setThreshold] = useState(Math.round(gallery.verify_threshold / binWidth) * binWidth);
  const load = useLoad((signal) =>
    wajah.getGalleryScores({ facegallery_id: gallery.facegallery_id }, { signal }),
  );
  return (
    <div class="stack wide">
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      <div class="columns side">
        <ThresholdMeaning
          gallery={gallery}
          scores={load.answer}
          threshold={threshold}
          onChange={setThreshold}
        />
        <Calibration gallery={gallery} />
      </div>
      {load.answer && <ThresholdChart scores={load.answer} threshold={threshold} />}
      <ThresholdTable gallery={gallery} scores={load.answer} />
    </div>
  );
}
