import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { runOnOperations as run } from '../../test/support/command-line.ts';
import { openStore } from '../../test/support/store.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import { OperatorError } from '../errors.ts';

const created = { clientId: 'acme', password: 'pw', accessToken: 'tok', expiresIn: 60 };

describe('the command line', () => {
  it('creates a client with quotas and prints its secrets', async () => {
    const { calls, out, notes } = await run('client create acme --faces 5 --galleries -1 --hits 0', {
      createClient: created,
    });
    expect(calls).toEqual([
      ['createClient', { clientId: 'acme', quota: { hits: 0, faces: 5, galleries: -1 } }],
    ]);
    expect(out).toBe('client_id     acme\npassword      pw\naccess_token  tok');
    expect(notes).toContain('Neither is shown again');
  });

  it('grants and revokes the operator right of a client', async () => {
    const { calls } = await run('client create acme --operator', { createClient: created });
    expect(calls[0]?.[1]).toMatchObject({ clientId: 'acme', operator: true });
    for (const [word, operator, says] of [
      ['yes', true, 'acme is an operator.'],
      ['no', false, 'acme is no operator.'],
    ] as const) {
      const set = await run(`client set-operator acme ${word}`);
      expect(set.calls).toEqual([['setOperator', { clientId: 'acme', operator }]]);
      expect(set.out).toBe(says);
    }
    const wrong = await run('client set-operator acme maybe');
    expect([wrong.calls, wrong.notes]).toEqual([[], expect.stringContaining('yes or no')]);
  });

  it('reads a new password from the standard input, and prints a random one', async () => {
    const person = { readLine: async () => ' from a pipe ' };
    const line = 'client reset-password acme --password-file -';
    const given = await run(line, { resetPassword: null }, person);
    const input = { clientId: 'acme', password: ' from a pipe ', keepTokens: false };
    expect([given.calls, given.out]).toEqual([[['resetPassword', input]], '']);
    const random = await run('client reset-password acme --keep-tokens', { resetPassword: 'pw' });
    expect([random.calls[0]?.[1], random.out]).toEqual([{ clientId: 'acme', keepTokens: true }, 'pw']);
  });

  it('creates a token with scopes, and refuses unknown ones', async () => {
    const made = { id: 'i', token: 'waj_x', expiresAt: null };
    const { calls } = await run('token create acme --scopes enrol,read', { createToken: made });
    expect(calls[0]?.[1]).toMatchObject({ clientId: 'acme', scopes: ['enrol', 'read'] });
    for (const list of ['all', 'read,', 'read,read,write']) {
      const wrong = await run(`token create acme --scopes ${list}`);
      expect([wrong.calls, wrong.notes]).toEqual([
        [],
        expect.stringContaining('recognise, enrol, read, pictures, manage'),
      ]);
    }
  });

  it('prints JSON for scripts, and nothing else', async () => {
    const { out, notes } = await run('client create acme --json', { createClient: created });
    expect(JSON.parse(out)).toEqual({
      client_id: 'acme',
      password: 'pw',
      access_token: 'tok',
      expires_in: 60,
    });
    expect(notes).toBe('');
  });

  it('reads a password from the standard input', async () => {
    const person = { readLine: async () => 'from a file' };
    const { calls } = await run('client create acme --password -', { createClient: created }, person);
    expect(calls[0]?.[1]).toMatchObject({ password: 'from a file' });
  });

  it.each(['1.5', 'many', '-2', '99999999999'])('refuses --faces %s', async (value) => {
    const { calls, error, notes } = await run(`client create acme --faces ${value}`);
    expect(error).toBeInstanceOf(CommanderError);
    expect(notes).toContain('a whole number from -1');
    expect(calls).toEqual([]);
  });

  it('asks for confirmation before it erases', async () => {
    const erased = { deleteClient: { galleries: 2, faces: 7 } };
    expect(await run('client delete acme', erased)).toMatchObject({
      calls: [],
      error: { message: expect.stringContaining('Nothing was erased') },
    });
    for (const answer of [
      await run('client delete acme --yes', erased),
      await run('client delete acme', erased, { confirm: async () => true }),
    ]) {
      expect(answer).toMatchObject({ calls: [['deleteClient', { clientId: 'acme' }]] });
      expect(answer.out).toBe('Erased acme: 2 galleries, 7 faces.');
    }
  });

  it('refuses set-quota without a quota', async () => {
    expect((await run('client set-quota acme')).error?.message).toContain('at least one of --faces');
    const { calls, out } = await run('client set-quota acme --hits -1');
    expect(calls).toEqual([['setQuota', { clientId: 'acme', quota: { hits: -1 } }]]);
    expect(out).toBe('Quota of acme: hits unlimited.');
  });

  it('lists clients as a table', async () => {
    const client = {
      clientId: 'acme',
      createdAt: '2026-01-02T03:04:05.000Z',
      registeredAt: null,
      quota: { hits: -1, faces: 10, galleries: 1 },
      used: { hits: 3, faces: 2, galleries: 1 },
    };
    const { out } = await run('client list', { listClients: [client] });
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['client_id', 'registered', 'faces', 'galleries', 'hits', 'created'],
      ['acme', 'no', '2 of 10', '1 of 1', '3 of unlimited', '2026-01-02'],
    ]);
  });

  it('creates, lists and revokes API tokens', async () => {
    const made = { id: 'i', token: 'waj_x', expiresAt: null };
    const create = await run('token create acme --name door --days 30', { createToken: made });
    expect(create.calls).toEqual([['createToken', { clientId: 'acme', name: 'door', days: 30 }]]);
    expect(create.out).toBe('waj_x');
    const token = { id: 'i', name: 'door', createdAt: '2026-01-02T', expiresAt: null, revokedAt: null };
    expect((await run('token list acme', { listTokens: [token] })).out).toContain('never');
    expect((await run('token revoke waj_x')).calls).toEqual([['revokeToken', { token: 'waj_x' }]]);
  });

  it('sets and resets the threshold of a gallery', async () => {
    const set = await run('gallery set-threshold acme office 0.8');
    expect(set.calls).toEqual([
      ['setGalleryThreshold', { clientId: 'acme', galleryId: 'office', threshold: 0.8 }],
    ]);
    expect(set.out).toBe('Threshold of office of acme: 0.8.');
    const back = await run('gallery set-threshold acme office none');
    expect(back.calls[0]?.[1]).toMatchObject({ threshold: null });
    for (const wrong of ['1.1', 'x', '1e-1', '0x1', '']) {
      const { calls, error } = await run(`gallery set-threshold acme office ${wrong}`);
      expect([calls, error]).toEqual([[], expect.any(CommanderError)]);
    }
  });

  it('requires liveness for a gallery, and makes it optional again', async () => {
    const set = await run('gallery set-liveness acme office required');
    const input = { clientId: 'acme', galleryId: 'office', required: true };
    expect(set.calls).toEqual([['setGalleryLiveness', input]]);
    expect(set.out).toBe('Liveness for office of acme: required.');
    const back = await run('gallery set-liveness acme office optional');
    expect(back.calls[0]?.[1]).toMatchObject({ required: false });
    const { calls, error } = await run('gallery set-liveness acme office yes');
    expect([calls, error]).toEqual([[], expect.any(CommanderError)]);
  });

  it('shows and sets how the similarities of a gallery are calibrated', async () => {
    const gallery = { galleryId: 'office', cohortMode: 'frozen', cohortVersion: 124, cohortPeople: 120 };
    const set = await run('gallery calibration acme office freeze', { listGalleries: [gallery] });
    const input = { clientId: 'acme', galleryId: 'office', mode: 'frozen' };
    expect(set.calls).toEqual([
      ['setGalleryCohort', input],
      ['listGalleries', { clientId: 'acme' }],
    ]);
    expect(set.out).toBe('Calibration of office of acme: frozen, statistics of 120 people, version 124.');
    const shown = await run('gallery calibration acme other show', { listGalleries: [gallery] });
    expect([shown.calls.length, shown.error]).toEqual([1, expect.any(OperatorError)]);
  });

  it('lists the galleries of a client', async () => {
    const gallery = {
      galleryId: 'office',
      faces: 3,
      createdAt: '2026-01-02T00:00:00.000Z',
      calibrated: false,
      requireLiveness: true,
      requireConsent: true,
      retentionDays: 90,
    };
    const { out } = await run('gallery list acme', {
      listGalleries: [{ ...gallery, threshold: 0.8, pack: 'builtin 1 (dlib-resnet-v1)' }],
    });
    expect(out.split('\n')[1]).toMatch(
      /^office +3 +0\.8 +the server's +required +required +90 days +builtin 1 \(dlib-resnet-v1\) +2026-01-02$/,
    );
  });

  it('installs a calibration for the server or a gallery, and removes it', async () => {
    const calibration = { contract: { pack: 'p' }, curve: { pack: 'p', evidence: {}, knots: [] } };
    const report = { pack: 'p', machine: 'm', sections: [], notes: [], plots: [], calibration };
    const made = await run('calibrate --data . --client acme --gallery acme@trial --install gallery', {
      calibrate: report,
    });
    expect(made.calls).toEqual([
      ['calibrate', expect.objectContaining({ data: '.', split: 'dev' })],
      ['installCalibration', { clientId: 'acme', galleryId: 'acme@trial', calibration }],
    ]);
    expect(made.notes).toBe('Installed for acme@trial of acme: it applies at once.');
    const removed = await run('calibrate --remove server');
    expect(removed.calls).toEqual([
      ['installCalibration', { clientId: null, galleryId: null, calibration: null }],
    ]);
    expect((await run('calibrate')).error?.message).toMatch(/--gallery .* or --data/);
    expect((await run('calibrate --gallery --data .')).error?.message).toMatch(/not both/);
    for (const half of ['--gallery office', '--client acme --gallery', '--client acme --data .'])
      expect((await run(`calibrate ${half}`)).error?.message).toMatch(/--client .* and --gallery/);
    expect((await run('calibrate --gallery --install gallery')).error?.message).toMatch(/Name the gallery/);
    expect((await run('calibrate --gallery --install acme/office')).error).toBeInstanceOf(CommanderError);
    const ofPeople = await run('calibrate --gallery --install server', { calibrateGalleries: report });
    expect(ofPeople.calls).toEqual([
      ['calibrateGalleries', expect.objectContaining({ pack: expect.anything() })],
      ['installCalibration', { clientId: null, galleryId: null, calibration }],
    ]);
  });

  it('backs a store up as it is, and copies none without a target', async () => {
    const store = temporaryDirectory();
    openStore(store);
    const file = join(temporaryDirectory(), 'x.db');
    const backup = await run(`backup ${file} --plain`, {}, {}, { WAJAH_DATA_DIR: store });
    const bytes = statSync(file).size;
    expect(backup.calls).toEqual([['recordBackup', { bytes }]]);
    expect(backup.out).toBe(`Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
    expect((await run('migrate-store --from data')).error).toBeInstanceOf(CommanderError);
  });

  it('prints the findings of doctor, and fails when one is bad', async () => {
    const findings: DoctorFinding[] = [
      { what: 'Node', state: 'good', found: '20' },
      { what: 'disk', state: 'doubtful', found: 'full' },
    ];
    const fine = await run('doctor', { doctor: findings });
    expect(fine.error).toBeUndefined();
    expect(fine.out).toMatch(/ok +Node +20\nlook +disk +full/);
    const ill = await run('doctor', { doctor: [...findings, { what: 'key', state: 'bad', found: 'x' }] });
    expect(ill.out).toMatch(/BAD +key +x/);
    expect(ill.error?.message).toContain('1 of 3');
  });
});
