import { translated } from './translated.ts';

export const thresholds = translated('thresholds', {
  title: 'What a threshold means',
  lead: 'A higher threshold matches fewer people who are not enrolled and refuses more of your own people. Move it to see both.',
  move: 'Threshold to look at',
  use: 'Enter it in Settings',
  rate: 'False match rate',
  rateWhy:
    'Share of comparisons of two different people that reach the threshold. Measured down to 1 in {measured}; below that it is an estimate.',
  oneIn: '1 in {count}',
  falsePositiveRate: 'False positive identification rate',
  falsePositiveRateWhy:
    'Share of people who are not enrolled that match somebody among {people} people, at most.',
  betterThan: 'better than 1 in {count}',
  notMeasured: 'not measured',
  nearlyAll: 'nearly all',
  verifyBelow: 'Verifications below',
  identifyBelow: 'Searches below',
  belowWhy:
    'Calls of the last {days} days in this gallery. People who are not enrolled are among them, so fewer of your own people are refused.',
  countOf: '{below} of {all} ({share})',
  noCalls: 'no calls yet',
  fewCalls: 'too few calls: {count} of {least}',
  inForceVerify: 'verification',
  inForceIdentify: 'identification',
  table: 'Thresholds compared',
  identifyRises:
    'The threshold of identification rises with the number of people, so that the false positive identification rate does not.',
  chart: 'Similarities that verifications and searches reached. The table has the numbers.',
  chartTitle: 'Similarities of the pictures that were checked',
  chartHint: 'Counts of the last 30 days, without users. Each bar is 0.0125 wide.',
  below: 'below the threshold',
  above: 'at or above it',
  calibration: 'Calibration',
  curve: 'Calibration curve',
  curveOwn: 'measured on this gallery',
  curveServer: 'the same for all galleries',
  provisional: 'provisional',
  measured: 'measured',
  pairs: 'Pairs of different people',
  pairsFitted: 'the curve was fitted to',
  pairsPossible: 'in this gallery',
  normalised: 'Normalised by',
  normalisedBy: '{count} of its people',
  normalisedOff: 'nothing: switched off',
  normalisedFew: 'nothing: fewer than five people',
  provisionalText:
    'The curve turns a score into a false match rate. It comes from published figures of the model pack (the networks of this server), not from a measurement. An operator replaces it by one that is measured on the people of the galleries:',
  ownText:
    'The curve turns a score into a false match rate. An operator can fit it to the people of this gallery:',
});
