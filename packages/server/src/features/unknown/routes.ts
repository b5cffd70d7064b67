import { Buffer } from 'node:buffer';
import { endpoints } from '@wajah/contract';
import type { Mount } from '../../http/routes/ports.ts';
import type { UnknownService } from './unknown.ts';

export function unknownRoutes(mount: Mount, unknown: UnknownService): void {
  mount(endpoints.listUnknown, async (caller, request) => {
    const { people, nextCursor } = await unknown.list(caller, request);
    return {
      unknown: people.map(({ unknownId, firstSeenAt, lastSeenAt, expiresAt, seen, jpeg }) => ({
        unknown_id: unknownId,
        first_seen_at: firstSeenAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        n_seen: seen,
        image: jpeg && Buffer.from(jpeg).toString('base64'),
      })),
      next_cursor: nextCursor,
    };
  });
  mount(endpoints.assignUnknown, async (caller, request) => ({
    appended: await unknown.assign(caller, request),
  }));
  mount(endpoints.forgetUnknown, unknown.forget);
}
