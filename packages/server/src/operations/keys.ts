import { z } from 'zod';
import { loadConfig } from '../config/config.ts';
import { type Answer, call, command, flag, json, operation } from './command.ts';

const rotateSigningKey = operation('rotateSigningKey', {
  /** `atOnce`: tokens of the former key are refused from now on. */
  input: z.object({ atOnce: z.boolean() }),
  act: ({ atOnce }) => [null, { at_once: atOnce }],
  run: ({ issuer }, { atOnce }) => issuer.rotateKey(atOnce),
});

const keyStatus = operation('keyStatus', {
  input: z.object({}),
  act: null,
  run: async (parts) => (await import('../services/resealing/reseal.ts')).keyStatusOf(parts),
});

function statusText(status: Answer<typeof keyStatus>): string {
  const { formerKey, done, galleries, pendingGalleries, pendingFaces } = status;
  if (!formerKey) return 'There is one master key, and everything is sealed under it.';
  if (done) return 'Everything is sealed under the master key: the former one can be removed.';
  return `The former master key is still needed: ${pendingGalleries} of ${galleries} galleries with ${pendingFaces} faces are not sealed anew yet, or the rest is not.`;
}

/** The keys of the server. */
export const keyCommands = [
  command({
    name: 'keys',
    heading: 'Stored data:',
    about: 'replace the keys of the server',
  }),
  call({
    name: 'keys rotate',
    line: 'replace the key that signs access tokens',
    about: 'replace the key that signs access tokens, while servers run',
    options: {
      atOnce: flag(
        '--at-once',
        'refuse all tokens of the former key from now on (default: until they expire)',
      ),
      json,
    },
    calls: rotateSigningKey,
    print: ({ kid, formerUntil }, { atOnce, json }, { out }) => {
      if (json) return out(JSON.stringify({ kid, former_until: formerUntil }));
      out(`New tokens are signed with the key ${kid}.`);
      out(
        atOnce
          ? 'Earlier tokens are refused; clients request new ones.'
          : `Tokens of the former key stay valid until they expire, at the latest at ${formerUntil}.`,
      );
    },
  }),
  command({
    name: 'keys rotate-master',
    line: 'generate a new master key for the next start',
    about: 'generate a new master key in the data directory; the next start of the server uses it',
    action: async ({ terminal, env }) => {
      const { replaceKeyFile } = await import('../security/keys/master-key.ts');
      const former = replaceKeyFile(loadConfig(env).dataDir);
      terminal.out('Restart the server: while it serves, it seals everything anew under the new key.');
      terminal.out(`Keep ${former} until \`wajah keys status\` says that it is not needed, then delete it.`);
    },
  }),
  call({
    name: 'keys status',
    about: 'say how far the master key is replaced',
    options: { json },
    calls: keyStatus,
    print: (status, { json }, { out }) => {
      if (!json) return out(statusText(status));
      const { formerKey, done, galleries, pendingGalleries, pendingFaces } = status;
      const pending = { pending_galleries: pendingGalleries, pending_faces: pendingFaces };
      out(JSON.stringify({ former_key: formerKey, done, galleries, ...pending }));
    },
  }),
] as const;
