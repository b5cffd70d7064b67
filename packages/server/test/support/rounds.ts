/** True in `npm run test:long`. */
export const long: boolean = process.env['WAJAH_TEST_LONG'] === '1';

/** Rounds, examples or seconds of a test: few in `npm test`, many in `npm run test:long`. */
export function rounds(few: number, many: number): number {
  return long ? many : few;
}
