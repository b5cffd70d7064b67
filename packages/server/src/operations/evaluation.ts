import { OperatorError } from '../errors.ts';
import { argument, json, oneOf, option, required, tool } from './command.ts';

/** What `wajah evaluate` measures. */
const evaluationTasks = [
  'verification',
  'identification',
  'cohort',
  'mask',
  'eyes',
  'mouth',
  'pose',
  'pad',
  'idcard',
  'detection',
  'sessions',
] as const;
export type EvaluationTask = (typeof evaluationTasks)[number];

/** `spoof` is the former name of `pad`. */
function taskOf(given: string): EvaluationTask {
  return oneOf(evaluationTasks)(given === 'spoof' ? 'pad' : given);
}

function listOf(given: string): string[] {
  const names = given.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new OperatorError('Allowed: names separated by commas.');
}

function countOf(given: string): number {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 2) return count;
  throw new OperatorError('Allowed: whole numbers from 2 on.');
}

/** What a calibration is for. */
const places = ['server', 'gallery'] as const;

const split = oneOf(['dev', 'test']);
const heading = 'Accuracy:';

/** Error rates and calibration. */
export const evaluationCommands = [
  tool('evaluate', {
    name: 'evaluate',
    heading,
    line: 'measure the error rates of the pack in use',
    about: 'measure the accuracy of the pack in use on labelled pictures',
    arguments: { task: argument('<task>', `one of ${evaluationTasks.join(', ')}`, taskOf) },
    options: {
      data: required('--data <folder>', 'labelled pictures in the layout of lab/README.md'),
      split: option('--split <split>', 'dev or test', split, 'test'),
      plots: option('--plots <folder>', 'write the DET curves of verification there, as SVG'),
      out: option('--out <folder>', 'write the figures there as <task>-<split>.json'),
      species: option(
        '--species <names>',
        'sessions: parts of names of attack species, separated by commas',
        listOf,
      ),
      limit: option(
        '--limit <count>',
        'sessions: sessions of each attack species and, up to 4, of each film (default: 5)',
        countOf,
      ),
      frames: option('--frames <folder>', 'sessions: store generated frames there, and reuse them'),
      json,
    },
  }),
  tool('calibrate', {
    name: 'calibrate',
    heading,
    line: 'fit similarity scores to your own people',
    about:
      'fit a calibration curve of similarity scores to the people of the galleries, or to pictures of people, and install it',
    options: {
      data: option('--data <folder>', 'labelled pictures, or one folder of pictures for each person'),
      /** True: of all galleries. */
      gallery: option<string | true>(
        '--gallery [facegallery_id]',
        'the enrolled people: of this gallery of the client, or of all galleries; with --data, the gallery to install for',
        (given) => given,
      ),
      client: option('--client <client_id>', 'the client of the gallery'),
      split: option('--split <split>', 'dev or test, of labelled pictures', split, 'dev'),
      install: option('--install <place>', 'server, or gallery for that of --gallery', oneOf(places)),
      remove: option('--remove <place>', 'remove the installed curve instead of fitting one', oneOf(places)),
      json,
    },
  }),
] as const;
