import { type Keys, reseal, seal, unsealWithAny } from './sealing.ts';
import { deriveKeys } from './template-vault.ts';

/** What the sealed secrets of an endpoint are bound to. */
interface EndpointContext {
  readonly clientId: string;
  readonly id: string;
}

/** What is sealed of an endpoint: the secrets that sign its deliveries, base64, 32 bytes each, and who made it. */
export interface WebhookSecrets {
  readonly present: string;
  /** Signs beside the present one until that time, milliseconds since 1970; null: there is none. */
  readonly former: { readonly secret: string; readonly until: number } | null;
  /** Created by its client, who reaches fewer networks than the operator; sealed, so that the store cannot change it. */
  readonly byClient?: boolean | undefined;
}

/** Encrypts the secrets of webhooks under a key derived from the master key. */
export interface WebhookVault {
  seal(context: EndpointContext, secrets: WebhookSecrets): Uint8Array;
  /** @throws SealError when the bytes are damaged or have another context */
  open(context: EndpointContext, sealed: Uint8Array): WebhookSecrets;
  /** @returns null when it is sealed under the present key @throws SealError as `open` */
  reseal(context: EndpointContext, sealed: Uint8Array): Uint8Array | null;
}

/** @param masterKeys 32 bytes each; the first one seals, the others also open */
export function createWebhookVault(...masterKeys: Keys): WebhookVault {
  const keys = deriveKeys(masterKeys, 'wajah webhook secrets');
  return {
    seal: (context, secrets) => seal(keys[0], Buffer.from(JSON.stringify(secrets)), contextBytes(context)),
    open: (context, sealed) =>
      JSON.parse(
        Buffer.from(unsealWithAny(keys, sealed, contextBytes(context))).toString(),
      ) as WebhookSecrets,
    reseal: (context, sealed) => reseal(keys, sealed, contextBytes(context)),
  };
}

function contextBytes({ clientId, id }: EndpointContext): Uint8Array {
  return Buffer.from(JSON.stringify(['webhook', clientId, id]), 'utf8');
}
