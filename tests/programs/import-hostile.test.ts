import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { openCsv } from '../../packages/tools/src/import/csv-source.ts';
import { openFolder } from '../../packages/tools/src/import/import.ts';
import { openReport, refusalNotes } from '../../packages/tools/src/import/report.ts';
import type { ImportSource } from '../../packages/tools/src/import/source.ts';

const maxBytes = 100_000;
const limits = { maxBytes };

/** What an import would say of each picture: a reason, or how many bytes it read. */
async function outcomes(opening: Promise<ImportSource>): Promise<Record<string, string | number>> {
  const source = await opening;
  const found: Record<string, string | number> = {};
  for (const { file, reason } of source.left_out) found[file] = reason;
  for (const { pictures } of source.people) {
    for (const { name, image } of pictures) {
      found[name] = await (image as () => Promise<Uint8Array>)().then(
        (bytes) => bytes.length,
        (error: Error) => error.message,
      );
    }
  }
  return found;
}

function fileOf(bytes: string | Uint8Array, name = 'people.csv'): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, bytes);
  return file;
}

const csv = (bytes: string | Uint8Array) => openCsv(fileOf(bytes), limits);
const head = 'user_id,user_name,file\n';

describe('a hostile CSV file', () => {
  it('is refused in a sentence that says what was found', async () => {
    const row = '1,Ani,1.jpg\n';
    const faults: [string | Buffer, RegExp][] = [
      [`${head}1,"Ani,1.jpg\n`, /from line 2 on: a quote is not closed/],
      [`${head}1,"${'x'.repeat(200_000)}`, /a row has more than 65536 characters, or a quote is not closed/],
      [`${head}1,A\0ni,1.jpg\n`, /found a NUL byte; allowed is text in UTF-8/],
      [
        Buffer.concat([Buffer.from(`\uFEFF${head}${row}`, 'utf16le'), Buffer.from('x')]),
        /found damaged UTF-16/,
      ],
      [Buffer.from(`\uFEFF${head}1,A\0ni,1.jpg\n`, 'utf16le'), /found a NUL byte/],
      [Buffer.from(head + row, 'utf16le'), /found a NUL byte/],
      ['', /no rows|is empty|first line/],
      [Buffer.from('PK\x03\x04\x14\0', 'latin1'), /found a workbook .*XLSX.*save it as CSV UTF-8/],
      ['user_id,user_id,file\n', /two columns are named user_id/],
    ];
    for (const [bytes, says] of faults) {
      await expect(csv(bytes), String(says)).rejects.toThrow(says);
    }
    await expect(openCsv(temporaryDirectory(), limits)).rejects.toThrow(/cannot be read \(EISDIR\)/);
    await expect(openCsv('/nowhere.csv', limits)).rejects.toThrow(/cannot be read \(ENOENT\)/);
    expect(
      await outcomes(csv(`\uFEFF${head}1,Ani,/dev/zero\n2,"Bu\ndi",gone.jpg\n3,Ani\n,,a\n4,,\n,,\n`)),
    ).toEqual({
      'line 5': 'the row has 2 values, and 3 columns are named',
      'line 6': 'the row has no user_id',
      'line 7': 'the row names no file',
      '/dev/zero': 'it is a device; only files are read',
      'gone.jpg': 'there is no gone.jpg',
    });
  });

  it('with a line of 256 MB takes little memory', async () => {
    const file = join(temporaryDirectory(), 'people.csv');
    const line = function* () {
      yield `${head}1,`;
      for (let i = 0; i < 256; i += 1) yield 'x'.repeat(2 ** 20);
    };
    await pipeline(Readable.from(line()), createWriteStream(file));
    const before = process.memoryUsage().rss;
    await expect(openCsv(file, limits)).rejects.toThrow(/a row has more than 65536 characters/);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 2 ** 20);
  });
});

it('a refusal is printed without characters that a terminal would obey', () => {
  const printed: string[] = [];
  const notes = refusalNotes({ note: (line) => void printed.push(line) }, undefined);
  notes.add({ person: 'a\u001b[2J', file: 'new\nline\u009b.jpg', status: 'refused', reason: 'why' });
  expect(printed).toEqual(['a\\u001b[2J: new\\u000aline\\u009b.jpg: why']);
});

it.each(['csv', 'jsonl'])('nor is it written into a report as %s', (form) => {
  const file = join(temporaryDirectory(), `report.${form}`);
  const report = openReport(file);
  const person = 'a\u001b[2J\u009b\u202e\u2028\u{1fffe}';
  const outcome = { person, file: '\u009d0;title\u0007.jpg', status: 'refused', reason: 'why' } as const;
  report.add({ ...outcome, name: '\u007f' });
  report.close();
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  expect(text).toMatch(/^[ -~\n]*$/);
  if (form === 'jsonl') expect(JSON.parse(text)).toEqual({ ...outcome, name: '\u007f' });
});

// Names that are not UTF-8, and devices, are of Linux.
describe.runIf(process.platform === 'linux')('a hostile folder', () => {
  it('is read but for what is no file of its own', async () => {
    const folder = temporaryDirectory();
    const elsewhere = fileOf('secret', 'secret.jpg');
    for (const person of ['ani', 'folder.jpg', 'new\nline']) mkdirSync(join(folder, person));
    writeFileSync(join(folder, 'ani', '1.jpg'), 'picture');
    symlinkSync('1.jpg', join(folder, 'ani', '2.jpg'));
    symlinkSync(elsewhere, join(folder, 'ani', '3.jpg'));
    symlinkSync('/dev/zero', join(folder, 'ani', '4.jpg'));
    symlinkSync('5.jpg', join(folder, 'ani', '5.jpg'));
    symlinkSync(join(elsewhere, '..'), join(folder, 'linked'));
    writeFileSync(join(folder, 'new\nline', '1.jpg'), 'x');
    mkdirSync(join(folder, 'folder.jpg', 'x.jpg'));
    writeFileSync(join(folder, 'large.jpg'), Buffer.alloc(maxBytes + 1));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9]), Buffer.from('.jpg')]), 'x');
    execFileSync('mkfifo', [join(folder, 'pipe.jpg')]);
    const socket = createServer().listen(join(folder, 'socket.jpg'));
    await new Promise((resolve) => socket.once('listening', resolve));
    const outside = expect.stringMatching(/a link to a file outside the folder/);
    expect(await outcomes(openFolder(folder, limits))).toEqual({
      'ani/1.jpg': 7,
      'ani/2.jpg': 7,
      'ani/3.jpg': outside,
      'ani/4.jpg': outside,
      'ani/5.jpg': 'the file cannot be read (ELOOP)',
      // The server refuses the name.
      'new\nline/1.jpg': 1,
      'folder.jpg/x.jpg': expect.stringMatching(/^it is a folder within a person's folder/),
      linked: expect.stringMatching(/^it is a link to a folder/),
      'large.jpg': 'the picture is 100001 bytes, at most 100000 are allowed',
      'pipe.jpg': 'it is a pipe; only files are read',
      'socket.jpg': 'it is a socket; only files are read',
      '\uFFFD.jpg': 'its name is not UTF-8; rename the file',
    });
    socket.close();
  });

  it.skipIf(process.geteuid?.() !== 0)('names what it may not read', async () => {
    const folder = temporaryDirectory();
    execFileSync('chmod', ['755', folder]);
    for (const person of ['ani', 'budi']) mkdirSync(join(folder, person));
    writeFileSync(join(folder, 'ani', '1.jpg'), 'x', { mode: 0o600 });
    execFileSync('chmod', ['700', join(folder, 'budi')]);
    process.seteuid?.('nobody');
    try {
      expect(await outcomes(openFolder(folder, limits))).toEqual({
        'ani/1.jpg': 'the file cannot be read (EACCES)',
        budi: 'the folder cannot be read (EACCES)',
      });
    } finally {
      process.seteuid?.(0);
    }
  });
});
