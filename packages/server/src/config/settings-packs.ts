import { path, text, toggle } from './kinds.ts';
import { define } from './setting.ts';

/** Which models the engine runs. */
export const packSettings = {
  pack: define({
    name: 'WAJAH_PACK',
    group: 'Engine',
    fallback: { says: 'what `wajah models use` chose, else builtin', value: null },
    ...text(64),
    about: 'Model pack to run. Galleries enrolled with another one are refused.',
  }),
  packsDir: define({
    name: 'WAJAH_PACKS_DIR',
    group: 'Engine',
    fallback: { says: '`packs` in the data directory', value: null },
    ...path(),
    about: 'Where `wajah models pull` puts model packs.',
  }),
  acceptNonCommercial: define({
    name: 'WAJAH_ACCEPT_NONCOMMERCIAL',
    group: 'Engine',
    fallback: 'false',
    ...toggle(),
    about:
      'Acknowledges that packs are used whose licences do not allow, or do not say that they allow, commercial use.',
  }),
};
