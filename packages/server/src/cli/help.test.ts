import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runOnOperations as run } from '../../test/support/command-line.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { commandHelp } from './program.ts';

describe('the command line', () => {
  it('prints its version, and lists every command under a heading on one line', async () => {
    expect((await run('--version')).out.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const { out } = await run('--help');
    const lines = out.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80 || line === 'Commands:')).toEqual([]);
    const names = commandHelp().map(({ name }) => name);
    for (const name of names.filter((one) => one.split(' ').length === 2)) {
      expect(out).toMatch(new RegExp(`^  ${name.slice('wajah '.length)} +\\S`, 'm'));
    }
    const listed = (await run('gallery --help')).out.split('\n');
    expect(listed).toContainEqual(expect.stringMatching(/^ {2}set-threshold +sets the similarity/));
  });

  it('names what looks like a setting and is none, beside the settings in force', async () => {
    const { out, notes } = await run('config', {}, {}, { WAJAH_PROT: '9000' });
    expect(notes).toMatch(/^Warning: WAJAH_PROT is no setting.* did you mean WAJAH_PORT\?/);
    expect(out).toMatch(/^WAJAH_PORT +8080 +default$/m);
  });

  it('prints every setting in force with its unit and source, those in files too', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'secret.key'), 'ab'.repeat(32));
    const env = { WAJAH_DATA_DIR: dataDir, WAJAH_EVENT_DAYS: '20', WAJAH_MAX_IMAGE_BYTES: '4096' };
    const { out } = await run('config', {}, {}, env);
    const rows = new Map(
      out.split('\n').map((line) => [line.split(/ {2,}/)[0], line.split(/ {2,}/).slice(1)]),
    );
    const expected = {
      WAJAH_DATA_DIR: [dataDir, 'environment'],
      WAJAH_EVENT_DAYS: ['20 days', 'environment'],
      WAJAH_IDENTIFY_FPIR: ['0.01', 'default'],
      WAJAH_MAX_IMAGE_BYTES: ['4096 bytes', 'environment'],
      WAJAH_BODIES_BYTES: ['256MiB', 'default'],
      WAJAH_PACK: ['builtin', 'default'],
      WAJAH_SECRET_KEY: ['(hidden)', `file ${join(dataDir, 'secret.key')}`],
    };
    for (const [name, cells] of Object.entries(expected))
      expect([name, rows.get(name)]).toEqual([name, cells]);
    expect(rows.get('WAJAH_ENGINE_WORKERS')).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^default/),
    ]);
    expect(out).not.toContain('abab');
    const listed = JSON.parse((await run('config --json', {}, {}, env)).out) as object[];
    expect(listed).toContainEqual(
      expect.objectContaining({ name: 'WAJAH_AUDIT_DAYS', value: '365', unit: 'days' }),
    );
    expect((await run('config --help')).out).toContain('WAJAH_EVENT_DAYS');
  });
});
