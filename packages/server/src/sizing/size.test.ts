import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runOnOperations } from '../../test/support/command-line.ts';
import { measured } from './measured.ts';
import { type Demand, sizeFor } from './size.ts';

const page = readFileSync(new URL('../../../../docs/operations/sizing.md', import.meta.url), 'utf8');
const { cpuMs, memoryMb, disk } = measured;

const constants: readonly (readonly [name: string, value: unknown])[] = [
  ['enrol', cpuMs.enrol],
  ['verify', cpuMs.verify],
  ...['1,000', '10,000', '100,000'].map(
    (people, i) => [`identify among ${people} people`, cpuMs.identify[i]] as const,
  ),
  ['liveness session, 15 frames', cpuMs.session],
  ['server without galleries, resident', `${memoryMb.server} MB`],
  ['a worker after liveness sessions, resident', `${memoryMb.worker} MB`],
  ['111,000 people in memory, resident', `${memoryMb.people} MB`],
  ['the embedded database, a face', `${disk.embeddedFace} bytes`],
  ['PostgreSQL, a face', `${disk.postgresFace} bytes`],
  ['each further picture of a person, in either store', `${disk.picture} bytes`],
  ['an audit record', `${disk.auditRecord} bytes`],
  ['until the server answers, any number of people', measured.startSeconds],
  ...['1,000', '10,000', '100,000'].map(
    (people, i) => [`first search among ${people} people`, measured.firstSearchSeconds[i]] as const,
  ),
];

/** The second cell of a row of the page. */
const cellOf = (name: string) => new RegExp(`^\\| ${name} \\| ([^|]+?) \\|`, 'm').exec(page)?.[1];

describe('docs/operations/sizing.md has the constants of wajah size', () => {
  it.each(constants)('%s: %s', (name, value) => {
    expect(cellOf(name)).toBe(String(value));
  });

  it('and the rates that follow from them', () => {
    const rates = [...page.matchAll(/^\| [^|]+ \| (\d+) \| ([\d.]+) \|$/gm)];
    expect(rates.length).toBe(6);
    for (const [, ms, rate] of rates) expect((1000 / Number(ms)).toFixed(1)).toBe(rate);
  });
});

describe('wajah size', () => {
  const examples = [...page.matchAll(/^\$ wajah (.+)\n((?:.+\n)+)/gm)];

  it.each(examples.map(([, line = '', answer = '']) => [line, answer.replace(/```\n?$/, '').trim()]))(
    'answers as the page says: %s',
    async (line, answer) => {
      expect((await runOnOperations(line)).out).toBe(answer);
    },
  );

  it('has examples on the page, and prints JSON', async () => {
    expect(examples.length).toBe(2);
    const { out } = await runOnOperations('size --people 500 --calls-per-hour 200 --json');
    expect(JSON.parse(out)).toMatchObject({
      people: 500,
      calls_per_hour: 200,
      servers: 1,
      store: 'embedded',
    });
  });

  it('refuses what is no number of people, no share and no factor', async () => {
    for (const wrong of ['--people -1', '--people many', '--liveness 2', '--peak 0'])
      expect((await runOnOperations(`size --people 5 --calls-per-hour 5 ${wrong}`)).notes).toContain(
        'Allowed:',
      );
    expect(() => sizeFor({ people: Number.NaN, pictures: 1, callsPerHour: 1, liveness: 0, peak: 1 })).toThrow(
      RangeError,
    );
  });

  it('never answers less for more', () => {
    const demand: Demand = { people: 1000, pictures: 2, callsPerHour: 1000, liveness: 0.1, peak: 2 };
    const total = (given: Demand) => {
      const { servers, cores, memoryGib, diskGb } = sizeFor(given);
      return [servers * cores, servers * memoryGib, diskGb];
    };
    for (const name of ['people', 'pictures', 'callsPerHour'] as const) {
      for (let factor = 1; factor < 5000; factor *= 3) {
        const less = total({ ...demand, [name]: demand[name] * factor });
        const more = total({ ...demand, [name]: demand[name] * factor * 3 });
        for (const [i, value] of less.entries()) expect(more[i]).toBeGreaterThanOrEqual(value);
      }
    }
  });
});
