import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { wajah } from '../support/program.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage } from './chromium.ts';
import { type ConsoleServer, goTo, signIn, startConsole, unexpectedErrors } from './console-server.ts';

describe.skipIf(!chromiumPath)('the clients of the server in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startConsole({ WAJAH_COMMAND: 'docker exec faces wajah' }),
      launchChromium(),
    ]);
  });

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  /** HTTP status of a sign-in. */
  const signInAs = async (client_id: string, password: string) =>
    (
      await fetch(`${server.url}/oauth/client/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, password }),
      })
    ).status;
  /** The secret of the dialog, which is then closed. */
  async function takeSecret(page: Page, title: string): Promise<string> {
    const dialog = page.getByRole('dialog', { name: title });
    const secret = (await dialog.locator('pre').textContent()) ?? '';
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    return secret;
  }

  it('are created, limited, given a new password, and deleted by name', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await signIn(page, server);
    await goTo(page, 'Clients');
    const demo = rowOf(page, 'demo');
    await expect.poll(() => demo.textContent()).toContain('by docker exec faces wajah client, on the server');
    await expect.poll(() => demo.getByRole('button').count()).toBe(1);

    await page.getByLabel('Client ID').fill('door-7');
    await page.getByRole('button', { name: 'Create client' }).click();
    const first = await takeSecret(page, 'The password of door-7');
    expect(await signInAs('door-7', first)).toBe(200);
    await expect.poll(() => page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Quotas of door-7' }).click();
    const quotas = page.getByRole('dialog', { name: 'Quotas of door-7' });
    await quotas.getByLabel('Faces').fill('5000');
    await quotas.getByLabel('Calls').fill('-1');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await quotas.getByRole('button', { name: 'Save' }).click();
    await quotas.waitFor({ state: 'detached' });
    await expect.poll(() => rowOf(page, 'door-7').textContent()).toMatch(/0 of 5,000.*0 of unlimited/);

    await page.getByRole('button', { name: 'Reset password of door-7' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    const second = await takeSecret(page, 'The new password of door-7');
    expect([await signInAs('door-7', first), await signInAs('door-7', second)]).toEqual([401, 200]);

    await page.getByRole('button', { name: 'Delete door-7' }).click();
    const removal = page.getByRole('dialog', { name: 'Delete door-7' });
    await removal.getByText('It loses 1 galleries with 0 faces').waitFor();
    const confirm = removal.getByRole('button', { name: 'Delete', exact: true });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await removal.getByLabel('Client ID').fill('door-7');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await confirm.click();
    await rowOf(page, 'door-7').waitFor({ state: 'detached' });
    expect(await signInAs('door-7', second)).toBe(401);

    await goTo(page, 'System');
    await page.getByRole('button', { name: 'Audit trail' }).click();
    await page.getByText('demo ran delete-client (galleries 1, faces 0)').first().waitFor();
    await page.getByText('The operator acted on a client that is erased').first().waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('are not offered to a client that is no operator, and refused to it by their address', async () => {
    const made = await wajah(server.settings, 'client', 'create', 'plain', '--json');
    const { password } = JSON.parse(made.out) as { password: string };
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await signIn(page, { ...server, clientId: 'plain', password });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Webhooks' }).waitFor();
    await expect.poll(() => pages.getByRole('link', { name: 'Clients' }).count()).toBe(0);
    await page.goto(`${server.url}/console#/clients`);
    await page.getByText('Operators only').waitFor();
    await page.getByText('docker exec faces wajah client create ops --operator').waitFor();
  });

  it('are made by commands that every page names as operators start them here', async () => {
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await page.getByText('Where do I find them?').click();
    for (const command of ['client create door-7', 'client sign-in-link demo'])
      await page.getByText(`docker exec faces wajah ${command}`).waitFor();
    await signIn(page, server);
    await goTo(page, 'System');
    await page.getByText('docker exec faces wajah models pull pad').first().waitFor();
    await page.getByRole('button', { name: 'Audit trail' }).click();
    await page.getByText('Check the chain of records with “docker exec faces wajah audit verify”.').waitFor();
    await page.goto(`${server.url}/console#/galleries/demo%40trial/thresholds`);
    await page.getByText('docker exec faces wajah calibrate --client demo --gallery demo@trial').waitFor();
  });
});
