import { createWajahClient } from '@wajah/client';
import { afterEach, beforeEach, expect, it } from 'vitest';

const unhandled: unknown[] = [];
const record = (reason: unknown) => unhandled.push(reason);

beforeEach(() => process.on('unhandledRejection', record));
afterEach(() => process.off('unhandledRejection', record));

it('a call that is aborted before it logs in leaves no unhandled rejection', async () => {
  const stop = new AbortController();
  const image = Object.assign(new Blob(['x']), {
    async arrayBuffer() {
      stop.abort(new Error('aborted by the caller'));
      return new ArrayBuffer(1);
    },
  });
  const wajah = createWajahClient({
    url: 'http://127.0.0.1:9',
    clientId: 'demo',
    password: 'password',
    retries: 0,
    fetch: async () => {
      throw new TypeError('the login fails after the abort');
    },
  });
  await expect(wajah.detectFaces({ image }, { signal: stop.signal })).rejects.toThrow(
    'aborted by the caller',
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
