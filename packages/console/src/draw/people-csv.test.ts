import { describe, expect, it } from 'vitest';
import { peopleIn } from './people-csv.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding)).buffer;
/** Whom a list finds on files, each another one. */
const find = (text: string | ArrayBuffer, files: readonly string[]) => {
  const pictures = files.map((name, at) => ({ name, version: String(at) }));
  const { listed, missing } = peopleIn([typeof text === 'string' ? bytesOf(text) : text], files).match(
    pictures,
  );
  return {
    people: listed.map(({ person, unclear }) => person?.userId ?? (unclear ? 'unclear' : '')),
    listed,
    missing,
  };
};
const harry = { userId: '1001', userName: 'Harry', further: false };

it.each([
  ['commas', 'user_id,user_name,file\n1001,Harry,a.jpg\n'],
  [
    'semicolons, a path of Windows and other columns',
    'Nr;User_ID;user_name;file\r\n1;1001;Harry;C:\\foto\\A.JPG\r\n',
  ],
  ['tabs, quotes and a byte order mark', '\uFEFFuser_id\tuser_name\tfile\n"1001"\t"Harry"\t"foto/a.jpg"\n'],
  ['a line that names the delimiter', 'sep=|\nuser_id|user_name|file\n1001|Harry|a.jpg'],
])('reads %s', (_, text) => {
  expect(find(text, ['a.jpg']).listed).toEqual([{ person: harry }]);
});

it('reads what spreadsheets write in other encodings', () => {
  const text = 'user_id;user_name;file\n7;Élodie;a.jpg';
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const bytes = bytesOf(encoding === 'latin1' ? text : `\uFEFF${text}`, encoding);
    expect(find(bytes, ['a.jpg']).listed[0]?.person?.userName).toBe('Élodie');
  }
});

it('reads all rows where line ends are mixed', () => {
  const { people } = find('user_id,file\r\n1,a.jpg\n2,b.jpg\r3,c.jpg\r\n', ['a.jpg', 'b.jpg', 'c.jpg']);
  expect(people).toEqual(['1', '2', '3']);
});

it('has further pictures of a person, and the ID as the name where none is given', () => {
  const { listed } = find('user_id,file\n7,a.jpg\n7,b.jpg', ['a.jpg', 'b.jpg']);
  expect(listed[0]?.person).toEqual({ userId: '7', userName: '7', further: false });
  expect(listed[1]?.person).toMatchObject({ userId: '7', further: true });
});

it('uses no ID that a spreadsheet has damaged, or that two people have', () => {
  const text = 'user_id,user_name,file\n3.17401E+15,Ani,a.jpg\n7,Budi,b.jpg\n7,Citra,c.jpg\n8,Eka,e.jpg';
  expect(find(text, ['a.jpg', 'b.jpg', 'c.jpg', 'e.jpg', 'f.jpg']).people).toEqual(['', '', '', '8', '']);
  expect(peopleIn([bytesOf(text)], []).refused).toEqual(['3.17401E+15', '7']);
});

it.each([
  ['other heads', 'Foto;Nama Karyawan;NIP\nA.jpg;Harry;1001'],
  ['a head of a name that nobody knows', 'file;Nama Karyawan;NIP\na.jpg;Harry;1001'],
  ['heads that nobody knows', 'Berkas;Orang;Nomor\na.jpg;Harry;1001'],
  ['no heads', 'a.jpg;Harry;1001'],
  ['a title', 'Foto karyawan\nNo;Foto;Nama;NIP\n1;a.jpg;Harry;1001'],
  ['a title and the head file', 'Foto karyawan;;\nNIP;file;Nama\n1001;a.jpg;Harry'],
  ['first and last names', 'Employee ID;First Name;Last Name;Photo\n1001;Harry;;a.jpg'],
  ['running numbers', 'No;Foto;Nama;NPK\n1;a.jpg;Harry;1001'],
  ['names without endings', 'Foto;Nama;NIP\na;Harry;1001'],
])('finds the names of files with %s', (_, text) => {
  expect(find(text, ['A.jpg', 'b.jpg']).listed).toEqual([{ person: harry }, {}]);
});

it('names pictures that are called as people or their IDs are', () => {
  const list = 'Nama;NIP\nHarry;1001\nIda;1002';
  expect(find(list, ['1001.jpg'])).toMatchObject({ listed: [{ person: harry }], missing: ['1002'] });
  expect(find(list, ['harry.JPG'])).toMatchObject({ listed: [{ person: harry }], missing: ['Ida'] });
  expect(peopleIn([bytesOf(list)], ['1003.jpg']).unused).toEqual([0]);
});

describe('pictures and rows that have one name', () => {
  const headed = (...rows: readonly string[]) => ['Foto;Nama;NIP', ...rows].join('\n');
  const [siti, budi] = ['IMG_1.JPG;Siti;007', 'img_1.jpg;Budi;008'];
  it.each([
    ['differ by case, each as it is written', headed(siti, budi), ['img_1.jpg', 'IMG_1.JPG'], ['008', '007']],
    ['are none as it is written', headed(siti, budi), ['Img_1.jpg'], ['unclear']],
    [
      'are another beside that which is written',
      headed(siti),
      ['IMG_1.JPG', 'img_1.jpg'],
      ['007', 'unclear'],
    ],
    [
      'are two without the ending',
      headed('IMG_1;Siti;007'),
      ['IMG_1.JPG', 'IMG_1.png'],
      ['unclear', 'unclear'],
    ],
    ['are of two folders', headed(siti), ['IMG_1.JPG', 'IMG_1.JPG'], ['unclear', 'unclear']],
    ['are rows of two folders', headed(`a/${siti}`, 'b\\IMG_1.JPG;Budi;008'), ['IMG_1.JPG'], ['unclear']],
    ['are one file in rows of two people', headed(siti, 'IMG_1.JPG;Budi;008'), ['IMG_1.JPG'], ['unclear']],
    ['are one file in rows of one person', headed(siti, siti), ['IMG_1.JPG'], ['007']],
    ['are of a row that is not used', headed('IMG_1.JPG;Siti;3.17E+15', budi), ['IMG_1.JPG'], ['']],
    [
      'are of a row that is not used, and another',
      headed('IMG_1.JPG;Siti;3.17E+15', budi),
      ['IMG_1.png'],
      ['unclear'],
    ],
    ['differ by case and ending alone', headed(siti), ['img_1.png'], ['007']],
  ])('%s', (_, text, files, people) => {
    expect(find(text, files).people).toEqual(people);
  });

  it('are the same file, which was given twice', () => {
    const picture = { name: 'IMG_1.JPG', version: '1' };
    const { listed } = peopleIn([bytesOf(headed(siti))], []).match([picture, { ...picture }]);
    expect(listed.map(({ person }) => person?.userId)).toEqual(['007', '007']);
  });
});

it.each(['', 'user_id,file', 'name,picture\nHarry,a.jpg', '\u0000\u0001'])('refuses %j', (text) => {
  expect(peopleIn([bytesOf(text)], []).unused).toEqual([0]);
});

it('reads several lists as one, and says which names no pictures', () => {
  const texts = [
    'Foto;Nama;NIP\na.jpg;Ani;1\nb.jpg;Budi;2',
    'Nama;NIP\nIda;9',
    'NIP,Foto,Nama\n3,c.jpg,Citra\n2,d.jpg,Dewi\n4,a.jpg,Eka',
  ];
  const files = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
  const { match, refused, unused } = peopleIn(
    texts.map((text) => bytesOf(text)),
    files,
  );
  const { listed } = match(files.map((name) => ({ name, version: '' })));
  expect(listed.map(({ person, unclear }) => person?.userId ?? unclear)).toEqual([
    true,
    undefined,
    '3',
    undefined,
  ]);
  expect([refused, unused]).toEqual([['2'], [1]]);
});
