import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupPeople } from '../../client/src/people.ts';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { openCsv } from '../src/import/csv-source.ts';
import { openFolder } from '../src/import/import.ts';
import type { ImportSource } from '../src/import/source.ts';
import { readUserIds } from '../src/import/user-ids.ts';

const limits = { maxBytes: 1_000_000 };

async function csv(bytes: string | Buffer, files: readonly string[] = []) {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'img'));
  for (const file of ['base.jpg', ...files]) writeFileSync(join(folder, 'img', file), 'picture');
  writeFileSync(join(folder, 'people.csv'), bytes);
  return openCsv(join(folder, 'people.csv'), limits);
}

const peopleOf = (source: ImportSource) =>
  groupPeople(source.people, source).people.map(
    ({ user_id, user_name, pictures }) =>
      `${user_id} ${user_name} ${pictures.map(({ name }) => name).join(' ')}`,
  );

const refusedOf = (source: ImportSource) =>
  groupPeople(source.people).refused.flatMap(({ person, error }) =>
    person.pictures.map(() => `${person.user_id}: ${error.message}`),
  );

describe('a CSV file of a spreadsheet', () => {
  it.each([
    ['semicolons, a BOM and CRLF', '\uFEFFuser_id;user_name;file\r\n1;"Ani; S.";img\\base.jpg\r\n'],
    ['tabs', 'user_id\tuser_name\tfile\n1\tAni; S.\timg\\base.jpg\n'],
    ['sep=', '\uFEFFsep=;\r\nuser_id;user_name;file\r\n1;"Ani; S.";img\\base.jpg\r\n'],
    ['quoted columns', '\n"user_id";"user_name";"file"\n"1";"Ani; S.";"img\\base.jpg"\n'],
  ])('with %s is read, and its paths of Windows are', async (_, text) => {
    const source = await csv(text);
    const { image } = source.people[0]!.pictures[0]!;
    expect(peopleOf(source)).toEqual(['1 Ani; S. img\\base.jpg']);
    expect(Buffer.from(await (image as () => Promise<Uint8Array>)()).toString()).toBe('picture');
  });

  it('in UTF-16, as "Unicode Text" is saved, and with line ends within quotes is read', async () => {
    const text = '\uFEFFuser_id\tuser_name\tfile\r\n1\t"Jos\u00e9\r\nS."\ta.jpg\r\n';
    const little = Buffer.from(text, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const source = await csv(bytes);
      expect(peopleOf(source)).toEqual(['1 Jos\u00e9\r\nS. a.jpg']);
      expect(source.note).toBeUndefined();
    }
  });

  it('is read to its last row where line ends are mixed', async () => {
    const source = await csv('user_id,file\r\n1,a.jpg\n2,b.jpg\r3,c.jpg\r\n"4\n",d.jpg\n\r\n5,e.jpg');
    expect(source.people.map(({ user_id, place }) => `${user_id.trim()} ${place}`)).toEqual([
      '1 line 2',
      '2 line 3',
      '3 line 4',
      '4 line 6',
      '5 line 8',
    ]);
  });

  it('names the line of a quote that is not closed', async () => {
    const rows = Array.from({ length: 99 }, (_, at) => `${at},${at === 59 ? '"' : ''}A,a.jpg\n`).join('');
    await expect(csv(`user_id,user_name,file\n${rows}`)).rejects.toThrow(
      /people.csv: from line 61 on: a quote is not closed/,
    );
    await expect(csv('user_id,user_name,file\n1,"A,a.jpg\n2,"B",b.jpg\n')).rejects.toThrow(
      /people.csv: from line 2 on: a quote is not closed, or stands/,
    );
  });

  it('in Windows-1252 is read, and said to be', async () => {
    const source = await csv(Buffer.from('user_id;user_name;file\r\n1;Jos\xe9;a.jpg\r\n', 'latin1'));
    expect(peopleOf(source)).toEqual(['1 José a.jpg']);
    expect(source.note).toMatch(/not UTF-8; it is read as Windows-1252/);
    expect((await csv('user_id,file\n1,a.jpg\n')).note).toBeUndefined();
  });
});

describe('a row', () => {
  const head = 'user_id,user_name,file\n';
  const readFrom = async (source: ImportSource) =>
    Promise.all(
      source.people.map(({ pictures: [picture] }) =>
        (picture!.image as () => Promise<Uint8Array>)().then(
          (bytes) => Buffer.from(bytes).toString(),
          (error: Error) => error.message,
        ),
      ),
    );

  it('has quotes within a name, a guarded id, and blanks after its last value', async () => {
    const rows = '="0012",Siti "Nur" Halimah,a.jpg\n\'0013,B,b.jpg\n14,C,c.jpg,,\n';
    expect(peopleOf(await csv(head + rows))).toEqual([
      '0012 Siti "Nur" Halimah a.jpg',
      '0013 B b.jpg',
      '14 C c.jpg',
    ]);
  });

  it('that repeats the names of the columns is nobody', async () => {
    const source = await csv(`${head}1,A,a.jpg\nUser_ID,user_name,FILE\n2,B,b.jpg\n`);
    expect(peopleOf(source)).toEqual(['1 A a.jpg', '2 B b.jpg']);
    expect(source.left_out).toEqual([{ file: 'line 3', reason: 'the row repeats the names of the columns' }]);
  });

  it('with a time that is none is left out, and named with its line', async () => {
    const times = '1,2026-01-01T00:00:00Z,a.jpg\n2,2026-01-01,b.jpg\n3,,c.jpg\n';
    const source = await csv(`user_id,consent_given_at,file\n${times}`);
    expect(peopleOf(source)).toEqual(['1 1 a.jpg', '3 3 c.jpg']);
    expect(source.left_out).toEqual([
      {
        file: 'line 3',
        user_id: '2',
        reason: expect.stringMatching(/^consent_given_at: found .*2026-01-01/),
      },
    ]);
  });

  it('names a file that looks the same in another case or form of Unicode', async () => {
    const rows =
      '1,A,IMG/Base.JPG\n2,B,img/\u00c9.jpg\n3,C,img/base\n4,D,C:\\HR\\a.jpg\n6,F,https://hr.example/a.jpg\n5,E,img/two.jpg\n';
    const source = await csv(head + rows, ['E\u0301.jpg', 'Two.jpg', 'TWO.jpg']);
    expect(await readFrom(source)).toEqual([
      'picture',
      'picture',
      'there is no base, but base.jpg',
      'the path is one of another machine; write it from the folder of the CSV file on',
      'the path is one of another machine; write it from the folder of the CSV file on',
      expect.stringMatching(/^there is no two.jpg, but T.*T/),
    ]);
  });
});

describe('a file of leavers', () => {
  const idsIn = async (bytes: string | Buffer) => {
    const file = join(temporaryDirectory(), 'leavers.csv');
    writeFileSync(file, bytes);
    return (await readUserIds(file)).userIds;
  };

  it('is a list, or a CSV file with the column user_id, in every form that an import reads', async () => {
    for (const text of [
      '1\n2\n\n 1 \n',
      '\uFEFF1\r\n2\r\n',
      'user_id\n1\n2\n',
      'sep=;\nname;USER_ID\nAni;1\n"Budi\nS.";2\n',
      Buffer.from('\uFEFFuser_id\tname\r\n1\tAni\r\n2\tBudi\r\n', 'utf16le'),
      Buffer.from('user_id;name\n1;Jos\xe9\n2;Budi\n', 'latin1'),
    ])
      expect(await idsIn(text)).toEqual(['1', '2']);
    // Whose row it is must be sure.
    await expect(idsIn('user_id,name\n1,Ani\n2,Wijaya, Budi\n')).rejects.toThrow(
      /line 3: the row has 3 values/,
    );
    await expect(idsIn('nik;name\n1;Ani\n')).rejects.toThrow(/user_id is missing/);
    await expect(idsIn('')).rejects.toThrow(/is empty/);
  });
});

describe('a user_id', () => {
  const head = 'user_id,user_name,file\n';

  it('with different names is nobody, and names lines and names; others are taken', async () => {
    const source = await csv(`${head}1,Ani Wijaya,a.jpg\n2,Citra,c.jpg\n1,Budi Santoso,b.jpg\n`);
    expect(peopleOf(source)).toEqual(['2 Citra c.jpg']);
    expect(refusedOf(source)).toHaveLength(2);
    for (const line of refusedOf(source)) {
      expect(line).toMatch(
        /^1: user_id "1" .*"Ani Wijaya" \(line 2\), "Budi Santoso" \(line 4\); none of them/,
      );
    }
  });

  it('has one name in other letters and blanks, and without a name in further rows', async () => {
    const source = await csv(`${head}1,,a.jpg\n1,Ani  Wijaya,b.jpg\n1,ani wijaya,c.jpg\n2,,d.jpg\n`);
    expect(peopleOf(source)).toEqual(['1 Ani  Wijaya a.jpg b.jpg c.jpg', '2 2 d.jpg']);
    expect(refusedOf(source)).toEqual([]);
  });

  it('with different consents is nobody; rows without one have that of another', async () => {
    const columns = 'user_id,file,consent_reference,consent_given_at,consent_until\n';
    const [given, until] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    const rows = [
      `1,a.jpg,r1,${given},${until}\n1,b.jpg,r1,${given},2026-12-01T00:00:00Z\n`,
      `2,c.jpg,,,\n2,d.jpg,r2,${given},${until}\n2,e.jpg,r2,${given},${until}\n`,
    ];
    const source = await csv(columns + rows.join(''));
    expect(peopleOf(source)).toEqual(['2 2 c.jpg d.jpg e.jpg']);
    expect(groupPeople(source.people).people[0]).toMatchObject({ consent_reference: 'r2' });
    expect(refusedOf(source)).toHaveLength(2);
    expect(refusedOf(source)[0]).toMatch(
      /^1: user_id "1" has different consents: "r1, .*2027.*" \(line 2\), "r1, .*2026-12-01.*" \(line 3\); nobody/,
    );
  });

  it('has one kind of blank', async () => {
    const source = await csv(`${head}a\u00a0b,Ani,a.jpg\na b,Ani,b.jpg\na\u3000b,Ani,c.jpg\n`);
    expect(peopleOf(source)).toEqual(['a b Ani a.jpg b.jpg c.jpg']);
  });

  it('that a spreadsheet has damaged is nobody, also where it occurs once', async () => {
    const source = await csv(`${head}3.17401E+15,Ani,a.jpg\n3174010101900000,Budi,b.jpg\n7,Citra,c.jpg\n`);
    expect(peopleOf(source)).toEqual(['7 Citra c.jpg']);
    expect(refusedOf(source).join('\n')).toMatch(/scientific notation\); .*text[\s\S]*rounded number.*text/);
  });

  it('that looks damaged, and is meant so, is taken as it is written', async () => {
    const written =
      '2024-01-01,Ani,a.jpg\n01-Feb,Budi,b.jpg\n1.234,Citra,c.jpg\n3174010000000000,Dewi,d.jpg\n';
    const source = await csv(`${head}${written}1-Mar,Eka,e.jpg\n1-Mar,Fajar,f.jpg\n`);
    expect(peopleOf(source)).toEqual([]);
    for (const line of refusedOf(source).slice(0, 4))
      expect(line).toMatch(/format of the column to text.* if the id is meant so, set idsAsWritten: true$/);
    // That would not tell two people apart.
    expect(refusedOf(source)[4]).toMatch(/different names.*column to text(?!.*idsAsWritten)/);
    expect(peopleOf({ ...source, idsAsWritten: true }).map((line) => line.split(' ')[0])).toEqual([
      '2024-01-01',
      '01-Feb',
      '1.234',
      '3174010000000000',
    ]);
  });

  it('that was rounded is named where two people have it, also with one zero', async () => {
    const source = await csv(`${head}3174010101900120,Ani,a.jpg\n3174010101900120,Budi,b.jpg\n`);
    expect(refusedOf(source)[0]).toMatch(
      /different names: .*; the user_id looks damaged by a spreadsheet \(a rounded/,
    );
  });

  const field = join(import.meta.dirname, '../../../../shared/review/field/excel-damaged-nik.csv');
  it.runIf(existsSync(field))('of the file that a review had is nobody', async () => {
    const source = await csv(readFileSync(field));
    expect(peopleOf(source)).toEqual([]);
    expect(refusedOf(source)).toHaveLength(4);
  });
});

describe('a folder of a network storage', () => {
  it('is read by the bytes of its files, and everything left out is named', async () => {
    const folder = temporaryDirectory();
    const face = await drawnFace({ person: 'ani' });
    const write = (file: string, bytes: string | Buffer) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), bytes);
    };
    const noIds = ['7 (2).jpg', '7 - Copy.jpg', '8.JPG.jpg', '9.jpg.part'];
    for (const file of [...noIds, '~$7.jpg', 'ani/1 (2).jpg']) write(file, face);
    for (const file of ['ani/1.jfif', 'ani/scan', 'budi.jpg', 'citra/1.JPG', 'joko.bmp']) write(file, face);
    const ignored = [
      '#recycle/eko/1.jpg',
      '@eaDir/1.jpg',
      '$RECYCLE.BIN/1.jpg',
      'System Volume Information/1.jpg',
      '.Trash-1000/1.jpg',
      '.Spotlight-V100/1.jpg',
      '.fseventsd/1.jpg',
      '__MACOSX/1.jpg',
      'lost+found/1.jpg',
      '@Recycle/1.jpg',
      '.@__thumb/1.jpg',
      '.AppleDouble/1.jpg',
      '#snapshot/1.jpg',
      '._budi.jpg',
      'Thumbs.db',
      'desktop.ini',
      'ani/@eaDir/1.jfif/SYNOPHOTO_THUMB_M.jpg',
      'ani/.picasaoriginals/1.jpg',
      'ani/.DS_Store',
    ];
    for (const file of ignored) write(file, face);
    write('notes.txt', 'x');
    write('dedi/1.webp', 'RIFF\0\0\0\0WEBPVP8 ');
    write('eko.HEIC', '\0\0\0\x18ftypheic');
    write('fajar/2024/1.jpg', face);
    mkdirSync(join(folder, 'gita'));
    write('hadi/readme.txt', 'x');
    symlinkSync(join(folder, 'ani'), join(folder, 'ika'));
    const source = await openFolder(folder, limits);
    expect(peopleOf(source)).toEqual([
      'ani ani ani/1 (2).jpg ani/1.jfif ani/scan',
      'budi budi budi.jpg',
      'citra citra citra/1.JPG',
      // They are read, and refused for what they are.
      'dedi dedi dedi/1.webp',
      'eko eko eko.HEIC',
      'joko joko joko.bmp',
    ]);
    const left = (isMeant: boolean) =>
      source.left_out
        .filter(({ user_id }) => (user_id !== undefined) === isMeant)
        .map(({ file, reason }) => `${file}: ${reason}`);
    const tops = ignored.map((file) =>
      file.startsWith('ani/') ? file.split('/').slice(0, 2).join('/') : file.split('/')[0],
    );
    tops.push('~$7.jpg');
    const notPictures = ['hadi/readme.txt', 'notes.txt'].map(
      (file) => `${file}: it is no JPEG, PNG, WebP or AVIF`,
    );
    expect(left(false).sort()).toEqual(
      [
        ...tops.map((file) => `${file}: it belongs to a system: a bin, thumbnails, or what is hidden`),
        ...notPictures,
      ].sort(),
    );
    expect(left(true)).toEqual([
      '7 (2).jpg: its name is that of a copy, and no user_id; rename or remove it',
      '7 - Copy.jpg: its name is that of a copy, and no user_id; rename or remove it',
      expect.stringMatching(/^8.JPG.jpg: its name has two endings/),
      expect.stringMatching(/^9.jpg.part: its name has two endings/),
      "fajar/2024: it is a folder within a person's folder, and is not read; move its pictures up",
      'gita: the folder has no picture',
      'hadi: the folder has no picture',
      'ika: it is a link to a folder; links to pictures are followed, those to folders are not',
    ]);
  });

  it('refuses copies of files and folders, by the names that file managers give them', async () => {
    const folder = temporaryDirectory();
    const face = await drawnFace({ person: 'ani' });
    const copies = [
      ...['7(1)', '7 (2)', '7 (copy)', '7 (another copy)', '7 (3rd copy)', '7 (salinan)', '7 (salinan 2)'],
      ...[
        '7 - Copy',
        '7 - Copy (2)',
        '7 - Salin',
        '7 - Kopie',
        '7 - Copie',
        '7 - Copia',
        '7 - コピー',
        '7 - 副本',
      ],
      ...[
        '7 - Shortcut',
        '7 copy',
        '7 copy 2',
        '7 kopi',
        '7 Kopie',
        '7 salinan',
        'Copy of 7',
        'Copy (2) of 7',
      ],
      ...['Salinan 7', 'Salinan dari 7', 'Kopi 7', 'Kopie von 7', 'Copie de 7', 'Copia de 7'],
      ...['Duplicate of 7', '7[1]', '7_copy', '7-Copy', '7-copy 2', '7.bak', '7.old'],
      ...['7(Copy)', '7_copy2', '7 Copy1', '7.copy', '7-duplicate', '7 (Duplikat)', '7（1）', '7 - Copiar'],
      ...['7 - cópia', '7 - kopia', 'Kopija 7', '7 的副本'],
    ];
    const people = ['7', 'Budi 2', 'Copyan', 'kopi', 'salinan-7', '(1)7'];
    for (const name of [...people, ...copies]) {
      writeFileSync(join(folder, `${name}.jpg`), face);
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, '1.jpg'), face);
    }
    const { people: found, left_out } = await openFolder(folder, limits);
    expect(found.map(({ user_id }) => user_id).sort()).toEqual(people.sort());
    expect(left_out.map(({ file }) => file).sort()).toEqual(
      copies.flatMap((name) => [name, `${name}.jpg`]).sort(),
    );
    expect(new Set(left_out.map(({ reason }) => reason))).toEqual(
      new Set(['its name is that of a copy, and no user_id; rename or remove it']),
    );
  });

  it('enrols nobody under a name that a camera or a messenger gave', async () => {
    const folder = temporaryDirectory();
    const face = await drawnFace({ person: 'ani' });
    const made = ['IMG_2031.jpg', 'Selfie.jpg', 'WhatsApp Image 2026-11-20 at 08.11.02.jpg'];
    for (const file of ['7.jpg', ...made]) writeFileSync(join(folder, file), face);
    mkdirSync(join(folder, '8'));
    writeFileSync(join(folder, '8', 'IMG_2032.jpg'), face);
    const source = await openFolder(folder, limits);
    expect(peopleOf(source)).toEqual(['7 7 7.jpg', '8 8 8/IMG_2032.jpg']);
    expect(source.left_out.map(({ file }) => file)).toEqual(made);
    expect(source.left_out[0]?.reason).toMatch(
      /^its name is one that a camera, a screen or a messenger gives/,
    );
  });

  it('takes a name that looks like a date, and says of one that is a damaged number that it be renamed', async () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, '01-Feb'));
    for (const file of ['2024-01-01.jpg', '01-Feb/1.jpg', '3.17401E+15.jpg'])
      writeFileSync(join(folder, file), await drawnFace({ person: 'ani' }));
    const source = await openFolder(folder, limits);
    expect(peopleOf(source)).toEqual(['01-Feb 01-Feb 01-Feb/1.jpg', '2024-01-01 2024-01-01 2024-01-01.jpg']);
    expect(source.left_out.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
      '3.17401E+15.jpg: its name looks like a number that a spreadsheet has damaged; rename it',
    ]);
  });
});
