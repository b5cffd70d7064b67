import { useState } from 'preact/hooks';
import type { SystemStatus } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad } from '../../state/use-request.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page/shell.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { SettingsCard } from './settings-card.tsx';
import { EngineCard, HealthCard, MemoryCard, PacksCard, StoreCard } from './system-cards.tsx';

const parts = ['server', 'audit'] as const;

/** Status and audit trail of the server, for operators. */
export function SystemPage() {
  const [part, setPart] = useState<(typeof parts)[number]>('server');
  const load = useLoad((signal) => wajah.getStatus({}, { signal }));
  const { system, activity } = messages.value;
  const denied = load.error?.status === '403';
  return (
    <div class="page stack wide">
      <PageHeader title={system.title} lead={system.lead} />
      {denied && (
        <EmptyState icon="system" title={system.denied} text={system.deniedText}>
          <pre class="code">npx wajah client create ops --operator</pre>
        </EmptyState>
      )}
      {load.error && !denied && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!load.answer && load.busy && <Skeleton lines={6} />}
      {load.answer && (
        <>
          <div class="row between">
            <Segments
              label={system.title}
              value={part}
              options={parts.map((value) => ({ value, text: system[value] }))}
              onChoose={setPart}
            />
            {part === 'server' && (
              <button type="button" class="button" disabled={load.busy} onClick={load.reload}>
                <Icon name="refresh" />
                {activity.refresh}
              </button>
            )}
          </div>
          {part === 'server' ? <Server status={load.answer} /> : <AuditPanel />}
        </>
      )}
    </div>
  );
}

function Server({ status }: { status: SystemStatus }) {
  const { system } = messages.value;
  return (
    <>
      {status.pad.notice !== null && <PadNotice pad={status.pad} />}
      {status.calibration.notice !== null && (
        <Notice tone="warn">
          <p>{system.provisional(status.calibration.notice)}</p>
          <p class="mono">{calibrate}</p>
        </Notice>
      )}
      {status.settings['record_sessions'] === true && (
        <Notice tone="warn">
          <p>{system.recording}</p>
        </Notice>
      )}
      <Cards status={status} />
    </>
  );
}

/** Measures a calibration; the notice of the server names it too. */
const calibrate = 'npx wajah calibrate --gallery --install server';

/** How to install the pack that is missing. */
function PadNotice({ pad: { notice, install } }: { pad: SystemStatus['pad'] }) {
  return (
    <Notice tone="warn">
      <p>{messages.value.system.padMissing(notice ?? '')}</p>
      {install.map((command) => (
        <p class="mono" key={command}>
          {command}
        </p>
      ))}
    </Notice>
  );
}

function Cards({ status }: { status: SystemStatus }) {
  return (
    <div class="cards">
      <HealthCard status={status} />
      <EngineCard status={status} />
      <MemoryCard status={status} />
      <StoreCard status={status} />
      <PacksCard status={status} />
      <SettingsCard status={status} />
    </div>
  );
}
