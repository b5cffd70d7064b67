import { endpoints } from '@wajah/contract';
import type { FeatureCore } from '../../feature.ts';
import type { Mount } from '../../http/routes/ports.ts';
import { wire } from '../../http/views/wire.ts';
import { processingRecords } from './processing.ts';

export function processingRoutes(mount: Mount, core: FeatureCore): void {
  mount(endpoints.getProcessingRecords, async (caller, request) =>
    wire(await processingRecords(core, caller, request)),
  );
}
