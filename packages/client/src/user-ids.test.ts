import { describe, expect, it } from 'vitest';
import { damageOf, roundingOf } from './user-ids.ts';

describe('a user_id that a spreadsheet has damaged', () => {
  it.each([
    ['3.17401E+15', /scientific notation/],
    ['1,23E+10', /scientific notation/],
    ['3e+15', /scientific notation/],
    ['########', /too narrow/],
    ['#N/A', /error value/],
    ['#NAME?', /error value/],
    ['#DIV/0!', /error value/],
    ['#NILAI!', /error value/],
    ['#BEZUG!', /error value/],
    ['#NV', /error value/],
    ['Err:502', /error value/],
    ['NULL', /no value/],
    ['nan', /no value/],
    ['-', /no value/],
    ['1.0', /decimals/],
    ['3174010101900001,00', /decimals/],
    ['3,174,001', /thousands/],
    ['3.174.001', /thousands/],
    ['3.174.001,00', /thousands/],
    ['3,174,001.5', /thousands/],
    ['1.234', /thousands/],
    ['3 174 001', /thousands/],
    ['3\u00a0174\u00a0001', /thousands/],
    ['3\u202f174\u202f001', /thousands/],
    ["3'174'001", /thousands/],
    // As spreadsheets write a date, of what an id was typed as: Feb-01, 1-2, 01.02.2024, 2024-02-01.
    ['01-Feb', /a date/],
    ['1-Agu', /a date/],
    ['07-Des-24', /a date/],
    ['Mei-24', /a date/],
    ['1/2/2024', /a date/],
    ['31/12/24', /a date/],
    ['01.02.2024', /a date/],
    ['01-02-2024', /a date/],
    ['2024-02-01', /a date/],
    ['2024/2/1', /a date/],
    ['2024-02-01 00:00:00', /a date/],
    ['01/02/2024 00:00', /a date/],
    ['01 Feb 2024', /a date/],
    ['12:30:00', /a time/],
    ['1:30 PM', /a time/],
    ['=A1+1', /a formula/],
    ['3174010000000000', /rounded/],
    ['3174010101900000', /rounded/],
    ['198501012010011000', /rounded/],
  ])('%s is named', (userId, what) => {
    expect(damageOf(userId)).toMatch(what);
  });

  it.each([
    '3174010101900001',
    '3174010101900010',
    '1',
    '007',
    '1000',
    '150000000000000',
    'E12',
    '12E',
    '12E3',
    'A-3E5',
    '#7',
    '1.5',
    '10.0.0.1',
    '17.11.1234',
    '17.111.1234',
    '1234.567',
    '001.234',
    '1.234-567',
    '0812 345 678',
    // As they are typed: no spreadsheet writes them, so none has damaged them.
    ...['MEI-12', 'FEB-01', 'DEC-2024', 'MAR1', 'Mar 1', '2E5', '12:30', '20240101', '2024-001'],
    '01-02-03',
    '01.02.03',
    '12-34-2024',
    '2024-13-01',
    '12-DEV',
    '1/2',
    '+62812',
    'budi.santoso@example.com',
  ])('%s is none', (userId) => {
    expect(damageOf(userId)).toBeNull();
  });

  it('is found by what all long ids of a source have in common', () => {
    const rounded = ['3174010101900010', '3174010101900120', '3174010101910030', '3174010101910140'];
    expect(roundingOf([...rounded, '12', 'admin'])).toMatch(/rounded number/);
    expect(roundingOf(rounded.slice(1))).toBeNull();
    expect(roundingOf([...rounded, '3174010101910141'])).toBeNull();
  });
});
