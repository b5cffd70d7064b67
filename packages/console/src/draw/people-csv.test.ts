import { expect, it } from 'vitest';
import { peopleIn } from './people-csv.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding)).buffer;
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
  expect([...peopleIn(bytesOf(text), []).byFile]).toEqual([['a.jpg', harry]]);
});

it('reads what spreadsheets write in other encodings', () => {
  const text = 'user_id;user_name;file\n7;Élodie;a.jpg';
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const bytes = bytesOf(encoding === 'latin1' ? text : `\uFEFF${text}`, encoding);
    expect(peopleIn(bytes, []).byFile.get('a.jpg')?.userName).toBe('Élodie');
  }
});

it('reads all rows where line ends are mixed', () => {
  const { byFile } = peopleIn(bytesOf('user_id,file\r\n1,a.jpg\n2,b.jpg\r3,c.jpg\r\n'), []);
  expect([...byFile.values()].map(({ userId }) => userId)).toEqual(['1', '2', '3']);
});

it('has further pictures of a person, and the ID as the name where none is given', () => {
  const { byFile } = peopleIn(bytesOf('user_id,file\n7,a.jpg\n7,b.jpg'), []);
  expect(byFile.get('a.jpg')).toEqual({ userId: '7', userName: '7', further: false });
  expect(byFile.get('b.jpg')).toMatchObject({ userId: '7', further: true });
});

it('uses no ID that a spreadsheet has damaged, or that two people have', () => {
  const { byFile, refused } = peopleIn(
    bytesOf('user_id,user_name,file\n3.17401E+15,Ani,a.jpg\n7,Budi,b.jpg\n7,Citra,c.jpg\n8,Eka,e.jpg'),
    [],
  );
  expect([[...byFile.keys()], refused]).toEqual([['e.jpg'], ['3.17401E+15', '7']]);
});

it.each([
  ['other heads', 'Foto;Nama Karyawan;NIP\nA.jpg;Harry;1001'],
  ['a head of a name that nobody knows', 'file;Nama Karyawan;NIP\na.jpg;Harry;1001'],
  ['heads that nobody knows', 'Berkas;Orang;Nomor\na.jpg;Harry;1001'],
  ['no heads', 'a.jpg;Harry;1001'],
  ['names without endings', 'Foto;Nama;NIP\na;Harry;1001'],
])('finds the names of files with %s', (_, text) => {
  const { byFile } = peopleIn(bytesOf(text), ['A.jpg', 'b.jpg']);
  expect([...byFile.values()]).toEqual([harry]);
  expect([...byFile.keys()][0]).toMatch(/^a(\.jpg)?$/);
});

it('names pictures that are called as people or their IDs are', () => {
  const list = bytesOf('Nama;NIP\nHarry;1001\nIda;1002');
  expect(peopleIn(list, ['1001.jpg']).byFile.get('1001')).toEqual(harry);
  expect(peopleIn(list, ['Harry.jpg']).byFile.get('harry')).toEqual(harry);
  expect(() => peopleIn(list, ['1003.jpg'])).toThrow('no picture');
});

it.each(['', 'name,picture\nHarry,a.jpg', '\u0000\u0001'])('refuses %j', (text) => {
  expect(() => peopleIn(bytesOf(text), [])).toThrow('no picture');
});
