import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runOnOperations as run } from '../../test/support/command-line.ts';
import { openStore } from '../../test/support/store.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { CallRefused } from '../errors.ts';

const created = { client_id: 'acme', password: 'pw', access_token: 'tok', expires_in: 60 };

describe('the command line', () => {
  it('creates a client with quotas and prints its secrets', async () => {
    const { calls, out, notes } = await run('client create acme --faces 5 --galleries -1 --hits 0', {
      createClient: created,
    });
    expect(calls).toEqual([
      ['createClient', { client_id: 'acme', n_api_hits: 0, n_face: 5, n_facegallery: -1 }],
    ]);
    expect(out).toMatch(/^client_id: acme\n[\s\S]*password: pw\naccess_token: tok\nexpires_in: 60$/);
    expect(notes).toContain('Neither password nor token is shown again');
  });

  it('grants and revokes the operator right of a client', async () => {
    const { calls } = await run('client create acme --operator', { createClient: created });
    expect(calls[0]?.[1]).toMatchObject({ client_id: 'acme', operator: true });
    for (const [word, operator] of [
      ['yes', true],
      ['no', false],
    ] as const) {
      const set = await run(`client set-operator acme ${word}`);
      expect(set.calls).toEqual([['setClientOperator', { client_id: 'acme', operator }]]);
      expect([set.out, set.notes]).toEqual([`client_id: acme\noperator: ${word}`, 'Done.']);
    }
    const wrong = await run('client set-operator acme maybe');
    expect([wrong.calls, wrong.notes]).toEqual([[], expect.stringContaining('yes or no')]);
  });

  it('reads a new password from the standard input, and prints a random one', async () => {
    const person = { readLine: async () => ' from a pipe ' };
    const line = 'client reset-password acme --password-file -';
    const given = await run(line, { resetClientPassword: { password: '' } }, person);
    const input = { client_id: 'acme', password: ' from a pipe ' };
    expect([given.calls, given.out]).toEqual([[['resetClientPassword', input]], '']);
    const random = await run('client reset-password acme --keep-tokens', {
      resetClientPassword: { password: 'pw' },
    });
    expect([random.calls[0]?.[1], random.out]).toEqual([{ client_id: 'acme', keep_tokens: true }, 'pw']);
  });

  it('creates a token with scopes, and refuses unknown ones', async () => {
    const made = { token_id: 'i', token: 'waj_x', expires_at: null };
    const { calls } = await run('token create acme --scopes enrol,read', { createApiToken: made });
    expect(calls[0]?.[1]).toEqual({ client: 'acme', name: 'api', scopes: ['enrol', 'read'] });
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

  it('says that values are separated by commas, and that webhooks are off', async () => {
    const { notes } = await run('token create acme name --scopes read verify');
    expect(notes).toMatch(/too many arguments[\s\S]*several values of an option are separated by commas/);
    const made = { createWebhook: { webhook_id: 'wh_1', secret: 's' } };
    expect((await run('webhook create acme https://a.example/', made)).notes).toContain(
      'WAJAH_WEBHOOKS=true',
    );
  });

  it('reads a password from the standard input', async () => {
    const person = { readLine: async () => 'from a file' };
    const { calls } = await run('client create acme --password -', { createClient: created }, person);
    expect(calls[0]?.[1]).toMatchObject({ password: 'from a file' });
  });

  it.each([
    ...['03/04/2027', '31/12/2026', '2027', '2027-02', '2027-02-31', '2027-02-31T00:00:00Z'],
    ...['2026-12-01T00:00', '1-April-2027', '20270401', '0', '2027-1-1', 'Thu,01-Apr-2027'],
  ])('guesses no time of %s', async (time) => {
    for (const line of [
      ...['person update a k 2 --consent F7 --until', 'person update a k 2 --consent F7 --given'],
      ...['audit list --since', 'records-of-processing --since', 'records-of-processing --until'],
    ]) {
      const { calls, notes } = await run(`${line} ${time}`);
      expect([line, calls]).toEqual([line, []]);
      expect(notes).toContain(
        'Allowed: a time such as 2026-01-31T12:00:00.000Z, or a day such as 2026-01-31',
      );
    }
  });

  it('takes a time with a zone, and a day as its beginning in UTC', async () => {
    for (const [given, sent] of [
      ['2027-04-03', '2027-04-03T00:00:00Z'],
      ['2027-04-03T00:00:00+07:00', '2027-04-03T00:00:00+07:00'],
    ] as const) {
      const { calls } = await run(`person update a k 2 --consent F7 --until ${given}`);
      expect(calls[0]?.[1]).toMatchObject({ consent_until: sent });
    }
  });

  it.each(['1.5', 'many', '-2', '99999999999'])('refuses --faces %s', async (value) => {
    const { calls, error, notes } = await run(`client create acme --faces ${value}`);
    expect(error).toBeInstanceOf(CommanderError);
    expect(notes).toContain('a whole number from -1');
    expect(calls).toEqual([]);
  });

  it('asks for confirmation before it erases', async () => {
    const erased = { eraseClient: { n_facegallery: 2, n_face: 7 } };
    expect(await run('client delete acme', erased)).toMatchObject({
      calls: [],
      error: { message: expect.stringContaining('Nothing was changed') },
    });
    for (const answer of [
      await run('client delete acme --yes', erased),
      await run('client delete acme', erased, { confirm: async () => true }),
    ]) {
      expect(answer).toMatchObject({ calls: [['eraseClient', { client_id: 'acme' }]] });
      expect(answer.out).toBe('client_id: acme\nn_facegallery: 2\nn_face: 7\nreceipt: none');
    }
  });

  it('changes a quota, and names options where a refusal names fields', async () => {
    const refused = () => Promise.reject(new CallRefused('quotaMissing', {}, 'n_api_hits: the sentence'));
    const { error } = await run('client set-quota acme', { setClientQuota: refused });
    expect(error?.message).toBe('--hits, --faces, --galleries: found none; name at least one');
    const { calls, out } = await run('client set-quota acme --hits -1');
    expect(calls).toEqual([['setClientQuota', { client_id: 'acme', n_api_hits: -1 }]]);
    expect(out).toBe('client_id: acme\nn_api_hits: -1');
  });

  it('lists clients as a table', async () => {
    const client = {
      client_id: 'acme',
      created_at: '2026-01-02T03:04:05.000Z',
      registered: false,
      limits: { n_api_hits: 2_147_483_647, n_face: 10, n_facegallery: 1 },
      used: { n_api_hits: 3, n_face: 2, n_facegallery: 1 },
    };
    const { out } = await run('client list', { listClients: { clients: [client], next_after: null } });
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['client_id', 'registered', 'used', 'limits', 'created_at'],
      [
        ...['acme', 'no', 'n_api_hits=3 n_face=2 n_facegallery=1'],
        ...['n_api_hits=unlimited n_face=10 n_facegallery=1', '2026-01-02T03:04:05Z'],
      ],
    ]);
  });

  it('creates, lists and revokes API tokens', async () => {
    const made = { token_id: 'i', token: 'waj_x', expires_at: null };
    const create = await run('token create acme --name door --days 30', { createApiToken: made });
    expect(create.calls).toEqual([['createApiToken', { client: 'acme', name: 'door', expires_in_days: 30 }]]);
    expect(create.out).toBe('waj_x');
    const token = {
      token_id: 'i',
      name: 'door',
      scopes: ['read'],
      created_at: '2026-01-02T',
      expires_at: null,
    };
    expect((await run('token list acme', { listApiTokens: { tokens: [token] } })).out).toContain('never');
    expect((await run('token revoke waj_x')).calls).toEqual([['revokeApiToken', { token_id: 'waj_x' }]]);
  });

  it('sets and resets the threshold of a gallery', async () => {
    const updateGallery = ({ threshold }: { threshold: number | null }) => ({ threshold });
    const set = await run('gallery set-threshold acme office 0.8', { updateGallery });
    expect(set.calls).toEqual([
      ['updateGallery', { client: 'acme', facegallery_id: 'office', threshold: 0.8 }],
    ]);
    expect(set.out).toMatch(/^client_id: acme\nfacegallery_id: [\s\S]*\nthreshold: 0.8\n/);
    const back = await run('gallery set-threshold acme office none', { updateGallery });
    expect(back.calls[0]?.[1]).toMatchObject({ threshold: null });
    expect(back.out).toContain('\nthreshold: none\n');
    for (const wrong of ['1.1', 'x', '0x1', '']) {
      const { calls, error } = await run(`gallery set-threshold acme office ${wrong}`);
      expect([calls, error]).toEqual([[], expect.any(CommanderError)]);
    }
  });

  it('requires liveness for a gallery, and makes it optional again', async () => {
    const updateGallery = (fields: object) => fields;
    const set = await run('gallery set-liveness acme office required', { updateGallery });
    const input = { client: 'acme', facegallery_id: 'office', require_liveness: true };
    expect(set.calls).toEqual([['updateGallery', input]]);
    expect(set.out).toContain('\nrequire_liveness: yes\n');
    const back = await run('gallery set-liveness acme office optional', { updateGallery });
    expect(back.calls[0]?.[1]).toMatchObject({ require_liveness: false });
    const { calls, error } = await run('gallery set-liveness acme office yes');
    expect([calls, error]).toEqual([[], expect.any(CommanderError)]);
    // A setting that is not named keeps its value.
    for (const rule of ['set-liveness', 'set-consent'])
      expect((await run(`gallery ${rule} --help`)).out).not.toContain('Default');
  });

  it('shows and sets how the similarities of a gallery are calibrated', async () => {
    const setCohortMode = { cohort_mode: 'off', cohort_version: 124, cohort_people: 120 };
    const set = await run('gallery calibration acme office off', { setCohortMode });
    const input = { client_id: 'acme', facegallery_id: 'office', action: 'off' };
    expect(set.calls).toEqual([['setCohortMode', input]]);
    expect(set.out).toContain('\ncohort_mode: off\ncohort_version: 124\ncohort_people: 120');
    const wrong = await run('gallery calibration acme office thaw');
    expect([wrong.calls, wrong.notes]).toEqual([[], expect.stringContaining('show, auto, off')]);
  });

  it('lists the galleries of a client', async () => {
    const gallery = {
      facegallery_id: 'office',
      n_face: 3,
      created_at: '2026-01-02T00:00:00.000Z',
      calibrated_by: 'server',
      require_liveness: true,
      require_consent: true,
      retention_days: 90,
      threshold: 0.8,
      pack: 'builtin 1',
      embedder: 'e1',
    };
    const { calls, out } = await run('gallery list acme', {
      describeGalleries: { facegalleries: [gallery] },
    });
    expect(calls).toEqual([['describeGalleries', { client: 'acme', limit: 500 }]]);
    expect(out.split('\n')[1]).toMatch(
      /^office +3 +0\.8 +server +yes +yes +90 +builtin 1 +e1 +2026-01-02T00:00:00Z$/,
    );
  });

  it('lists the galleries of a client a page at a time', async () => {
    const pages = [
      { facegalleries: [{ facegallery_id: 'a' }], next_cursor: 'n' },
      { facegalleries: [{ facegallery_id: 'b' }] },
    ];
    const { calls, out } = await run('gallery list acme --json', { describeGalleries: () => pages.shift() });
    expect(calls[1]).toEqual(['describeGalleries', { client: 'acme', limit: 500, cursor: 'n' }]);
    expect(JSON.parse(out)).toHaveLength(2);
  });

  it('asks before a retention that may erase people, and says so to the server', async () => {
    const updateGallery = (fields: object) => fields;
    const line = 'gallery set-retention acme office 90';
    const asked = await run(line, { updateGallery });
    expect([asked.calls, asked.error?.message]).toEqual([[], expect.stringContaining('--yes')]);
    const set = await run(`${line} --yes`, { updateGallery });
    expect(set.calls[0]?.[1]).toMatchObject({ retention_days: 90, erase_expired: true });
    const never = await run('gallery set-retention acme office none', { updateGallery });
    expect([never.calls[0]?.[1], never.out]).toEqual([
      { client: 'acme', facegallery_id: 'office', retention_days: null },
      expect.stringContaining('\nretention_days: none\n'),
    ]);
  });

  it('reads a list to its end, and each client where none is named', async () => {
    const pages = [
      { people: [{ user_id: 'a', expires_at: '2026-01-02T', client_id: 'c' }], next_cursor: 'n' },
      { people: [{ user_id: 'b', expires_at: '2026-01-03T', client_id: 'c' }] },
    ];
    const expiring = await run('person expiring --days 4 --json', { listExpiring: () => pages.shift() });
    expect(expiring.calls).toEqual([
      ['listExpiring', { days: 4 }],
      ['listExpiring', { days: 4, cursor: 'n' }],
    ]);
    expect(JSON.parse(expiring.out)).toHaveLength(2);
    const each = await run('records-of-processing --since 2026-01-31 --json', {
      listClients: { clients: [{ client_id: 'a' }, { client_id: 'b' }], next_after: null },
      getProcessingRecords: ({ client }: { client: string }) => ({ client_id: client }),
    });
    expect(each.calls[1]).toEqual(['getProcessingRecords', { client: 'a', from: '2026-01-31T00:00:00Z' }]);
    expect(JSON.parse(each.out)).toEqual([{ client_id: 'a' }, { client_id: 'b' }]);
  });

  it('prints every field of an answer, and those that are absent as none', async () => {
    const answer = { user_id: 'ani', galleries: [{ facegallery_id: 'office', consent: null, crops: [] }] };
    const { out } = await run('person export acme ani', { exportPerson: answer });
    expect(out).toBe(
      'client_id: acme\nuser_id: ani\nexported_at: none\ngalleries:\n  - facegallery_id: office\n    consent: none\n' +
        '    crops: none\nliveness_sessions: none\nremembered_frames: none\nrefusals: none\nexpected: none\nwebhook_events: none',
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
      ['installCalibration', { client_id: 'acme', facegallery_id: 'acme@trial', calibration }],
    ]);
    expect(made.notes).toBe('Installed for acme@trial of acme: it applies at once.');
    const removed = await run('calibrate --remove server');
    expect(removed.calls).toEqual([['installCalibration', { calibration: null }]]);
    expect((await run('calibrate')).error?.message).toMatch(/--gallery .* or --data/);
    expect((await run('calibrate --gallery --data .')).error?.message).toMatch(/not both/);
    for (const half of ['--gallery office', '--client acme --gallery', '--client acme --data .'])
      expect((await run(`calibrate ${half}`)).error?.message).toMatch(/--client .* and --gallery/);
    expect((await run('calibrate --gallery --install gallery')).error?.message).toMatch(/Name the gallery/);
    expect((await run('calibrate --gallery --install acme/office')).error).toBeInstanceOf(CommanderError);
    const ofPeople = await run('calibrate --gallery --install server', { calibrateGalleries: report });
    expect(ofPeople.calls).toEqual([
      ['calibrateGalleries', expect.objectContaining({ pack: expect.anything() })],
      ['installCalibration', { calibration }],
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

  it('fails where a check of the galleries has found damage that it did not erase', async () => {
    const found = { client_id: 'acme', facegallery_id: 'office', templates: ['ani'], crops: [] };
    for (const line of ['gallery check', 'gallery check --json']) {
      const { out, error } = await run(line, { checkGalleries: { facegalleries: [found], rows: [] } });
      expect([out, error?.message]).toEqual([
        expect.stringContaining('ani'),
        expect.stringMatching(/^What is damaged is in 1 gallery: .*wajah gallery check --erase/),
      ]);
    }
    const erased = { facegalleries: [{ ...found, erased: true, receipt: null }], rows: [] };
    expect((await run('gallery check --erase --yes', { checkGalleries: erased })).error).toBeUndefined();
    expect(
      (await run('gallery check', { checkGalleries: { facegalleries: [], rows: [] } })).error,
    ).toBeUndefined();
  });

  it('prints times in UTC, and says so', async () => {
    const record = { number: 1, time: '2026-11-28T13:24:00.123Z', event: 'administered', facts: {} };
    const { out } = await run('audit list', { getAudit: { records: [record] } });
    expect(out).toContain(' 2026-11-28T13:24:00Z ');
  });

  it('prints the findings of doctor, and fails when one is bad', async () => {
    const dataDir = join(temporaryDirectory(), 'file');
    writeFileSync(dataDir, '');
    const { out, error } = await run('doctor', {}, {}, { WAJAH_DATA_DIR: dataDir });
    expect(out).toMatch(/^ok +node +/m);
    expect(out).toMatch(/^look +pad_pack +/m);
    expect(out).toMatch(/^BAD +data_directory +/m);
    expect(error?.message).toMatch(/^doctor: 1 of \d+ must be repaired$/);
  });

  it('downloads a pack after licence, training data and cost are shown and confirmed', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')));
    onTestFinished(() => void vi.unstubAllGlobals());
    const env = { WAJAH_DATA_DIR: temporaryDirectory() };
    const asked = await run('models pull plus', {}, {}, env);
    const facts = [
      'licence: Apache-2.0',
      'training data: .+',
      'download: 4.0 MB',
      'template: .+ × the time of',
    ];
    expect(asked.notes).toMatch(new RegExp(`^plus 2: .*\n {2}${facts.join('.*\n {2}')}.*$`));
    expect(asked.error?.message).toMatch(/^Nothing was downloaded: .* wajah models pull plus --yes/);
    for (const [line, agrees] of [
      ['models pull plus', true],
      ['models pull plus --yes', false],
    ] as const)
      expect((await run(line, {}, { confirm: async () => agrees }, env)).error?.message).toMatch(/download/);
  });
});
