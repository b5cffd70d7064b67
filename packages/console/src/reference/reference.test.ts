import { execFileSync, spawnSync } from 'node:child_process';
import { endpointList } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../contract/src/openapi.ts';
import { tasks } from '../i18n/operations.ts';
import { type Document, fieldLines, operationsOf } from './openapi.ts';
import { codeOf, fieldsOf, initialValues } from './request.ts';

const operations = operationsOf(openApiDocument('1.0.0') as unknown as Document);
const operation = (id: string) => operations.find((one) => one.id === id)!;

describe('the operations of the document', () => {
  it('have method, fields and refusals', () => {
    expect(operations.map(({ id, method }) => `${id} ${method}`)).toEqual(
      endpointList.map(({ id, methods }) => `${id} ${methods[0]}`),
    );
    for (const { id, request, refusals, answer } of operations) {
      const endpoint = endpointList.find((one) => one.id === id)!;
      expect(
        fieldLines(request)
          .filter(({ name }) => !/[[.]/.test(name))
          .map(({ name }) => name),
      ).toEqual(Object.keys(endpoint.request.shape));
      expect(refusals.length).toBeGreaterThan(0);
      expect(Object.keys(answer.properties ?? {}).length).toBeGreaterThan(0);
    }
  });

  it('have each a place among the tasks', () => {
    const listed = Object.values(tasks).flat();
    expect([...listed].sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(operations.filter(({ summary }) => /^Extension/.test(summary))).toEqual([]);
  });

  it('have nested fields with limits and defaults', () => {
    const lines = fieldLines(operation('verifyLivenessBatch').request);
    expect(lines.find(({ name }) => name === 'batch')).toMatchObject({
      type: 'list of object',
      limits: '1 to 8 entries',
      required: true,
    });
    expect(lines.find(({ name }) => name === 'batch[].spoof_detection')).toMatchObject({
      type: 'boolean',
      fallback: true,
    });
    expect(lines.find(({ name }) => name === 'batch[].face_parameter')?.limits).toMatch(/^face left, /);
  });

  it('have their authentication and whether they take a form', () => {
    expect(operation('detectFaces').takesForm).toBe(true);
    expect(operation('createGallery').takesForm).toBe(false);
    expect(operation('detectFaces').auth).toBe('token');
    expect(operation('clientToken').auth).toBe('credentials');
    expect(operation('health').auth).toBe('none');
  });
});

describe('a form of the reference', () => {
  it('starts with the example and placeholders for pictures', () => {
    const values = initialValues(operation('verifyLivenessBatch'));
    expect(values['batch']).toMatch(/<picture 1>[\s\S]*<picture 2>/);
    const fields = fieldsOf(operation('verifyLivenessBatch'), values, ['data:a', 'data:b']);
    expect((fields['batch'] as { image: string }[]).map(({ image }) => image)).toEqual(['data:a', 'data:b']);
  });

  it.each(['deleteGallery', 'erasePerson', 'mergeFaces'])('of %s, which destroys, starts empty', (id) => {
    const values = Object.values(initialValues(operation(id)));
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => value !== '')).toEqual([]);
    expect(operation(id).destroys).toBe(true);
  });

  it('converts the entered values to the types of the API', () => {
    const enrol = operation('enrolFace');
    const values = { ...initialValues(enrol), user_id: '007', replace: 'true', image: 'data:x', append: '' };
    expect(fieldsOf(enrol, values, [])).toMatchObject({ user_id: '007', replace: true, image: 'data:x' });
    expect(fieldsOf(enrol, values, [])).not.toHaveProperty('append');
    expect(fieldsOf(operation('listFaces'), { limit: '25' }, [])).toEqual({ limit: 25 });
    expect(() => fieldsOf(operation('verifyLivenessBatch'), { batch: '[' }, [])).toThrow(
      'batch is not valid JSON.',
    );
  });
});

describe('a command of the reference', () => {
  /** The body that a shell sends. */
  const sent = (command: string) =>
    JSON.parse(
      execFileSync('bash', ['-c', `curl() { cat; }; base64() { echo PICTURE; }\n${command}`], {
        input: '',
      }).toString(),
    );

  it.each([`O'Brien "Pat"`, '$HOME `id` $(id)', 'back\\slash', 'two\nlines', 'Šarūnas 李'])(
    'sends %j as it is',
    (user_name) => {
      const enrol = operation('enrolFace');
      const values = { ...initialValues(enrol), user_name };
      const command = codeOf('curl', enrol, values, 'http://127.0.0.1:8080').replace('< image.jpg', '');
      expect(sent(command)).toMatchObject({ user_name, image: 'PICTURE' });
    },
  );

  it('puts fields of GET and DELETE into the query', () => {
    expect(
      codeOf('curl', operation('deleteFace'), { user_id: "a' b", facegallery_id: 'x&y' }, 'http://h'),
    ).toBe(
      `curl -s -X DELETE 'http://h/face-api/facegallery/delete-face?user_id=a%27%20b&facegallery_id=x%26y' \\\n  -H "Accesstoken: $TOKEN"`,
    );
  });
});

describe('a program of the reference', () => {
  const name = `O'Brien "Pat" $HOME back\\slash 李`;
  const stubs = {
    Python: [
      'import base64, json, sys\nclass requests:\n  request = staticmethod(lambda *a, **k: (print(json.dumps(k["json"])), sys.exit()))\n',
      'python3',
      ['-c'],
    ],
    PHP: [
      'function curl_init($u) { return $u; } function curl_setopt_array($c, $o) { echo $o[CURLOPT_POSTFIELDS]; exit; } defined("CURLOPT_POSTFIELDS") || array_map("define", ["CURLOPT_CUSTOMREQUEST", "CURLOPT_HTTPHEADER", "CURLOPT_POSTFIELDS", "CURLOPT_RETURNTRANSFER", "CURLOPT_TIMEOUT"], [1, 2, 3, 4, 5]);',
      'php',
      ['-n', '-r'],
    ],
  } as const;

  const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

  describe.each(['Python', 'PHP'] as const)('in %s', (language) => {
    const [stub, program, options] = stubs[language];
    const env = { ...process.env, TOKEN: 't', PASSWORD: 'p' };

    it.skipIf(!has(program)).each([
      ['enrolFace', { user_name: name, replace: 'true' }],
      ['updateGallery', { threshold: 'null', retention_days: '30' }],
      ['createApiToken', { expires_in_days: '90' }],
      ['createLivenessSession', { hosted: 'false' }],
    ])('sends the fields of %s as they are', (id, given) => {
      const one = operation(id);
      const values = { ...initialValues(one), ...given };
      const code = codeOf(language, one, values, 'http://h')
        .replace(/^<\?php|import requests/m, '')
        .replace(/base64\.b64encode\(open\("[^"]*", "rb"\)\.read\(\)\)\.decode\(\)/g, '"PICTURE"')
        .replace(/base64_encode\(file_get_contents\('[^']*'\)\)/g, "'PICTURE'");
      const sent = JSON.parse(execFileSync(program, [...options, stub + code], { env }).toString());
      expect(sent).toMatchObject(fieldsOf(one, values, []));
    });

    it('has the pictures of lists as files, and the fields of DELETE in the query', () => {
      const batch = operation('verifyLivenessBatch');
      expect(codeOf(language, batch, initialValues(batch), 'http://h')).toMatch(/["']picture-2\.jpg["']/);
      expect(codeOf(language, operation('deleteFace'), { user_id: 'a b' }, 'http://h')).toContain(
        '?user_id=a%20b',
      );
    });
  });
});
