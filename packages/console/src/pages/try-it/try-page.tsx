import { useState } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { DetectPanel } from './detect-panel.tsx';
import { LivePanel } from './live-panel.tsx';

/** Detection and comparison of pictures that are not stored. */
export function TryPage() {
  const [mode, setMode] = useState<'detect' | 'live' | 'compare'>('detect');
  const { tryIt } = messages.value;
  return (
    <div class="page stack wide">
      <PageHeader title={tryIt.title} lead={tryIt.lead} />
      <Segments
        label={tryIt.modes}
        value={mode}
        options={[
          { value: 'detect', text: tryIt.detect },
          { value: 'live', text: tryIt.live },
          { value: 'compare', text: tryIt.compare },
        ]}
        onChoose={setMode}
      />
      {mode === 'detect' && <DetectPanel />}
      {mode === 'live' && <LivePanel />}
      {mode === 'compare' && <ComparePanel />}
    </div>
  );
}
