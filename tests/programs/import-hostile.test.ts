import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { openCsv } from '../../packages/tools/src/import/csv-source.ts';
import { openFolder } from '../../packages/tools/src/import/folder-source.ts';
import { refusalNotes } from '../../packages/tools/src/import/import.ts';
import type { ImportSource } from '../../packages/tools/src/import/people.ts';
import { openZip } from '../../packages/tools/src/import/zip-source.ts';
import { type ZipEntry, zipEntries, zipOf } from '../support/zip.ts';

const maxBytes = 100_000;

/** What an import would say of each picture: a reason, or how many bytes it read. */
async function outcomes(opening: Promise<ImportSource>): Promise<Record<string, string | number>> {
  const source = await opening;
  const found: Record<string, string | number> = {};
  for (const { file, reason } of source.refused) found[file] = reason;
  for await (const { pictures } of source.people) {
    for (const { file, read } of pictures) {
      found[file] = await read().then(
        (bytes) => bytes.length,
        (error: Error) => error.message,
      );
    }
  }
  await source.close();
  return found;
}

function fileOf(bytes: string | Uint8Array, name = 'people.csv'): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, bytes);
  return file;
}

const zip = (archive: Buffer) => openZip(fileOf(archive, 'people.zip'), '', 5, maxBytes);
const text = (value: string) => Buffer.from(value);
const zeros = Buffer.alloc(50_000);

describe('a hostile archive', () => {
  it('is read but for the entries at fault, which are named', async () => {
    const same: ZipEntry = { name: 'twice/1.jpg', bytes: text('first') };
    const entries: ZipEntry[] = [
      { name: 'ani/1.jpg', bytes: text('stored') },
      { name: 'ani/2.jpg', bytes: zeros, deflated: true },
      { name: '../../up.jpg', bytes: text('x') },
      { name: '/etc/top.jpg', bytes: text('x') },
      { name: 'C:\\drive.jpg', bytes: text('x') },
      { name: 'windows\\1.jpg', bytes: text('back') },
      { name: 'link/1.jpg', bytes: text('/etc/passwd'), mode: 0o120_777 },
      { name: 'locked/1.jpg', bytes: text('x'), encrypted: true, claimed: 1 },
      { name: 'bomb/1.jpg', bytes: Buffer.alloc(50_000_000), deflated: true, claimed: 1000 },
      { name: 'short/1.jpg', bytes: zeros, deflated: true, claimed: 60_000 },
      { name: 'large/1.jpg', bytes: zeros, deflated: true, claimed: 900_000 },
      { name: 'sum/1.jpg', bytes: text('altered'), crc: 7 },
      { name: 'method/1.jpg', bytes: text('x'), method: 12 },
      { name: 'noise/1.jpg', bytes: Buffer.alloc(100, 0xff), method: 8, claimed: 100 },
      { name: 'nested.zip', bytes: zipOf({ 'ani/3.jpg': text('x') }) },
      { name: Buffer.from([0x62, 0x81, 0x2e, 0x6a, 0x70, 0x67]), bytes: text('code page') },
      { name: 'new\nline/1.jpg', bytes: text('x') },
      same,
      { ...same, bytes: text('second') },
    ];
    const links = /leads out of the archive/;
    const found = await outcomes(zip(zipEntries(entries)));
    expect(found).toEqual({
      'ani/1.jpg': 6,
      'ani/2.jpg': 50_000,
      '../../up.jpg': expect.stringMatching(links),
      '/etc/top.jpg': expect.stringMatching(links),
      'C:/drive.jpg': expect.stringMatching(links),
      'windows/1.jpg': 4,
      'link/1.jpg': 'it is a link in the archive; only files are read',
      'locked/1.jpg': expect.stringMatching(/encrypted/),
      'bomb/1.jpg': 'the file is not as long as the archive says (1000 bytes)',
      'short/1.jpg': 'the file is not as long as the archive says (60000 bytes)',
      'large/1.jpg': 'the picture is 900000 bytes, at most 100000 are allowed',
      'sum/1.jpg': 'the file is damaged: its sum (CRC-32) differs',
      'method/1.jpg': expect.stringMatching(/method 12; allowed are 0/),
      'noise/1.jpg': expect.stringMatching(/damaged in the archive \(Z_DATA_ERROR\)/),
      'bü.jpg': 9,
      'new\nline/1.jpg': expect.stringMatching(/^user_id: /),
      'twice/1.jpg': 5,
    });
  });

  it('that is cut off or no archive is refused, one of ZIP64 is read', async () => {
    const archive = zipOf({ 'ani/1.jpg': text('stored'), 'budi/1.jpg': text('stored') });
    for (const length of [0, 1, 30, archive.length - 23, archive.length - 1]) {
      await expect(zip(archive.subarray(0, length)), `${length}`).rejects.toThrow(/people\.zip: /);
    }
    await expect(zip(Buffer.from('PK'.repeat(40)))).rejects.toThrow(/people\.zip: /);
    const cut = Buffer.concat([archive.subarray(0, 10), archive.subarray(20)]);
    await expect(zip(cut)).rejects.toThrow(/people\.zip: /);
    const found = await outcomes(zip(zipEntries([{ name: 'ani/1.jpg', bytes: text('ok') }], true)));
    expect(found).toEqual({ 'ani/1.jpg': 2 });
  });

  it('lists 10,000 entries', async () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({ name: `p${i}/1.jpg`, bytes: text('x') }));
    const source = await zip(zipEntries(entries, true));
    expect(source.total).toBe(10_000);
    await source.close();
  });
});

const csv = (bytes: string | Uint8Array) => openCsv(fileOf(bytes), 5, maxBytes);
const head = 'user_id,user_name,file\n';

describe('a hostile CSV file', () => {
  it('is refused in a sentence that says what was found', async () => {
    const row = '1,Ani,1.jpg\n';
    const faults: [string | Buffer, RegExp][] = [
      [`${head}1,"Ani,1.jpg\n`, /a quote is not closed/],
      [`${head}1,"${'x'.repeat(200_000)}`, /a row has more than 65536 characters, or a quote is not closed/],
      [`${head}1,A\0ni,1.jpg\n`, /found a NUL byte; allowed is text in UTF-8/],
      [Buffer.from(`\uFEFF${head}${row}`, 'utf16le'), /found UTF-16; allowed is text in UTF-8/],
      [Buffer.from(head + row, 'utf16le'), /found a NUL byte/],
      ['', /no rows|is empty|first line/],
      [`${head}1,Ani\n`, /line 2/],
    ];
    for (const [bytes, says] of faults) {
      await expect(csv(bytes), String(says)).rejects.toThrow(says);
    }
    await expect(openCsv(temporaryDirectory(), 5, maxBytes)).rejects.toThrow(/cannot be read \(EISDIR\)/);
    await expect(openCsv('/nowhere.csv', 5, maxBytes)).rejects.toThrow(/cannot be read \(ENOENT\)/);
    expect(await outcomes(csv(`\uFEFF${head}1,Ani,/dev/zero\n2,"Bu\ndi",gone.jpg\n`))).toEqual({
      '/dev/zero': 'it is a device; only files are read',
      'gone.jpg': expect.stringMatching(/^user_name: /),
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
    await expect(openCsv(file, 5, maxBytes)).rejects.toThrow(/a row has more than 65536 characters/);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 2 ** 20);
  });
});

it('a refusal is printed without characters that a terminal would obey', () => {
  const printed: string[] = [];
  const notes = refusalNotes({ note: (line) => void printed.push(line) }, undefined);
  notes.add({ person: 'a\u001b[2J', file: 'new\nline\u009b.jpg', status: 'refused', reason: 'why' });
  expect(printed).toEqual(['a\\u001b[2J: new\\nline\\u009b.jpg: why']);
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
    expect(await outcomes(openFolder(folder, 5, maxBytes))).toEqual({
      'ani/1.jpg': 7,
      'ani/2.jpg': 7,
      'ani/3.jpg': outside,
      'ani/4.jpg': outside,
      'ani/5.jpg': 'the file cannot be read (ELOOP)',
      'new\nline/1.jpg': expect.stringMatching(/^user_id: /),
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
      expect(await outcomes(openFolder(folder, 5, maxBytes))).toEqual({
        'ani/1.jpg': 'the file cannot be read (EACCES)',
        budi: 'the folder cannot be read (EACCES)',
      });
    } finally {
      process.seteuid?.(0);
    }
  });
});
