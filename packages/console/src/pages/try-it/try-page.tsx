import { messages } from '../../i18n/messages.ts';
import { keptSignal } from '../../state/kept.ts';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { DetectPanel } from './detect-panel.tsx';
import { LivePanel } from './live-panel.tsx';

const mode = keptSignal<'detect' | 'live' | 'compare'>('detect');

/** Detection and comparison of pictures that are not stored. */
export function TryPage() {
  const { tryIt } = messages.value;
  return (
    <div class="page stack wide">
      <PageHeader title={tryIt.title} lead={tryIt.lead} />
      <Segments
        label={tryIt.modes}
        value={mode.value}
        options={[
          { value: 'detect', text: tryIt.detect },
          { value: 'live', text: tryIt.live },
          { value: 'compare', text: tryIt.compare },
        ]}
        onChoose={(chosen) => {
          mode.value = chosen;
        }}
      />
      {mode.value === 'detect' && <DetectPanel />}
      {mode.value === 'live' && <LivePanel />}
      {mode.value === 'compare' && <ComparePanel />}
    </div>
  );
}
