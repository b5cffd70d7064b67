import { expect, it } from 'vitest';
import { OperatorError } from '../../errors.ts';
import { loadProfile } from './profile.ts';

it('a profile whose package is not installed is named', async () => {
  const error = await loadProfile('@wajah/absent').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  expect(String(error)).toContain('compreface needs the package @wajah/absent, which is not installed');
});
