import { nameProblem, normaliseName } from '@wajah/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';

interface CredentialFields {
  client_id?: string | undefined;
  password?: string | undefined;
  client_secret?: string | undefined;
}

/**
 * The client's credentials: HTTP Basic first (RFC 6749, section 2.3.1), then the body.
 * @throws Refusal `malformed` naming what is missing
 */
export function readCredentials(
  request: FastifyRequest,
  fields: CredentialFields,
): { clientId: string; password: string; address: string } {
  const basic = readBasic(request.headers.authorization);
  const clientId = basic?.clientId ?? fields.client_id;
  const password = basic?.password ?? fields.password ?? fields.client_secret;
  if (clientId === undefined) throw missing('client_id');
  if (password === undefined) throw missing('password');
  return { clientId, password, address: request.ip };
}

function missing(field: string): Refusal {
  return new Refusal('malformed', `${field}: found nothing; send it in the body or as HTTP Basic`);
}

function readBasic(header: string | undefined): { clientId: string; password: string } | undefined {
  const encoded = /^Basic\s+([\w+/=-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw new Refusal('malformed', 'Authorization: Basic without client_id:password');
  const clientId = normaliseName(percentDecode(text.slice(0, colon)));
  const problem = nameProblem(clientId);
  if (problem !== null) throw new Refusal('malformed', `client_id: ${problem}`);
  return { clientId, password: percentDecode(text.slice(colon + 1)) };
}

/** The standard has both parts percent-encoded; many programs send them as they are. */
function percentDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
