import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkOf } from './connections.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
  ['unix socket', 'unix socket'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('is one for all addresses of a /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.uint8Array({ minLength: 8, maxLength: 8 }), (address, host) => {
      const network = networkOf(address);
      fc.pre(network.endsWith('/64'));
      const groups = [0, 2, 4, 6].map((at) => ((host[at]! << 8) | host[at + 1]!).toString(16));
      expect(networkOf(`${prefixOf(network)}:${groups.join(':')}`)).toBe(network);
    }),
  );
});

/** The four groups of a network such as 2001:db8::/64. */
function prefixOf(network: string): string {
  const groups = network.slice(0, -'/64'.length).split('::')[0]!.split(':').filter(Boolean);
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
}
