import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../server/test/support/temporary.ts';
import { type Answer, cutAfter, serveFile, whole } from '../../../test/support/file-server.ts';
import { digest } from '../files.ts';
import { download } from './download.ts';

const content = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 3);
let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryDirectory();
  path = join(folder, 'model.onnx');
});

/** Downloads what is expected to be `content` from a server that answers so. */
async function from(...answers: [Answer, ...Answer[]]) {
  const { url, ranges } = await serveFile(...answers);
  const reported: number[] = [];
  const file = { name: 'model.onnx', url, sha256: digest(content), bytes: content.length };
  const outcome = await download(file, path, (bytes) => reported.push(bytes)).then(
    () => 'done',
    (error: Error) => error.message,
  );
  return { outcome, ranges, reported };
}

describe('a download', () => {
  it('completes, reports its progress, and leaves no other file', async () => {
    const { outcome, reported } = await from(whole(content));
    expect(outcome).toBe('done');
    expect(digest(readFileSync(path))).toBe(digest(content));
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(reported[0]).toBe(0);
    expect(reported.at(-1)).toBe(content.length);
  });

  it('resumes after a lost connection', async () => {
    const { outcome, ranges } = await from(
      cutAfter(content, 100_000),
      cutAfter(content, 70_000),
      whole(content),
    );
    expect(outcome).toBe('done');
    expect(digest(readFileSync(path))).toBe(digest(content));
    expect(ranges).toHaveLength(3);
    expect(ranges[0]).toBeNull();
    expect(ranges[1]).toMatch(/^bytes=\d+-$/);
    expect(Number(/\d+/.exec(ranges[2]!)![0])).toBeGreaterThan(Number(/\d+/.exec(ranges[1]!)![0]));
  });

  it('resumes after the process was stopped', async () => {
    writeFileSync(`${path}.part`, content.subarray(0, 12_345));
    const { outcome, ranges } = await from(whole(content));
    expect([outcome, ranges]).toEqual(['done', ['bytes=12345-']]);
    expect(digest(readFileSync(path))).toBe(digest(content));
  });

  it('restarts with a server that does not support ranges', async () => {
    writeFileSync(`${path}.part`, content.subarray(0, 500));
    const { outcome } = await from((response) => response.writeHead(200).end(content));
    expect(outcome).toBe('done');
    expect(digest(readFileSync(path))).toBe(digest(content));
  });

  it('restarts when the server cannot resume', async () => {
    writeFileSync(`${path}.part`, content.subarray(0, 500));
    const { outcome, ranges } = await from((response) => response.writeHead(416).end(), whole(content));
    expect([outcome, ranges]).toEqual(['done', ['bytes=500-', null]]);
  });

  it('with one wrong byte is refused and deleted', async () => {
    const wrong = content.slice();
    wrong[150_000]! ^= 1;
    const { outcome } = await from(whole(wrong));
    expect(outcome).toMatch(/^model\.onnx: what 127\.0\.0\.1:\d+ sent has the SHA-256 [0-9a-f]{64}, not/);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('of which only half arrives fails after the last attempt', async () => {
    const half = content.subarray(0, 150_000);
    const { outcome, ranges } = await from((response, at) =>
      at === 0 ? response.writeHead(200).end(half) : whole(half)(response, at, null as never),
    );
    expect(outcome).toMatch(/of 300000 bytes came from 127\.0\.0\.1:\d+, then: /);
    expect(ranges.length).toBeLessThan(12);
    expect(existsSync(path)).toBe(false);
  });

  it('that is too long is refused before it fills the disk', async () => {
    const { outcome } = await from((response) => {
      response.writeHead(200);
      const more = () => response.destroyed || response.write(content, more);
      more();
    });
    expect(outcome).toMatch(/sends more than 300000 bytes/);
  });

  it('of a missing file fails at once', async () => {
    const { outcome, ranges } = await from((response) => response.writeHead(404).end('no'));
    expect(outcome).toMatch(/answered 404 for http:/);
    expect(ranges).toHaveLength(1);
  });

  it('is retried a limited number of times when the server is busy', async () => {
    const busy: Answer = (response) => response.writeHead(503).end();
    expect((await from(busy, busy, whole(content))).outcome).toBe('done');
    rmSync(path);
    const given = await from(busy);
    expect(given.outcome).toMatch(/0 of 300000 bytes came .* it answered 503/);
    expect(given.ranges).toHaveLength(3);
  });

  it('reports a server that does not answer', async () => {
    const file = { name: 'm', url: 'http://127.0.0.1:9/m', sha256: digest(content), bytes: content.length };
    await expect(download(file, path)).rejects.toThrow(/ECONNREFUSED|bad port/);
  });
});
