import { basename } from 'node:path';
import { type Answer, type Api, base64Of } from './api.ts';
import { mapConcurrently, type Tick } from './concurrency.ts';
import type { Person } from './people.ts';

/** A line for each mistake, by its kind. */
export interface PeopleMistakes {
  readonly falseNonMatches: readonly string[];
  readonly falseMatches: readonly string[];
  readonly misidentified: readonly string[];
  readonly notIdentified: readonly string[];
  /** Pictures that the server refused: they count as not matched and not identified. */
  readonly refused: readonly string[];
}

/** Counts of a run over people, and its mistakes. */
export interface PeopleResult {
  readonly people: number;
  readonly enrolled: number;
  /** Of those: enrolled with force_register, as the face is small. */
  readonly small: number;
  readonly genuine: { readonly trials: number; readonly accepted: number };
  readonly impostors: { readonly trials: number; readonly refused: number };
  readonly identified: { readonly right: number; readonly wrong: number; readonly nobody: number };
  readonly mistakes: PeopleMistakes;
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
  readonly mistakes: PeopleMistakes;
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
    mistakes: together([{ ...noMistakes, refused: failed }, ...results.map(({ mistakes }) => mistakes)]),
  };
}

const noMistakes: PeopleMistakes = {
  falseNonMatches: [],
  falseMatches: [],
  misidentified: [],
  notIdentified: [],
  refused: [],
};

function together(parts: readonly PeopleMistakes[]): PeopleMistakes {
  const all = (kind: keyof PeopleMistakes) => [kind, parts.flatMap((part) => part[kind])];
  return Object.fromEntries(Object.keys(noMistakes).map((kind) => all(kind as keyof PeopleMistakes)));
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
  const verify = async (name: string) => {
    const answer = await api.post('/face-api/facegallery/verify-face', { ...gallery, user_id: name, image });
    tick();
    return answer;
  };
  const own = await verify(probe.person.name);
  const impostors: Impostor[] = [];
  for (const { name } of others) impostors.push({ name, answer: await verify(name) });
  const found = await api.post('/face-api/facegallery/identify-face', { ...gallery, image });
  tick();
  const compared = impostors.filter(({ answer }) => answer.status === '200');
  return {
    accepted: own['verified'] === true,
    impostorTrials: compared.length,
    impostorsRefused: compared.filter(({ answer }) => answer['verified'] === false).length,
    identified: identity(found, probe.person),
    mistakes: mistakesOf(probe, own, compared, found),
  };
}

interface Impostor {
  readonly name: string;
  readonly answer: Answer;
}

function mistakesOf(
  { person, path }: Probe,
  own: Answer,
  impostors: readonly Impostor[],
  found: Answer,
): PeopleMistakes {
  const picture = `${person.name}: ${basename(path)}`;
  const [first] = (found['return'] ?? []) as { user_id: string; confidence_level: number }[];
  // The user may be missing because the enrolment failed; that is one refusal, already listed.
  const broken = [own, found].find(({ status }) => !['200', '411', '415'].includes(status));
  const isWrong = first !== undefined && first.user_id !== person.name;
  return {
    falseNonMatches: own['verified'] === false ? [`${picture}, ${similarityOf(own)}`] : [],
    falseMatches: impostors
      .filter(({ answer }) => answer['verified'] === true)
      .map(({ name, answer }) => `${picture} verified as ${name}, ${similarityOf(answer)}`),
    misidentified: isWrong
      ? [`${picture} identified as ${first.user_id}, similarity ${first.confidence_level.toFixed(3)}`]
      : [],
    notIdentified: first === undefined && !broken ? [picture] : [],
    refused: broken ? [describe(path, broken)] : [],
  };
}

const similarityOf = (answer: Answer) => `similarity ${Number(answer['similarity']).toFixed(3)}`;

function identity(answer: Answer, person: Person): ProbeResult['identified'] {
  const [first] = (answer['return'] ?? []) as { user_id: string }[];
  if (first === undefined) return 'nobody';
  return first.user_id === person.name ? 'right' : 'wrong';
}

function describe(path: string, { status, status_message, detail }: Answer): string {
  return `${basename(path)}: ${status} ${status_message}${detail ? ` (${detail})` : ''}`;
}
