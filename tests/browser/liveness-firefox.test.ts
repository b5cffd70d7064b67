import { afterAll, describe, expect, it } from 'vitest';
import { long } from '../../packages/server/test/support/long.ts';
import { cleanUp, temporaryDirectory } from '../support/program.ts';
import { type ElementEvent, startExample } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';
import { type Firefox, firefoxPath, launchFirefox } from './firefox.ts';

describe.skipIf(!firefoxPath || !long)('<wajah-liveness> in Firefox', () => {
  let firefox: Firefox | undefined;
  afterAll(async () => {
    await firefox?.close();
    await cleanUp();
  });

  it('passes a person who does the steps', async () => {
    const example = await startExample();
    const started = await launchFirefox(temporaryDirectory());
    firefox = started;
    await started.goto(example.url);
    await started.evaluate(cameraScript(await drawnFilm()));
    const event = await started.evaluate<ElementEvent>(`new Promise((resolve) => {
      for (const name of ['passed', 'failed']) {
        addEventListener(name, ({ detail }) => resolve({ name, ...JSON.parse(JSON.stringify(detail)) }));
      }
      void document.querySelector('wajah-liveness').start();
    })`);
    expect([event.name, event.reasons]).toEqual(['passed', undefined]);
    expect(event.liveness_token?.split('.')).toHaveLength(3);
    const shown = "document.querySelector('wajah-liveness').shadowRoot.querySelector('h2').textContent";
    await expect.poll(() => started.evaluate(shown)).toBe('Passed');
  });
});
