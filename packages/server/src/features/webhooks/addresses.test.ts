import { expect, it } from 'vitest';
import { addressFor } from './addresses.ts';

const url = new URL('https://hooks.example.com/');

it('a name that a resolver never answers is given up', async () => {
  const resolve = () => new Promise<never>(() => {});
  await expect(addressFor(url, [], { resolve, ms: 1 })).rejects.toThrow('not resolved in 1 ms');
});

it('a name is refused when all of its addresses are private, and the public one is used', async () => {
  const [inside, outside] = [
    { address: '10.0.0.1', family: 4 },
    { address: '93.184.216.34', family: 4 },
  ];
  await expect(addressFor(url, [], { resolve: async () => [inside] })).rejects.toThrow('private');
  expect(await addressFor(url, [], { resolve: async () => [inside, outside] })).toEqual(outside);
  expect(await addressFor(url, ['10.0.0.0/8'], { resolve: async () => [outside, inside] })).toEqual(inside);
});

it('public are the addresses of IPv6 that are given to networks, not those that hide one of IPv4', async () => {
  const at = (host: string) => addressFor(new URL(`https://[${host}]/`), []);
  for (const host of [
    '::127.0.0.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '::ffff:10.0.0.1',
    'fec0::1',
    '4000::1',
  ])
    await expect(at(host)).rejects.toThrow('private');
  expect(await at('2606:2800:220:1::1')).toEqual({ address: '2606:2800:220:1::1', family: 6 });
});
