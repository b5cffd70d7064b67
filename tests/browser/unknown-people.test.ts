import { describe, expect, it } from 'vitest';
import { problemsAt } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, phone } from './chromium.ts';
import { signedIn, startConsole, unexpectedErrors } from './console-server.ts';

describe.skipIf(!chromiumPath)('unknown people of a gallery in the console', () => {
  it('are kept by a setting, shown with their faces, assigned and forgotten', async () => {
    const [server, browser] = await Promise.all([
      startConsole({ WAJAH_KEEP_FACE_CROPS: 'gallery' }),
      launchChromium(),
    ]);
    const of = { facegallery_id: 'gate' };
    const call = (name: string, fields: object) =>
      server.call(`/face-api/facegallery/${name}`, { ...of, ...fields });
    await call('create-facegallery', { keep_crops: true });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/gate/unknown');
    await page.getByLabel('Hours to keep unknown people').fill('24');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nobody unknown is kept').waitFor();
    for (const picture of ['ani', 'budi'])
      expect(await call('identify-face', { image: server.base64(picture) })).toHaveProperty('unknown_id');
    await page.reload();
    const entries = page.locator('main li').filter({ hasText: /^Seen/ });
    await expect.poll(() => entries.count()).toBe(2);
    await entries.first().locator('.person-face img').waitFor();
    expect(await problemsAt(page, phone.viewport!)).toEqual([]);
    expect(await problemsAt(page, desktop.viewport!)).toEqual([]);
    await entries
      .first()
      .getByRole('button', { name: /^Forget/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => entries.count()).toBe(1);
    await entries
      .first()
      .getByRole('button', { name: /^Assign/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('ID', { exact: true }).fill('3174001');
    await dialog.getByLabel('Name', { exact: true }).fill('Sri Rahayu');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('Nobody unknown is kept').waitFor();
    expect((await call('identify-face', { image: server.base64('ani') }))['return']).toMatchObject([
      { user_id: '3174001', user_name: 'Sri Rahayu' },
    ]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
});
