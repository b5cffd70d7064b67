import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { base64 } from '../../../packages/server/test/support/requests.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../../support/enrolling.ts';
import { serve, wajah } from '../../support/program.ts';
import { CivilServants, Employees, patientOn, pupilOn, Students, Visitors, wearsMask } from './programs.ts';
import { type Account, ask } from './transport.ts';

const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_COMPAT: 'risetai' };
let url = '';
let account: Account;
const face = {
  ani: '',
  aniAgain: '',
  budi: '',
  budiAgain: '',
  stranger: '',
  masked: '',
  small: '',
  none: '',
};

beforeAll(async () => {
  ({ url } = await serve(settings));
  account = { base: `${url}/risetai`, token: (await newClient(settings, 'cloud')).token };
  const smallFace = { person: 'ani', x: 200, y: 200, size: 90 } as const;
  Object.assign(face, {
    ani: await picture('ani'),
    aniAgain: await picture('ani', true),
    budi: await picture('budi'),
    budiAgain: await picture('budi', true),
    stranger: await picture('citra'),
    masked: await base64(drawnFace({ person: 'ani', mask: true })),
    small: await base64(drawnPicture({ width: 400, height: 400, faces: [smallFace] })),
    none: await base64(drawnPicture({ width: 300, height: 300, faces: [] })),
  });
});

/** A gallery with Ani and Budi. */
async function galleryOfTwo(name: string): Promise<string> {
  const employees = new Employees(account, name);
  await employees.prepare();
  await employees.enrol('ani', face.ani);
  await employees.enrol('budi', face.budi);
  return name;
}

describe("employees' check-in", () => {
  it('creates its gallery once, and finds it afterwards', async () => {
    const employees = new Employees(account, 'riset.ai@production');
    expect(await employees.prepare()).toBe('created');
    expect(await employees.prepare()).toBe('existed');
  });

  it('lets employees in, others not, and takes neither for an outage', async () => {
    const employees = new Employees(account, await galleryOfTwo('check-in'));
    expect(await employees.checkIn('ani', face.aniAgain)).toBe(true);
    expect(await employees.checkIn('ani', face.stranger)).toBe(false);
    expect(await employees.checkIn('budi', face.ani)).toBe(false);
    await expect(employees.checkIn('nobody', face.ani)).rejects.toThrow('outage: 415');
  });

  it('takes the reference of an employee anew, which is then the only one', async () => {
    const employees = new Employees(account, await galleryOfTwo('monthly'));
    await employees.enrol('ani', face.stranger);
    expect(await employees.checkIn('ani', face.stranger)).toBe(true);
    expect(await employees.checkIn('ani', face.aniAgain)).toBe(false);
  });

  it('enrols the small face of an old camera', async () => {
    const employees = new Employees(account, 'old camera');
    await employees.prepare();
    await employees.enrol('ani', face.small);
    expect(await employees.checkIn('ani', face.small)).toBe(true);
  });
});

describe('visitors', () => {
  it('are enrolled, listed, recognised and removed', async () => {
    const visitors = new Visitors(account, await galleryOfTwo('visitors'));
    // As Python's encodebytes writes it.
    await visitors.enrol('citra', 'Citra Dewi', face.stranger.replace(/.{76}/g, '$&\n'));
    expect(await visitors.list()).toEqual(['ani', 'budi', 'citra']);
    expect(await visitors.whoIs(face.stranger)).toBe('Citra Dewi');
    await visitors.remove('citra');
    expect(await visitors.list()).toEqual(['ani', 'budi']);
  });

  const refusals: Readonly<Record<string, [call: (visitors: Visitors) => Promise<unknown>, status: number]>> =
    {
      'a picture without a face': [(visitors) => visitors.enrol('x', 'X', face.none), 412],
      'a small face': [(visitors) => visitors.enrol('x', 'X', face.small), 413],
      'no picture': [(visitors) => visitors.enrol('x', 'X', ''), 451],
      'no user_id': [(visitors) => visitors.enrol('', 'X', face.ani), 452],
      'no user_name': [(visitors) => visitors.enrol('x', '', face.ani), 453],
      'no base64': [(visitors) => visitors.enrol('x', 'X', 'no picture'), 490],
      'a GIF': [(visitors) => visitors.enrol('x', 'X', 'R0lGODlh'), 491],
      'an enrolled user_id': [(visitors) => visitors.enrol('ani', 'Ani', face.ani), 400],
      'a stranger': [(visitors) => visitors.whoIs(face.stranger), 411],
      'an unknown user_id': [(visitors) => visitors.remove('nobody'), 415],
      'an unknown gallery': [() => new Visitors(account, 'none').list(), 416],
      'no gallery': [() => new Visitors(account, '').list(), 454],
      'an unknown token': [() => new Visitors({ ...account, token: 'expired' }, 'none').list(), 401],
    };

  it.each(Object.entries(refusals))(
    'see the number of a refusal, no HTTP code: %s',
    async (_, [call, status]) => {
      const visitors = new Visitors(account, await galleryOfTwo('refused visitors'));
      await expect(call(visitors)).rejects.toThrow(new RegExp(`^error ${status}$`));
    },
  );
});

describe('attendance at a school', () => {
  it('knows pupils, and strangers are unknown', async () => {
    const school = await galleryOfTwo('school');
    expect(await pupilOn(account, school, face.aniAgain)).toBe('ani');
    expect(await pupilOn(account, school, face.budiAgain)).toBe('budi');
    expect(await pupilOn(account, school, face.stranger)).toBeNull();
  });

  it('takes everybody for unknown before the first enrolment', async () => {
    await new Employees(account, 'new school').prepare();
    expect(await pupilOn(account, 'new school', face.ani)).toBeNull();
  });
});

describe('login of students', () => {
  it('lists them by a text that is JSON, and deletes them with a body', async () => {
    const students = new Students(account, await galleryOfTwo('faculty'));
    expect(await students.list()).toMatchObject({ status: '200', faces: [{ user_id: 'ani' }, {}] });
    expect(await students.remove('budi')).toMatchObject({ status: '200' });
    expect(await students.remove('budi')).toMatchObject({ status: '415' });
  });

  it('logs in whom it is certain of, and no stranger', async () => {
    const students = new Students(account, await galleryOfTwo('campus'));
    expect(await students.login(face.aniAgain)).toBe('ani');
    expect(await students.login(face.stranger)).toBeNull();
  });
});

describe('attendance of civil servants', () => {
  it('finds the gallery of the office', async () => {
    expect(await new CivilServants(account, await galleryOfTwo('office')).isPrepared()).toBe(true);
    expect(await new CivilServants(account, 'no office').isPrepared()).toBe(false);
  });

  const answers: Readonly<Record<string, (office: CivilServants) => Promise<string>>> = {
    present: (office) => office.attend('ani', face.aniAgain),
    'the face is not that of the employee': (office) => office.attend('ani', face.budi),
    'no face is in the picture': (office) => office.attend('ani', face.none),
    'the face is too far away': (office) => office.enrol('citra', face.small),
    'the employee is not enrolled': (office) => office.attend('nobody', face.ani),
    'the office has no gallery': () => new CivilServants(account, 'none').attend('ani', face.ani),
    'the account of the service is not valid': () =>
      new CivilServants({ ...account, token: 'expired' }, 'ministry').attend('ani', face.ani),
  };

  it.each(Object.entries(answers))('says: %s', async (sentence, attend) => {
    const office = new CivilServants(account, await galleryOfTwo('ministry'));
    expect(await attend(office)).toBe(sentence);
  });
});

describe('reception of a clinic', () => {
  it('calls patients by their name, and nobody by none', async () => {
    const clinic = await galleryOfTwo('clinic');
    expect(await patientOn(account, clinic, face.budiAgain)).toBe('employee budi');
    expect(await patientOn(account, clinic, face.stranger)).toBe('');
  });

  it('sees a mask', async () => {
    const clinic = await galleryOfTwo('dentist');
    expect(await wearsMask(account, clinic, { user_id: 'ani', image: face.masked })).toBe(true);
    expect(await wearsMask(account, clinic, { user_id: 'ani', image: face.aniAgain })).toBe(false);
  });
});

describe('samples of the documentation', () => {
  it('a token comes for a form, and is revoked', async () => {
    const made = await wajah(settings, 'client', 'create', 'tokens', '--json');
    const { password } = JSON.parse(made.out) as { password: string };
    const body = new URLSearchParams({ client_id: 'tokens', password });
    const given = await fetch(`${url}/oauth/client/token`, { method: 'POST', body });
    const { access_token: token } = (await given.json()) as { access_token: string };
    const own = { ...account, token };
    expect(await ask(own, 'GET /face-api/client/get-counters')).toMatchObject({ status: '200' });
    const headers = { accesstoken: token };
    const revoked = await fetch(`${url}/oauth/token/revoke`, { method: 'POST', body, headers });
    expect(await revoked.json()).toMatchObject({ status_message: 'Success Revoke Token' });
    expect(await ask(own, 'GET /face-api/client/get-counters')).toMatchObject({ status: '401' });
  });

  it('an older program lists and deletes by POST', async () => {
    const { token } = await newClient(settings, 'older');
    const older = { ...account, token };
    const fields = { facegallery_id: 'older@trial' };
    const listed = await ask(older, 'POST /face-api/facegallery/list-faces', { fields });
    expect(listed).toMatchObject({ status: '200', faces: [] });
    const deleted = await ask(older, 'POST /face-api/client/delete');
    expect(deleted).toMatchObject({ status: '200', facegallery_id: [] });
  });

  it('the liveness of a picture is true or false, that of a batch is passed', async () => {
    const image = face.ani;
    const single = (angle: string) =>
      ask(account, 'POST /liveness-api/verify-face-liveness', {
        fields: { image, face_parameters: { angle, spoof_detection: false } },
      });
    expect(await single('face front')).toMatchObject({ liveness: 'true' });
    expect(await single('face left')).toMatchObject({ liveness: 'false' });
    const unchecked = { image, spoof_detection: false, face_verification: false };
    const batch = [
      { ...unchecked, face_parameter: 'front' },
      { ...unchecked, face_parameter: 'eyes open' },
    ];
    const told = await ask(account, 'POST /liveness-api/batch-verify-face-liveness', { fields: { batch } });
    const degrees = { roll: expect.any(Number), pitch: expect.any(Number), yaw: expect.any(Number) };
    expect(told).toMatchObject({ status: '200', liveness: 'passed' });
    const { image1, image2 } = told['results'] as Record<'image1' | 'image2', object>;
    expect(image1).toEqual({ match: true, masker: false, ...degrees });
    for (const field of Object.keys(degrees)) expect(image2).not.toHaveProperty(field);
  });
});
