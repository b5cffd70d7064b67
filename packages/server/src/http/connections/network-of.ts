import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that a provider gives to one customer (RFC 6177, section 2). */
const ipv6Prefix = 64;

/**
 * The network that limits of unauthenticated callers apply to: an IPv4 address, or the /64 of an IPv6 address, of which
 * one customer has 2^64 addresses. IPv4-mapped addresses are IPv4.
 * @returns canonical text; the given one when it is no address
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ipv6Prefix / 8);
  return `${ipaddr.fromByteArray(bytes)}/${ipv6Prefix}`;
}
