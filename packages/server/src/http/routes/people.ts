import { endpoints } from '@wajah/contract';
import type { PeopleService } from '../../services/people/ports.ts';
import { erasedView, exportView, termsView } from '../views/people.ts';
import { wire } from '../views/wire.ts';
import type { Mount } from './ports.ts';

/** Consent, retention, suspension, export and erasure of people. */
export function peopleRoutes(mount: Mount, { people }: { readonly people: PeopleService }): void {
  mount(endpoints.updatePerson, async (caller, request) => termsView(await people.update(caller, request)));

  mount(endpoints.suspendPerson, async (caller, request) => ({
    facegallery_ids: await people.suspend(caller, request),
  }));

  mount(endpoints.resumePerson, async (caller, request) => ({
    facegallery_ids: await people.resume(caller, request),
  }));

  mount(endpoints.exportPerson, async (caller, request) => exportView(await people.export(caller, request)));

  mount(endpoints.erasePerson, async (caller, request) => erasedView(await people.erase(caller, request)));

  mount(endpoints.listExpiring, async (caller, request) => wire(await people.expiring(caller, request)));
}
