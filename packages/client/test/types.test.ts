import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyWajahError, Calls, IdentifyFaceAnswer, Picture, VerifyFaceAnswer } from '@wajah/client';
import type { endpoints } from '@wajah/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';

const folder = fileURLToPath(new URL('..', import.meta.url));

describe('the library', () => {
  it('compiles with the types of a browser and without those of Node', () => {
    const tsc = join(folder, '../../node_modules/typescript/lib/tsc.js');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.browser.json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(readFileSync(join(folder, 'tsconfig.browser.json'), 'utf8')).toContain('"types": []');
  });

  it('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
  });
});

describe('its types', () => {
  it('are those of the contract', () => {
    expectTypeOf<VerifyFaceAnswer['similarity']>().toEqualTypeOf<
      z.output<typeof endpoints.verifyFace.answer>['similarity']
    >();
    expectTypeOf<IdentifyFaceAnswer['return'][number]>().toEqualTypeOf<
      Readonly<z.output<typeof endpoints.identifyFace.answer>['return'][number]>
    >();
    expectTypeOf<Parameters<Calls['verifyFace']>[0]['image']>().toEqualTypeOf<Picture | undefined>();
  });

  it('discriminate errors by status', () => {
    const describeError = (error: AnyWajahError) => {
      if (error.status === '413') expectTypeOf(error.code).toEqualTypeOf<'faceTooSmall'>();
      if (error.code === 'unreachable') expectTypeOf(error.status).toEqualTypeOf<'network'>();
      return error.status;
    };
    expectTypeOf(describeError).returns.toExtend<string>();
  });
});
