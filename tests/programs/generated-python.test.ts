// Left out of npm test, unless it is named.
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@wajah/contract/openapi';
import { version } from '@wajah/server';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { long } from '../../packages/server/test/support/long.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { startTestApp } from '../../packages/server/test/support/test-app.ts';
import { npmTool } from '../support/npm-tool.ts';

const run = promisify(execFile);

/** The last version whose package has the generator itself; it knows OpenAPI 3.0. */
const packages = { '@openapitools/openapi-generator-cli': '1.0.18-5.0.0-beta2' };

/** A program that uses the generated client. */
const program = `
import base64, os
import openapi_client as generated
from openapi_client.api import face_api, facegallery_api, oauth_api
from openapi_client.exceptions import ApiException
from openapi_client.models import *

def picture(name):
    return base64.b64encode(open(name, 'rb').read()).decode()

configuration = generated.Configuration(host=os.environ['URL'])
configuration.access_token = None
with generated.ApiClient(configuration) as client:
    login = ClientTokenRequest(client_id=os.environ['CLIENT'], password=os.environ['PASSWORD'])
    configuration.access_token = oauth_api.OauthApi(client).client_token(client_token_request=login).access_token
    galleries, faces = facegallery_api.FacegalleryApi(client), face_api.FaceApi(client)
    galleries.create_gallery(CreateGalleryRequest(facegallery_id='generated'))
    person = dict(user_id='ani', facegallery_id='generated')
    print('enrolled:', faces.enrol_face(EnrolFaceRequest(user_name='Ani', image=picture('ani.jpg'), **person)).status)
    print('verified:', faces.verify_face(VerifyFaceRequest(image=picture('again.jpg'), **person)).verified)
    for name in ['again.jpg', 'budi.jpg']:
        found = faces.identify_face(IdentifyFaceRequest(facegallery_id='generated', image=picture(name)))
        print('identified:', found.status, [one.user_name for one in found._return])
    print('listed:', [one.user_id for one in faces.list_faces('generated').faces])
    try:
        faces.delete_face('nobody', 'generated')
    except ApiException as refused:
        print('refused:', refused.status)
`;

const installed =
  long &&
  spawnSync('java', ['-version']).status === 0 &&
  spawnSync('/usr/bin/python3', ['-c', 'import urllib3, dateutil, six']).status === 0;

describe.runIf(installed)('a Python client', () => {
  it('generated from the OpenAPI document of version 3.0 works', async () => {
    const tool = npmTool(packages);
    if (tool === undefined) return console.info('not run: the generator could not be installed');
    const folder = temporaryDirectory();
    const jar = join(tool, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
    const document = join(folder, 'openapi-3.0.json');
    writeFileSync(document, JSON.stringify(openApiDocument(version, '3.0.3')));
    await run('java', ['-jar', jar, 'generate', '-i', document, '-g', 'python', '-o', folder]);
    await run('/usr/bin/python3', ['-m', 'compileall', '-q', 'openapi_client'], { cwd: folder });

    const server = await startTestApp();
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { id, password } = await server.client();
    writeFileSync(join(folder, 'ani.jpg'), await drawnFace({ person: 'ani' }));
    writeFileSync(join(folder, 'again.jpg'), await drawnFace({ person: 'ani', tilt: 6, brightness: 0.9 }));
    writeFileSync(join(folder, 'budi.jpg'), await drawnFace({ person: 'budi' }));
    writeFileSync(join(folder, 'use.py'), program);
    const env = { ...process.env, URL: url, CLIENT: id, PASSWORD: password };
    const { stdout } = await run('/usr/bin/python3', ['use.py'], { cwd: folder, env });
    expect(stdout.trim().split('\n')).toEqual([
      'enrolled: 200',
      'verified: True',
      "identified: 200 ['Ani']",
      'identified: 411 []',
      "listed: ['ani']",
      'refused: 404',
    ]);
  });
});
