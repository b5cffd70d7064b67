import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inTime } from '../../lib/deadline.ts';

/** An address that a name was resolved to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Time in which a name is resolved, milliseconds: the resolver's own limits add up to longer. */
const lookupMs = 5000;

/** Resolves a name to all of its addresses. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveName: Resolve = (host) => lookup(host, { all: true });

/** Why nothing is sent to a URL. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Resolves the host of a URL once, and answers the address to connect to. Addresses of the machine itself, of private
 * networks and of special purposes (RFC 6890) are refused, in every notation, unless they lie in a network that the
 * operator allows; `http` only reaches those.
 * @param networks addresses and networks in CIDR notation
 * @throws AddressRefused, also when the name is not resolved in time; the resolver's error when the name is not known
 */
export async function addressFor(
  { protocol, hostname }: URL,
  networks: readonly string[],
  { resolve = resolveName, ms = lookupMs }: { readonly resolve?: Resolve; readonly ms?: number } = {},
): Promise<Address> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const late = () => {
    throw new AddressRefused(`the name of the host was not resolved in ${ms} ms`);
  };
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await inTime(resolve(host), ms, late);
  const allowed = found.filter(({ address }) => isAllowed(address, networks));
  const usable = protocol === 'https:' ? found.filter(({ address }) => isPublic(address)) : [];
  const chosen = allowed[0] ?? usable[0];
  if (chosen) return { address: chosen.address, family: chosen.family === 6 ? 6 : 4 };
  if (found.some(({ address }) => isPublic(address)))
    throw new AddressRefused(`http is allowed to networks of WAJAH_WEBHOOK_NETWORKS only; use https`);
  throw new AddressRefused(
    `the host has an address of a private or special network; the operator can allow it with WAJAH_WEBHOOK_NETWORKS`,
  );
}

/** The block of IPv6 from which IANA gives public addresses. */
const publicBlock = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public internet. IPv4 addresses mapped into IPv6 count as themselves. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicBlock));
}

function isAllowed(address: string, networks: readonly string[]): boolean {
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = network.includes('/')
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.parse(network), undefined] as const);
    if (base.kind() !== parsed.kind()) return false;
    return bits === undefined ? base.toString() === parsed.toString() : parsed.match(base, bits);
  });
}
