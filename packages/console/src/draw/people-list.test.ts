import { describe, expect, it } from 'vitest';
import { peopleListIn } from './people-list.ts';

const sri = { user_id: '3174001', user_name: 'Sri Rahayu' };
const budi = { user_id: '3174002', user_name: 'Budi Santoso, S.Kom' };
const people = [sri, budi];

describe('a list of names and IDs', () => {
  it.each([
    ['commas', 'user_id,user_name\n3174001,Sri Rahayu\n3174002,"Budi Santoso, S.Kom"\n'],
    ['semicolons', 'user_id;user_name\r\n3174001;Sri Rahayu\r\n3174002;Budi Santoso, S.Kom\r\n'],
    ['tabs', '3174001\tSri Rahayu\n3174002\tBudi Santoso, S.Kom'],
    ['a byte order mark', '\uFEFFuser_id;user_name\n3174001;Sri Rahayu\n3174002;Budi Santoso, S.Kom'],
    [
      'a line that names the separator',
      'sep=;\nuser_id;user_name\n3174001;Sri Rahayu\n3174002;Budi Santoso, S.Kom',
    ],
    ['names first', 'Nama;NIK\nSri Rahayu;3174001\nBudi Santoso, S.Kom;3174002'],
    ['names first and no heads', 'Sri Rahayu;3174001\nBudi Santoso, S.Kom;3174002'],
    [
      'other columns',
      'No;Nama Lengkap;Bagian;NIP\n1;Sri Rahayu;IT;3174001\n2;Budi Santoso, S.Kom;HR;3174002',
    ],
    ['one known head of two', 'Nomor;Nama\n3174001;Sri Rahayu\n3174002;Budi Santoso, S.Kom'],
    ['a title', 'Daftar karyawan PT X\nNo;NIP;Nama\n1;3174001;Sri Rahayu\n2;3174002;Budi Santoso, S.Kom'],
    [
      'titles of several cells and commas',
      'Daftar karyawan PT X,,\nTanggal,30-11-2026,\n,,\nNo.,NIP,Nama\n1,3174001,Sri Rahayu\n2,3174002,"Budi Santoso, S.Kom"',
    ],
    [
      'a title and one known head of two',
      'Karyawan;\nNomor;Nama\n3174001;Sri Rahayu\n3174002;Budi Santoso, S.Kom',
    ],
    [
      'running numbers and one known head',
      'No.;NPK;Nama\n1;3174001;Sri Rahayu\n2;3174002;Budi Santoso, S.Kom',
    ],
    [
      'running numbers and unknown heads',
      'Nomor;Kode;Orang\n1;3174001;Sri Rahayu\n2;3174002;Budi Santoso, S.Kom',
    ],
    [
      'numbers that are the only IDs',
      'No;Nama;Bagian\n3174001;Sri Rahayu;IT\n3174002;Budi Santoso, S.Kom;HR',
    ],
    [
      'first and last names',
      'Employee ID,First Name,Last Name\n3174001,Sri,Rahayu\n3174002,Budi,"Santoso, S.Kom"',
    ],
    [
      'last and first names and other columns',
      'No;NPK;Nama Belakang;Nama Depan\n1;3174001;Rahayu;Sri\n2;3174002;;Budi Santoso, S.Kom',
    ],
    ['empty lines', '\n3174001;Sri Rahayu\n;\n\n3174002;Budi Santoso, S.Kom\n\n'],
    ['blanks', '3174001 Sri Rahayu\n 3174002  Budi Santoso, S.Kom\n'],
    ['guarded IDs', 'id;nama\n="3174001";Sri Rahayu\n\'3174002;Budi Santoso, S.Kom'],
  ])('is read with %s', (_, text) => {
    expect(peopleListIn(text)).toEqual({ people, twice: [], refused: [] });
  });

  it('is read from several files as one', () => {
    const texts = ['NIP;Nama\n1;Ani\n2;Budi', 'Nama,NIP\nCitra,3\nDewi,2\nAni,1'];
    const both = [
      { user_id: '1', user_name: 'Ani' },
      { user_id: '3', user_name: 'Citra' },
    ];
    expect(peopleListIn(...texts)).toEqual({ people: both, twice: ['1'], refused: ['2'] });
    expect(peopleListIn(...texts, 'Dear Sri')).toBeNull();
  });

  it('keeps zeros before an ID, and letters', () => {
    expect(peopleListIn('id,name\n007,James\nE-12,Ani')?.people).toEqual([
      { user_id: '007', user_name: 'James' },
      { user_id: 'E-12', user_name: 'Ani' },
    ]);
    const named = [{ user_id: 'sri-rahayu', user_name: 'Sri Rahayu' }];
    expect(peopleListIn('Sri Rahayu;sri-rahayu')?.people).toEqual(named);
  });

  it('names IDs that stand there twice or that nobody can tell, each in one place', () => {
    const text = 'id;name\n1;Ani\n1;Ani\n1;\n2;Budi\n2;Citra\n2;\n3.17401E+15;Dewi\n;Eka\n9;';
    expect(peopleListIn(text)).toEqual({
      people: [{ user_id: '1', user_name: 'Ani' }],
      twice: ['1'],
      refused: ['2', '3.17401E+15', 'Eka', '9'],
    });
  });

  it.each([
    ['nothing', ''],
    ['one column', 'Sri Rahayu\nBudi Santoso'],
    ['a letter', 'Dear Sri,\n\nplease come on Monday.\nBudi'],
    ['columns without names', '1;2\n3;4'],
    ['bytes', '\u0000\u0001"\u0002\n"'],
  ])('is none of %s', (_, text) => {
    expect(peopleListIn(text)?.people ?? []).toEqual([]);
  });
});
