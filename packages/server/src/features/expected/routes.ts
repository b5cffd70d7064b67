import { endpoints } from '@wajah/contract';
import type { Mount } from '../../http/routes/ports.ts';
import type { ExpectedService } from './expected.ts';
import type { Counts } from './ports.ts';

const countsView = ({ expected, missing }: Counts) => ({ n_expected: expected, n_missing: missing });

export function expectedRoutes(mount: Mount, expected: ExpectedService): void {
  mount(endpoints.setExpected, async (caller, request) => countsView(await expected.set(caller, request)));
  mount(endpoints.listExpected, async (caller, request) => {
    const { people, nextCursor, ...counts } = await expected.list(caller, request);
    return {
      ...countsView(counts),
      people: people.map(({ userId, userName, enrolled, link }) => ({
        user_id: userId,
        user_name: userName,
        enrolled,
        link: link && {
          expires_at: link.expiresAt.toISOString(),
          failed: link.failed,
          failed_tries: link.failedTries,
        },
      })),
      next_cursor: nextCursor,
    };
  });
  mount(endpoints.linkExpected, async (caller, request) => {
    const links = await expected.link(caller, request);
    return {
      links: links.map(({ userId, sessionId, url, qr, expiresAt }) => ({
        user_id: userId,
        session_id: sessionId,
        url,
        qr,
        expires_at: expiresAt.toISOString(),
      })),
    };
  });
  mount(endpoints.forgetExpected, expected.forget);
}
