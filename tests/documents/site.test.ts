import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { contents } from '../../packages/guide/src/pages.ts';
import { findSections, type SearchEntry, searchOptions } from '../../packages/guide/src/search.ts';
import { siteFiles } from '../../packages/guide/src/site.ts';
import { pagesApp } from '../../packages/server/test/support/pages-app.ts';
import { ourSources, root } from '../support/sources.ts';

const { texts } = siteFiles(root);
const pages = [...texts].filter(([path]) => path.endsWith('.html'));
function addressesOf(html: string): string[] {
  return [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);
}

it('every document has a page, but those for contributors', () => {
  const listed = new Set<string>(Object.values(contents).flat());
  const documents = ['docs', 'docs/operations'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  expect(documents.filter((path) => path.endsWith('.md') && !listed.has(path))).toEqual([]);
  expect(pages.length).toBe(2 * listed.size + 2);
});

it('every link within the site is served, files that are no pages too, and has its anchor', async () => {
  const app = await pagesApp();
  const linked = pages.flatMap(([path, html]) =>
    addressesOf(html)
      .map((address) => {
        // The server replaces `./` in a page that has no address of its own.
        const atRoot = path.endsWith('404.html') && address.startsWith('./');
        return new URL(address, `http://site/${atRoot ? '' : `docs/guide/${path}`}`);
      })
      .filter(({ host }) => host === 'site')
      .map(({ pathname, hash }) => pathname + hash),
  );
  const addresses = [...new Set(linked)];
  expect(addresses).toContain('/docs/guide/files/programs/shell.sh');
  const dead: string[] = [];
  for (const address of addresses) {
    const [url = '', anchor] = address.split('#');
    const { statusCode, body } = await app.inject({ url });
    if (statusCode !== 200 || (anchor !== undefined && !body.includes(` id="${anchor}"`))) dead.push(address);
  }
  expect(dead).toEqual([]);
});

it('links of the console lead to pages and anchors of the site, in both languages', () => {
  const named = ourSources().flatMap(({ path, text }) =>
    path.startsWith('packages/console/src/')
      ? [...text.matchAll(/\$\{common\.guideAddress\}([\w./-]+)(?:#([\w-]+))?/g)]
      : [],
  );
  expect(named.length).toBeGreaterThan(1);
  for (const [, page = '', anchor] of named)
    for (const language of ['', 'id/'])
      expect(texts.get(language + page)).toContain(anchor === undefined ? '<h1' : ` id="${anchor}"`);
});

it('pages load nothing from elsewhere and have nothing inline', () => {
  for (const [path, html] of pages) {
    const loaded = [...html.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    const elsewhere = path.endsWith('404.html') ? /^([a-z]+:|\/(?!docs\/guide\/))/ : /^([a-z]+:|\/)/;
    expect([path, loaded.filter(([, address = '']) => elsewhere.test(address))]).toEqual([path, []]);
    expect([path, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/.exec(html)?.[0]]).toEqual([
      path,
      undefined,
    ]);
    expect([path, html.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
  }
});

describe('the search', () => {
  const indexOf = (language: string) => {
    const [, text = ''] = /^globalThis.wajahGuideIndex = (.*);$/m.exec(
      texts.get(`assets/search-${language}.js`)!,
    )!;
    return MiniSearch.loadJSON<SearchEntry>(JSON.parse(text) as string, searchOptions);
  };
  const indexes = { en: indexOf('en'), id: indexOf('id') };
  const first = (language: keyof typeof indexes, query: string) =>
    findSections(indexes[language], query)[0]?.address;

  it.each([
    ['lost password', 'operations.html#lost-password'],
    ['reset password', 'operations.html#lost-password'],
    ['forgot my password', 'operations.html#lost-password'],
    ['which threshold', 'decisions.html#similarity-and-its-thresholds'],
    ['threshold', 'decisions.html#similarity-and-its-thresholds'],
    ['HTTPS', 'operations/installing.html#https-in-five-minutes'],
    ['camera does not open', 'operations/installing.html#https-in-five-minutes'],
    ['Raspberry Pi', 'operations/installing.html#raspberry-pi'],
    ['raspberry', 'operations/installing.html#raspberry-pi'],
    ['how to install', 'operations/installing.html'],
    ['accuracy', 'accuracy.html'],
    ['gpu', 'operations/models.html#gpu'],
    ['android', 'api.html#programs-in-other-languages'],
    ['heic', 'troubleshooting.html#refused-pictures'],
    ['update', 'operations/storage.html#upgrading'],
    ['not recognised', 'troubleshooting.html#not-recognised'],
    ['offline', 'troubleshooting.html#offline'],
    ['wrong person', 'troubleshooting.html#wrong-person'],
    ['no camera', 'troubleshooting.html#no-camera'],
    ['port taken', 'troubleshooting.html#failed-starts'],
    ['EACCES', 'troubleshooting.html#failed-starts'],
    ['token expired', 'troubleshooting.html#token-expired'],
    ['portrait', 'troubleshooting.html#taking-portraits'],
    ['employee left', 'troubleshooting.html#people-who-left'],
    ['leavers', 'troubleshooting.html#people-who-left'],
    ['employee leaves', 'troubleshooting.html#people-who-left'],
    ['which hardware', 'operations/sizing.html'],
    ['which version', 'operations.html#start-stop-health'],
    ['windows', 'operations/installing.html'],
    ['rekognition', 'comparison.html'],
    ['report a vulnerability', 'reporting.html#report-a-vulnerability'],
    ['report a bug', 'reporting.html'],
    ['change a photo', 'decisions.html#several-pictures-of-a-person'],
    ['other computer', 'operations.html#reach-it-from-elsewhere'],
    ['ssh -L', 'operations.html#reach-it-from-elsewhere'],
    ['change the port', 'operations.html#reach-it-from-elsewhere'],
    ['CORS', 'operations.html#reach-it-from-elsewhere'],
    ['uninstall', 'operations.html#remove-it'],
    ['log rotation', 'monitoring.html#logs'],
    ['move the server', 'operations/storage.html#moving-to-another-machine'],
    ['429', 'troubleshooting.html#too-many-requests'],
    ['wrong clock', 'troubleshooting.html#wrong-time'],
    ['411', 'api.html#statuses'],
    ['error codes', 'api.html#refusals'],
    ['idempotency', 'api.html#refusals'],
    ['EXIF', 'api.html#requests'],
    ['pagination', 'api.html#requests'],
    ['full disk', 'operations/storage.html#the-data-directory'],
    ['too slow', 'operations/sizing.html#overload'],
    ['lost master key', 'security.html#the-master-key'],
    ['RTSP', 'cameras.html'],
    ['telemetry', 'privacy.html#what-is-not-stored'],
    ['high availability', 'operations/storage.html#two-servers-or-more'],
  ])('in English: %s', (query, address) => {
    expect(first('en', query)).toBe(address);
  });

  it.each([
    ['kata sandi hilang', 'id/operations.html#lost-password'],
    ['lupa kata sandi', 'id/operations.html#lost-password'],
    ['ambang yang mana', 'id/decisions.html#similarity-and-its-thresholds'],
    ['HTTPS', 'id/operations/installing.html#https-in-five-minutes'],
    ['kamera tidak terbuka', 'id/operations/installing.html#https-in-five-minutes'],
    ['Raspberry Pi', 'id/operations/installing.html#raspberry-pi'],
    ['cara memasang', 'id/operations/installing.html'],
    ['tidak dikenali', 'id/troubleshooting.html#tidak-dikenali'],
    ['salah orang', 'id/troubleshooting.html#orang-yang-salah'],
    ['tanpa internet', 'id/troubleshooting.html#tanpa-internet'],
    ['pas foto', 'id/troubleshooting.html#mengambil-foto-pendaftaran'],
    ['perbandingan', 'id/comparison.html'],
    ['karyawan keluar', 'id/troubleshooting.html#orang-yang-keluar'],
    ['perangkat keras', 'id/operations/sizing.html'],
    ['boleh dijual', 'id/comparison.html'],
    ['mengganti foto', 'id/decisions.html#several-pictures-of-a-person'],
    ['masker', 'id/troubleshooting.html#tidak-dikenali'],
    ['lapor bug', 'id/reporting.html'],
    ['perbarui', 'id/operations/storage.html#upgrading'],
    ['komputer lain', 'id/operations.html#reach-it-from-elsewhere'],
    ['ganti port', 'id/operations.html#reach-it-from-elsewhere'],
    ['copot', 'id/operations.html#remove-it'],
    ['rotasi log', 'id/monitoring.html#logs'],
    ['pindah server', 'id/operations/storage.html#moving-to-another-machine'],
    ['batas permintaan', 'id/troubleshooting.html#terlalu-banyak-permintaan'],
    ['jam salah', 'id/troubleshooting.html#jam-yang-salah'],
    ['417', 'id/api.html#statuses'],
    ['kode kesalahan', 'id/api.html#refusals'],
    ['pulihkan cadangan', 'id/operations/storage.html#backup-and-restore'],
    ['disk penuh', 'id/operations/storage.html#the-data-directory'],
    ['cermin', 'id/api.html#requests'],
    ['lambat', 'id/operations/sizing.html#overload'],
    ['kunci induk', 'id/security.html#the-master-key'],
    ['migrasi', 'id/migrate.html'],
    ['nonaktifkan', 'id/privacy.html#penangguhan'],
    ['akurasi', 'id/accuracy.html'],
  ])('in Indonesian: %s', (query, address) => {
    expect(first('id', query)).toBe(address);
  });
});
