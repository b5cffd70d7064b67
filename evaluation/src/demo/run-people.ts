import { basename } from 'node:path';
import { type Answer, type Api, base64Of } from './api.ts';
import { mapConcurrently, type Tick } from './concurrency.ts';
import type { Person } from './people.ts';

/** Counts of a run over people, and a line for each error and each picture that the server refused. */
export interface PeopleResult {
  readonly people: number;
  readonly enrolled: number;
  /** Of those: enrolled with force_register, as the face is small. */
  readonly small: number;
  readonly genuine: { readonly trials: number; readonly accepted: number };
  readonly impostors: { readonly trials: number; readonly refused: number };
  readonly identified: { readonly right: number; readonly wrong: number; readonly nobody: number };
  /** A line for each false non-match and each identification as another person. */
  readonly errors: readonly string[];
  readonly failures: readonly string[];
}

interface Probe {
  readonly person: Person;
  readonly path: string;
}

interface ProbeResult {
  readonly accepted: boolean;
  readonly impostorTrials: number;
  readonly impostorsRefused: number;
  readonly identified: 'right' | 'wrong' | 'nobody';
  readonly errors: readonly string[];
  readonly failure: string | undefined;
}

const gallery = { facegallery_id: 'demo@trial' };

/** Number of calls that `runPeople` makes. */
export function callsFor(people: readonly Person[], others: number): number {
  return people.length + probesOf(people).length * (2 + Math.min(others, people.length - 1));
}

/**
 * Enrols the first picture of each person, then verifies every other picture as its own person (genuine) and as other
 * people (impostor), and identifies it. A picture that the server refuses counts as an error in each of these.
 * @param options.others impostor pairs of a probe, spread evenly over the other people
 */
export async function runPeople(
  api: Api,
  people: readonly Person[],
  options: { readonly others: number; readonly width: number; readonly tick: Tick },
): Promise<PeopleResult> {
  const enrolments = await mapConcurrently(people, options.width, (person) =>
    enrol(api, person, options.tick),
  );
  const results = await mapConcurrently(probesOf(people), options.width, (probe) =>
    tryProbe(api, probe, othersFor(probe.person, people, options.others), options.tick),
  );
  const count = (test: (result: ProbeResult) => boolean) => results.filter(test).length;
  const sum = (value: (result: ProbeResult) => number) => results.reduce((all, one) => all + value(one), 0);
  const failed = enrolments.flatMap(({ failure }) => failure ?? []);
  return {
    people: people.length,
    enrolled: people.length - failed.length,
    small: enrolments.filter(({ small }) => small).length,
    genuine: { trials: results.length, accepted: count((result) => result.accepted) },
    impostors: {
      trials: sum((result) => result.impostorTrials),
      refused: sum((result) => result.impostorsRefused),
    },
    identified: {
      right: count((result) => result.identified === 'right'),
      wrong: count((result) => result.identified === 'wrong'),
      nobody: count((result) => result.identified === 'nobody'),
    },
    errors: results.flatMap((result) => result.errors),
    failures: [...failed, ...results.flatMap((result) => result.failure ?? [])],
  };
}

function probesOf(people: readonly Person[]): Probe[] {
  return people.flatMap((person) => person.pictures.slice(1).map((path) => ({ person, path })));
}

function othersFor(person: Person, people: readonly Person[], most: number): Person[] {
  const others = people.filter((other) => other !== person);
  const wanted = Math.min(most, others.length);
  return Array.from({ length: wanted }, (_, k) => others[Math.floor((k * others.length) / wanted)] as Person);
}

/** Enrols with `force_register` where the face is too small: the person has no other picture. */
async function enrol(
  api: Api,
  person: Person,
  tick: Tick,
): Promise<{ readonly small: boolean; readonly failure: string | undefined }> {
  const [path] = person.pictures;
  const user = { user_id: person.name, user_name: person.name };
  const face = { ...gallery, ...user, image: await base64Of(path) };
  const first = await api.post('/face-api/facegallery/enroll-face', face);
  const small = first.status === '413';
  const answer = small
    ? await api.post('/face-api/facegallery/enroll-face', { ...face, force_register: true })
    : first;
  tick();
  const failure =
    answer.status === '200' ? undefined : `${person.name} not enrolled: ${describe(path, answer)}`;
  return { small: small && failure === undefined, failure };
}

async function tryProbe(api: Api, probe: Probe, others: readonly Person[], tick: Tick): Promise<ProbeResult> {
  const image = await base64Of(probe.path);
  const verify = async ({ name }: Person) => {
    const answer = await api.post('/face-api/facegallery/verify-face', { ...gallery, user_id: name, image });
    tick();
    return answer;
  };
  const own = await verify(probe.person);
  const impostors: Answer[] = [];
  for (const other of others) impostors.push(await verify(other));
  const found = await api.post('/face-api/facegallery/identify-face', { ...gallery, image });
  tick();
  // The user may be missing because the enrolment failed; that is one failure, already listed.
  const broken = [own, found].find((answer) => !['200', '411', '415'].includes(answer.status));
  return {
    accepted: own['verified'] === true,
    impostorTrials: impostors.filter((answer) => answer.status === '200').length,
    impostorsRefused: impostors.filter((answer) => answer.status === '200' && answer['verified'] === false)
      .length,
    identified: identity(found, probe.person),
    errors: errorsOf(probe, own, found),
    failure: broken && describe(probe.path, broken),
  };
}

function errorsOf({ person, path }: Probe, own: Answer, found: Answer): string[] {
  const picture = `${person.name}: ${basename(path)}`;
  const [first] = (found['return'] ?? []) as { user_id: string; confidence_level: number }[];
  return [
    ...(own['verified'] === false
      ? [`${picture} not matched, similarity ${Number(own['similarity']).toFixed(3)}`]
      : []),
    ...(first && first.user_id !== person.name
      ? [`${picture} identified as ${first.user_id}, similarity ${first.confidence_level.toFixed(3)}`]
      : []),
  ];
}

function identity(answer: Answer, person: Person): ProbeResult['identified'] {
  const [first] = (answer['return'] ?? []) as { user_id: string }[];
  if (first === undefined) return 'nobody';
  return first.user_id === person.name ? 'right' : 'wrong';
}

function describe(path: string, { status, status_message, detail }: Answer): string {
  return `${basename(path)}: ${status} ${status_message}${detail ? ` (${detail})` : ''}`;
}
