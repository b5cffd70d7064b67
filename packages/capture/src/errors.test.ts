import { expect, it } from 'vitest';
import { TransportError, toLivenessError } from './errors.ts';

it('a refusal says whether to wait, to start again, or to ask the operator', () => {
  const cases = [
    [new TransportError('429', 'too many tries', 480), { code: 'paused', status: '429', retryAfter: 480 }],
    [new TransportError('420', 'expired'), { code: 'expired', status: '420' }],
    [new TransportError('420', 'newer', undefined, 'sessionEnded'), { code: 'ended', status: '420' }],
    [new TransportError('403', 'denied'), { code: 'refused', status: '403', message: 'denied' }],
    [new Error('no route'), { code: 'network', message: 'no route' }],
  ] as const;
  for (const [thrown, expected] of cases) expect(toLivenessError(thrown)).toMatchObject(expected);
});
