import { useState } from 'preact/hooks';
import { words } from '../../i18n/words.ts';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { DetectPanel } from './detect-panel.tsx';
import { LivePanel } from './live-panel.tsx';

/** What the server sees in pictures; nothing is stored. */
export function TryPage() {
  const [mode, setMode] = useState<'detect' | 'live' | 'compare'>('detect');
  const { tryIt } = words.value;
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
