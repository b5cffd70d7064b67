import type { FeatureParts, OpenFeature } from '../../feature.ts';
import { periodically } from '../../lib/periodic.ts';
import { hourMs } from '../../lib/time.ts';
import { createExpectedService } from './expected.ts';
import { type LinkEnrolment, startLinkEnrolment } from './link-enrolment.ts';
import { expectedRoutes } from './routes.ts';
import { createExpectedStore } from './store.ts';

/** Who is to have a face in a gallery, who has none, and links by which they enrol themselves. */
export function openExpected({ store: stores, logger: log }: FeatureParts): OpenFeature {
  const store = stores.part('expected', createExpectedStore);
  const pruning = periodically(store.prune, hourMs, log, 'complete lists of people were not erased');
  let enrolling: LinkEnrolment | undefined;
  return {
    subscriber: { keepingOf: (event) => enrolling?.keepingOf(event) },
    traces: {
      category: {
        data: 'user_id and user_name of lists of expected people, consents of enrolment links',
        of: 'people whom the client lists',
        kept: true,
        erased: 'when all of a list have a face, with the person, the gallery or the client',
      },
      field: 'expected',
      list: async (person) =>
        (await store.listsOf(person)).map(({ galleryId, userName, linkExpiresAt }) => ({
          facegallery_id: galleryId,
          user_name: userName,
          link_expires_at: linkExpiresAt?.toISOString() ?? null,
        })),
      erase: store.erase,
    },
    begin(core) {
      enrolling = startLinkEnrolment({ ...core, expected: store, log });
    },
    enrolmentOf: store.linkOf,
    mount: (mount, core) => expectedRoutes(mount, createExpectedService({ ...core, expected: store })),
    async close() {
      await pruning.stop();
      await enrolling?.stop();
    },
  };
}
