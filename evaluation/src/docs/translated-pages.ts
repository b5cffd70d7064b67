import { readdir, readFile } from 'node:fs/promises';

const root = new URL('../../../', import.meta.url);

/** Cells of measured tables; a cell that is not listed stays English. */
const indonesian: Readonly<Record<string, string>> = {
  'sessions that pass': 'sesi yang lolos',
  '`test`, with the pack': '`test`, dengan paket',
  '`test`, without it': '`test`, tanpanya',
  '`dev`, with the pack': '`dev`, dengan paket',
  '`dev`, without it': '`dev`, tanpanya',
  'film on a full screen': 'film di layar penuh',
  'film on a phone': 'film di ponsel',
  'animated still relit': 'foto animasi diberi cahaya baru',
  'animated still relit, with moving eyes': 'foto animasi diberi cahaya baru, dengan mata bergerak',
  'animated still under a lamp': 'foto animasi di bawah lampu',
  'animated still under a lamp, with moving eyes': 'foto animasi di bawah lampu, dengan mata bergerak',
  photo: 'foto',
  'photo with painted lids and mouth': 'foto dengan kelopak mata dan mulut dilukis',
  'print tilted': 'cetakan dimiringkan',
  'print curled': 'cetakan digulung',
  'animated still': 'foto animasi',
  'animated still with painted lids': 'foto animasi dengan kelopak mata dilukis',
  'animated still with noise and blur': 'foto animasi dengan derau dan keburaman',
  'animated still blurred': 'foto animasi diburamkan',
  'animated still compressed': 'foto animasi dikompresi',
  'animated still on a full screen': 'foto animasi di layar penuh',
  'animated still on a phone': 'foto animasi di ponsel',
  'animated stills from several pictures': 'foto animasi dari beberapa gambar',
  'two people animated': 'dua orang dianimasikan',
  'replayed film': 'film diputar ulang',
  'frames of two people mixed': 'frame dua orang dicampur',
  'frames of an earlier session of the client': 'frame sesi sebelumnya dari klien yang sama',
  'frames of an earlier session of another client': 'frame sesi sebelumnya dari klien lain',
  '**all animated stills**': '**semua foto animasi**',
  'honest, first try': 'jujur, percobaan pertama',
  'honest, second try': 'jujur, percobaan kedua',
};

const codeBlock = /^```[\s\S]*?^```$/gm;
const measuredBlock = /<!-- measured: (.+) -->\n[\s\S]*?<!-- end: \1 -->/g;

/** The pages of docs/id with the code blocks and measured tables of the English ones. Their prose is written by people. */
export async function translatedPages(): Promise<[path: string, text: string][]> {
  const names = (await readdir(new URL('docs/id/', root))).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const english = await readFile(new URL(name === 'README.md' ? name : `docs/${name}`, root), 'utf8');
      const path = `docs/id/${name}`;
      return [path, follow(await readFile(new URL(path, root), 'utf8'), english)];
    }),
  );
}

function follow(page: string, english: string): string {
  const code = english.match(codeBlock) ?? [];
  const tables = new Map([...english.matchAll(measuredBlock)].map(([block, name = '']) => [name, block]));
  let next = 0;
  // With another number of blocks nothing is copied: a test reports the page.
  const isSame = page.match(codeBlock)?.length === code.length;
  return page
    .replace(codeBlock, (block) => (isSame ? code[next++]! : block))
    .replace(measuredBlock, (block, name: string) => translated(tables.get(name) ?? block));
}

function translated(block: string): string {
  const cell = (text: string) => indonesian[text] ?? text.replace(/(\d) of (\d)/g, '$1 dari $2');
  const row = (line: string) => line.replace(/(?<=\| )[^|]+?(?= \|)/g, cell);
  return block
    .split('\n')
    .map((line) => (line.startsWith('| ') ? row(line) : line))
    .join('\n');
}
