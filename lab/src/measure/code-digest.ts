import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What a result depends on, as digests. */
export interface CodeDigests {
  /** Of the modules that compute what the engine says of a picture; `npm run measure -- --carry` compares that. */
  readonly engine: string;
  /** Of what measures and decides: modules of the lab, calibration, judges of sessions, learned data with digests of networks. */
  readonly measuring: string;
}

const SESSIONS = [
  'sessions/measure-sessions',
  ...['judge', 'frames', 'challenge', 'replays'].map(
    (name) => `packages/server/dist/services/liveness/${name}`,
  ),
];

/**
 * Files of lab/results that pages show, and the modules whose imports measure them, of the lab unless they name a package.
 * What connects them (commands, options) and what writes files does not count.
 */
export const RESULTS: Readonly<Record<string, readonly string[]>> = {
  'verification-test': ['people/verification', 'people/references'],
  'identification-test': ['people/identification'],
  'packs-test': ['people/packs'],
  'mask-test': ['measure/states'],
  'detection-test': ['measure/detection'],
  'eyes-test': ['measure/states'],
  'mouth-test': ['measure/states'],
  'pose-test': ['measure/pose'],
  'pad-test': ['presentations/evaluate'],
  'pad-dev': ['presentations/evaluate'],
  'idcard-test': ['idcard/measure', 'idcard/selfies'],
  enrolment: ['people/enrolment'],
  'cohort-test': ['cohort/report'],
  'plus-cohort-test': ['cohort/report'],
  'claims-test': ['people/claims'],
  'plus-claims-test': ['people/claims'],
  sessions: SESSIONS,
  'sessions-test': SESSIONS,
  'sessions-test-without-pad-pack': SESSIONS,
  'sessions-dev': SESSIONS,
  'sessions-dev-without-pad-pack': SESSIONS,
  pairs: ['people/standard-pairs'],
  'plus-pairs': ['people/standard-pairs'],
};

/** What downloads, converts and opens packs computes nothing: the digests of their files are data. */
const PACKS = '/engine/dist/packs/';
const ENGINE = 'packages/engine/dist/';

/** Digests of the compiled code that a result depends on now. */
export function codeDigests(name: keyof typeof RESULTS): CodeDigests {
  const data = readdirSync(join(root, 'packages/engine'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(data\/.*\.json|wasm\/.*\.wasm)$/.test(file))
    .map((file) => readFileSync(join(root, 'packages/engine', file), 'base64'));
  const series = RESULTS[name] === SESSIONS ? readdirSync(join(root, ENGINE, 'series')) : [];
  const deciding = ['similarity.js', 'pad/thresholds.js', ...series.map((file) => `series/${file}`)]
    .filter((file) => file.endsWith('.js'))
    .map((file) => ENGINE + file);
  const measuring = RESULTS[name]!.map(
    (entry) => `${entry.startsWith('packages/') ? '' : 'lab/dist/'}${entry}.js`,
  );
  return {
    engine: digest(codeOf(['analyze.js', 'training.js'].map((file) => ENGINE + file))),
    measuring: digest([...codeOf([...measuring, ...deciding]), ...data]),
  };
}

/** Of texts in any order: where a module lies does not count. */
function digest(texts: readonly string[]): string {
  const each = texts.map((text) => createHash('sha256').update(text).digest('hex')).sort();
  return createHash('sha256').update(each.join()).digest('hex').slice(0, 16);
}

/** Texts of modules and of all that they import from their folder of a package. */
function codeOf(entries: readonly string[]): string[] {
  const seen = new Map<string, string>();
  const visit = (path: string, within: string) => {
    if (seen.has(path) || !path.startsWith(within) || path.includes(PACKS)) return;
    const text = readFileSync(path, 'utf8');
    seen.set(path, codeAlone(text));
    for (const [, name = ''] of text.matchAll(RELATIVE)) visit(resolve(dirname(path), name), within);
  };
  for (const entry of entries) visit(join(root, entry), join(root, boundaryOf(entry)));
  return [...seen.values()];
}

/** Of the server only the services of liveness judge sessions. */
function boundaryOf(entry: string): string {
  return entry.startsWith('packages/server')
    ? dirname(entry)
    : entry.slice(0, entry.indexOf('/dist/') + '/dist/'.length);
}

/** The text of a module without comments on lines of their own, imports and blank lines. */
export function codeAlone(text: string): string {
  return text
    .replace(COMMENT, '')
    .replace(IMPORT, '')
    .replace(/^\s*\n/gm, '');
}

const COMMENT = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm;
const IMPORT = /^(?:import|export) (?:[^;'"]*from )?'[^']+';$/gm;
const RELATIVE = /(?:from|import) ?\(?'(\.[^']+)'/g;
