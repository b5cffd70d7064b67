import type { Feature } from '../../feature.ts';
import { duplicatesCommand } from './command.ts';
import type { DuplicateService } from './duplicates.ts';

export const duplicates: Feature = {
  commands: { own: [duplicatesCommand] },
  async open() {
    const [{ createDuplicateService }, { duplicateRoutes }] = await Promise.all([
      import('./duplicates.ts'),
      import('./routes.ts'),
    ]);
    let service: DuplicateService | undefined;
    return {
      mount(mount, core) {
        service ??= createDuplicateService(core);
        duplicateRoutes(mount, service);
      },
    };
  },
};
