import { z } from 'zod';
import { optionalName } from '../fields.ts';

/** Absent, null and empty text are undefined; passwords are not trimmed. */
function secret(description: string, max = 1024) {
  return z
    .preprocess(
      (value) => (value === null || value === '' ? undefined : value),
      z
        .string({ error: 'a text' })
        .max(max, { error: `a text of at most ${max} characters` })
        .optional(),
    )
    .optional()
    .meta({ description });
}

const clientId = optionalName('The client; may come in HTTP Basic instead.');

const credentials = {
  client_id: clientId,
  password: secret('The password of the client; may come in HTTP Basic instead.'),
  client_secret: secret('The standard name of `password`.'),
};

export const clientTokenRequest = z.object(credentials);

export const tokenRequest = z.object({
  grant_type: z
    .string({ error: 'client_credentials' })
    .optional()
    .meta({ enum: ['client_credentials'], description: 'Needed; nothing else is issued.' }),
  ...credentials,
});

export const revokeRequest = z.object({
  ...credentials,
  // Tokens of other issuers may carry many claims; no header would be longer.
  token: secret('The token to revoke; the header Accesstoken comes first.', 16_384),
});

/** The answer of RFC 6749, section 5.1. */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
});

/** Public keys that tokens are signed with (RFC 7517). */
export const jwksAnswer = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
