import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function logged(act: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLogger('info', { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('writes one JSON object a line, with the level by name and an ISO time', () => {
    const [line] = logged((log) => log.info({ trx_id: 't' }, 'request'));
    expect(line).toMatchObject({ level: 'info', trx_id: 't', msg: 'request' });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(line).not.toHaveProperty('pid');
  });

  it('omits lines below its level', () => {
    expect(logged((log) => log.debug('detail'))).toEqual([]);
  });

  it('never writes pictures, templates, passwords and tokens', () => {
    const found = logged((log) => {
      log.info({ image: 'SECRET', body: { password: 'SECRET', batch: ['SECRET'] } }, 'x');
      log.error({ req: { headers: { accesstoken: 'SECRET', authorization: 'SECRET' } } }, 'x');
    });
    expect(JSON.stringify(found)).not.toContain('SECRET');
    expect(JSON.stringify(found)).toContain('[Redacted]');
  });
});
