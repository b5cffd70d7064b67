import { chmodSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { OperatorError } from '../errors.ts';
import { machineMemory } from '../lib/machine.ts';
import { describeSettings, inOwnWords, loadConfig, unknownSettings } from './config.ts';
import { fallbackText, settingList } from './settings.ts';
import { workersFor } from './settings-resources.ts';

const names = settingList.map((setting) => setting.name);

describe('loadConfig', () => {
  it('has the documented defaults', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      secretKey: null,
      logLevel: 'info',
      thresholds: { verify: null, identifyFpir: 0.01 },
      limits: { imageBytes: 10 * 2 ** 20, bodiesBytes: 256 * 2 ** 20 },
      tokens: { lifetimeSeconds: 86_400, issuer: null },
    });
    expect(config.dataDir).toMatch(/^\/.*\/data$/);
    expect(config.engine.workers).toBeGreaterThanOrEqual(1);
    expect(Object.isFrozen(config.limits)).toBe(true);
  });

  it('reads given values; an empty value counts as not given', () => {
    const config = loadConfig({
      WAJAH_PORT: '0',
      WAJAH_HOST: '',
      WAJAH_THRESHOLD: '0.75',
      WAJAH_MAX_IMAGE_BYTES: '512KiB',
      WAJAH_TRUST_PROXY: 'true',
      WAJAH_CORS_ORIGINS:
        'https://a.example/, http://localhost:5173, https://*.b.example, capacitor://localhost',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      thresholds: { verify: 0.75 },
      limits: { imageBytes: 524_288 },
      trustProxy: true,
      corsOrigins: [
        'https://a.example',
        'http://localhost:5173',
        'https://*.b.example',
        'capacitor://localhost',
      ],
    });
  });

  it.each([
    ['false', false],
    ['0', 0],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('reads WAJAH_TRUST_PROXY=%s', (given, read) => {
    expect(loadConfig({ WAJAH_TRUST_PROXY: given }).trustProxy).toEqual(read);
  });

  it('reads a key as hexadecimal and as base64', () => {
    const key = new Uint8Array(32).map((_, index) => index * 7);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const given = Buffer.from(key).toString(encoding);
      expect(loadConfig({ WAJAH_SECRET_KEY: given }).secretKey).toEqual(key);
    }
  });

  it.each([
    ['WAJAH_PORT', '80800', 'WAJAH_PORT is "80800"; allowed: a whole number from 0 to 65535'],
    ['WAJAH_PORT', '80.5', 'WAJAH_PORT is "80.5"; allowed: a whole number from 0 to 65535'],
    ['WAJAH_THRESHOLD', '0,7', 'WAJAH_THRESHOLD is "0,7"; allowed: a number from 0 to 1'],
    ['WAJAH_LOG_LEVEL', 'loud', 'WAJAH_LOG_LEVEL is "loud"; allowed: one of fatal, error, warn'],
    ['WAJAH_TRUST_PROXY', 'maybe', 'WAJAH_TRUST_PROXY is "maybe"; allowed: true, false, a number of'],
    [
      'WAJAH_TRUST_PROXY',
      '10.0.0.0/33',
      'WAJAH_TRUST_PROXY is "10.0.0.0/33"; allowed: true, false, a number of',
    ],
    ['WAJAH_TRUST_PROXY', '17', 'WAJAH_TRUST_PROXY is "17"; allowed: true, false, a number of proxies'],
    ['WAJAH_ISSUER', 'ftp://x', 'WAJAH_ISSUER is "ftp://x"; allowed: an http or https URL'],
    ['WAJAH_CORS_ORIGINS', 'https://a.example/path', 'WAJAH_CORS_ORIGINS is "https://a.example/path"'],
    ['WAJAH_CORS_ORIGINS', 'https://a.*.example', 'WAJAH_CORS_ORIGINS is "https://a.*.example"'],
    ['WAJAH_CORS_ORIGINS', 'https://*', 'WAJAH_CORS_ORIGINS is "https://*"'],
    ['WAJAH_CORS_ORIGINS', '*.example', 'WAJAH_CORS_ORIGINS is "*.example"'],
    ['WAJAH_CORS_ORIGINS', 'HTTPS://A.example', 'WAJAH_CORS_ORIGINS is "HTTPS://A.example"'],
    ['WAJAH_CORS_ORIGINS', 'file:///', 'WAJAH_CORS_ORIGINS is "file:///"'],
    ['WAJAH_CORS_ORIGINS', 'https://a.example:443', 'WAJAH_CORS_ORIGINS is "https://a.example:443"'],
  ])('refuses %s=%s', (name, value, message) => {
    expect(() => loadConfig({ [name]: value })).toThrowError(message);
  });

  it('never shows a secret', () => {
    expect(() => loadConfig({ WAJAH_SECRET_KEY: 'hunter2' })).toThrowError(/\(hidden, 7 characters\)/);
    expect(() => loadConfig({ WAJAH_SECRET_KEY: 'hunter2' })).not.toThrowError(/hunter2/);
    const described = JSON.stringify(describeSettings({ WAJAH_SECRET_KEY: 'ab'.repeat(32) }));
    expect(described).not.toContain('abab');
  });

  it('requires all settings of an external issuer or none', () => {
    expect(() => loadConfig({ WAJAH_ISSUER: 'https://id.example' })).toThrowError(
      /^WAJAH_ISSUER_AUDIENCE and WAJAH_ISSUER_JWKS_URL are not set/,
    );
  });

  it('returns a value or throws one line that names the setting, for any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ unit: 'binary', minLength: 1 }), (name, value) => {
        try {
          loadConfig({ [name]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(OperatorError);
          expect((error as Error).message).toContain(name);
          expect((error as Error).message).not.toMatch(/[\n\r]/);
        }
      }),
    );
  });
});

describe('the table of settings', () => {
  it('has a description for each setting, and distinct names', () => {
    expect(new Set(names).size).toBe(settingList.length);
    for (const setting of settingList) {
      expect(setting.description).toMatch(/^[A-Z].*\.$|unlimited\.$|^spoof_|^minimum_/);
      expect(fallbackText(setting)).not.toBe('');
    }
  });
});

describe('unknownSettings', () => {
  it('returns the nearest setting for each', () => {
    expect(
      unknownSettings({ WAJAH_TRESHOLD: '1', PATH: '/bin', WAJAH_PORT: '1', WAJAH_SECRET: 'x' }),
    ).toEqual([
      { name: 'WAJAH_SECRET', nearest: 'WAJAH_SECRET_KEY' },
      { name: 'WAJAH_TRESHOLD', nearest: 'WAJAH_THRESHOLD' },
    ]);
  });
});

describe('the database', () => {
  const url = 'postgres://wajah:topsecret@db/faces';

  it('is the embedded one unless a URL says otherwise', () => {
    expect(loadConfig({}).database).toBeNull();
    const config = loadConfig({ WAJAH_DATABASE_URL: url, WAJAH_DATABASE_POOL: '3' });
    expect(config.database).toEqual({ url, connections: 3 });
  });

  it('never shows its password', () => {
    const shown = JSON.stringify(describeSettings({ WAJAH_DATABASE_URL: url }));
    expect(shown).toContain('postgres://wajah:***@db/faces');
    expect(shown).not.toContain('topsecret');
    expect(() => loadConfig({ WAJAH_DATABASE_URL: `${url}?sslmode=x` })).toThrow(
      /WAJAH_DATABASE_URL: sslmode/,
    );
    for (const wrong of [`${url}?x=1`, url.replace('postgres', 'mysql'), url.replace('@db', '@')]) {
      expect(() => loadConfig({ WAJAH_DATABASE_URL: wrong })).toThrow(/^(?!.*topsecret)/);
    }
  });
});

it('gives matching a quarter of the memory that the process may use, never less than 1 GiB', () => {
  const { memoryBytes } = loadConfig({}).matching;
  expect(memoryBytes).toBe(Math.max(2 ** 30, Math.floor(machineMemory() / 4 / 2 ** 20) * 2 ** 20));
  expect(loadConfig({ WAJAH_MATCH_MEMORY_MB: '300' }).matching.memoryBytes).toBe(300 * 2 ** 20);
});

it.each([
  ['two cores of a container with 2 GiB', 2, 2, 1],
  ['one core', 1, 64, 1],
  ['less memory than a server needs', 8, 0.5, 1],
  ['memory for three', 16, 2, 3],
  ['cores for seven', 8, 32, 7],
  ['128 cores', 128, 512, 64],
])('starts as many workers as cores and memory hold: %s', (_, cores, gibibytes, workers) => {
  expect(workersFor(cores, gibibytes * 2 ** 30)).toBe(workers);
  expect(loadConfig({ WAJAH_ENGINE_WORKERS: String(workers) }).engine.workers).toBe(workers);
});

it('commands are named as they are started, and npx takes no option of theirs', () => {
  vi.stubEnv('WAJAH_COMMAND', 'npx --no wajah');
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = inOwnWords('wajah --help lists `wajah client list`, `wajah <command> --help`.');
  expect(text).toBe(
    'npx --no -- wajah --help lists `npx --no wajah client list`, `npx --no wajah <command> --help`.',
  );
  expect(inOwnWords(text)).toBe(text);
});

describe('settings in files', () => {
  const folder = temporaryDirectory();
  const file = (name: string, text: string, mode = 0o600) => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const key = 'ab'.repeat(32);

  it('are read from WAJAH_ENV_FILE, behind the environment', () => {
    const path = file(
      'env',
      `# a comment\nWAJAH_PORT=1\nWAJAH_HOST='::1'\nWAJAH_PROT=2\n\nWAJAH_SECRET_KEY=${key}\n`,
    );
    const env = { WAJAH_ENV_FILE: path, WAJAH_PORT: '2' };
    expect(loadConfig(env)).toMatchObject({
      port: 2,
      host: '::1',
      secretKey: new Uint8Array(Buffer.from(key, 'hex')),
    });
    expect(loadConfig({ ...env, WAJAH_HOST: '' }).host).toBe('127.0.0.1');
    expect(unknownSettings(env)).toEqual([{ name: 'WAJAH_PROT', nearest: 'WAJAH_PORT' }]);
    const sources = describeSettings(env).filter(({ source }) => !source.startsWith('default'));
    expect(sources.map(({ name, source }) => [name, source])).toEqual([
      ['WAJAH_HOST', `file ${path}`],
      ['WAJAH_PORT', 'environment'],
      ['WAJAH_ENV_FILE', 'environment'],
      ['WAJAH_SECRET_KEY', `file ${path}`],
    ]);
  });

  it('are refused where every user can read their secrets, or where they cannot be read', () => {
    const open = file('open', `WAJAH_SECRET_KEY=${key}\n`);
    chmodSync(open, 0o644);
    expect(() => loadConfig({ WAJAH_ENV_FILE: open })).toThrow(
      /open holds secrets and has mode 644.*chmod o-rwx/,
    );
    const harmless = file('harmless', 'WAJAH_PORT=1\n');
    chmodSync(harmless, 0o644);
    expect(loadConfig({ WAJAH_ENV_FILE: harmless }).port).toBe(1);
    expect(() => loadConfig({ WAJAH_ENV_FILE: join(folder, 'none') })).toThrow(
      /^WAJAH_ENV_FILE: .*none cannot be read \(ENOENT\)$/,
    );
    expect(() => loadConfig({ WAJAH_ENV_FILE: '/two\nlines' })).toThrow(
      /^WAJAH_ENV_FILE: "\/two\\nlines" cannot be read \(ENOENT\)$/,
    );
  });

  it.each([
    ['WAJAH_SECRET_KEY', key],
    ['WAJAH_SECRET_KEY_FILE', '/run/secrets/key'],
    ['WAJAH_DATABASE_URL_FILE', '/run/secrets/url'],
  ])('an empty %s of the environment is no way to do without that of the file', (name, value) => {
    const env = { WAJAH_ENV_FILE: file('secret', `${name}=${value}\n`), [name]: '' };
    expect(() => loadConfig(env)).toThrow(`${name} is empty in the environment, and set in `);
  });

  it('what looks like a secret is not printed where it was given in a wrong place', () => {
    const base64 = Buffer.from(key, 'hex').toString('base64');
    for (const secret of [key, base64, 'postgres://u:topsecret@db/faces']) {
      for (const name of ['WAJAH_SECRET_KEY_FILE', 'WAJAH_DATABASE_URL_FILE', 'WAJAH_PORT']) {
        const load = () => loadConfig({ [name]: `${secret}` });
        expect(load).toThrow(name);
        expect(load).not.toThrow(
          secret === key ? /(ab){6}/ : secret === base64 ? base64.slice(8, 20) : 'topsecret',
        );
      }
    }
  });

  it.each(['WAJAH_ENV_FILE', 'WAJAH_SECRET_KEY_FILE'])('%s is a plain, small file', (name) => {
    expect(() => loadConfig({ [name]: '/dev/zero' })).toThrow(`${name}: /dev/zero is no plain file`);
    expect(() => loadConfig({ [name]: folder })).toThrow(`${name}: ${folder} is no plain file`);
    const none = { WAJAH_ENV_FILE: '/dev/null' };
    expect(loadConfig(none)).toEqual({ ...loadConfig({}), envFile: '/dev/null' });
    const large = file('large', '');
    truncateSync(large, 2 ** 25);
    expect(() => loadConfig({ [name]: large })).toThrow(`${name}: ${large} is larger than 16 MiB`);
  });

  it('are read with a byte order mark, as editors of Windows write them', () => {
    const path = file('bom', `\ufeffWAJAH_SECRET_KEY=${key}\r\nWAJAH_PORT=1\r\n`);
    const { port, secretKey } = loadConfig({ WAJAH_ENV_FILE: path });
    expect([port, Buffer.from(secretKey ?? '').toString('hex')]).toEqual([1, key]);
  });

  it.each([
    ['UTF-16', Buffer.from(`\ufeffWAJAH_PORT=1\n`, 'utf16le'), 'is not UTF-8'],
    ['another encoding', Buffer.from('# f\xfcr\n', 'latin1'), 'is not UTF-8'],
    ['a colon', 'WAJAH_HOST=::1\n\n# a=b\nWAJAH_PORT: 1', 'line 4 is no NAME=value'],
    ['a name alone', 'WAJAH_PORT\n', 'line 1 is no NAME=value'],
    ['a value of several lines', `WAJAH_PORT="1\n2"\n`, 'line 1 opens quotes that it does not close'],
    [
      'a quote that is not closed',
      `WAJAH_COMMAND='sudo wajah\nWAJAH_SECRET_KEY=${key}\nA='\n`,
      'line 1 opens quotes that it does not close',
    ],
    ['a quote of another program', `A="b\nWAJAH_PORT=1\nC=d"\n`, 'line 1 opens quotes'],
    ['a name with a dash before it', '-WAJAH_PORT=1\n', 'line 1 is no NAME=value'],
    ['a no-break space', `WAJAH_PORT\u00a0=1\n`, 'line 1 is no NAME=value'],
    ['a name twice', `WAJAH_SECRET_KEY=${key}\nWAJAH_SECRET_KEY=\n`, 'line 2 sets WAJAH_SECRET_KEY again'],
    ['a tab behind a name', 'WAJAH_PORT\t=1\n', 'line 1 is no NAME=value'],
    ['an end of line of old systems', `# a\rWAJAH_SECRET_KEY=${key}\r`, 'line 1 has a control character'],
    ['a line separator', `WAJAH_PORT=1\u2028WAJAH_SECRET_KEY=${key}\n`, 'line 1 has a control character'],
    [
      'two settings',
      `WAJAH_PORT=1 WAJAH_SECRET_KEY=${key}\n`,
      'line 1 sets WAJAH_SECRET_KEY behind another name',
    ],
    [
      'two after quotes',
      `A='b' WAJAH_SECRET_KEY=${key}\n`,
      'line 1 sets WAJAH_SECRET_KEY behind another name',
    ],
    [
      'two to export',
      `export A=b WAJAH_DATABASE_URL=x\n`,
      'line 1 sets WAJAH_DATABASE_URL behind another name',
    ],
  ])('are refused where nothing, or half of them, would be read: %s', (_, text, problem) => {
    const path = join(folder, 'odd');
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => loadConfig({ WAJAH_ENV_FILE: path })).toThrow(`WAJAH_ENV_FILE: ${path}: ${problem}`);
  });

  it.each([
    'export WAJAH_PORT=1',
    '  WAJAH_PORT = "1"',
    "WAJAH_PORT='1' # ours",
    'WAJAH_PORT=1 # or WAJAH_SECRET_KEY=x',
    'A=b\n  # WAJAH_PORT=2\n  WAJAH_PORT=1',
    'A=b\n \t\n\u00a0\n\texport \t WAJAH_PORT=1\t',
    'A=b\n\ufeffWAJAH_PORT=1',
    "A=it's\nWAJAH_PORT=1\nB=it's",
  ])('take %s', (line) => {
    expect(loadConfig({ WAJAH_ENV_FILE: file('line', line) }).port).toBe(1);
  });

  it.each(['WAJAH_SECRET_KEY', 'WAJAH_DATABASE_URL'])('%s_FILE names a file with the secret', (name) => {
    const value = name === 'WAJAH_SECRET_KEY' ? key : 'postgres://u:topsecret@db/faces';
    const env = { [`${name}_FILE`]: file(name, `${value}\n`) };
    const given = loadConfig({ [name]: value });
    const source = name === 'WAJAH_SECRET_KEY' ? `file ${env[`${name}_FILE`]}` : given.secretKeySource;
    expect(loadConfig(env)).toEqual({ ...given, secretKeySource: source });
    expect(unknownSettings(env)).toEqual([]);
    const [described] = describeSettings(env).filter((setting) => setting.name === name);
    expect(described?.source).toBe(`file ${join(folder, name)}`);
    expect(JSON.stringify(described)).not.toMatch(/abab|topsecret/);
    expect(() => loadConfig({ ...env, [name]: value })).toThrow(`${name} and ${name}_FILE are both set`);
    expect(() => loadConfig({ [`${name}_FILE`]: file('empty', '\n') })).toThrow(/_FILE: .* is empty/);
    expect(() => loadConfig({ [`${name}_FILE`]: join(folder, 'none') })).toThrow(/_FILE: .* \(ENOENT\)/);
    expect(unknownSettings({ WAJAH_PORT_FILE: '/x' })).toHaveLength(1);
    expect(unknownSettings({ wajah_port: '1' })).toEqual([{ name: 'wajah_port', nearest: 'WAJAH_PORT' }]);
    for (const wrong of [
      name.replaceAll('_', '-'),
      name.replaceAll('_', ''),
      name.replace('WAJAH', 'WAJA'),
    ]) {
      expect(unknownSettings({ [wrong]: 'x' })).toEqual([{ name: wrong, nearest: name }]);
    }
    const lower = `${name}_file`;
    expect(unknownSettings({ [lower]: '/x' })).toEqual([{ name: lower, nearest: `${name}_FILE` }]);
  });
});

it.each([
  [
    'WAJAH_DATA_DIR',
    '~/data',
    /^WAJAH_DATA_DIR is "~\/data"; allowed: a path.*~ and \$ are expanded by shells/,
  ],
  ['WAJAH_DATA_DIR', '~andi/data', /expanded by shells/],
  ['WAJAH_DATA_DIR', '$HOME/data', /expanded by shells/],
  ['WAJAH_DATA_DIR', '"/var/lib/wajah"', /^WAJAH_DATA_DIR is in quotes/],
  ['WAJAH_DATA_DIR', "'/var/lib/wajah'", /in quotes/],
  ['WAJAH_HOST', '"0.0.0.0"', /in quotes/],
  ['WAJAH_PORT', "'8080'", /in quotes/],
  ['WAJAH_SECRET_KEY', `"${'ab'.repeat(32)}"`, /^WAJAH_SECRET_KEY is in quotes[^"]*$/],
])('refuses %s=%s, which only a shell would understand', (name, value, message) => {
  expect(() => loadConfig({ [name]: value })).toThrow(message);
});

it('reads a folder whose name begins with ~ where it is meant', () => {
  expect(loadConfig({ WAJAH_DATA_DIR: './~data' }).dataDir).toMatch(/\/~data$/);
});
