import { describe, expect, it } from 'vitest';
import { createLogger, logDestination } from './logger.ts';

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
      log.warn({ items: [{ token: 'SECRET' }] }, 'x');
      log.error({ err: Object.assign(new Error('failed'), { token: 'SECRET' }) }, 'x');
      log.error(Object.assign(new Error('failed, too'), { password: 'SECRET' }));
    });
    expect(JSON.stringify(found)).not.toContain('SECRET');
    expect(found).toMatchObject([
      { image: '[Redacted]', body: { password: '[Redacted]', batch: '[Redacted]' } },
      { req: { headers: { accesstoken: '[Redacted]', authorization: '[Redacted]' } } },
      { items: [{ token: '[Redacted]' }] },
      { err: { message: 'failed', token: '[Redacted]' } },
      { err: { message: 'failed, too', password: '[Redacted]' }, msg: 'failed, too' },
    ]);
  });

  it('is text for people on a terminal, else JSON lines', async () => {
    const lines: string[] = [];
    const output = { write: (text: string) => lines.push(text) > 0 };
    const log = createLogger('info', await logDestination(true, output));
    log.info({ event: 'face_enrolled', client_id: 'acme', password: 'SECRET' }, 'face_enrolled');
    expect(lines).toHaveLength(1);
    for (const line of lines) {
      expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] .*INFO.*: .*face_enrolled.* \{"client_id":"acme"/);
      expect([line.split('\n').length, line.includes('SECRET')]).toEqual([2, false]);
    }
    expect(await logDestination(false, output)).toBeUndefined();
  });
});
